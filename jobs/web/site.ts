/** Where the page's values come from: its server, or files beside the page. */
import type { GameAnswer } from '../server/api-answers.js';
import type { StaticSite } from '../site/site-layout.js';
import { httpSource } from './http-source.js';
import { UnreachableError } from './source.js';
import type { AppOptions } from './stores/app.js';

/** The shape of `site.json`, which says where values are. A server names its games there, so that the page has one request less to wait for. */
export type Site = { readonly source: 'http'; readonly games: readonly GameAnswer[] } | StaticSite;

/** @throws UnreachableError if the server does not answer. */
export async function readSite(): Promise<Site> {
  const site = (await fetch(new URL('site.json', location.href))
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)) as Site | null;
  if (site === null) throw new UnreachableError('The server does not answer.');
  return site;
}

/** @throws UnreachableError if the tables of a site are not where it says. */
export async function sourceOf(site: Site): Promise<Pick<AppOptions, 'source' | 'games'>> {
  const base = location.href;
  if (site.source === 'http') return { source: httpSource(base), games: site.games };
  const { staticSource } = await import('./static/static-source.js');
  const source = await staticSource(new URL(site.tables, base).href);
  return { source, games: source.games };
}

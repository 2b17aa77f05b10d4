/** Which source of values this page has: a file beside it says. */
import type { GameAnswer } from '../server/api-answers.js';
import type { StaticSite } from '../site/site-layout.js';
import { httpSource } from './http-source.js';
import { type TableSource, UnreachableError } from './source.js';

/** The shape of `site.json`. A server names its games there, so that the page has one request less to wait for. */
export type Site = { readonly source: 'http'; readonly games: readonly GameAnswer[] } | StaticSite;

/** `base`: the address of the page. @throws UnreachableError if nothing says which it is. */
export async function readSite(base: string): Promise<Site> {
  const site = (await fetch(new URL('site.json', base))
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)) as Site | null;
  if (site === null) throw new UnreachableError('The server does not answer.');
  return site;
}

/** @throws UnreachableError if the tables of a site are not where it says. */
export async function sourceOf(site: Site, base: string): Promise<TableSource> {
  if (site.source === 'http') return { ...httpSource(base), games: async () => site.games };
  const { staticSource } = await import('./static/static-source.js');
  return staticSource(new URL(site.tables, base).href);
}

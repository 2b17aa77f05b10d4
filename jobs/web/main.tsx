/** The page on which tables are looked into. */
import { type ComponentChildren, render } from 'preact';
import type { GameAnswer } from '../server/api-answers.js';
import type { StaticSite } from '../site/site-layout.js';
import { httpSource } from './http-source.js';
import { begin } from './page.js';
import { UnreachableError } from './source.js';
import { App, type AppOptions } from './stores/app.js';
import './style/page.css';
import { Button } from './widgets.js';

/** The panels of pages with tables of endings. */
const TABLES = ['endings', 'solutions', 'practice', 'games'];

/** The shape of `site.json`, which says where values are. A server names its games there, so that the page has one request less to wait for. */
type Site = { readonly source: 'http'; readonly games: readonly GameAnswer[] } | StaticSite;

async function readSite(): Promise<Site> {
  const site = (await fetch(new URL('site.json', location.href))
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)) as Site | null;
  if (site === null) throw new UnreachableError('The server does not answer.');
  return site;
}

/** @throws UnreachableError if the tables of a site are not where it says. */
async function sourceOf(site: Site): Promise<Pick<AppOptions, 'source' | 'games'>> {
  const base = location.href;
  if (site.source === 'http') return { source: httpSource(base), games: site.games };
  const { staticSource } = await import('./static/static-source.js');
  const source = await staticSource(new URL(site.tables, base).href);
  return { source, games: source.games };
}

async function start(): Promise<void> {
  say(<p>Loading…</p>);
  let site: Site | null = null;
  try {
    site = await readSite();
    const found = await sourceOf(site);
    if (found.games.length > 0)
      return await begin(new App({ ...found, monitor: site.source === 'http', panels: TABLES }));
    say(
      <>
        <h1>No tables here</h1>
        <p>Solve an ending into the store that is served, and look again:</p>
        <pre>npx mergemate solve samples/kqkr.json</pre>
        <Button press={() => void start()} class="main">
          Look again
        </Button>
      </>,
    );
  } catch (error) {
    say(
      <>
        <h1>The tables cannot be reached</h1>
        <p role="alert">{(error as Error).message}</p>
        {site?.source !== 'static' && (
          <p>
            Is <code>mergemate serve</code> still running?
          </p>
        )}
        <Button press={() => void start()} class="main">
          Try again
        </Button>
      </>,
    );
  }
}

/** In place of everything. */
function say(children: ComponentChildren): void {
  render(<main class="message">{children}</main>, document.body);
}

await start();

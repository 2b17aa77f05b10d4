/** The page on which tables are looked into. */
import { type ComponentChildren, render } from 'preact';
import type { GameAnswer } from '../server/api-answers.js';
import type { StaticSite } from '../site/site-layout.js';
import { httpSource } from './http-source.js';
import { begin, PANELS } from './page.js';
import { type TableSource, UnreachableError } from './source.js';
import { App } from './stores/app.js';
import './style/page.css';
import { Button } from './widgets.js';

/** What `site.json` beside the page says: where its values are. */
type Site = { readonly source: 'http'; readonly games: readonly GameAnswer[] } | StaticSite;

async function sourceOf(site: Site): Promise<TableSource> {
  if (site.source === 'http') return { ...httpSource(location.href), games: async () => site.games };
  const { staticSource } = await import('./static/static-source.js');
  return staticSource(new URL(site.tables, location.href).href);
}

async function start(): Promise<void> {
  say(<p>Loading…</p>);
  let site: Site | null = null;
  try {
    const response = await fetch(new URL('site.json', location.href)).catch(() => null);
    site = response?.ok ? ((await response.json().catch(() => null)) as Site | null) : null;
    if (site === null) throw new UnreachableError('The server does not answer.');
    const source = await sourceOf(site);
    const games = await source.games();
    if (games.length > 0) {
      const panels = PANELS.map(({ name }) => name);
      return await begin(new App({ source, games, monitor: site.source === 'http', panels }));
    }
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

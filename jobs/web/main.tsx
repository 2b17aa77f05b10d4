/** The page on which tables are looked into. */
import { type ComponentChildren, render } from 'preact';
import { begin } from './page.js';
import { readSite, type Site, sourceOf } from './site.js';
import { App } from './stores/app.js';
import './style/page.css';
import { Button } from './widgets.js';

/** The panels of pages with tables of endings. */
const TABLES = ['endings', 'solutions', 'practice', 'games'];

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

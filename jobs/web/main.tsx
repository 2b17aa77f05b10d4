/** The page on which tables are looked into. */
import { type ComponentChildren, render } from 'preact';
import { cachedSource } from './cached-source.js';
import { readSite, type Site, sourceOf } from './choose-source.js';
import type { Line } from './line.js';
import { PANELS, Page } from './page.js';
import { placeOf } from './place.js';
import { App } from './state.js';
import './style/page.css';
import { Button } from './widgets.js';

async function start(): Promise<void> {
  say(<p>Loading…</p>);
  let site: Site | null = null;
  try {
    site = await readSite(location.href);
    const source = cachedSource(await sourceOf(site, location.href));
    const games = await source.games();
    if (games.length > 0) {
      const panels = PANELS.map(({ name }) => name);
      return await begin(new App(source, games, site.source === 'http', panels));
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

/** Shows what the address asks for. If that fails, shows an example of its game and says why. */
async function begin(app: App): Promise<void> {
  render(<Page app={app} />, document.body);
  addEventListener('popstate', ({ state }) => void app.openHash(location.hash, 'none', state));
  if (await app.openHash(location.hash, 'replace', history.state as Line | null)) return;
  const problem = app.said.peek();
  app.find.value = null;
  const { game: asked } = placeOf(location.hash);
  const { name } = app.games.find((game) => game.name === asked) ?? app.games[0];
  if (await app.open({ game: name }, 'replace')) app.said.value = problem;
}

/** In place of everything. */
function say(children: ComponentChildren): void {
  render(<main class="message">{children}</main>, document.body);
}

await start();

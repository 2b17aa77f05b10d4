/** The page on which tables are looked into. */
import './style/page.css';
import { startApp } from './app.js';
import { readSite, type Site, sourceOf } from './choose-source.js';
import { button, h } from './dom.js';

async function start(): Promise<void> {
  say(h('p', {}, 'Loading…'));
  let site: Site | null = null;
  try {
    site = await readSite(location.href);
    const source = await sourceOf(site, location.href);
    const games = await source.games();
    if (games.length === 0) {
      say(
        h('h1', {}, 'No tables here'),
        h('p', {}, 'Solve an ending into the store that is served, and look again:'),
        h('pre', {}, 'npx mergemate solve samples/kqkr.json'),
        button('Look again', () => void start(), { class: 'main' }),
      );
      return;
    }
    await startApp(source, games, site.source === 'http');
  } catch (error) {
    say(
      h('h1', {}, 'The tables cannot be reached'),
      h('p', { role: 'alert' }, (error as Error).message),
      ...(site?.source === 'static'
        ? []
        : [h('p', {}, 'Is ', h('code', {}, 'mergemate serve'), ' still running?')]),
      button('Try again', () => void start(), { class: 'main' }),
    );
  }
}

/** In place of everything. */
function say(...children: readonly Node[]): void {
  document.body.replaceChildren(h('main', { class: 'message' }, ...children));
}

await start();

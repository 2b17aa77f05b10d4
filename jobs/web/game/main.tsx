/** The page of a published keyed game or graph: that of endings, with another source of values and a board that the game draws. */
import { render } from 'preact';
import { httpStore } from '../../../operators/storage/http.js';
import type { KeyedProber } from '../../../pipeline/graph/keyed-prober.js';
import type { NodeId } from '../../../pipeline/graph/source.js';
import { openPublishedKeyed } from '../../../pipeline/share/publish/keyed/published-keyed.js';
import { readNodeId, writeNodeId } from '../../graph/node-id.js';
import { begin } from '../page.js';
import { App } from '../stores/app.js';
import '../style/page.css';
import { keyedSource, type ShownGame } from './keyed-source.js';
import { loadGame } from './load-game.js';
import { Picture } from './picture.js';
import { servedProber } from './served-prober.js';

interface Opened {
  readonly game: ShownGame;
  readonly prober: KeyedProber<unknown>;
}

async function open(): Promise<Opened> {
  const loaded = await loadGame();
  const { metric } = loaded;
  const store = httpStore('./');
  if ('graph' in loaded) {
    const { openPublishedGraph } = await import('../../../pipeline/share/publish/graph/published-graph.js');
    const { nodeProber } = await import('../../../pipeline/graph/node-prober.js');
    const published = await openPublishedGraph(store, loaded.graph, metric);
    const { graph, header } = published;
    const format = (node: unknown) => writeNodeId(node as NodeId);
    return {
      // It begins with the first node: published files do not have the roots of a graph.
      game: {
        name: graph.name,
        colours: graph.players,
        starts: () => [header.first],
        format,
        parse: readNodeId,
        diagram: format,
        board: null,
      },
      prober: nodeProber(published) as KeyedProber<unknown>,
    };
  }
  const { game, served } = loaded;
  return {
    game,
    prober: served ? servedProber(game, metric) : await openPublishedKeyed(game, store, metric),
  };
}

async function start(): Promise<void> {
  const { game, prober } = await open();
  const source = keyedSource(game, prober);
  const picture = (text: string) => {
    const position = game.parse(text);
    const words = `${text}: ${game.diagram(position)}`;
    return <Picture of={game.board?.(position) ?? null} text={game.board ? words : game.diagram(position)} />;
  };
  await begin(new App({ source, games: await source.games(), monitor: false, panels: [], picture }));
}

start().catch((error: Error) => {
  const hint =
    location.protocol === 'file:' ? ' Open it by a web server: pages from a disk may not read files.' : '';
  render(
    <main class="message">
      <p role="alert">{error.message + hint}</p>
    </main>,
    document.body,
  );
});

/** The page of a keyed game or graph: that of endings, with another source of values and a board that the game draws. */
import { render } from 'preact';
import { httpStore } from '../../../operators/storage/http.js';
import { openPublishedKeyed } from '../../../pipeline/share/publish/keyed/published-keyed.js';
import { nodesAsMoves, type OpenedKeyed, writingOf } from '../../solved/keyed.js';
import { httpSource } from '../http-source.js';
import { begin } from '../page.js';
import { App, type AppOptions } from '../stores/app.js';
import '../style/page.css';
import { filedSource } from './filed-source.js';
import { type LoadedGame, type LoadedGraph, loadGame } from './load-game.js';
import { Picture } from './picture.js';

/** The address of the API, below which the server of a game has its page. */
const SERVER = '../../';

type Opened = Pick<AppOptions, 'picture' | 'source'> & {
  readonly name: string;
  readonly players: readonly [string, string];
  readonly starts: readonly string[];
};

async function open(): Promise<AppOptions> {
  const loaded = await loadGame();
  const { metric } = loaded;
  const { name, players, starts, ...options } = await ('graph' in loaded
    ? openGraph(loaded)
    : openGame(loaded));
  // Names of players, where the game has some.
  const colours = players as ['white', 'black'];
  const games = [{ name, metrics: [metric], colours, example: starts[0] }];
  const panels = starts.length > 1 ? ['starts'] : [];
  return { ...options, games, monitor: false, panels, starts };
}

async function openGraph({ graph, metric }: LoadedGraph): Promise<Opened> {
  const { openPublishedGraph } = await import('../../../pipeline/share/publish/graph/published-graph.js');
  const published = await openPublishedGraph(httpStore('./'), graph, metric);
  const nodes = nodesAsMoves(published);
  return {
    name: graph,
    players: nodes.writing.players,
    // Published files do not have the roots of a graph.
    starts: [nodes.writing.format(published.header.first)],
    source: filedSource(graph, nodes as OpenedKeyed<unknown>),
  };
}

async function openGame({ game, metric, served }: LoadedGame): Promise<Opened> {
  const { name, colours: players, board } = game;
  const picture = (text: string) => {
    const position = game.parse(text);
    return <Picture of={board!(position)} text={`${text}: ${game.diagram(position)}`} />;
  };
  const source = served
    ? httpSource(new URL(SERVER, location.href).href)
    : filedSource(name, {
        writing: writingOf(game),
        prober: await openPublishedKeyed(game, httpStore('./'), metric),
      });
  const starts = [...game.starts()].map(game.format);
  return { name, players, source, starts, ...(board !== null && { picture }) };
}

async function start(): Promise<void> {
  await begin(new App(await open()));
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

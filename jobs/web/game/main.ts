/** The page of a published keyed game: its board, the value of the position, and its moves, which one plays by clicking. */
import './page.css';
import { httpStore } from '../../../operators/storage/http.js';
import { keyedLine } from '../../../pipeline/graph/keyed-line.js';
import type { KeyedMove, KeyedProber, ProbedPosition } from '../../../pipeline/graph/keyed-prober.js';
import { openPublishedKeyed } from '../../../pipeline/tables/publish/keyed/published-keyed.js';
import { signed } from '../../solved/answer-text.js';
import { bestPlayText, keyedVerdict } from '../../ui/keyed-text.js';
import { button, h } from '../dom.js';
import { drawBoard } from './board.js';
import { loadGame } from './load-game.js';
import { servedProber } from './served-prober.js';
import type { ShownGame } from './shown-game.js';

interface Opened {
  readonly game: ShownGame;
  readonly prober: KeyedProber<unknown>;
}

async function open(): Promise<Opened> {
  const loaded = await loadGame();
  const { metric } = loaded;
  const store = httpStore('./');
  if ('graph' in loaded) {
    const { gameOfGraph } = await import('./graph-game.js');
    const { openPublishedGraph } = await import('../../../pipeline/tables/publish/graph/published-graph.js');
    const { nodeProber } = await import('../../../pipeline/graph/node-prober.js');
    const published = await openPublishedGraph(store, loaded.graph, metric);
    return { game: gameOfGraph(published), prober: nodeProber(published) as KeyedProber<unknown> };
  }
  const { game, served } = loaded;
  return {
    game,
    prober: served ? servedProber(game, metric) : await openPublishedKeyed(game, store, metric),
  };
}

async function start(): Promise<void> {
  const { game, prober } = await open();
  const { metric } = prober;
  document.title = game.name;
  const roots = [...game.starts()];
  /** The moves by which each address was come to, as names. */
  const ways = new Map<string, readonly string[]>();

  const address = (position: unknown) => `#${encodeURIComponent(game.format(position))}`;

  function asked(): unknown {
    const text = decodeURIComponent(location.hash.slice(1));
    return text === '' ? roots[0] : game.parse(text);
  }

  function go(position: unknown): void {
    // The address is the position, so that the browser goes back and links can be shared.
    if (location.hash === address(position)) void show();
    else location.hash = address(position);
  }

  function play(move: KeyedMove<unknown>): void {
    ways.set(address(move.after), [...(ways.get(location.hash) ?? []), move.name]);
    go(move.after);
  }

  async function showLine(position: unknown, into: HTMLElement): Promise<void> {
    into.textContent = bestPlayText(game, await keyedLine(prober, position));
  }

  function page(position: unknown, probed: ProbedPosition<unknown>): HTMLElement[] {
    const line = h('p', { class: 'line', 'aria-live': 'polite' });
    const starts = roots.map((root, i) =>
      button(roots.length === 1 ? 'Start' : `Start ${i + 1}`, () => go(root)),
    );
    const hasLine = metric !== 'wdl' && probed.wdl !== 'draw' && !probed.isOver;
    return [
      h('h1', {}, game.name),
      drawBoard(game, position),
      h('p', { class: `verdict ${probed.wdl}`, role: 'status' }, keyedVerdict(game.colours, probed)),
      h('ul', { class: 'moves' }, ...probed.moves.map((move) => moveItem(move, () => play(move)))),
      h(
        'nav',
        {},
        ...starts,
        button('Back', () => history.back()),
        ...(hasLine ? [button('Line of best play', () => attempt(() => showLine(position, line)))] : []),
      ),
      line,
      h('p', { class: 'played' }, (ways.get(location.hash) ?? []).join(' ')),
      positionForm(game.format(position), (text) => attempt(() => go(game.parse(text)))),
    ];
  }

  async function show(): Promise<void> {
    const position = asked();
    const probed = await prober.probe(position);
    document.body.replaceChildren(h('main', {}, ...page(position, probed)));
  }

  addEventListener('hashchange', () => attempt(show));
  await show().catch(async (error: Error) => {
    location.hash = '';
    showAlone(error.message);
  });
}

function moveItem({ name, wdl, score, plies }: KeyedMove<unknown>, press: () => void): HTMLElement {
  const value = [wdl, score === null ? '' : signed(score), plies === null ? '' : String(plies)];
  const text = h(
    'span',
    {},
    h('span', { class: 'name' }, name),
    h('span', { class: 'value' }, value.filter((each) => each !== '').join(' ')),
  );
  return h('li', {}, button(text, press, { class: `move ${wdl}` }));
}

/** A field with the text of a position; `shown` is called with the text that is to be shown. */
function positionForm(value: string, shown: (text: string) => void): HTMLElement {
  const field = h('input', { name: 'position', value, 'aria-label': 'Position' });
  return h(
    'form',
    {
      submit: (event: Event) => {
        event.preventDefault();
        shown(field.value);
      },
    },
    field,
    h('button', { type: 'submit' }, 'Show'),
  );
}

/** Shows below the page why something failed. */
function attempt(what: () => unknown): void {
  Promise.resolve()
    .then(what)
    .catch((error: Error) => {
      document.querySelector('[role=alert]')?.remove();
      document.querySelector('main')?.append(h('p', { role: 'alert' }, error.message));
    });
}

/** Shows a message in place of the page. */
function showAlone(message: string): void {
  document.body.replaceChildren(h('main', {}, h('p', { role: 'alert' }, message)));
}

start().catch((error: Error) => {
  const hint =
    location.protocol === 'file:' ? ' Open it by a web server: pages from a disk may not read files.' : '';
  showAlone(error.message + hint);
});

/** The page of a published keyed game: its board, the value of the position, and its moves, which one plays by clicking. */
import './page.css';
import { httpStore } from '../../../operators/storage/http.js';
import { keyedLine } from '../../../pipeline/graph/keyed-line.js';
import type { KeyedMove, KeyedProber, ProbedPosition } from '../../../pipeline/graph/keyed-prober.js';
import { openPublishedKeyed } from '../../../pipeline/publish/keyed/published-keyed.js';
import { bestPlayText, keyedVerdict, signed } from '../../ui/keyed-text.js';
import { capital } from '../../ui/verdict.js';
import { button, h } from '../dom.js';
import { drawBoard } from './board.js';
import { loadGame } from './load-game.js';
import { servedProber } from './served-prober.js';

async function start(): Promise<void> {
  const { game, metric, served } = await loadGame();
  document.title = game.name;
  const prober: KeyedProber<unknown> = served
    ? servedProber(game, metric)
    : await openPublishedKeyed(game, httpStore('./'), metric);
  const roots = [...game.roots()];
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

  function moveItem(move: KeyedMove<unknown>): HTMLElement {
    const value = [
      ...[move.wdl, move.score === null ? '' : signed(move.score)],
      ...[move.plies === null ? '' : String(move.plies)],
    ];
    const press = () => {
      ways.set(address(move.after), [...(ways.get(location.hash) ?? []), move.name]);
      go(move.after);
    };
    const text = h(
      'span',
      {},
      h('span', { class: 'name' }, move.name),
      h('span', { class: 'value' }, value.filter((each) => each !== '').join(' ')),
    );
    return h('li', {}, button(text, press, { class: `move ${move.wdl}` }));
  }

  async function showLine(position: unknown, into: HTMLElement): Promise<void> {
    into.textContent = bestPlayText(game, await keyedLine(prober, position));
  }

  function page(position: unknown, probed: ProbedPosition<unknown>): HTMLElement[] {
    const line = h('p', { class: 'line', 'aria-live': 'polite' });
    const field = h('input', { name: 'position', value: game.format(position), 'aria-label': 'Position' });
    const form = h(
      'form',
      {
        submit: (event: Event) => {
          event.preventDefault();
          attempt(() => go(game.parse(field.value)));
        },
      },
      field,
      h('button', { type: 'submit' }, 'Show'),
    );
    const starts = roots.map((root, i) =>
      button(roots.length === 1 ? 'Start' : `Start ${i + 1}`, () => go(root)),
    );
    const verdict = `${capital(game.colours[probed.mover])} to move: ${keyedVerdict(probed)}`;
    const hasLine = metric !== 'wdl' && probed.wdl !== 'draw' && !probed.isOver;
    return [
      h('h1', {}, game.name),
      drawBoard(game, position),
      h('p', { class: `verdict ${probed.wdl}`, role: 'status' }, verdict),
      h('ul', { class: 'moves' }, ...probed.moves.map(moveItem)),
      h(
        'nav',
        {},
        ...starts,
        button('Back', () => history.back()),
        ...(hasLine ? [button('Line of best play', () => attempt(() => showLine(position, line)))] : []),
      ),
      line,
      h('p', { class: 'played' }, (ways.get(location.hash) ?? []).join(' ')),
      form,
    ];
  }

  async function show(): Promise<void> {
    const position = asked();
    const probed = await prober.probe(position);
    document.body.replaceChildren(h('main', {}, ...page(position, probed)));
  }

  function attempt(what: () => unknown): void {
    Promise.resolve()
      .then(what)
      .catch((error: Error) => {
        document.querySelector('[role=alert]')?.remove();
        document.querySelector('main')?.append(h('p', { role: 'alert' }, error.message));
      });
  }

  addEventListener('hashchange', () => attempt(show));
  await show().catch(async (error: Error) => {
    location.hash = '';
    document.body.replaceChildren(h('main', {}, h('p', { role: 'alert' }, error.message)));
  });
}

start().catch((error: Error) => {
  const hint =
    location.protocol === 'file:' ? ' Open it by a web server: pages from a disk may not read files.' : '';
  document.body.replaceChildren(h('main', {}, h('p', { role: 'alert' }, error.message + hint)));
});

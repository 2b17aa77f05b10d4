/** The page of a published keyed game or graph: its board, the value of the position, and its moves, which one plays by clicking. */

import { signal } from '@preact/signals';
import { render } from 'preact';
import { httpStore } from '../../../operators/storage/http.js';
import { stipulations } from '../../../pipeline/game/stipulation.js';
import { keyedLine } from '../../../pipeline/graph/keyed-line.js';
import type { KeyedMove, KeyedProber, ProbedPosition } from '../../../pipeline/graph/keyed-prober.js';
import { openPublishedKeyed } from '../../../pipeline/tables/publish/keyed/published-keyed.js';
import { signed } from '../../solved/answer-text.js';
import { bestPlayText, keyedVerdict } from '../../ui/keyed-text.js';
import { Button, Form } from '../widgets.js';
import { Board } from './board.js';
import { loadGame } from './load-game.js';
import './page.css';
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

interface Shown {
  readonly position: unknown;
  readonly probed: ProbedPosition<unknown>;
}

class GamePage {
  readonly shown = signal<Shown | null>(null);
  readonly line = signal('');
  readonly problem = signal('');
  readonly roots: readonly unknown[];
  /** The moves by which each address was come to, as names. */
  private readonly ways = new Map<string, readonly string[]>();

  constructor(
    readonly game: ShownGame,
    readonly prober: KeyedProber<unknown>,
  ) {
    this.roots = [...game.starts()];
  }

  get played(): string {
    return (this.ways.get(location.hash) ?? []).join(' ');
  }

  private address(position: unknown): string {
    return `#${encodeURIComponent(this.game.format(position))}`;
  }

  /** The address is the position, so that the browser goes back and links can be shared. */
  go(position: unknown): void {
    const address = this.address(position);
    if (location.hash === address) this.attempt(() => this.show());
    else location.hash = address;
  }

  play({ after, name }: KeyedMove<unknown>): void {
    this.ways.set(this.address(after), [...(this.ways.get(location.hash) ?? []), name]);
    this.go(after);
  }

  async show(): Promise<void> {
    const text = decodeURIComponent(location.hash.slice(1));
    const position = text === '' ? this.roots[0] : this.game.parse(text);
    const probed = await this.prober.probe(position);
    this.line.value = '';
    this.problem.value = '';
    this.shown.value = { position, probed };
  }

  async showLine(): Promise<void> {
    this.line.value = bestPlayText(this.game, await keyedLine(this.prober, this.shown.peek()!.position));
  }

  /** Shows below the page why something failed. */
  attempt(what: () => unknown): void {
    Promise.resolve()
      .then(what)
      .catch((error: Error) => {
        this.problem.value = error.message;
      });
  }
}

function Page({ page }: { readonly page: GamePage }) {
  const { game, prober, roots } = page;
  const problem = page.problem.value !== '' && <p role="alert">{page.problem}</p>;
  if (page.shown.value === null) return <main>{problem}</main>;
  const { position, probed } = page.shown.value;
  const hasLine = stipulations[prober.metric].plies && probed.wdl !== 'draw' && !probed.isOver;
  return (
    <main>
      <h1>{game.name}</h1>
      <Board game={game} position={position} />
      <p class={`verdict ${probed.wdl}`} role="status">
        {keyedVerdict(game.colours, probed)}
      </p>
      <ul class="moves">
        {probed.moves.map((move) => (
          <li key={move.name}>
            <Move move={move} press={() => page.play(move)} />
          </li>
        ))}
      </ul>
      <nav>
        {roots.map((root, i) => (
          <Button key={game.format(root)} press={() => page.go(root)}>
            {roots.length === 1 ? 'Start' : `Start ${i + 1}`}
          </Button>
        ))}
        <Button press={() => history.back()}>Back</Button>
        {hasLine && <Button press={() => page.attempt(() => page.showLine())}>Line of best play</Button>}
      </nav>
      <p class="line" aria-live="polite">
        {page.line}
      </p>
      <p class="played">{page.played}</p>
      <Form
        key={game.format(position)}
        class="position"
        submitted={({ position: text }) => page.attempt(() => page.go(game.parse(text)))}
      >
        <input name="position" defaultValue={game.format(position)} aria-label="Position" />
        <button type="submit">Show</button>
      </Form>
      {problem}
    </main>
  );
}

interface MoveProps {
  readonly move: KeyedMove<unknown>;
  readonly press: () => void;
}

function Move({ move: { name, wdl, score, plies }, press }: MoveProps) {
  const value = [wdl, score === null ? '' : signed(score), plies === null ? '' : String(plies)];
  return (
    <Button press={press} class={`move ${wdl}`}>
      <span>
        <span class="name">{name}</span>
        <span class="value">{value.filter((each) => each !== '').join(' ')}</span>
      </span>
    </Button>
  );
}

/** Shows a message in place of the page. */
function showAlone(message: string): void {
  render(
    <main>
      <p role="alert">{message}</p>
    </main>,
    document.body,
  );
}

async function start(): Promise<void> {
  const { game, prober } = await open();
  document.title = game.name;
  const page = new GamePage(game, prober);
  try {
    await page.show();
  } catch (error) {
    if (location.hash === '') throw error;
    // What the address asks for cannot be shown: the game begins instead.
    history.replaceState(null, '', location.pathname + location.search);
    await page.show();
    page.problem.value = (error as Error).message;
  }
  addEventListener('hashchange', () => page.attempt(() => page.show()));
  render(<Page page={page} />, document.body);
}

start().catch((error: Error) => {
  const hint =
    location.protocol === 'file:' ? ' Open it by a web server: pages from a disk may not read files.' : '';
  showAlone(error.message + hint);
});

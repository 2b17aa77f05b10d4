/** Small games, solved and asked in a line or two: for tests, for teaching, to try an idea. */
import { memoryStore } from '../operators/storage/memory.js';
import type { Store } from '../operators/storage/store.js';
import { type SliceSummary, type SolveOptions, solve } from './engine/crew/solve.js';
import type { Game } from './game/game.js';
import { newProber, type Probed } from './tables/probe/prober.js';

export interface SolvedInMemory<Board> {
  /** Counts of each slice: `table.positions`, `table.wins`, `table.losses`, `table.longestWin`, by side to move. */
  readonly summaries: readonly SliceSummary[];
  /** The value of a position, and of every move there: of a board, or of its text. */
  probe(position: Board | string): Promise<Probed<Board>>;
  /** Holds the tables, for other functions that take a store. */
  readonly store: Store;
}

/**
 * Solves a game, verified, into memory: tables and all that comes up while they are made. A byte or two a position stay.
 * Throws what {@link solve} throws.
 */
export async function solveInMemory<Board>(
  game: Game<Board>,
  options: Pick<SolveOptions, 'slices' | 'metric' | 'strategy' | 'budget'> = {},
): Promise<SolvedInMemory<Board>> {
  const store = memoryStore();
  const summaries = await solve({ ...options, game: game as Game, store });
  const prober = newProber({ game, store, metric: options.metric ?? game.metrics[0] });
  const probe = (position: Board | string) =>
    prober.probe(typeof position === 'string' ? game.parse(position) : position);
  return { summaries, probe, store };
}

/** Solving in one process, in memory, for tests. */
import type { Budget } from '../../operators/core/budget.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import { inlineEngine } from '../../pipeline/engine/engine.js';
import { type SliceSummary, solve } from '../../pipeline/engine/solve.js';
import type { Game } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';

export const MiB = 1 << 20;
export const budgetOf = (memory: number): Budget => ({ memory, fanIn: 16, batchRows: 65536 });

export interface Solving {
  readonly metric?: Metric;
  readonly strategy?: Strategy;
  readonly budget?: Budget;
  readonly store?: Store;
  readonly verify?: boolean;
  /** Members of the crew, all in this thread. */
  readonly workers?: number;
  readonly progress?: ProgressListener;
}

export interface Solved {
  readonly store: Store;
  readonly summaries: SliceSummary[];
}

export function solveChess(slices: readonly string[], solving: Solving = {}): Promise<Solved> {
  return solveGame(chess, slices, solving);
}

/** Solves slices of any game and all their dependencies; by its first metric unless another is given. */
export async function solveGame<Board>(
  game: Game<Board>,
  slices: readonly string[],
  solving: Solving = {},
): Promise<Solved> {
  const store = solving.store ?? memoryStore();
  const engine = inlineEngine(game as Game, store, newScratch(memoryStore(), 'scratch'));
  const summaries = await solve({
    game: game as Game,
    slices,
    metric: solving.metric ?? game.metrics[0],
    strategy: solving.strategy ?? 'count',
    verify: solving.verify ?? false,
    store,
    budget: solving.budget ?? budgetOf(64 * MiB),
    engine: { ...engine, workers: solving.workers ?? engine.workers },
    progress: solving.progress ?? (() => {}),
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  return { store, summaries };
}

const solvedBefore = new Map<string, Promise<Solved>>();

/**
 * Puts the tables of built-in games into a store, with all that they need. They are solved once for all test files of a process:
 * for tests of what is done with tables.
 */
export async function putSolved<Board>(
  store: Store,
  game: Game<Board>,
  slices: readonly string[],
  { metric = game.metrics[0], verify = false }: Pick<Solving, 'metric' | 'verify'> = {},
): Promise<void> {
  const solving = { metric, verify };
  const key = JSON.stringify([game.name, slices, solving]);
  if (!solvedBefore.has(key)) solvedBefore.set(key, solveGame(game, slices, solving));
  const { store: from } = await solvedBefore.get(key)!;
  for (const name of await from.list('')) await store.putIfAbsent(name, (await readAll(from, name))!);
}

/** The table digests of each slice, both sides, by slice name. */
export function digestsOf(summaries: readonly SliceSummary[]): Record<string, string> {
  return Object.fromEntries(summaries.map(({ slice, table }) => [slice, table.digests.join(' ')]));
}

/** Pawnless endings with `men` men, by canonical name. */
export function endingsOf(men: number): string[] {
  const names = new Set<string>();
  const types = ['Q', 'R', 'B', 'N'];
  const build = (text: string, left: number): void => {
    if (left === 0) {
      for (let split = 0; split <= text.length; split++) {
        names.add(chess.ending(`K${text.slice(0, split)}K${text.slice(split)}`).slices[0]);
      }
      return;
    }
    for (const type of types) build(text + type, left - 1);
  };
  build('', men - 2);
  return [...names].sort();
}

/** Solving in one process, in memory, for tests. */
import type { Budget } from '../../operators/core/budget.js';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import { type Engine, inlineEngine } from '../../pipeline/engine/crew/engine.js';
import { type SliceSummary, solve } from '../../pipeline/engine/crew/solve.js';
import type { Game } from '../../pipeline/game/game.js';
import { planSlices } from '../../pipeline/game/plan.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { readVerified } from '../../pipeline/tables/verified.js';

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
  /** What opens the members; by default all of them share one store, as if they were one thread. */
  readonly open?: Engine['open'];
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
    engine: { ...engine, workers: solving.workers ?? engine.workers, open: solving.open ?? engine.open },
    progress: solving.progress ?? (() => {}),
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
  });
  await requireNoDoubts(store, summaries);
  return { store, summaries };
}

/** Fails if the two ways of verification disagreed about any of the tables, though each of these was found right. */
export async function requireNoDoubts(store: Store, summaries: readonly SliceSummary[]): Promise<void> {
  for (const { slice, table, verified } of summaries) {
    if (verified === null) continue;
    const { doubtful } = (await readVerified(store, table)) ?? {};
    if (doubtful !== undefined)
      throw new Error(`${doubtful} parts of ${slice} are right, and doubted by rows`);
  }
}

/** What was solved by game and metric, and the solve that is under way. */
const solvedBefore = new Map<string, { readonly store: Store; last: Promise<unknown> }>();

/**
 * Puts the tables of built-in games into a store, with all that they need. Each slice is solved once for all test files of a
 * process: for tests of what is done with tables.
 */
export async function putSolved<Board>(
  store: Store,
  game: Game<Board>,
  slices: readonly string[],
  { metric = game.metrics[0], verify = false }: Pick<Solving, 'metric' | 'verify'> = {},
): Promise<void> {
  const key = `${game.name} ${metric}`;
  const all = solvedBefore.get(key) ?? { store: memoryStore(), last: Promise.resolve() };
  solvedBefore.set(key, all);
  const solved = all.last.then(() => solveGame(game, slices, { metric, verify, store: all.store }));
  all.last = solved.catch(() => {});
  await solved;
  const wanted = new Set(planSlices(game as Game, slices).map(({ slice }) => slice));
  for (const name of await all.store.list('')) {
    const [, , slice, object] = name.split('/');
    if (slice !== undefined && !wanted.has(slice)) continue;
    // Another file may have wanted it verified.
    if (object === 'verified.json' && !verify) continue;
    await store.putIfAbsent(name, (await readAll(all.store, name))!);
  }
}

/** Puts the tables of endings into a folder, as `mergemate solve` leaves them there, for tests of other commands. */
export async function putEndings<Board>(
  folder: string,
  game: Game<Board>,
  endings: readonly string[],
  metrics: readonly Metric[] = [game.metrics[0]],
): Promise<void> {
  const store = localStore(folder, { durable: false });
  const slices = endings.flatMap((name) => game.ending(name).slices);
  for (const metric of metrics) await putSolved(store, game, slices, { metric });
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

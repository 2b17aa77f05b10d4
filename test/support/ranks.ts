/** Solving by ranks in one process and one store, for tests. */

import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { cutSlices } from '../../pipeline/engine/crew/cut.js';
import type { Pace } from '../../pipeline/engine/crew/pace.js';
import type { Solvable } from '../../pipeline/engine/crew/slice-phases.js';
import { solveAsRank, type WaitingForRanks } from '../../pipeline/engine/crew/solve-as-rank.js';
import type { ProcessRecord } from '../../pipeline/game/manifest.js';
import type { ProgressListener, SliceSummary } from '../../pipeline/game/progress.js';
import type { Strategy } from '../../pipeline/game/strategy.js';
import type { Metric } from '../../pipeline/game/value.js';
import { budgetOf, MiB, requireNoDoubts } from './solving.js';

export interface RankSolving {
  readonly metric?: Metric;
  readonly strategy?: Strategy;
  readonly verify?: boolean;
  readonly ranks: number;
  readonly partitions?: number;
  /** Bytes of labels below which a slice is solved by one rank; none unless given. */
  readonly wholeBelow?: number;
  /** Bytes of each rank. */
  readonly memory?: number;
  readonly keepRuns?: boolean;
  readonly pace?: Pace;
  /** Name of a rank, and its time and memory since the last call. */
  readonly processOf?: (rank: number) => ProcessRecord;
  readonly progress?: ProgressListener;
  /** The name of the attempt, another for each process; numbered unless given. */
  readonly attempt?: string;
  /** Scratch of a process; memory unless given. */
  readonly scratch?: Store;
  /** Waits for a turn of the event loop unless given. */
  readonly waiting?: WaitingForRanks;
  /** The store as a rank sees it. */
  readonly seenBy?: (store: Store, rank: number) => Store;
}

const SPINNING: WaitingForRanks = {
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  reportMissing: async () => {},
  isLost: async () => false,
  reportLost: () => {},
};
let attempts = 0;

/** One rank of a job; to be called again for a rank that was lost. */
export async function runRank(
  game: Solvable,
  slices: readonly string[],
  store: Store,
  solving: RankSolving,
  rank: number,
): Promise<SliceSummary[]> {
  const { ranks, partitions = ranks, wholeBelow = 0, memory = 16 * MiB } = solving;
  const record = { host: 'test', rank, started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 };
  const options = {
    game,
    metric: solving.metric ?? game.metrics[0],
    strategy: solving.strategy ?? ('count' as const),
    verify: solving.verify ?? true,
    store: solving.seenBy?.(store, rank) ?? store,
    scratch: newScratch(solving.scratch ?? memoryStore(), `rank-${rank}`),
    budget: budgetOf(memory),
    rank,
    ranks,
    job: 'test',
    attempt: solving.attempt ?? `-r${rank}-${attempts++}`,
    waiting: solving.waiting ?? SPINNING,
    takeProcessRecord: () => solving.processOf?.(rank) ?? record,
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
    progress: solving.progress ?? (() => {}),
    keepRuns: solving.keepRuns ?? false,
    ...(solving.pace === undefined ? {} : { pace: solving.pace }),
  };
  const { metric, strategy } = options;
  const cut = { metric, strategy, memory, partitions, wholeBelow };
  return solveAsRank(options, cutSlices(game, slices, cut));
}

/** All ranks at once. */
export async function solveByRanks(
  game: Solvable,
  slices: readonly string[],
  solving: RankSolving,
  store: Store = memoryStore(),
): Promise<{ store: Store; summaries: SliceSummary[] }> {
  const runs = Array.from({ length: solving.ranks }, (_, rank) =>
    runRank(game, slices, store, solving, rank),
  );
  const [summaries] = await Promise.all(runs);
  await requireNoDoubts(store, summaries);
  return { store, summaries };
}

/** A store that is lost to all its users after some writes, and so stays half way. */
export function lostAfter(store: Store, writes: number): Store {
  let left = writes;
  return losing(store, (_, isWrite) => left <= 0 || (isWrite && left-- <= 0));
}

/**
 * Loses two ranks: the second as it commits its part of a step, the first when it waits for that. The part of partition 1
 * is missing then, that of partition 0 is done.
 */
export function lostAt(step: string): NonNullable<RankSolving['seenBy']> {
  let isMissing = false;
  return (store, rank) => {
    let isDone = false;
    return losing(store, (name, isWrite) => {
      // The rank looks for parts when its own are done.
      if (rank === 0 && isDone && isMissing && name.endsWith(`/${step}/`)) return true;
      if (name.endsWith(`/${step}/00000.json`) && isWrite) isDone = true;
      if (!name.endsWith(`/${step}/00001.json`) || !isWrite) return false;
      isMissing = true;
      return true;
    });
  };
}

/** A store whose operations fail when `isLost` says so of a name. */
function losing(store: Store, isLost: (name: string, isWrite: boolean) => boolean): Store {
  const guard = <T>(name: string, isWrite: boolean, then: () => Promise<T>): Promise<T> =>
    isLost(name, isWrite) ? Promise.reject(new Error('lost')) : then();
  return {
    ...store,
    putIfAbsent: (name, bytes) => guard(name, true, () => store.putIfAbsent(name, bytes)),
    create: (name) => guard(name, true, () => store.create(name)),
    delete: (name) => guard(name, true, () => store.delete(name)),
    read: (name, offset, into) => guard(name, false, () => store.read(name, offset, into)),
    size: (name) => guard(name, false, () => store.size(name)),
    list: (prefix) => guard(prefix, false, () => store.list(prefix)),
  };
}

/** Solves as {@link solveByRanks} does, by ranks that are all lost on the way. */
export async function losingRanks(
  game: Solvable,
  slices: readonly string[],
  solving: RankSolving,
  store: Store,
): Promise<void> {
  const runs = Array.from({ length: solving.ranks }, (_, rank) =>
    runRank(game, slices, store, solving, rank),
  );
  for (const { status } of await Promise.allSettled(runs))
    if (status === 'fulfilled') throw new Error('a rank has come to its end');
}

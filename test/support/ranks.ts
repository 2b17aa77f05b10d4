/** Solving by ranks in one process and one store, for tests. */
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { cutSlices } from '../../pipeline/cut.js';
import type { Game } from '../../pipeline/game.js';
import type { SlicePhases } from '../../pipeline/partition/partition.js';
import type { Strategy } from '../../pipeline/phases/context.js';
import { solveAsRank } from '../../pipeline/ranks/solve-as-rank.js';
import type { SliceSummary } from '../../pipeline/solve-one.js';
import type { Pace } from '../../pipeline/solvers/external/do-rounds.js';
import type { Metric } from '../../pipeline/value.js';
import { budgetOf, MiB } from './solving.js';

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
  readonly phases?: SlicePhases;
  readonly pace?: Pace;
  /** The store as a rank sees it. */
  readonly seenBy?: (store: Store, rank: number) => Store;
}

let attempts = 0;

/** One rank of a job; to be called again for a rank that was lost. */
export async function runRank(
  game: Game,
  slices: readonly string[],
  store: Store,
  solving: RankSolving,
  rank: number,
): Promise<SliceSummary[]> {
  const { ranks, partitions = ranks, wholeBelow = 0, memory = 16 * MiB } = solving;
  const ran = { host: 'test', rank, started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 };
  const options = {
    game,
    metric: solving.metric ?? game.metrics[0],
    strategy: solving.strategy ?? ('count' as const),
    verify: solving.verify ?? true,
    store: solving.seenBy?.(store, rank) ?? store,
    scratch: newScratch(memoryStore(), `rank-${rank}`),
    budget: budgetOf(memory),
    ...{ rank, ranks, job: 'test', attempt: `-r${rank}-${attempts++}` },
    waiting: { pause: () => new Promise<void>((resolve) => setImmediate(resolve)), tell: async () => {} },
    ran: () => ran,
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
    progress: () => {},
    keepRuns: solving.keepRuns ?? false,
    ...(solving.phases === undefined ? {} : { phases: solving.phases }),
    ...(solving.pace === undefined ? {} : { pace: solving.pace }),
  };
  return solveAsRank(options, cutSlices(game, slices, { memory, partitions, wholeBelow }));
}

/** All ranks at once. */
export async function solveByRanks<Board>(
  game: Game<Board>,
  slices: readonly string[],
  solving: RankSolving,
  store: Store = memoryStore(),
): Promise<{ store: Store; summaries: SliceSummary[] }> {
  const runs = Array.from({ length: solving.ranks }, (_, rank) =>
    runRank(game as Game, slices, store, solving, rank),
  );
  const [summaries] = await Promise.all(runs);
  return { store, summaries: summaries! };
}

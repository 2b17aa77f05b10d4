/**
 * Solves slices as one of several ranks, which share nothing but the store. Every rank runs this program with the same slices.
 * A large slice is cut into partitions, and all ranks solve it together (pipeline/engine/crew/rank-crew.ts). The others are whole: a rank
 * claims one whose dependencies are solved, and solves it alone. Slices of several waves may so be at work at once, as long as none
 * needs another (pipeline/engine/crew/schedule.ts).
 */

import type { Budget } from '../../../operators/core/budget.js';
import type { Interval } from '../../../operators/core/interval.js';
import { deleteAll } from '../../../operators/storage/delete-all.js';
import type { Scratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { ProcessRecord, TableManifest } from '../../game/manifest.js';
import { SHARED_BY_RANKS } from '../../game/mode.js';
import type { ProgressListener, SliceSummary } from '../../game/progress.js';
import { stepAt, type WorkRun } from '../../game/slice-objects.js';
import type { Strategy } from '../../game/strategy.js';
import type { Metric } from '../../game/value.js';
import { recordRanks } from '../../tables/records/slice-record.js';
import { requireIndex } from '../../tables/table.js';
import { slicePrefix, tableManifestName } from '../../tables/table-names.js';
import { readFinished } from '../../tables/verified.js';
import { type Context, runName, workPrefix } from '../memory/context.js';
import { memoryOf } from '../memory/phase-memory.js';
import { receivedSizes, StoreCarrier } from '../phases/exchange.js';
import { claim, claimantOf, claimsOf, forsake } from './claims.js';
import { type Crew, MemoryCrew } from './crew.js';
import type { CutSlice } from './cut.js';
import { doSlice, type Meter, solveOne } from './do-slice.js';
import { inlineEngine, partitionBudget } from './engine.js';
import { requireMemory } from './least-memory.js';
import type { Pace } from './pace.js';
import { LocalPartition, type PartitionSetup } from './partition.js';
import { fixPlan } from './partition-plan.js';
import { newAttempts, RankCrew, type Waiting } from './rank-crew.js';
import { doAll, Schedule } from './schedule.js';
import type { Solvable } from './slice-phases.js';
import { ENUMERATE, removeLeftovers } from './slice-steps.js';

/** How a rank waits for slices that other ranks have claimed. */
export interface WaitingForRanks extends Waiting {
  /** Whether a rank was silent for so long that it counts as lost. */
  isLost(rank: number): Promise<boolean>;
  /** Reports that a rank is lost, and that its claim on a slice ends. */
  reportLost(rank: number, slice: string): void;
}

export interface RankOptions {
  readonly game: Solvable;
  readonly metric: Metric;
  readonly strategy: Strategy;
  readonly verify: boolean;
  readonly store: Store;
  readonly scratch: Scratch;
  /** The budget of this rank. */
  readonly budget: Budget;
  /** This rank's number, from 0 on, and how many there are. */
  readonly rank: number;
  readonly ranks: number;
  /** The same for all ranks, and when a rank is started again: letters, digits, dashes and underscores. */
  readonly job: string;
  /** See PartitionSetup; different in every process. */
  readonly attempt: string;
  readonly waiting: WaitingForRanks;
  readonly takeProcessRecord: () => ProcessRecord;
  readonly meter: Meter;
  /** Only the leading rank reports phases and rounds of slices that are solved together. */
  readonly progress: ProgressListener;
  readonly keepRuns: boolean;
  readonly pace?: Pace;
}

/**
 * Returns when all slices are done, by any rank.
 * @returns a summary for each slice, in the order of `plan`. Times are known of slices in which this rank had a part.
 */
export async function solveAsRank(options: RankOptions, plan: readonly CutSlice[]): Promise<SliceSummary[]> {
  const { game, store, scratch, attempt, progress, waiting, rank, job } = options;
  const isWhole = ({ partitions }: CutSlice) => partitions === 1;
  requireRoom(options, plan);
  const engine = inlineEngine(game, store, scratch, { attempt });
  const shared = new Set(plan.filter((cut) => !isWhole(cut)).map(({ slice }) => slice));
  const results = await doAll(new Schedule(plan, 1, () => isWhole), {
    together: (cut) => solveTogether(options, cut),
    alone: ({ slice }) => solveOne({ ...options, slice, engine }),
    // A slice that all ranks solve is finished when the leading rank has written its table.
    progress: (event) => {
      if (event.type !== 'finished' || rank === 0 || !shared.has(event.slice)) progress(event);
    },
    ranks: {
      claim: ({ slice }) => claim(options, slice),
      find: ({ slice }) => findSolved(options, slice),
      async wait({ slice }, times) {
        await waiting.reportMissing(slice, times, async () => []);
        await waiting.pause(times);
      },
      async isForsaken({ slice }) {
        const claimant = await claimantOf(options, slice);
        if (claimant === null || claimant === rank) return true;
        if (!(await waiting.isLost(claimant))) return false;
        waiting.reportLost(claimant, slice);
        await forsake(options, slice);
        return true;
      },
    },
  });
  if (rank === 0) await deleteAll(store, await store.list(`${claimsOf(job)}/`));
  return plan.map(({ slice }) => results.get(slice)!.done);
}

/** @throws UserError if a slice needs more memory than a rank has for each of its partitions. */
function requireRoom(
  { game, metric, strategy, budget, ranks }: RankOptions,
  plan: readonly CutSlice[],
): void {
  if (game.phases !== undefined) return;
  for (const { slice, partitions } of plan) {
    const sharing = Math.ceil(partitions / ranks);
    requireMemory({ game, metric, strategy, memory: budget.memory, sharing }, [slice]);
  }
}

/** The summary of a slice that is done; null if it is not. */
async function findSolved(options: RankOptions, slice: string): Promise<SliceSummary | null> {
  const found = await readFinished(options, slice);
  if (found !== null) requireIndex(found.table, options.game.slice(slice));
  const nothing = { mode: null, wallMs: 0, cpuMs: 0, peakRss: null, phases: [] };
  return found && { slice, ...found, found: true, ...nothing };
}

async function solveTogether(options: RankOptions, cut: CutSlice): Promise<SliceSummary> {
  const { game, metric, strategy, store, rank, keepRuns } = options;
  const work = workPrefix(slicePrefix(game.name, metric, cut.slice), strategy);
  const partitions = await fixPlan(store, work, game.name, game.slice(cut.slice), cut.partitions);
  const progress = listenerFor(options);
  const attempt = newAttempts(options.attempt);
  const summary = await doSlice({ ...options, slice: cut.slice, progress, keepSteps: true }, () =>
    openRankCrew({ ...options, progress }, cut, partitions, attempt()),
  );
  if (rank === 0)
    await recordRanks(store, { game, metric, slice: cut.slice }, { strategy, memory: options.budget.memory });
  if (!keepRuns) await clearAway(options, work, summary.table);
  return summary;
}

/**
 * Deletes the objects that neither the table nor its verification needs. Copies of ranks may come late. The leading
 * rank deletes the first step before it lists the others, and a rank that ends later deletes its own objects.
 */
async function clearAway(
  { game, metric, store, rank }: RankOptions,
  work: string,
  table: TableManifest,
): Promise<void> {
  const first = stepAt(work, ENUMERATE).manifest;
  if (rank === 0) await store.delete(first);
  else if ((await store.size(first)) !== null) return;
  await removeLeftovers({ store }, slicePrefix(game.name, metric, table.slice), table);
}

/** Every rank reports its own work and its trouble; the leading rank alone reports the other events. */
function listenerFor({ rank, progress }: RankOptions): ProgressListener {
  return (event) => {
    if (rank === 0 || event.type === 'work' || event.type === 'trouble') progress(event);
  };
}

function openRankCrew(
  options: RankOptions,
  { slice: name }: CutSlice,
  partitions: readonly Interval[],
  attempt: string,
): Crew {
  const { game, metric, strategy, store, rank, ranks, keepRuns, progress } = options;
  const slice = game.slice(name);
  const numbers = [...partitions.keys()].filter((number) => number % ranks === rank);
  const setup = (parts: Interval, sharing: number): PartitionSetup => ({
    slice: name,
    metric,
    strategy,
    mode: 'streaming',
    parts,
    attempt,
    shared: false,
    durable: true,
    budget: partitionBudget(options.budget, sharing, slice),
  });
  const world = { ...options, report: (done: number) => progress({ type: 'work', slice: name, done }) };
  const carrier = (own: number) => (context: Context) =>
    new StoreCarrier({
      store,
      runName: (what) => runName(context, what as WorkRun),
      slice: name,
      partitions,
      own,
      ...receivedSizes(
        memoryOf('rounds', context.budget)['received runs'].memory / partitions.length,
        context.budget,
        RECEIVED[strategy],
      ),
      keeps: !keepRuns,
    });
  const own = (number: number) =>
    new LocalPartition(setup(partitions[number], numbers.length), { ...world, carrier: carrier(number) });
  // It goes on with the runs that all ranks have committed, so it is durable even where the slice fits memory.
  const openTakeOver = async () => {
    const whole = { from: 0, to: slice.parts };
    const members = new Map([[0, new LocalPartition(setup(whole, 1), world)]]);
    return new MemoryCrew(store, [whole], members, SHARED_BY_RANKS, true);
  };
  return new RankCrew({
    ...options,
    game: game.name,
    slice: name,
    partitions,
    members: new Map(numbers.map((number) => [number, own(number)])),
    work: workPrefix(slicePrefix(game.name, metric, name), strategy),
    table: tableManifestName(game.name, metric, name),
    openTakeOver: partitions.length === 1 || keepRuns ? undefined : openTakeOver,
  });
}

/** Parcels whose windows a receiver holds at the same time: requests, and under `lookup` questions and answers. */
const RECEIVED = { count: 1, lookup: 3 } as const;

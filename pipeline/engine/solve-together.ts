/** Solves and verifies one slice together with the other ranks. */

import type { Budget } from '../../operators/core/budget.js';
import type { Interval } from '../../operators/core/interval.js';
import type { TableManifest } from '../game/manifest.js';
import { SHARED_BY_RANKS } from '../game/mode.js';
import type { ProgressListener } from '../game/progress.js';
import { stepAt } from '../game/slice-objects.js';
import { recordRanks } from '../tables/records/slice-record.js';
import { slicePrefix, tableManifestName } from '../tables/table-names.js';
import { type Context, runName, workPrefix } from './context.js';
import { type Crew, MemoryCrew } from './crew.js';
import type { CutSlice } from './cut.js';
import { doSlice } from './do-slice.js';
import { partitionBudget } from './engine.js';
import { StoreCarrier } from './exchange.js';
import { memoryOf } from './memory.js';
import { LocalPartition, type PartitionSetup } from './partition.js';
import { fixPlan } from './partition-plan.js';
import { RankCrew } from './rank-crew.js';
import type { RankOptions } from './rank-options.js';
import { ENUMERATE, removeLeftovers } from './slice-steps.js';
import type { SliceSummary } from './slice-summary.js';

export async function solveTogether(options: RankOptions, cut: CutSlice): Promise<SliceSummary> {
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

/** Every crew of a process writes runs under names of its own. */
function newAttempts(attempt: string): () => string {
  let number = 0;
  return () => `${attempt}${number++ === 0 ? '' : `-${number}`}`;
}

/** Every rank reports its own work and its trouble; the leading rank alone reports the other events. */
function listenerFor({ rank, progress }: RankOptions): ProgressListener {
  return (event) => {
    if (rank === 0 || event.type === 'work' || event.type === 'trouble') progress(event);
  };
}

function openRankCrew(
  options: RankOptions,
  { slice: name, memory }: CutSlice,
  partitions: readonly Interval[],
  attempt: string,
): Crew {
  const { game, metric, strategy, store, rank, ranks, keepRuns, progress } = options;
  const slice = game.slice(name);
  const numbers = [...partitions.keys()].filter((number) => number % ranks === rank);
  const given: Budget = { ...options.budget, memory: Math.max(memory, options.budget.memory) };
  const setup = (parts: Interval, sharing: number): PartitionSetup => ({
    slice: name,
    metric,
    strategy,
    mode: 'streaming',
    parts,
    attempt,
    shared: false,
    durable: true,
    budget: partitionBudget(given, sharing, slice),
  });
  const world = { ...options, report: (done: number) => progress({ type: 'work', slice: name, done }) };
  const carrier = (own: number) => (context: Context) =>
    new StoreCarrier({
      store,
      runName: (what) => runName(context, what),
      slice: name,
      partitions,
      own,
      ...received(context, partitions.length),
      keeps: !keepRuns,
    });
  const own = (number: number) =>
    new LocalPartition(setup(partitions[number], numbers.length), { ...world, carrier: carrier(number) });
  // It goes on with the runs that all ranks have committed, so it is durable even where the slice fits memory.
  const openAlone = async () => {
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
    openAlone: partitions.length === 1 || keepRuns ? undefined : openAlone,
  });
}

/** Parcels whose windows a receiver holds at the same time: requests, and under `lookup` questions and answers. */
const RECEIVED = { count: 1, lookup: 3 } as const;
/** Bytes of the least window: runs of a few rows, which are little but a footer, are read by one operation. */
const LEAST_WINDOW = 8192;

/** Divides the memory for received rows: for every sender a quarter goes to a record batch, the rest to windows. */
function received({ budget, strategy }: Context, partitions: number) {
  const memory = memoryOf('rounds', budget)['received runs'].memory / partitions;
  return {
    batchRows: Math.max(1, Math.min(budget.batchRows, Math.floor(memory / 16))),
    window: Math.max(LEAST_WINDOW, Math.floor((0.75 * memory) / RECEIVED[strategy])),
  };
}

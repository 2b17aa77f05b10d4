/**
 * Does one task of a phase: reads what it needs by the manifests of the phase before, writes its runs under names of its
 * own, and commits them by its manifest, put-if-absent. So a task may be done twice, at the same time or long after:
 * the first manifest stands, the runs of the others are deleted, and every attempt writes the same values.
 */
import type { Budget } from '../../operators/core/budget.js';
import { addCounters, type Counters, newCounters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { commitManifest, type EventRun, FORMAT_VERSION } from '../manifest.js';
import type { Context, Interval } from '../phases/context.js';
import { convert } from '../phases/convert.js';
import { enumerate } from '../phases/enumerate.js';
import { finish } from '../phases/finish.js';
import { collectConversions, expandMates, roundOfPartition } from '../phases/partition-round.js';
import { verify } from '../phases/verify.js';
import { slicePrefix } from '../table/names.js';
import { needDependencies, needTable, openTable } from '../table/table.js';
import { readVerified } from '../table/verified.js';
import { describeMismatch } from '../verify-slice.js';
import { assembleTable, recordVerified } from './assemble.js';
import { roundsOfPartition } from './history.js';
import { FinishTask, PartitionTask, type Ran, readAllOf, readTasks, VerifyTask } from './manifests.js';
import { type PartitionPhase, type Phase, type SliceWork, taskName } from './names.js';
import { needPlan } from './plan.js';
import { lastRound, nextState } from './schedule.js';

export interface TaskWorld {
  readonly scratch: Scratch;
  readonly budget: Budget;
  /** Different in every attempt at any task: letters, digits and dashes. */
  readonly attempt: string;
  readonly report: (done: number) => void;
  /** What it took since the task was begun. */
  readonly ran: () => Ran;
}

/** `found`: somebody else has done it, before or meanwhile. */
export type TaskOutcome = 'done' | 'found';

/**
 * @throws UserError if there is no such task, StorageError if what it needs is not there or damaged, Error if a value
 *   fails its verification (a bug).
 */
export async function runTask(
  work: SliceWork,
  phase: PartitionPhase,
  task: number,
  world: TaskWorld,
): Promise<TaskOutcome> {
  if (await isDone(work, phase, task)) return 'found';
  const made: string[] = [];
  const attempt = { ...work, store: noting(work.store, made) };
  try {
    const committed = await attemptTask(attempt, phase, task, world);
    if (committed) {
      if (phase.type === 'finish' || phase.type === 'verify') await conclude(work);
      return 'done';
    }
  } catch (error) {
    await removeAll(work.store, made);
    // What it reads may have been cleared away because another attempt was done first.
    if (await isDone(work, phase, task)) return 'found';
    throw error;
  }
  await removeAll(work.store, made);
  return 'found';
}

/** If this was the last task of its kind, ends the slice: so no driver is needed for that. */
async function conclude(work: SliceWork): Promise<void> {
  const state = await nextState(work, true, 1);
  if (state.at === 'assemble') await assembleTable(work, state.partitions);
  else if (state.at === 'verified') await recordVerified(work, state.partitions, state.table);
}

/** Whether the task, or all that it is for, is done. */
async function isDone(work: SliceWork, phase: Phase, task: number): Promise<boolean> {
  const { store, game, metric, slice } = work;
  if ((await store.size(taskName(work, phase, task))) !== null) return true;
  const table = await openTable(store, game, metric, slice);
  if (table === null) return false;
  return phase.type !== 'verify' || (await readVerified(store, table.manifest)) !== null;
}

/** The store, with the names of all objects that are begun put in `made`. */
function noting(store: Store, made: string[]): Store {
  return {
    ...store,
    create(name) {
      made.push(name);
      return store.create(name);
    },
  };
}

async function removeAll(store: Store, names: readonly string[]): Promise<void> {
  for (const name of names) await store.delete(name);
}

/** Returns whether this attempt's manifest is the one that stands. */
async function attemptTask(
  work: SliceWork,
  phase: PartitionPhase,
  task: number,
  world: TaskWorld,
): Promise<boolean> {
  const { partitions } = await needPlan(work);
  const parts = partitions[task];
  if (parts === undefined)
    throw new UserError(
      `there is no task ${task}: ${work.slice} is cut into ${partitions.length} partitions`,
    );
  const counters = newCounters();
  const setting: Setting = {
    work,
    task,
    partitions: partitions.length,
    counters,
    context: newContext(work, parts, world, counters),
  };
  switch (phase.type) {
    case 'start':
      return commitTask(setting, phase, await start(setting), world, PartitionTask);
    case 'round':
      return commitTask(setting, phase, await round(setting, phase.ply), world, PartitionTask);
    case 'finish':
      return commitTask(setting, phase, await finishPartition(setting), world, FinishTask);
    case 'verify':
      return commitTask(setting, phase, await verifyPartition(setting), world, VerifyTask);
  }
}

interface Setting {
  readonly work: SliceWork;
  readonly task: number;
  /** Tasks of every phase. */
  readonly partitions: number;
  readonly counters: Counters;
  readonly context: Context;
}

function newContext(
  work: SliceWork,
  parts: Interval,
  { scratch, budget, attempt, report }: TaskWorld,
  counters: Counters,
): Context {
  return {
    slice: work.game.slice(work.slice),
    metric: work.metric,
    strategy: 'count',
    parts,
    store: work.store,
    tableStore: work.store,
    prefix: slicePrefix(work.game.name, work.metric, work.slice),
    attempt: `-${attempt}`,
    scratch,
    budget,
    counters,
    tables: [],
    report,
  };
}

/** What every manifest says. */
type Common = 'version' | 'game' | 'slice' | 'from' | 'to' | 'counters' | 'ran';

async function commitTask<T extends PartitionTask | FinishTask | VerifyTask>(
  { work, task, context: { parts }, counters }: Setting,
  phase: Phase,
  own: Omit<T, Common>,
  { ran }: TaskWorld,
  shape: Parameters<typeof commitManifest<T>>[3],
): Promise<boolean> {
  const common = {
    version: FORMAT_VERSION,
    game: work.game.name,
    slice: work.slice,
    from: parts.from,
    to: parts.to,
    counters: { ...counters },
    ran: ran(),
  } as const;
  const manifest = { ...common, ...own } as unknown as T;
  return (await commitManifest(work.store, taskName(work, phase, task), manifest, shape)) === manifest;
}

async function withTables(context: Context, { store, game, metric }: SliceWork): Promise<Context> {
  const tables = await needDependencies(store, game, metric, context.slice, context.counters);
  return { ...context, tables };
}

async function start({ work, context, partitions }: Setting): Promise<Omit<PartitionTask, Common>> {
  const { labels, mates, converting, lost } = await enumerate(context);
  const converted = await convert(await withTables(context, work), converting);
  await removeAll(
    work.store,
    converting.map((run) => run.name),
  );
  return {
    step: 'partition',
    ply: 0,
    labels,
    deltas: [],
    events: mates[0] ?? null,
    conversions: converted.events,
    requests: await expandMates(context, mates, partitions),
    won: [0, 0],
    lost,
    longest: 0,
    requestsSoFar: 0,
  };
}

/** The phase whose requests round `ply` gets. */
const before = (ply: number): Phase => (ply === 1 ? { type: 'start' } : { type: 'round', ply: ply - 1 });

async function round(
  { work, task, context, partitions, counters }: Setting,
  ply: number,
): Promise<Omit<PartitionTask, Common>> {
  const all = await readTasks(work, before(ply), partitions, PartitionTask);
  const own = all[task]!;
  const requests = all.flatMap((other) => other.requests ?? []);
  const conversions =
    ply === 1
      ? await collectConversions(
          context,
          all.flatMap((other) => other.conversions),
        )
      : own.conversions;
  const done = await roundOfPartition(context, ply, own, own.events, conversions, requests, partitions);
  const labelled = done.won[0] + done.won[1] + done.lost[0] + done.lost[1];
  addCounters(counters, { ...newCounters(), ...own.counters });
  return {
    step: 'partition',
    ply,
    labels: done.labels,
    deltas: [...done.deltas],
    events: done.events,
    conversions,
    requests: done.requests,
    won: done.won,
    lost: done.lost,
    longest: labelled > 0 ? ply : own.longest,
    // Those that this partition made: of all partitions together they are those of the slice.
    requestsSoFar: own.requestsSoFar + (own.requests?.rows ?? 0) + done.stayed,
  };
}

async function finishPartition({
  work,
  task,
  context,
  partitions,
  counters,
}: Setting): Promise<Omit<FinishTask, Common>> {
  const rounds = await lastRound(work, partitions);
  const phases: Phase[] = [{ type: 'start' }];
  for (let ply = 1; ply <= rounds; ply++) phases.push({ type: 'round', ply });
  const names = phases.map((phase) => taskName(work, phase, task));
  const own = await readAllOf(work, names, PartitionTask);
  const all = await readTasks(work, phases.at(-1)!, partitions, PartitionTask);
  const longest = Math.max(...all.map((other) => other.longest));
  const events = own.flatMap<EventRun>((manifest) => manifest.events ?? []);
  const last = own.at(-1)!;
  // Deltas need not be laid over: a count that they bring to zero belongs to a loss, which is an event.
  const finished = await finish(context, { labels: last.labels, events, longest });
  addCounters(counters, { ...newCounters(), ...last.counters });
  const history = roundsOfPartition(own);
  return { step: 'finish', history, rounds, longest, ...finished, requestsSoFar: last.requestsSoFar };
}

async function verifyPartition({ work, context, counters }: Setting): Promise<Omit<VerifyTask, Common>> {
  const { store, game, metric, slice } = work;
  const table = await needTable(store, game, metric, slice, counters);
  const { wrong, mismatches, positions, requests } = await verify(await withTables(context, work), table);
  if (wrong > 0)
    throw new Error(
      `${slice}: ${wrong} values fail verification; the first: ${describeMismatch(game, metric, mismatches[0]!)}`,
    );
  return { step: 'verify', digests: table.manifest.digests, positions, requests, requestsSoFar: requests };
}

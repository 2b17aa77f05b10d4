/**
 * Drives a solve whose work is done by steps elsewhere: asks the store what is next, has the engine run it, and asks
 * again. It holds nothing that the store has not, so it may be killed and started again anywhere, even twice at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../operators/core/errors.js';
import type { Store } from '../operators/storage/store.js';
import { type CutSlice, cutSlices } from '../pipeline/cut.js';
import type { Game } from '../pipeline/game.js';
import type { TableManifest } from '../pipeline/manifest.js';
import type { ProgressListener } from '../pipeline/progress.js';
import type { SliceSummary } from '../pipeline/solve.js';
import { assembleTable, clearSteps, recordVerified } from '../pipeline/steps/assemble.js';
import { clearSuperseded } from '../pipeline/steps/clear.js';
import { FinishTask, PartitionTask, type Ran, readTasks, VerifyTask } from '../pipeline/steps/manifests.js';
import { type Phase, phaseFolder, type SliceWork } from '../pipeline/steps/names.js';
import { fixPlan } from '../pipeline/steps/plan.js';
import { missingTasks, nextState, type OpenPhase } from '../pipeline/steps/schedule.js';
import { tableManifestName } from '../pipeline/table/names.js';
import { readVerified } from '../pipeline/table/verified.js';
import type { Metric } from '../pipeline/value.js';
import type { StepEngine, StepPhase } from './engines/step-engine.js';
import { storeUriOf } from './store-uri.js';

export interface DriveOptions {
  readonly game: Game;
  /** Canonical slice names. */
  readonly slices: readonly string[];
  readonly metric: Metric;
  readonly verify: boolean;
  readonly store: Store;
  /** As the processes that do the tasks are to open it. */
  readonly storeUri: string;
  readonly engine: StepEngine;
  /** Bytes of buffers, and threads, of each task. */
  readonly memory: number;
  readonly workers: number;
  /** How many partitions slices are cut into, if not as many as their sizes and `memory` ask for. */
  readonly partitions: number | undefined;
  /** Bytes of labels; slices with fewer are one task. */
  readonly wholeBelow: number;
  readonly progress: ProgressListener;
}

/** Runs of the engine one after the other that get nothing done, before the driver gives up. */
const MAX_VAIN_RUNS = 4;
const FIRST_PAUSE_MS = 500;

/** @returns a summary for each slice, in the order solved. CPU time and memory are those of the tasks done now. */
export async function drive(options: DriveOptions): Promise<SliceSummary[]> {
  const plan = cutSlices(options.game, options.slices, options);
  const summaries: SliceSummary[] = [];
  for (const [i, cut] of plan.entries()) {
    options.progress({ type: 'slice', slice: cut.slice, number: i + 1, of: plan.length });
    summaries.push(await driveSlice({ ...options, memory: cut.memory }, cut));
    options.progress({ type: 'finished', slice: cut.slice });
  }
  return summaries;
}

async function driveSlice(options: DriveOptions, { slice, partitions }: CutSlice): Promise<SliceSummary> {
  const { store, game, metric, verify } = options;
  const work: SliceWork = { store, game, metric, slice };
  const began = performance.now();
  const found = (await store.size(tableManifestName(game.name, metric, slice))) !== null;
  const driven: Driven = { cpuMs: null, peakRss: null, told: '' };
  let table: TableManifest | null = null;
  let vain = 0;
  while (table === null) {
    let problem: StorageError | null = null;
    try {
      const step = await driveStep(options, work, partitions, driven);
      if (step instanceof StorageError) problem = step;
      else table = step;
    } catch (error) {
      // A store may not answer for a moment, or not show yet what it was given.
      if (!(error instanceof StorageError)) throw error;
      problem = error;
    }
    vain = problem === null ? 0 : vain + 1;
    if (problem !== null && vain === MAX_VAIN_RUNS) throw problem;
    if (problem !== null) await pause(FIRST_PAUSE_MS * 2 ** vain);
  }
  if (!found) await clearSteps(work, table, true);
  const verified = verify ? ((await readVerified(store, table))?.positions ?? null) : null;
  const { cpuMs, peakRss } = driven;
  return { slice, table, found, verified, wallMs: performance.now() - began, cpuMs, peakRss, phases: [] };
}

/** What is known of a slice besides what is in the store: what its tasks took, and the phase that was told of last. */
interface Driven {
  cpuMs: number | null;
  peakRss: number | null;
  told: string;
}

/** Does what is next. Returns the table if nothing is left to do, the problem if nothing could be done, else null. */
async function driveStep(
  options: DriveOptions,
  work: SliceWork,
  partitions: number,
  driven: Driven,
): Promise<TableManifest | StorageError | null> {
  const state = await nextState(work, options.verify, options.engine.lookAhead);
  switch (state.at) {
    case 'done':
      return state.table;
    case 'nothing':
      await fixPlan(work, partitions);
      return null;
    case 'assemble':
      await assembleTable(work, state.partitions);
      return null;
    case 'verified':
      await recordVerified(work, state.partitions, state.table);
      return null;
    case 'phases': {
      if (state.table !== null) await clearSteps(work, state.table, false);
      tell(options, work, state.open[0]!.phase, driven);
      const problem = await runPhases(options, work, state.open);
      if (await account(options, work, state.open, state.partitions.length, driven)) return null;
      const { uri, title } = stepPhase(options, work, state.open[0]!);
      return new StorageError(uri, `${title} failed again and again: ${problem ?? 'its tasks left no word'}`);
    }
  }
}

/** Returns what a task said last that failed, if any did. */
async function runPhases(
  options: DriveOptions,
  work: SliceWork,
  open: readonly OpenPhase[],
): Promise<string | null> {
  let problem: string | null = null;
  await options.engine.run(
    open.map((each) => stepPhase(options, work, each)),
    (event) => {
      if (event.type !== 'ended' || event.problem === null) return;
      problem = event.problem;
      const what = `${event.phase.title}, task ${event.task}: ${event.problem}`;
      options.progress({ type: 'trouble', slice: work.slice, what });
    },
  );
  return problem;
}

/** Tells what is worked on, if that was not told last. */
function tell({ progress }: DriveOptions, { game, slice }: SliceWork, phase: Phase, driven: Driven): void {
  const name = phase.type === 'round' ? 'rounds' : phase.type;
  if (name !== driven.told)
    progress({ type: 'phase', slice, phase: name, total: 2 * game.slice(slice).size });
  driven.told = name;
}

function stepPhase(options: DriveOptions, work: SliceWork, { phase, tasks }: OpenPhase): StepPhase {
  const { storeUri, memory, workers } = options;
  const title = phase.type === 'round' ? `round ${phase.ply}` : phase.type;
  return {
    uri: storeUriOf(storeUri, phaseFolder(work, phase)),
    title: `${work.slice} ${title}`,
    tasks,
    memory,
    workers: phase.type === 'whole' ? workers : 1,
    missing: () => missing(work, phase, tasks),
  };
}

async function missing(work: SliceWork, phase: Phase, tasks: readonly number[]): Promise<number[]> {
  const { store, game, metric, slice } = work;
  if (phase.type === 'whole') {
    return (await store.size(tableManifestName(game.name, metric, slice))) === null ? [...tasks] : [];
  }
  return missingTasks(work, phase, tasks);
}

/** Adds up what the tasks took, tells what rounds brought, and clears away what is superseded. False: nothing was done. */
async function account(
  options: DriveOptions,
  work: SliceWork,
  open: readonly OpenPhase[],
  partitions: number,
  driven: Driven,
): Promise<boolean> {
  let progressed = false;
  const complete: Phase[] = [];
  for (const { phase, tasks } of open) {
    const left = await missing(work, phase, tasks);
    progressed ||= left.length < tasks.length;
    if (left.length > 0) break;
    if (phase.type === 'whole') continue;
    tell(options, work, phase, driven);
    const rans = await accountPhase(options, work, phase, partitions);
    for (const [task, { cpuMs, peakRss }] of rans.entries()) {
      if (tasks.includes(task)) driven.cpuMs = (driven.cpuMs ?? 0) + cpuMs;
      driven.peakRss = Math.max(driven.peakRss ?? 0, peakRss);
    }
    if (phase.type === 'start' || phase.type === 'round') complete.push(phase);
  }
  const now = complete.at(-1);
  if (now !== undefined) await clearSuperseded(work, supersededBy(complete), now, partitions);
  return progressed;
}

/** The phases whose runs the last of `complete` replaces: those before it, and the one before the first. */
function supersededBy(complete: readonly Phase[]): Phase[] {
  const first = complete[0]!;
  const before: Phase[] = complete.slice(0, -1);
  if (first.type === 'round') {
    before.unshift(first.ply === 1 ? { type: 'start' } : { type: 'round', ply: first.ply - 1 });
  }
  return before;
}

async function accountPhase(
  { progress }: DriveOptions,
  work: SliceWork,
  phase: Phase,
  partitions: number,
): Promise<Ran[]> {
  if (phase.type === 'finish')
    return (await readTasks(work, phase, partitions, FinishTask)).map(({ ran }) => ran);
  if (phase.type === 'verify')
    return (await readTasks(work, phase, partitions, VerifyTask)).map(({ ran }) => ran);
  const tasks = await readTasks(work, phase, partitions, PartitionTask);
  if (phase.type === 'round') {
    progress({
      type: 'round',
      slice: work.slice,
      ply: phase.ply,
      requests: tasks.reduce((sum, task) => sum + (task.requests?.rows ?? 0), 0),
      labelled: tasks.reduce((sum, { won, lost }) => sum + won[0] + won[1] + lost[0] + lost[1], 0),
    });
  }
  return tasks.map(({ ran }) => ran);
}

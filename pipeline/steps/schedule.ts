/** What is to be done next of a slice: read from the store alone, so that any driver can go on where another ended. */
import { StorageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/names.js';
import { readManifest, TableManifest } from '../manifest.js';
import type { Interval } from '../phases/context.js';
import { tableManifestName } from '../table/names.js';
import { readVerified } from '../table/verified.js';
import { PartitionTask, readTasks } from './manifests.js';
import { type Phase, phaseFolder, phaseName, phaseOf, type SliceWork, stepsFolder, taskOf } from './names.js';
import { readPlan } from './plan.js';

/** A phase, and its tasks that are not done. */
export interface OpenPhase {
  readonly phase: Phase;
  readonly tasks: readonly number[];
}

/** Where the work on a slice is. */
export type State =
  /** No plan, and no table. */
  | { readonly at: 'nothing' }
  /** Phases to be run, in this order, with a barrier between any two. */
  | {
      readonly at: 'phases';
      readonly partitions: readonly Interval[];
      readonly open: readonly OpenPhase[];
      /** The table, if it is only to be verified. */
      readonly table: TableManifest | null;
    }
  /** All values are written: the table is to be put together. */
  | { readonly at: 'assemble'; readonly partitions: readonly Interval[] }
  /** All values are verified: that is to be recorded. */
  | { readonly at: 'verified'; readonly partitions: readonly Interval[]; readonly table: TableManifest }
  /** Nothing is left to do. */
  | { readonly at: 'done'; readonly table: TableManifest };

/** The tasks of each phase that are done, by the name of the phase. */
export type Done = ReadonlyMap<string, ReadonlySet<number>>;

export async function doneTasks(work: SliceWork): Promise<Done> {
  const folder = `${stepsFolder(work)}/`;
  return doneAmong((await work.store.list(folder)).map((name) => name.slice(folder.length)));
}

/** The tasks that are done when the folder of the steps holds these names. */
export function doneAmong(names: readonly string[]): Done {
  const done = new Map<string, Set<number>>();
  for (const name of names) {
    const [phase, file] = name.split('/');
    const task = file === undefined ? null : taskOf(file);
    if (task === null || phaseOf(phase!) === null) continue;
    const tasks = done.get(phase!);
    if (tasks === undefined) done.set(phase!, new Set([task]));
    else tasks.add(task);
  }
  return done;
}

/** Those of `tasks` that have no manifest in the store. */
export async function missingTasks(
  work: SliceWork,
  phase: Phase,
  tasks: readonly number[],
): Promise<number[]> {
  const folder = `${phaseFolder(work, phase)}/`;
  const done = new Set((await work.store.list(folder)).map((name) => taskOf(name.slice(folder.length))));
  return tasks.filter((task) => !done.has(task));
}

/**
 * @param lookAhead rounds that may be planned together, as it is not known which is the last: a round after the last
 *   finds nothing to do.
 */
export async function nextState(work: SliceWork, verify: boolean, lookAhead: number): Promise<State> {
  const { store, game, metric, slice } = work;
  const table = await readManifest(store, tableManifestName(game.name, metric, slice), TableManifest);
  if (table !== null && (!verify || (await readVerified(store, table)) !== null))
    return { at: 'done', table };
  const plan = await readPlan(work);
  if (plan === null) return { at: 'nothing' };
  const { partitions } = plan;
  const done = await doneTasks(work);
  const open = (phase: Phase, folder: string): OpenPhase => ({
    phase,
    tasks: partitions.map((_, task) => task).filter((task) => !done.get(folder)?.has(task)),
  });
  const phases = (...list: OpenPhase[]): State => ({ at: 'phases', partitions, open: list, table });

  if (table !== null) {
    const verifying = open({ type: 'verify' }, 'verify');
    return verifying.tasks.length > 0 ? phases(verifying) : { at: 'verified', partitions, table };
  }
  if (partitions.length === 1) return phases({ phase: { type: 'whole' }, tasks: [0] });
  const starting = open({ type: 'start' }, 'start');
  const rounds = completeRounds(done, partitions.length);
  if (starting.tasks.length === 0 && (await isLastRound(work, rounds, partitions.length))) {
    const finishing = open({ type: 'finish' }, 'finish');
    return finishing.tasks.length > 0 ? phases(finishing) : { at: 'assemble', partitions };
  }
  const next: OpenPhase[] = starting.tasks.length > 0 ? [starting] : [];
  for (let ply = rounds + 1; next.length < lookAhead; ply++) {
    next.push(open({ type: 'round', ply }, roundName(ply)));
  }
  return phases(...next);
}

const roundName = (ply: number): string => phaseName({ type: 'round', ply });

/** Rounds 1 … n whose tasks are all done. */
export function completeRounds(done: Done, partitions: number): number {
  let ply = 0;
  while (done.get(roundName(ply + 1))?.size === partitions) ply++;
  return ply;
}

/** Whether nothing is left to label after round `ply`. */
async function isLastRound(work: SliceWork, ply: number, partitions: number): Promise<boolean> {
  if (ply === 0) return false;
  return isNothingLeft(await readTasks(work, { type: 'round', ply }, partitions, PartitionTask), ply);
}

/** Whether the tasks of round `ply`, all of them, say that it was the last. */
export function isNothingLeft(tasks: readonly PartitionTask[], ply: number): boolean {
  return tasks.every(
    ({ won, lost, conversions }) =>
      won[0] + won[1] + lost[0] + lost[1] === 0 &&
      conversions.every((run) => run.rows === 0 || run.last <= ply),
  );
}

/** The number of rounds of a slice all of whose rounds are done. StorageError if they are not. */
export async function lastRound(work: SliceWork, partitions: number): Promise<number> {
  let rounds = completeRounds(await doneTasks(work), partitions);
  if (await isLastRound(work, rounds, partitions)) {
    // Some may have been planned ahead that had nothing to do.
    while (await isLastRound(work, rounds - 1, partitions)) rounds--;
    return rounds;
  }
  throw new StorageError(
    objectName(work.store, stepsFolder(work)),
    `its rounds are not all done: ${rounds} are`,
  );
}

/** Ends the work on a slice: the finished partitions become the table, the verified ones its record. */
import { addCounters, newCounters } from '../../operators/core/counters.js';
import { assert } from '../../operators/core/errors.js';
import { commitManifest, type PartRun, TableManifest } from '../manifest.js';
import type { Interval } from '../phases/context.js';
import { manifestHead } from '../table/manifest-head.js';
import { slicePrefix, tableManifestName } from '../table/names.js';
import { commitVerified } from '../table/verified.js';
import { digestOfParts, valueTypeFor } from '../table/writer.js';
import { recordFinished, recordVerification } from './history.js';
import { FinishTask, readTasks, VerifyTask } from './manifests.js';
import { type SliceWork, stepsFolder } from './names.js';

/** Puts the table together from the tasks of `finish`, and commits it. */
export async function assembleTable(
  work: SliceWork,
  partitions: readonly Interval[],
): Promise<TableManifest> {
  const { store, game, metric } = work;
  const tasks = await readTasks(work, { type: 'finish' }, partitions.length, FinishTask);
  const counters = newCounters();
  for (const task of tasks) addCounters(counters, { ...newCounters(), ...task.counters });
  const both = <T>(of: (side: 0 | 1) => T): [T, T] => [of(0), of(1)];
  const sum = (of: (task: FinishTask) => number): number =>
    tasks.reduce((total, task) => total + of(task), 0);
  const { rounds, longest } = tasks[0]!;
  const table: TableManifest = {
    ...manifestHead(game, work.slice, metric),
    valueType: valueTypeFor(metric, longest),
    values: both((side) => tasks.flatMap<PartRun>((task) => task.values[side])),
    digests: both((side) => digestOfParts(tasks.flatMap((task) => task.partDigests[side]))),
    positions: both((side) => sum((task) => task.positions[side])),
    wins: both((side) => sum((task) => task.wins[side])),
    losses: both((side) => sum((task) => task.losses[side])),
    longestWin: both((side) => longestOf(tasks.map((task) => task.longestWin[side]))),
    rounds,
    requests: sum((task) => task.requestsSoFar),
    counters: { ...counters },
  };
  const name = tableManifestName(game.name, metric, work.slice);
  const committed = await commitManifest(store, name, table, TableManifest);
  await recordFinished(work, tasks);
  return committed;
}

function longestOf(plies: readonly (number | null)[]): number | null {
  return plies.reduce((most, each) => (each === null ? most : Math.max(most ?? 0, each)), null);
}

/** Records that every partition was verified. */
export async function recordVerified(
  work: SliceWork,
  partitions: readonly Interval[],
  table: TableManifest,
): Promise<void> {
  const tasks = await readTasks(work, { type: 'verify' }, partitions.length, VerifyTask);
  for (const { digests } of tasks) {
    assert(
      digests.every((digest, side) => digest === table.digests[side]),
      'one table was verified',
    );
  }
  await commitVerified(work.store, table, {
    positions: tasks.reduce((sum, task) => sum + task.positions, 0),
    requests: tasks.reduce((sum, task) => sum + task.requests, 0),
  });
  await recordVerification(work, tasks);
}

/** Deletes the runs that the table does not need; and, when nothing more is to be done, plan and manifests. */
export async function clearSteps(work: SliceWork, table: TableManifest, all: boolean): Promise<void> {
  const prefix = slicePrefix(work.game.name, work.metric, work.slice);
  const needed = new Set(table.values.flat().map((run) => run.name));
  for (const name of await work.store.list(`${prefix}/`)) {
    const passing = name.endsWith('.arrow')
      ? !needed.has(name)
      : all && name.startsWith(`${stepsFolder(work)}/`);
    if (passing) await work.store.delete(name);
  }
}

/** Deletes what later phases need no more, while a slice is being solved. */
import type { LabelRuns } from '../manifest.js';
import { PartitionTask, readTasks } from './manifests.js';
import type { Phase, SliceWork } from './names.js';

/**
 * Deletes labels, changes and requests that the phases `before` named and the complete phase `now` does not; frontiers
 * stay for `finish`. What no manifest names is left alone: an attempt may be at work on it.
 */
export async function clearSuperseded(
  work: SliceWork,
  before: readonly Phase[],
  now: Phase,
  partitions: number,
): Promise<void> {
  const kept = new Set((await readTasks(work, now, partitions, PartitionTask)).flatMap(passingRuns));
  for (const phase of before) {
    for (const name of (await readTasks(work, phase, partitions, PartitionTask)).flatMap(passingRuns)) {
      if (!kept.has(name)) await work.store.delete(name);
      kept.add(name);
    }
  }
}

/** The runs of a partition that a later phase's may replace. */
export function passingRuns({ labels, deltas, requests }: PartitionTask): string[] {
  return [
    ...runsOf(labels),
    ...deltas.flatMap((delta) => delta.counts?.name ?? []),
    ...(requests === null ? [] : [requests.name]),
  ];
}

function runsOf({ counts, unwon }: LabelRuns): string[] {
  return [...counts, ...unwon].flat().map((run) => run.name);
}

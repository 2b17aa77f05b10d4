/** Reading the events of one ply and flow out of a set of event runs of any layout; they may overlap. */

import { newArrays } from '../../operators/core/arrays.js';
import type { Interval } from '../../operators/core/interval.js';
import { interleave } from '../../operators/interleave.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import { newBatch } from '../../operators/runs/rows.js';
import type { Batch, Grouped } from '../../operators/runs/types.js';
import { firstMajorOfEvent } from '../game/majors.js';
import type { EventRun } from '../game/manifest.js';
import type { Context } from './context.js';

export interface EventRuns {
  /**
   * Keys of the event in `parts`, by part; majors are parts. Keys of a part ascend if a single run has them.
   * Conversions lie in a run of every partition. To apply them to labels needs no order in a part, and to merge them
   * cost a tenth of a solve.
   */
  cursor(ply: number, flowNumber: number, parts: Interval): Grouped;
  /** Whether the event might have any keys (by the manifests only). */
  mayHold(ply: number): boolean;
}

export async function openEventRuns(context: Context, runs: readonly EventRun[]): Promise<EventRuns> {
  const { slice, store, counters } = context;
  const opened: { run: EventRun; reader: RunReader }[] = [];
  const options = { counters, expect: { kind: 'events' }, arrays: newArrays() };
  for (const run of concerning(runs, context.parts))
    opened.push({ run, reader: await openRun(store, run, options) });

  function cursor(ply: number, flowNumber: number, parts: Interval): Grouped {
    const base = firstMajorOfEvent(slice, ply, flowNumber);
    const due = opened.filter(
      ({ run }) => run.first <= ply && ply <= run.last && run.from < parts.to && parts.from < run.to,
    );
    const cursors = due.map(({ reader }) => reader.cursor({ from: base + parts.from, to: base + parts.to }));
    return shifted(interleave(cursors), -base);
  }

  return {
    cursor,
    mayHold: (ply) => opened.some(({ run }) => run.first <= ply && ply <= run.last),
  };
}

/** The runs that may have events of these parts. */
function concerning(runs: readonly EventRun[], { from, to }: Interval): EventRun[] {
  return runs.filter((run) => run.rows > 0 && run.from < to && from < run.to);
}

/** The same rows under majors greater by `by`. */
export async function* shifted(source: Grouped, by: number): AsyncGenerator<Batch> {
  for await (const batch of source)
    yield newBatch(batch.major + by, batch.length, batch.minor, batch.payload);
}

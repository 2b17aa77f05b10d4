/** Reading the counts plane (pipeline/labels.ts) straight from its runs, where nothing is to be labelled. */
import { assert, StorageError } from '../../operators/core/errors.js';
import { LABELS } from '../../operators/runs/dense-blocks.js';
import { openRun } from '../../operators/runs/reader.js';
import type { DenseCursor } from '../../operators/runs/types.js';
import { objectName } from '../../operators/storage/names.js';
import type { PartRun } from '../manifest.js';
import type { Context, Interval } from './context.js';

/** The counts of some parts, in order, out of the runs that hold them. */
export async function* countsOf(
  { slice, store, counters }: Context,
  runs: readonly PartRun[],
  parts: Interval,
): DenseCursor {
  let next = parts.from;
  for (const run of [...runs].sort((a, b) => a.from - b.from)) {
    const range = { from: Math.max(run.from, parts.from), to: Math.min(run.to, parts.to) };
    if (range.from >= range.to) continue;
    assert(range.from === next, `runs of counts hold part ${next}`);
    next = range.to;
    const reader = await openRun(store, run, { counters, expect: { kind: LABELS } });
    for (let part = range.from; part < range.to; part++) {
      const rows = reader.segmentRows(part);
      if (rows === slice.partSize(part)) continue;
      const has = `has ${rows} rows of major ${part}, not ${slice.partSize(part)}`;
      throw new StorageError(objectName(store, run.name), has);
    }
    yield* reader.denseCursor(range);
  }
  assert(next === parts.to, `runs of counts hold part ${next}`);
}

/** Reading the counts plane (pipeline/formats/labels.ts) straight from its runs, where nothing is to be labelled. */
import { assert, StorageError } from '../../operators/core/errors.js';
import { LABELS } from '../../operators/runs/dense-blocks.js';
import { openRun } from '../../operators/runs/reader.js';
import type { DenseCursor } from '../../operators/runs/types.js';
import { objectName } from '../../operators/storage/names.js';
import type { Side } from '../contract/game.js';
import type { LabelRuns } from '../formats/manifest.js';
import type { Context, Interval } from './context.js';
import { planeBytes } from './label-planes.js';

/** The counts of some parts of a side, in order, out of the runs that hold them: bytes, or planes of bits. */
export async function* countsOf(
  { slice, store, counters }: Context,
  { counts, countPlanes }: LabelRuns,
  side: Side,
  parts: Interval,
): DenseCursor {
  const runs = counts[side];
  let next = parts.from;
  for (const run of [...runs].sort((a, b) => a.from - b.from)) {
    const range = { from: Math.max(run.from, parts.from), to: Math.min(run.to, parts.to) };
    if (range.from >= range.to) continue;
    assert(range.from === next, `runs of counts hold part ${next}`);
    next = range.to;
    const reader = await openRun(store, run, { counters, expect: { kind: LABELS } });
    for (let part = range.from; part < range.to; part++) {
      const rows = reader.segmentRows(part);
      const expected = planeBytes('counts', slice.partSize(part), side, countPlanes);
      if (rows === expected) continue;
      const has = `has ${rows} rows of major ${part}, not ${expected}`;
      throw new StorageError(objectName(store, run.name), has);
    }
    yield* reader.denseCursor(range);
  }
  assert(next === parts.to, `runs of counts hold part ${next}`);
}

/** Reading a plane of labels (pipeline/game/labels.ts) straight from its runs, where nothing is to be labelled. */

import { assert, StorageError } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import { LABELS } from '../../operators/runs/dense-blocks.js';
import { openRun } from '../../operators/runs/reader.js';
import type { DenseCursor } from '../../operators/runs/types.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Side } from '../game/game.js';
import type { LabelRuns } from '../game/manifest.js';
import type { Context } from './context.js';
import { type Plane, planeBytes } from './label-planes.js';

/** The labels of some parts of a side, in order, out of the runs that hold them: bits, bytes of counts, or planes of these. */
export async function* readPlane(
  { slice, store, counters }: Context,
  labels: LabelRuns,
  plane: Plane,
  side: Side,
  parts: Interval,
): DenseCursor {
  let next = parts.from;
  for (const run of [...labels[plane][side]].sort((a, b) => a.from - b.from)) {
    const range = { from: Math.max(run.from, parts.from), to: Math.min(run.to, parts.to) };
    if (range.from >= range.to) continue;
    assert(range.from === next, `runs of ${plane} hold part ${next}`);
    next = range.to;
    const reader = await openRun(store, run, { counters, expect: { kind: LABELS } });
    for (let part = range.from; part < range.to; part++) {
      const rows = reader.segmentRows(part);
      const expected = planeBytes(plane, slice.partSize(part), side, labels.countPlanes);
      if (rows === expected) continue;
      const has = `has ${rows} rows of major ${part}, not ${expected}`;
      throw new StorageError(objectName(store, run.name), has);
    }
    yield* reader.denseCursor(range);
  }
  assert(next === parts.to, `runs of ${plane} hold part ${next}`);
}

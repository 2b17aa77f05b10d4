/** Unmoves by the kernels of a slice. Those that stay in their part are kept apart if the game separates them. */
import { assert } from '../../operators/core/errors.js';
import { type ExpandKernel, expand } from '../../operators/expand.js';
import { newBatch } from '../../operators/rows.js';
import type { Cursor, Grouped } from '../../operators/runs/types.js';
import type { Emission, KeyEmission, PartKernels, Slice } from '../contract/game.js';
import { sideOf, unmoveFlow } from '../formats/events.js';
import { firstMajor, groupOf, majorOf, type Parts, partOf } from '../formats/majors.js';
import { EXPAND_ROWS } from './convert.js';
import type { RoundMoves } from './round-moves.js';

/** @param slice has unmoves. */
export function unmovesOf(slice: Slice): RoundMoves {
  const { local, rowKernels } = slice;
  const kernel = unmoveKernel(slice);
  return {
    ...(rowKernels === undefined ? {} : { rows: rowKernels }),
    requests: (frontier) => expand(frontier.cursor(), kernel, { rows: EXPAND_ROWS, payload: 0 }),
    ...(local === undefined
      ? {}
      : {
          within: (flowNumber, frontier, shift, count) =>
            unmovesWithin(slice, local, flowNumber, frontier, shift, count),
        }),
  };
}

function unmoveKernel(slice: Slice): ExpandKernel {
  const source = new Uint32Array(0);
  const unmoves = slice.local?.unmovesBeyond ?? slice.unmoves;
  assert(unmoves !== undefined, `${slice.name} has unmoves`);
  return (batch, from, out) => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const origin = groupOf(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajor(slice, unmoveFlow(origin));
    const done = unmoves(sideOf(origin), part, batch.minor, from, batch.length, bias, emission);
    out.length = emission.length;
    return done;
  };
}

async function* unmovesWithin(
  slice: Parts,
  local: PartKernels,
  flowNumber: number,
  frontier: Cursor,
  shift: number,
  count: (rows: number) => void,
): Grouped {
  const side = sideOf(unmoveFlow(flowNumber));
  const out: KeyEmission = { length: 0, minor: new Uint32Array(EXPAND_ROWS) };
  for await (const batch of frontier) {
    const part = batch.major - shift;
    for (let from = 0; from < batch.length; ) {
      out.length = 0;
      from = local.unmovesWithin(side, part, batch.minor, from, batch.length, out);
      if (out.length === 0) continue;
      count(out.length);
      yield newBatch(majorOf(slice, flowNumber, part), out.length, out.minor, []);
    }
  }
}

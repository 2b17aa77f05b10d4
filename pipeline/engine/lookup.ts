/** The kernels of questions and answers of strategy `lookup` (round-lookup.ts). */
import type { ExpandKernel } from '../../operators/expand.js';
import type { Batch, DenseBatch, Rows } from '../../operators/runs/types.js';
import type { Emission, Slice } from '../game/game.js';
import { hasBit } from '../game/labels.js';
import { firstMajorBehind, partOf, sideOfMajor } from '../game/majors.js';
import { EXPAND_ROWS } from './convert.js';

/** Emits (successor | asker's flow and part, asker's key) for the in-slice moves of positions that might be lost. */
export function askKernel(slice: Slice): ExpandKernel {
  const source = new Uint32Array(EXPAND_ROWS);
  return (batch, from, out) => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const side = sideOfMajor(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajorBehind(slice, side);
    const done = slice.moves(side, part, batch.minor, from, batch.length, bias, emission);
    const [askerMajor, askerKey] = out.payload as [Uint32Array, Uint32Array];
    for (let i = out.length; i < emission.length; i++) {
      askerMajor[i] = batch.major;
      askerKey[i] = batch.minor[source[i]];
    }
    out.length = emission.length;
    return done;
  };
}

/** An asker escapes by a successor that the opponent is not known to win. */
export function escapeKernel(
  requests: Batch,
  from: number,
  to: number,
  dense: DenseBatch,
  out: Rows,
): number {
  const unwon = dense.columns[0] as Uint8Array;
  const [askerMajor, askerKey] = requests.payload as [Uint32Array, Uint32Array];
  const { length: room } = out.minor;
  let n = out.length;
  let i = from;
  for (; i < to && n < room; i++) {
    if (!hasBit(unwon, requests.minor[i])) continue;
    out.major[n] = askerMajor[i];
    out.minor[n] = askerKey[i];
    n++;
  }
  out.length = n;
  return i;
}

/**
 * The moving loop of the radix sort. vite.hot-loops.ts writes it out: written plainly it takes 1.2 to 2.2 times as long.
 *
 * The parameters are separate because loops over local variables are faster than loops over the fields of an object.
 */
import type { Columns } from '../core/columns.js';

/**
 * Moves rows [from, to) of `source` to the rows of `target` that `starts` names for their digit. The
 * digit is `(minor - min) >>> shift`, of `width` bits. Afterwards `starts` holds the ends.
 */
export function scatter(
  source: Columns,
  target: Columns,
  from: number,
  to: number,
  min: number,
  shift: number,
  width: number,
  starts: Uint32Array,
): void {
  const mask = (1 << width) - 1;
  const low = min | 0;
  const [a, b] = source.payload;
  const [outA, outB] = target.payload;
  moveRows(
    source.payload.length,
    source.minor,
    a,
    b,
    target.minor,
    outA,
    outB,
    from,
    to,
    low,
    shift,
    mask,
    starts,
  );
}

// @copies payload 0 1 2
function moveRows(
  payload: number,
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  outB: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  // @unroll 8 ahead key digit
  for (let i = from; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
    if (payload > 0) outA[at] = a[i];
    if (payload > 1) outB[at] = b[i];
  }
}

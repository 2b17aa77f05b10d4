/**
 * Moving rows to where their majors' rows go. vite.hot-loops.ts writes the loop out.
 *
 * The parameters are separate because loops over local variables are faster than loops over the fields of an object.
 */
import type { Columns } from '../core/columns.js';

/** Moves rows [0, n) of `from` to the rows of `to` that starts[major - least] names, which it moves on. Stable. */
export function scatterByMajor(
  major: Uint32Array,
  from: Columns,
  to: Columns,
  n: number,
  starts: Uint32Array,
  least: number,
): void {
  // The columns behind the first two go first, by places of their own: moving the others changes `starts`.
  for (let c = MOVED_COLUMNS; c < from.payload.length; c++)
    moveColumn(major, from.payload[c], to.payload[c], n, starts.slice(), least);
  const moved = Math.min(MOVED_COLUMNS, from.payload.length);
  const [a, b] = from.payload;
  const [outA, outB] = to.payload;
  moveRows(moved, major, from.minor, a, b, to.minor, outA, outB, n, starts, least | 0);
}

/** Payload columns that are moved with their rows. */
export const MOVED_COLUMNS = 2;

function moveColumn(
  major: Uint32Array,
  column: Uint32Array,
  out: Uint32Array,
  n: number,
  starts: Uint32Array,
  least: number,
): void {
  for (let i = 0; i < n; i++) out[starts[major[i] - least]++] = column[i];
}

// @copies payload 0 1 2
function moveRows(
  payload: number,
  major: Uint32Array,
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  outB: Uint32Array,
  n: number,
  starts: Uint32Array,
  least: number,
): void {
  // @unroll 8 ahead m
  for (let i = 0; i < n; i++) {
    const m = ((major[i] | 0) - least) | 0;
    const at = starts[m];
    starts[m] = at + 1;
    outMinor[at] = minor[i];
    if (payload > 0) outA[at] = a[i];
    if (payload > 1) outB[at] = b[i];
  }
}

/**
 * The moving loops of the radix sort, one for each number of payload columns so that each stays monomorphic. The loops are
 * unrolled because a turn of a loop costs about as much as the work on a row. Written plainly they take 1.5 to 2.3 times as
 * long.
 *
 * Many parameters: loops over local variables are faster than loops over the fields of an object.
 */
import type { Columns } from './columns.js';

/**
 * Moves rows [from, to) of `source` to the rows of `target` that `starts` (at `base`) names for their digit
 * ((minor - min) >>> shift, `width` bits); afterwards `starts` holds the ends.
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
  base: number,
): void {
  const table = base === 0 ? starts : starts.subarray(base, base + (1 << width));
  const mask = (1 << width) - 1;
  const low = min | 0;
  const [p0, p1] = source.payload;
  const [t0, t1] = target.payload;
  if (p0 === undefined) scatter0(source.minor, target.minor, from, to, low, shift, mask, table);
  else if (p1 === undefined) scatter1(source.minor, p0, target.minor, t0, from, to, low, shift, mask, table);
  else scatter2(source.minor, p0, p1, target.minor, t0, t1, from, to, low, shift, mask, table);
}

function scatter0(
  minor: Uint32Array,
  outMinor: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  let i = from;
  for (const end = to - 7; i < end; i += 8) {
    const key0 = minor[i];
    const key1 = minor[i + 1];
    const key2 = minor[i + 2];
    const key3 = minor[i + 3];
    const key4 = minor[i + 4];
    const key5 = minor[i + 5];
    const key6 = minor[i + 6];
    const key7 = minor[i + 7];
    const digit0 = (((key0 | 0) - min) >>> shift) & mask;
    const digit1 = (((key1 | 0) - min) >>> shift) & mask;
    const digit2 = (((key2 | 0) - min) >>> shift) & mask;
    const digit3 = (((key3 | 0) - min) >>> shift) & mask;
    const digit4 = (((key4 | 0) - min) >>> shift) & mask;
    const digit5 = (((key5 | 0) - min) >>> shift) & mask;
    const digit6 = (((key6 | 0) - min) >>> shift) & mask;
    const digit7 = (((key7 | 0) - min) >>> shift) & mask;
    const at0 = starts[digit0];
    starts[digit0] = at0 + 1;
    outMinor[at0] = key0;
    const at1 = starts[digit1];
    starts[digit1] = at1 + 1;
    outMinor[at1] = key1;
    const at2 = starts[digit2];
    starts[digit2] = at2 + 1;
    outMinor[at2] = key2;
    const at3 = starts[digit3];
    starts[digit3] = at3 + 1;
    outMinor[at3] = key3;
    const at4 = starts[digit4];
    starts[digit4] = at4 + 1;
    outMinor[at4] = key4;
    const at5 = starts[digit5];
    starts[digit5] = at5 + 1;
    outMinor[at5] = key5;
    const at6 = starts[digit6];
    starts[digit6] = at6 + 1;
    outMinor[at6] = key6;
    const at7 = starts[digit7];
    starts[digit7] = at7 + 1;
    outMinor[at7] = key7;
  }
  for (; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
  }
}

function scatter1(
  minor: Uint32Array,
  a: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  from: number,
  to: number,
  min: number,
  shift: number,
  mask: number,
  starts: Uint32Array,
): void {
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const key0 = minor[i];
    const key1 = minor[i + 1];
    const key2 = minor[i + 2];
    const key3 = minor[i + 3];
    const digit0 = (((key0 | 0) - min) >>> shift) & mask;
    const digit1 = (((key1 | 0) - min) >>> shift) & mask;
    const digit2 = (((key2 | 0) - min) >>> shift) & mask;
    const digit3 = (((key3 | 0) - min) >>> shift) & mask;
    const at0 = starts[digit0];
    starts[digit0] = at0 + 1;
    outMinor[at0] = key0;
    outA[at0] = a[i];
    const at1 = starts[digit1];
    starts[digit1] = at1 + 1;
    outMinor[at1] = key1;
    outA[at1] = a[i + 1];
    const at2 = starts[digit2];
    starts[digit2] = at2 + 1;
    outMinor[at2] = key2;
    outA[at2] = a[i + 2];
    const at3 = starts[digit3];
    starts[digit3] = at3 + 1;
    outMinor[at3] = key3;
    outA[at3] = a[i + 3];
  }
  for (; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
    outA[at] = a[i];
  }
}

function scatter2(
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
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const key0 = minor[i];
    const key1 = minor[i + 1];
    const key2 = minor[i + 2];
    const key3 = minor[i + 3];
    const digit0 = (((key0 | 0) - min) >>> shift) & mask;
    const digit1 = (((key1 | 0) - min) >>> shift) & mask;
    const digit2 = (((key2 | 0) - min) >>> shift) & mask;
    const digit3 = (((key3 | 0) - min) >>> shift) & mask;
    const at0 = starts[digit0];
    starts[digit0] = at0 + 1;
    outMinor[at0] = key0;
    outA[at0] = a[i];
    outB[at0] = b[i];
    const at1 = starts[digit1];
    starts[digit1] = at1 + 1;
    outMinor[at1] = key1;
    outA[at1] = a[i + 1];
    outB[at1] = b[i + 1];
    const at2 = starts[digit2];
    starts[digit2] = at2 + 1;
    outMinor[at2] = key2;
    outA[at2] = a[i + 2];
    outB[at2] = b[i + 2];
    const at3 = starts[digit3];
    starts[digit3] = at3 + 1;
    outMinor[at3] = key3;
    outA[at3] = a[i + 3];
    outB[at3] = b[i + 3];
  }
  for (; i < to; i++) {
    const key = minor[i];
    const digit = (((key | 0) - min) >>> shift) & mask;
    const at = starts[digit];
    starts[digit] = at + 1;
    outMinor[at] = key;
    outA[at] = a[i];
    outB[at] = b[i];
  }
}

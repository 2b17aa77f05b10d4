/**
 * Moving rows to where their majors' rows go; unrolled for the reason that radix-scatter.ts gives. Many parameters: loops over local variables are faster than loops over the fields of an object.
 */
import type { Columns } from './columns.js';

/** Moves rows [0, n) of `from` to the rows of `to` that starts[major - least] names, which it moves on. Stable. */
export function scatterByMajor(
  major: Uint32Array,
  from: Columns,
  to: Columns,
  n: number,
  starts: Uint32Array,
  least: number,
): void {
  const low = least | 0;
  const [a, b] = from.payload;
  const [outA, outB] = to.payload;
  if (a === undefined) scatter0(major, from.minor, to.minor, n, starts, low);
  else if (b === undefined) scatter1(major, from.minor, a, to.minor, outA, n, starts, low);
  else scatter2(major, from.minor, a, b, to.minor, outA, outB, n, starts, low);
}

function scatter0(
  major: Uint32Array,
  minor: Uint32Array,
  outMinor: Uint32Array,
  n: number,
  starts: Uint32Array,
  low: number,
): void {
  let i = 0;
  for (const end = n - 3; i < end; i += 4) {
    const m0 = ((major[i] | 0) - low) | 0;
    const m1 = ((major[i + 1] | 0) - low) | 0;
    const m2 = ((major[i + 2] | 0) - low) | 0;
    const m3 = ((major[i + 3] | 0) - low) | 0;
    const at0 = starts[m0];
    starts[m0] = at0 + 1;
    outMinor[at0] = minor[i];
    const at1 = starts[m1];
    starts[m1] = at1 + 1;
    outMinor[at1] = minor[i + 1];
    const at2 = starts[m2];
    starts[m2] = at2 + 1;
    outMinor[at2] = minor[i + 2];
    const at3 = starts[m3];
    starts[m3] = at3 + 1;
    outMinor[at3] = minor[i + 3];
  }
  for (; i < n; i++) {
    const at = starts[((major[i] | 0) - low) | 0]++;
    outMinor[at] = minor[i];
  }
}

function scatter1(
  major: Uint32Array,
  minor: Uint32Array,
  a: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  n: number,
  starts: Uint32Array,
  low: number,
): void {
  let i = 0;
  for (const end = n - 3; i < end; i += 4) {
    const m0 = ((major[i] | 0) - low) | 0;
    const m1 = ((major[i + 1] | 0) - low) | 0;
    const m2 = ((major[i + 2] | 0) - low) | 0;
    const m3 = ((major[i + 3] | 0) - low) | 0;
    const at0 = starts[m0];
    starts[m0] = at0 + 1;
    outMinor[at0] = minor[i];
    outA[at0] = a[i];
    const at1 = starts[m1];
    starts[m1] = at1 + 1;
    outMinor[at1] = minor[i + 1];
    outA[at1] = a[i + 1];
    const at2 = starts[m2];
    starts[m2] = at2 + 1;
    outMinor[at2] = minor[i + 2];
    outA[at2] = a[i + 2];
    const at3 = starts[m3];
    starts[m3] = at3 + 1;
    outMinor[at3] = minor[i + 3];
    outA[at3] = a[i + 3];
  }
  for (; i < n; i++) {
    const at = starts[((major[i] | 0) - low) | 0]++;
    outMinor[at] = minor[i];
    outA[at] = a[i];
  }
}

function scatter2(
  major: Uint32Array,
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  outMinor: Uint32Array,
  outA: Uint32Array,
  outB: Uint32Array,
  n: number,
  starts: Uint32Array,
  low: number,
): void {
  let i = 0;
  for (const end = n - 3; i < end; i += 4) {
    const m0 = ((major[i] | 0) - low) | 0;
    const m1 = ((major[i + 1] | 0) - low) | 0;
    const m2 = ((major[i + 2] | 0) - low) | 0;
    const m3 = ((major[i + 3] | 0) - low) | 0;
    const at0 = starts[m0];
    starts[m0] = at0 + 1;
    outMinor[at0] = minor[i];
    outA[at0] = a[i];
    outB[at0] = b[i];
    const at1 = starts[m1];
    starts[m1] = at1 + 1;
    outMinor[at1] = minor[i + 1];
    outA[at1] = a[i + 1];
    outB[at1] = b[i + 1];
    const at2 = starts[m2];
    starts[m2] = at2 + 1;
    outMinor[at2] = minor[i + 2];
    outA[at2] = a[i + 2];
    outB[at2] = b[i + 2];
    const at3 = starts[m3];
    starts[m3] = at3 + 1;
    outMinor[at3] = minor[i + 3];
    outA[at3] = a[i + 3];
    outB[at3] = b[i + 3];
  }
  for (; i < n; i++) {
    const at = starts[((major[i] | 0) - low) | 0]++;
    outMinor[at] = minor[i];
    outA[at] = a[i];
    outB[at] = b[i];
  }
}

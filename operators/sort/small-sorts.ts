/** Sorts in place for the cases where moving rows by digits is not the fastest. */
import type { Columns } from '../core/columns.js';

/**
 * Sorts minor[from, to) in place by counting; the minors are min, ..., min + range - 1. As range <= to - from, counts[from,
 * to) can hold the counters.
 */
export function countingSort(
  minor: Uint32Array,
  counts: Uint32Array,
  from: number,
  to: number,
  min: number,
  range: number,
): void {
  counts.fill(0, from, from + range);
  const shift = ((min | 0) - from) | 0;
  // @unroll 4 ahead key
  for (let i = from; i < to; i++) {
    const key = ((minor[i] | 0) - shift) | 0;
    counts[key]++;
  }
  let at = from;
  let key = min;
  let c = from;
  // Three writes for every count save most of the unpredictable branches.
  for (const last = to - 3; at < last; c++, key++) {
    const count = counts[c];
    minor[at] = key;
    minor[at + 1] = key;
    minor[at + 2] = key;
    if (count > 3) minor.fill(key, at + 3, at + count);
    at += count;
  }
  for (; at < to; c++, key++) {
    for (let rest = counts[c]; rest > 0; rest--) minor[at++] = key;
  }
}

/** Stable insertion sort of rows [from, to) in place, for a few dozen rows. */
export function insertionSort(rows: Columns, from: number, to: number): void {
  const [a, b] = rows.payload;
  insertRows(rows.payload.length, rows.minor, a, b, from, to);
}

// @copies payload 0 1 2
function insertRows(
  payload: number,
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    const valueA = payload > 0 ? a[i] : 0;
    const valueB = payload > 1 ? b[i] : 0;
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      if (payload > 0) a[j + 1] = a[j];
      if (payload > 1) b[j + 1] = b[j];
      j--;
    }
    minor[j + 1] = key;
    if (payload > 0) a[j + 1] = valueA;
    if (payload > 1) b[j + 1] = valueB;
  }
}

/** Sorts in place for the cases where moving rows by digits is not the fastest. */
import type { Columns } from './columns.js';

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
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const a = ((minor[i] | 0) - shift) | 0;
    const b = ((minor[i + 1] | 0) - shift) | 0;
    const c = ((minor[i + 2] | 0) - shift) | 0;
    const d = ((minor[i + 3] | 0) - shift) | 0;
    counts[a]++;
    counts[b]++;
    counts[c]++;
    counts[d]++;
  }
  for (; i < to; i++) counts[((minor[i] | 0) - shift) | 0]++;
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
  const { minor, payload } = rows;
  if (payload.length === 0) insertion0(minor, from, to);
  else if (payload.length === 1) insertion1(minor, payload[0], from, to);
  else insertion2(minor, payload[0], payload[1], from, to);
}

function insertion0(minor: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      j--;
    }
    minor[j + 1] = key;
  }
}

function insertion1(minor: Uint32Array, a: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    const valueA = a[i];
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      a[j + 1] = a[j];
      j--;
    }
    minor[j + 1] = key;
    a[j + 1] = valueA;
  }
}

function insertion2(minor: Uint32Array, a: Uint32Array, b: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = minor[i];
    const valueA = a[i];
    const valueB = b[i];
    let j = i - 1;
    while (j >= from && minor[j] > key) {
      minor[j + 1] = minor[j];
      a[j + 1] = a[j];
      b[j + 1] = b[j];
      j--;
    }
    minor[j + 1] = key;
    a[j + 1] = valueA;
    b[j + 1] = valueB;
  }
}

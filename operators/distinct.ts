/**
 * Keeps every different row once, where the payload belongs to the key. This is for keys of more than 64 bits, and for
 * keys with only their greater part in (major, minor).
 *
 * Input: a cursor ascending by (major, minor), with u32 payload columns, at least one, in any order. Output: strictly ascending by
 * (major, minor, payload). Algorithm: one scan; rows that share (major, minor) are collected, and, if their payloads differ,
 * these are sorted. A batch may end among them, so they are held back until it is known that there are no more.
 * Memory: one batch, and the different payloads of one (major, minor). Such ties should be few: callers mix the bits of the
 * key (pipeline/graph/spread.ts). I/O: reads the input once.
 * Degenerate cases: no rows; one key only; repeats across batches; all rows tied (right, but sorted again for each batch).
 */
import { assert } from './core/errors.js';
import { newBatch, views } from './runs/rows.js';
import type { Batch, Column, Cursor } from './runs/types.js';

/** See the top of this file. */
export async function* distinct(input: Cursor): Cursor {
  const kept: Kept = { major: -1, length: 0, minor: new Uint32Array(0), payload: [] };
  for await (const batch of input) {
    assert(batch.payload.length > 0, 'distinct: rows have a payload');
    if (kept.length > 0 && batch.major !== kept.major) {
      yield batchOf(kept, kept.length);
      drop(kept, kept.length);
    }
    kept.major = batch.major;
    reserve(kept, kept.length + batch.length, batch.payload.length);
    const complete = keep(kept, batch);
    if (complete === 0) continue;
    yield batchOf(kept, complete);
    drop(kept, complete);
  }
  if (kept.length > 0) yield batchOf(kept, kept.length);
}

/** Rows of one major that are kept; only the last ties are carried from batch to batch. */
interface Kept {
  major: number;
  length: number;
  minor: Uint32Array;
  payload: Uint32Array[];
}

// Functions of the module, not closures of each call: V8 drops the compiled code of a closure with the closure.

function reserve(kept: Kept, rows: number, columns: number): void {
  const { minor, payload, length } = kept;
  if (rows <= minor.length) return;
  const larger = (column: Uint32Array) => {
    const copy = new Uint32Array(Math.max(rows, 2 * minor.length));
    copy.set(column.subarray(0, length));
    return copy;
  };
  kept.payload = Array.from({ length: columns }, (_, c) => larger(payload[c] ?? minor));
  kept.minor = larger(minor);
}

/** Keeps a batch of the same major; returns how many rows no later batch can change. */
function keep(kept: Kept, batch: Batch): number {
  const { minor, payload } = kept;
  const columns = payload.length;
  const first = payload[0];
  // Rows carried over from the batch before are ties: they begin at row 0.
  let tied = 0;
  let n = kept.length;
  const from = batch.minor;
  const values = batch.payload[0];
  for (let i = 0; i < batch.length; i++) {
    const key = from[i];
    const value = values[i];
    if (n > 0 && minor[n - 1] === key) {
      if (first[n - 1] === value && isSameBehind(payload, n - 1, batch.payload, i)) continue;
    } else {
      if (n - tied > 1) n = order(kept, tied, n);
      tied = n;
    }
    minor[n] = key;
    first[n] = value;
    for (let c = 1; c < columns; c++) payload[c][n] = batch.payload[c][i];
    n++;
  }
  kept.length = n - tied > 1 ? order(kept, tied, n) : n;
  return tied;
}

/** Whether two rows have the same values behind their first columns. */
function isSameBehind(a: readonly Column[], i: number, b: readonly Column[], j: number): boolean {
  for (let c = 1; c < a.length; c++) if (a[c][i] !== b[c][j]) return false;
  return true;
}

function batchOf({ major, minor, payload }: Kept, rows: number): Batch {
  return newBatch(major, rows, minor.subarray(0, rows), views(payload, 0, rows));
}

function drop(kept: Kept, rows: number): void {
  for (const column of [kept.minor, ...kept.payload]) column.copyWithin(0, rows, kept.length);
  kept.length -= rows;
}

/** Puts the payloads of the ties [from, to) in order, each once; returns where they end now. */
function order({ minor, payload }: Kept, from: number, to: number): number {
  const [first] = payload;
  const n = payload.length > 1 ? orderColumns(payload, from, to) : orderValues(first, from, to);
  minor.fill(minor[from], from, n);
  return n;
}

function orderValues(values: Uint32Array, from: number, to: number): number {
  values.subarray(from, to).sort();
  let n = from + 1;
  for (let i = from + 1; i < to; i++) if (values[i] !== values[n - 1]) values[n++] = values[i];
  return n;
}

function orderColumns(payload: readonly Uint32Array[], from: number, to: number): number {
  const rows = Array.from({ length: to - from }, (_, i) => payload.map((column) => column[from + i]));
  rows.sort(compareRows);
  const different = rows.filter((row, i) => i === 0 || compareRows(row, rows[i - 1]) !== 0);
  for (const [c, column] of payload.entries())
    for (let i = 0; i < different.length; i++) column[from + i] = different[i][c];
  return from + different.length;
}

function compareRows(a: readonly number[], b: readonly number[]): number {
  for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return a[c] - b[c];
  return 0;
}

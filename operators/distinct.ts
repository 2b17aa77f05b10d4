/**
 * Keeps every different row once, where a payload column belongs to the key. This is for keys of more than 64 bits, and for
 * keys with only their greater part in (major, minor).
 *
 * Input: a cursor ascending by (major, minor), with one u32 payload column in any order. Output: strictly ascending by
 * (major, minor, payload). Algorithm: one scan; rows that share (major, minor) are collected, and, if their payloads differ,
 * these are sorted. A batch may end among them, so they are held back until it is known that there are no more.
 * Memory: one batch, and the different payloads of one (major, minor). Such ties should be few: callers mix the bits of the
 * key (pipeline/graph/spread.ts). I/O: reads the input once.
 * Degenerate cases: no rows; one key only; repeats across batches; all rows tied (right, but sorted again for each batch).
 */
import { assert } from './core/errors.js';
import { newBatch } from './runs/rows.js';
import type { Batch, Cursor } from './runs/types.js';

/** See the top of this file. */
export async function* distinct(input: Cursor): Cursor {
  const kept: Kept = { major: -1, length: 0, minor: new Uint32Array(0), payload: new Uint32Array(0) };
  for await (const batch of input) {
    assert(batch.payload.length === 1, 'distinct: rows have one payload column');
    if (kept.length > 0 && batch.major !== kept.major) {
      yield batchOf(kept, kept.length);
      drop(kept, kept.length);
    }
    kept.major = batch.major;
    reserve(kept, kept.length + batch.length);
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
  payload: Uint32Array;
}

// Functions of the module, not closures of each call: V8 drops the compiled code of a closure with the closure.

function reserve(kept: Kept, rows: number): void {
  const { minor, payload, length } = kept;
  if (rows <= minor.length) return;
  kept.minor = new Uint32Array(Math.max(rows, 2 * minor.length));
  kept.payload = new Uint32Array(kept.minor.length);
  kept.minor.set(minor.subarray(0, length));
  kept.payload.set(payload.subarray(0, length));
}

/** Keeps a batch of the same major; returns how many rows no later batch can change. */
function keep(kept: Kept, batch: Batch): number {
  const { minor, payload } = kept;
  // Rows carried over from the batch before are ties: they begin at row 0.
  let tied = 0;
  let n = kept.length;
  const from = batch.minor;
  const values = batch.payload[0];
  for (let i = 0; i < batch.length; i++) {
    const key = from[i];
    const value = values[i];
    if (n > 0 && minor[n - 1] === key) {
      if (payload[n - 1] === value) continue;
    } else {
      if (n - tied > 1) n = order(payload, minor, tied, n);
      tied = n;
    }
    minor[n] = key;
    payload[n++] = value;
  }
  kept.length = n - tied > 1 ? order(payload, minor, tied, n) : n;
  return tied;
}

function batchOf({ major, minor, payload }: Kept, rows: number): Batch {
  return newBatch(major, rows, minor.subarray(0, rows), [payload.subarray(0, rows)]);
}

function drop(kept: Kept, rows: number): void {
  kept.minor.copyWithin(0, rows, kept.length);
  kept.payload.copyWithin(0, rows, kept.length);
  kept.length -= rows;
}

/** Puts the payloads of the ties [from, to) in order, each once; returns where they end now. */
function order(payload: Uint32Array, minor: Uint32Array, from: number, to: number): number {
  payload.subarray(from, to).sort();
  let n = from + 1;
  for (let i = from + 1; i < to; i++) if (payload[i] !== payload[n - 1]) payload[n++] = payload[i];
  minor.fill(minor[from], from, n);
  return n;
}

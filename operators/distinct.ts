/**
 * Keeps every different row once, where a payload column belongs to the key. This is for keys of more than 64 bits, and for
 * keys with only their greater part in (major, minor).
 *
 * Input: a cursor ascending by (major, minor), with one u32 payload column in any order. Output: strictly ascending by
 * (major, minor, payload). Algorithm: one scan; rows that share (major, minor) are collected, and, if their payloads differ,
 * these are sorted. A batch may end among them, so they are held back until it is known that there are no more.
 * Memory: one batch, and the different payloads of one (major, minor). Such ties should be few: callers mix the bits of the
 * key (pipeline/games/keyed/spread.ts). I/O: reads the input once.
 * Degenerate cases: no rows; one key only; repeats across batches; all rows tied (right, but sorted again for each batch).
 */
import { assert } from './core/errors.js';
import type { Batch, Cursor } from './runs/types.js';

/** See the top of this file. */
export async function* distinct(input: Cursor): Cursor {
  const kept = newKept();
  for await (const batch of input) {
    if (kept.length > 0 && batch.major !== kept.major) {
      yield kept.batch(kept.length);
      kept.drop(kept.length);
    }
    const complete = kept.add(batch);
    if (complete === 0) continue;
    yield kept.batch(complete);
    kept.drop(complete);
  }
  if (kept.length > 0) yield kept.batch(kept.length);
}

/** Rows of one major that are kept; only the last ties are carried from batch to batch. */
function newKept() {
  let minor = new Uint32Array(0);
  let payload = new Uint32Array(0);
  let length = 0;
  let major = -1;

  function reserve(rows: number): void {
    if (rows <= minor.length) return;
    const [before, payloadBefore] = [minor, payload];
    minor = new Uint32Array(Math.max(rows, 2 * before.length));
    payload = new Uint32Array(minor.length);
    minor.set(before.subarray(0, length));
    payload.set(payloadBefore.subarray(0, length));
  }

  return {
    get length() {
      return length;
    },
    get major() {
      return major;
    },
    /** Takes a batch of the same major; returns how many rows no later batch can change. */
    add(batch: Batch): number {
      assert(batch.payload.length === 1, 'distinct: rows have one payload column');
      reserve(length + batch.length);
      major = batch.major;
      // Rows carried over from the batch before are ties: they begin at row 0.
      let tied = 0;
      let n = length;
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
      length = n - tied > 1 ? order(payload, minor, tied, n) : n;
      return tied;
    },
    batch: (rows: number): Batch => ({
      major,
      length: rows,
      minor: minor.subarray(0, rows),
      payload: [payload.subarray(0, rows)],
    }),
    drop(rows: number): void {
      minor.copyWithin(0, rows, length);
      payload.copyWithin(0, rows, length);
      length -= rows;
    },
  };
}

/** Puts the payloads of the ties [from, to) in order, each once; returns where they end now. */
function order(payload: Uint32Array, minor: Uint32Array, from: number, to: number): number {
  payload.subarray(from, to).sort();
  let n = from + 1;
  for (let i = from + 1; i < to; i++) if (payload[i] !== payload[n - 1]) payload[n++] = payload[i];
  minor.fill(minor[from], from, n);
  return n;
}

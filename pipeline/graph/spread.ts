/**
 * Keys as rows, in an order in which they are spread evenly. Keys that games give have many bits in
 * common, and majors should have as many rows each. They are mixed as names of nodes are that are integers (ids.ts),
 * so that the graph takes them as they are. The upper words of wide keys are more payload columns. They belong to the key as its rest does, so
 * that keys with the same hash stay apart. The function is public, so somebody could construct keys that stay
 * together. That costs time, and the memory of their ties.
 */
import { newBatch } from '../../operators/runs/rows.js';
import type { Batch, Cursor, Rows } from '../../operators/runs/types.js';
import type { KeyWords, Words } from '../games/yours/keyed/key-words.js';
import type { KeyColumns } from './node-names.js';

/** Rows have a major of so many bits, a minor of 32, and the rest of the hash and the upper words as payload. */
const MAJOR_BITS = 8;
const REST_BITS = 32 - MAJOR_BITS;
const REST = 2 ** REST_BITS - 1;
export const MAJORS = 2 ** MAJOR_BITS;
const WORD_BYTES = 4;

/** The names of the payload columns of rows of keys with so many upper words. */
export function keyColumns(upper: number): string[] {
  return ['rest', ...Array.from({ length: upper }, (_, at) => `upper-${at}`)];
}

/** Bytes of a row besides its major. */
export function keyRowBytes(upper: number): number {
  return WORD_BYTES * (2 + upper);
}

/** Writes a key that is mixed to row `at`. */
export function writeMixed({ high, low, upper }: Readonly<KeyWords>, out: Rows, at: number): void {
  out.major[at] = high >>> REST_BITS;
  out.minor[at] = (high << MAJOR_BITS) | (low >>> REST_BITS);
  out.payload[0][at] = low & REST;
  for (let i = 0; i < upper.length; i++) out.payload[1 + i][at] = upper[i];
}

/** Writes the keys with the numbers [from, to) to rows, as {@link writeMixed}. */
export function writeHeldKeys(
  { keys, upper, width }: HeldKeys,
  numbers: Uint32Array,
  from: number,
  to: number,
  out: Rows,
): void {
  const { major, minor, payload } = out;
  for (let i = from; i < to; i++) {
    const at = i - from;
    const high = keys[2 * numbers[i]];
    const low = keys[2 * numbers[i] + 1];
    major[at] = high >>> REST_BITS;
    minor[at] = (high << MAJOR_BITS) | (low >>> REST_BITS);
    payload[0][at] = low & REST;
    for (let c = 0; c < width; c++) payload[1 + c][at] = upper[width * numbers[i] + c];
  }
  out.length = to - from;
}

/** The bits of a mixed key by which a sample is taken. */
export function spreadBits({ low }: Readonly<Words>): number {
  return low & REST;
}

/** The words of row `at` of a batch, as mixed. */
export function readMixed({ major, minor, payload }: Batch, at: number, out: KeyWords): void {
  readHash(major, minor[at], payload[0][at], out);
  for (let i = 0; i < out.upper.length; i++) out.upper[i] = payload[1 + i][at] | 0;
}

/** The same of rows that are in no order. */
export function readMixedRow({ major, minor, payload }: Rows, at: number, out: KeyWords): void {
  readHash(major[at], minor[at], payload[0][at], out);
  for (let i = 0; i < out.upper.length; i++) out.upper[i] = payload[1 + i][at] | 0;
}

/** The lowest two words of such a row. */
export function readHashRow({ major, minor, payload }: Rows, at: number, out: Words): void {
  readHash(major[at], minor[at], payload[0][at], out);
}

/** The words of `length` rows from `from` on; the upper ones of each row one after the other. */
export function readMixedRows(
  { major, minor, payload }: Rows,
  from: number,
  length: number,
  high: Uint32Array,
  low: Uint32Array,
  upper: Uint32Array,
): void {
  const [rest] = payload;
  for (let i = 0; i < length; i++) {
    const at = from + i;
    high[i] = (major[at] << REST_BITS) | (minor[at] >>> MAJOR_BITS);
    low[i] = (minor[at] << REST_BITS) | rest[at];
  }
  const width = payload.length - 1;
  for (let c = 0; c < width; c++)
    for (let i = 0; i < length; i++) upper[i * width + c] = payload[1 + c][from + i];
}

/** Rows of a batch. */
export const BATCH_ROWS = 1 << 11;

/** Mixed keys by number, as arrays that are other ones once there are more. */
export interface HeldKeys {
  /** The lowest two words of each key: the higher and the lower. */
  readonly keys: Uint32Array;
  /** The upper words of each key, so many. */
  readonly upper: Uint32Array;
  readonly width: number;
}

/** The first keys, so many, by columns; batches are used again. */
export function* columnsOfKeys(
  { keys, upper, width }: HeldKeys,
  length: number,
): Generator<KeyColumns & { readonly first: number; readonly length: number }> {
  const [high, low, ...others] = Array.from({ length: 2 + width }, () => new Uint32Array(BATCH_ROWS));
  for (let first = 0; first < length; first += BATCH_ROWS) {
    const rows = Math.min(BATCH_ROWS, length - first);
    takeWords(keys, 2, 2 * first, rows, high);
    takeWords(keys, 2, 2 * first + 1, rows, low);
    for (const [c, column] of others.entries()) takeWords(upper, width, width * first + c, rows, column);
    yield { first, length: rows, high, low, upper: others };
  }
}

/** Every so many words, one is taken. */
function takeWords(words: Uint32Array, step: number, from: number, length: number, into: Uint32Array): void {
  for (let i = 0; i < length; i++) into[i] = words[from + i * step];
}

/** The keys [from, to), which ascend. `held` is read again for each batch; batches are used again. */
export async function* batchesOfKeys(held: HeldKeys, from: number, to: number): Cursor {
  const { width } = held;
  const minor = new Uint32Array(BATCH_ROWS);
  const payload = Array.from({ length: 1 + width }, () => new Uint32Array(BATCH_ROWS));
  for (let next = from; next < to; ) {
    const { keys, upper } = held;
    const major = keys[2 * next] >>> REST_BITS;
    const length = cutKeys(keys, next, Math.min(to, next + BATCH_ROWS), minor, payload[0]);
    for (let c = 0; c < width; c++)
      for (let i = 0; i < length; i++) payload[1 + c][i] = upper[(next + i) * width + c];
    next += length;
    yield newBatch(major, length, minor, payload);
  }
}

/** Cuts the keys from `from` on that have the same major; returns how many. */
function cutKeys(
  words: Uint32Array,
  from: number,
  to: number,
  minor: Uint32Array,
  rest: Uint32Array,
): number {
  const major = words[2 * from] >>> REST_BITS;
  let next = from;
  for (; next < to && words[2 * next] >>> REST_BITS === major; next++) {
    minor[next - from] = (words[2 * next] << MAJOR_BITS) | (words[2 * next + 1] >>> REST_BITS);
    rest[next - from] = words[2 * next + 1] & REST;
  }
  return next - from;
}

function readHash(major: number, minor: number, rest: number, out: Words): void {
  out.high = (major << REST_BITS) | (minor >>> MAJOR_BITS);
  out.low = (minor << REST_BITS) | rest;
}

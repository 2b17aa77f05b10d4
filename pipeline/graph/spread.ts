/**
 * Keys of 64 bits as rows, in an order in which they are spread evenly. Keys that games give have many bits in
 * common, and majors should have as many rows each. They are mixed as names of nodes are that are integers (ids.ts),
 * so that the graph takes them as they are. The function is public, so somebody could construct keys that stay
 * together. That costs time, and the memory of up to 2^24 ties.
 */
import { newBatch } from '../../operators/runs/rows.js';
import type { Batch, Cursor, Rows } from '../../operators/runs/types.js';
import type { KeyWords } from '../games/yours/keyed/key-words.js';
import { mixWords } from './ids.js';

/** Rows have a major of so many bits, a minor of 32, and the rest of the key as payload. */
const MAJOR_BITS = 8;
const REST_BITS = 32 - MAJOR_BITS;
const REST = 2 ** REST_BITS - 1;
export const MAJORS = 2 ** MAJOR_BITS;
/** Bytes of a row besides its major. */
export const ROW_BYTES = 8;

/** Writes a key to row `at`. */
export function writeKey({ high, low }: Readonly<KeyWords>, out: Rows, at: number): void {
  mixWords(high, low, 0, mixedKey);
  writeMixed(mixedKey, out, at);
}

/** Writes a key that is mixed. */
export function writeMixed({ high, low }: Readonly<KeyWords>, out: Rows, at: number): void {
  out.major[at] = high >>> REST_BITS;
  out.minor[at] = (high << MAJOR_BITS) | (low >>> REST_BITS);
  out.payload[0][at] = low & REST;
}

/** The bits of a mixed key by which a sample is taken. */
export function spreadBits({ low }: Readonly<KeyWords>): number {
  return low & REST;
}

/** The words of row `at` of a batch, as mixed. */
export function readMixed({ major, minor, payload }: Batch, at: number, out: KeyWords): void {
  wordsOfRow(major, minor[at], payload[0][at], out);
}

/** The same of rows that are in no order. */
export function readMixedRow({ major, minor, payload }: Rows, at: number, out: KeyWords): void {
  wordsOfRow(major[at], minor[at], payload[0][at], out);
}

/** The words of `length` rows from `from` on. */
export function readMixedRows(
  { major, minor, payload: [rest] }: Rows,
  from: number,
  length: number,
  high: Uint32Array,
  low: Uint32Array,
): void {
  for (let i = 0; i < length; i++) {
    const at = from + i;
    high[i] = (major[at] << REST_BITS) | (minor[at] >>> MAJOR_BITS);
    low[i] = (minor[at] << REST_BITS) | rest[at];
  }
}

/** Rows of a batch. */
const BATCH_ROWS = 1 << 11;

/**
 * The keys [from, to) of an array with two words each, upper and lower, which ascend. `keys` is asked again for each batch; batches are used
 * again.
 */
export async function* batchesOfKeys(keys: () => Uint32Array, from: number, to: number): Cursor {
  const minor = new Uint32Array(BATCH_ROWS);
  const rest = new Uint32Array(BATCH_ROWS);
  for (let next = from; next < to; ) {
    const words = keys();
    const major = words[2 * next] >>> REST_BITS;
    const length = cutKeys(words, next, Math.min(to, next + BATCH_ROWS), minor, rest);
    next += length;
    yield newBatch(major, length, minor, [rest]);
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

function wordsOfRow(major: number, minor: number, rest: number, out: KeyWords): void {
  out.high = (major << REST_BITS) | (minor >>> MAJOR_BITS);
  out.low = (minor << REST_BITS) | rest;
}

const mixedKey: KeyWords = { high: 0, low: 0 };

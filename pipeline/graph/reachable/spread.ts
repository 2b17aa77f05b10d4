/**
 * Keys of 64 bits as rows, in an order in which they are spread evenly: keys that games give have many bits in common, and
 * majors should have as many rows each. They are mixed as names of nodes are that are integers (ids.ts), so that the graph takes
 * them as they are. It is no secret how: who wants to can find keys that stay together; time is lost then, and the
 * memory of up to 2^24 ties.
 */
import type { Batch, Rows } from '../../../operators/runs/types.js';
import type { KeyWords } from '../../games/keyed/key-words.js';
import { mixWords } from '../ids.js';

/** Rows have a major of so many bits, a minor of 32, and the rest of the key as payload. */
const MAJOR_BITS = 8;
const REST_BITS = 32 - MAJOR_BITS;
const REST = 2 ** REST_BITS - 1;
export const MAJORS = 2 ** MAJOR_BITS;
/** Bytes of a row besides its major. */
export const ROW_BYTES = 8;

/** Writes a key to row `at`. */
export function writeKey({ high, low }: KeyWords, out: Rows, at: number): void {
  mixWords(high, low, 0, mixedKey);
  out.major[at] = mixedKey.high >>> REST_BITS;
  out.minor[at] = (mixedKey.high << MAJOR_BITS) | (mixedKey.low >>> REST_BITS);
  out.payload[0][at] = mixedKey.low & REST;
}

/** The words of row `at` of a batch, as mixed. */
export function readMixed({ major, minor, payload }: Batch, at: number, out: KeyWords): void {
  wordsOfRow(major, minor[at], payload[0][at], out);
}

/** The same of rows that are in no order. */
export function readMixedRow({ major, minor, payload }: Rows, at: number, out: KeyWords): void {
  wordsOfRow(major[at], minor[at], payload[0][at], out);
}

function wordsOfRow(major: number, minor: number, rest: number, out: KeyWords): void {
  out.high = (major << REST_BITS) | (minor >>> MAJOR_BITS);
  out.low = (minor << REST_BITS) | rest;
}

const mixedKey: KeyWords = { high: 0, low: 0 };

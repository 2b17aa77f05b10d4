/**
 * The memory that a distribution fills: one block of words, cut in pages. A page holds rows of one major, its columns
 * behind each other. A shared pool can be posted to other threads, which then read its pages in place.
 */

import { assert } from '../core/errors.js';
import { newWords } from '../core/pages.js';

export interface Pool {
  readonly words: Uint32Array;
}

const MAX_BYTES = 2 ** 33 - 4;
const MAX_PAGE_ROWS = 1024;
const MIN_PAGE_ROWS = 16;
/** Pages for each major on average, so that partly filled ones waste little of the pool. */
const PAGES_PER_MAJOR = 2;

/** A pool of `bytes` bytes (at least 64 rows of what will be put in it). */
export function createPool(bytes: number, { shared }: { shared: boolean }): Pool {
  const length = 4 * Math.floor(bytes / 4);
  assert(length <= MAX_BYTES, 'a pool is addressed by 31-bit word numbers');
  return { words: shared ? new Uint32Array(new SharedArrayBuffer(length)) : newWords(length / 4) };
}

/** Rows of a page, a power of two: long enough to be copied fast, short enough for the number of majors. */
export function choosePageRows(pool: Pool, majors: number, payload: number): number {
  const rows = Math.floor(pool.words.length / (1 + payload));
  assert(rows >= 4 * MIN_PAGE_ROWS, 'the pool holds at least 64 rows');
  let pageRows = MAX_PAGE_ROWS;
  while (pageRows > MIN_PAGE_ROWS && rows < pageRows * PAGES_PER_MAJOR * majors) pageRows /= 2;
  return pageRows;
}

/**
 * The inner loop of the distribution: rows to the pages of their majors. The build writes it out (vite.hot-loops.ts),
 * for the plain loop takes 1.2 to 1.9 times as long.
 *
 * The parameters are separate because loops over local variables are faster than loops over the fields of an object.
 */

import { newColumns } from '../core/columns.js';
import { fail } from '../core/errors.js';
import type { Rows } from '../runs/types.js';
import { radixSort } from '../sort/radix.js';
import { choosePageRows, type Pool } from './pool.js';
import type { Held } from './segments.js';

/** The pages of a pool while they are filled; they are used one after the other. */
export interface Filling {
  readonly words: Uint32Array;
  readonly payload: number;
  readonly pageRows: number;
  readonly pageWords: number;
  /** By major: the word where its next minor goes; a multiple of pageRows: it needs a page. */
  readonly cursors: Uint32Array;
  /** By page: its major. */
  readonly owners: Uint32Array;
  pages: number;
}

/** The directories of each pool, kept for the next distribution: a round makes one after the other, and a pool holds one at a time. */
const directories = new WeakMap<Pool, Pick<Filling, 'cursors' | 'owners'>>();

export function newFilling(pool: Pool, majors: number, payload: number): Filling {
  const pageRows = choosePageRows(pool, majors, payload);
  const pageWords = pageRows * (1 + payload);
  const pages = Math.floor(pool.words.length / pageWords);
  let directory = directories.get(pool);
  if (directory?.cursors.length !== majors || directory.owners.length !== pages) {
    directory = { cursors: new Uint32Array(majors), owners: new Uint32Array(pages) };
    directories.set(pool, directory);
  } else directory.cursors.fill(0);
  const { cursors, owners } = directory;
  return { words: pool.words, payload, pageRows, pageWords, cursors, owners, pages: 0 };
}

/** Fewer rows than this are filled one by one: a loop costs some tens of nanoseconds to enter. */
const FEW_ROWS = 8;

/**
 * Puts rows from row `from` on into pages until there is no page left; returns the first row not done. As many rows as there are
 * pages left certainly find room, so the loop over that many does not test for it: a branch that was never taken has no type feedback in V8, and
 * taking it at last throws the compiled loop away.
 */
export function fill(filling: Filling, rows: Rows, from: number): number {
  const { length } = rows;
  let i = from;
  while (i < length) {
    const free = filling.owners.length - filling.pages;
    if (free < FEW_ROWS) return fillRest(filling, rows, i);
    const to = Math.min(length, i + free);
    fillSurely(filling, rows, i, to);
    i = to;
  }
  return i;
}

function fillSurely(filling: Filling, rows: Rows, from: number, to: number): void {
  const { major, minor, payload } = rows;
  if (payload.length > 2) fillColumns(filling, rows, from, to);
  else fillRows(filling.payload, filling, major, minor, payload[0], payload[1], from, to);
}

/** As `fillRows`, of any number of columns. */
function fillColumns(filling: Filling, { major, minor, payload }: Rows, from: number, to: number): void {
  const { words, cursors, pageRows } = filling;
  for (let i = from; i < to; i++) {
    const m = major[i];
    let at = cursors[m];
    if ((at & (pageRows - 1)) === 0) at = takePage(filling, m);
    words[at] = minor[i];
    for (let c = 0; c < payload.length; c++) words[at + (1 + c) * pageRows] = payload[c][i];
    cursors[m] = at + 1;
  }
}

/** Row by row, until there is no page left for one. */
function fillRest(filling: Filling, rows: Rows, from: number): number {
  const { cursors, owners, pageRows } = filling;
  for (let i = from; i < rows.length; i++) {
    const needsPage = (cursors[rows.major[i]] & (pageRows - 1)) === 0;
    if (needsPage && filling.pages === owners.length) return i;
    fillSurely(filling, rows, i, i + 1);
  }
  return rows.length;
}

/** The first word of a new page for `major`. */
function takePage(filling: Filling, major: number): number {
  const { pages, owners, cursors, pageWords } = filling;
  if (major >= cursors.length) fail(`distribute: major ${major} of ${cursors.length}`);
  owners[pages] = major;
  filling.pages = pages + 1;
  return pages * pageWords;
}

// @copies payload 0 1 2
function fillRows(
  payload: number,
  filling: Filling,
  major: Uint32Array,
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  from: number,
  to: number,
): void {
  const { words, cursors, pageRows } = filling;
  const mask = pageRows - 1;
  // @unroll 4 ahead m
  for (let i = from; i < to; i++) {
    const m = major[i];
    let at = cursors[m] | 0;
    if ((at & mask) === 0) at = takePage(filling, m);
    words[at] = minor[i];
    if (payload > 0) words[at + pageRows] = a[i];
    if (payload > 1) words[at + 2 * pageRows] = b[i];
    cursors[m] = at + 1;
  }
}

/** The rows that were filled in, by major; the filling is then empty (the pages keep their rows until they are taken again). */
export function takeHeld(filling: Filling): Held {
  const { pages, pageRows, pageWords, owners, cursors } = filling;
  const byMajor = newColumns(pages, 1);
  byMajor.minor.set(owners.subarray(0, pages));
  for (let p = 0; p < pages; p++) byMajor.payload[0][p] = p * pageWords;
  const spare = newColumns(pages, 1);
  const sorted = radixSort(byMajor, spare, 0, pages);
  const owner = sorted.minor;

  let distinct = 0;
  for (let p = 0; p < pages; p++) distinct += p === 0 || owner[p] !== owner[p - 1] ? 1 : 0;
  const majors = new Uint32Array(distinct);
  const rows = new Uint32Array(distinct);
  const starts = new Uint32Array(distinct + 1);
  for (let p = 0, i = 0; p < pages; i++) {
    const major = owner[p];
    majors[i] = major;
    starts[i] = p;
    while (p < pages && owner[p] === major) p++;
    const used = cursors[major] & (pageRows - 1);
    rows[i] = (p - starts[i] - 1) * pageRows + (used === 0 ? pageRows : used);
    cursors[major] = 0;
  }
  starts[distinct] = pages;
  filling.pages = 0;
  return { pageRows, majors, rows, starts, pages: sorted.payload[0] };
}

/**
 * The inner loops of the distribution: rows to the pages of their majors. Unrolled for the reason that
 * sort/radix-scatter.ts gives: the plain loop takes 2.5 times as long.
 *
 * Many parameters: loops over local variables are faster than loops over the fields of an object.
 */
import { assert } from '../core/errors.js';
import type { Rows } from '../runs/types.js';
import { radixSort } from '../sort/radix.js';
import { choosePageRows, type Pool } from './pool.js';
import type { Held } from './segments.js';

/** Pages being filled. Pages are taken from the pool one after the other. */
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

export function newFilling(pool: Pool, majors: number, payload: number): Filling {
  const pageRows = choosePageRows(pool, majors, payload);
  const pageWords = pageRows * (1 + payload);
  return {
    words: pool.words,
    payload,
    pageRows,
    pageWords,
    cursors: new Uint32Array(majors),
    owners: new Uint32Array(Math.floor(pool.words.length / pageWords)),
    pages: 0,
  };
}

/** Puts rows from row `from` on into pages until there is no page left; returns the first row not done. */
export function fill(filling: Filling, rows: Rows, from: number): number {
  const [a, b] = rows.payload;
  if (filling.payload === 0) return fill0(filling, rows.major, rows.minor, from, rows.length);
  if (filling.payload === 1) return fill1(filling, rows.major, rows.minor, a, from, rows.length);
  return fill2(filling, rows.major, rows.minor, a, b, from, rows.length);
}

/** The first word of a new page for `major`, or -1 if all pages are taken. */
function takePage(filling: Filling, major: number): number {
  const { pages, owners, cursors, pageWords } = filling;
  assert(major < cursors.length, `distribute: major ${major} of ${cursors.length}`);
  if (pages === owners.length) return -1;
  owners[pages] = major;
  filling.pages = pages + 1;
  return pages * pageWords;
}

function fill0(filling: Filling, major: Uint32Array, minor: Uint32Array, from: number, to: number): number {
  const { words, cursors, pageRows } = filling;
  const mask = pageRows - 1;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const m0 = major[i];
    const m1 = major[i + 1];
    const m2 = major[i + 2];
    const m3 = major[i + 3];
    let at = cursors[m0] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m0);
      if (at < 0) return i;
    }
    words[at] = minor[i];
    cursors[m0] = at + 1;
    at = cursors[m1] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m1);
      if (at < 0) return i + 1;
    }
    words[at] = minor[i + 1];
    cursors[m1] = at + 1;
    at = cursors[m2] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m2);
      if (at < 0) return i + 2;
    }
    words[at] = minor[i + 2];
    cursors[m2] = at + 1;
    at = cursors[m3] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m3);
      if (at < 0) return i + 3;
    }
    words[at] = minor[i + 3];
    cursors[m3] = at + 1;
  }
  for (; i < to; i++) {
    const m = major[i];
    let at = cursors[m] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m);
      if (at < 0) return i;
    }
    words[at] = minor[i];
    cursors[m] = at + 1;
  }
  return to;
}

function fill1(
  filling: Filling,
  major: Uint32Array,
  minor: Uint32Array,
  a: Uint32Array,
  from: number,
  to: number,
): number {
  const { words, cursors, pageRows } = filling;
  const mask = pageRows - 1;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const m0 = major[i];
    const m1 = major[i + 1];
    const m2 = major[i + 2];
    const m3 = major[i + 3];
    let at = cursors[m0] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m0);
      if (at < 0) return i;
    }
    words[at] = minor[i];
    words[at + pageRows] = a[i];
    cursors[m0] = at + 1;
    at = cursors[m1] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m1);
      if (at < 0) return i + 1;
    }
    words[at] = minor[i + 1];
    words[at + pageRows] = a[i + 1];
    cursors[m1] = at + 1;
    at = cursors[m2] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m2);
      if (at < 0) return i + 2;
    }
    words[at] = minor[i + 2];
    words[at + pageRows] = a[i + 2];
    cursors[m2] = at + 1;
    at = cursors[m3] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m3);
      if (at < 0) return i + 3;
    }
    words[at] = minor[i + 3];
    words[at + pageRows] = a[i + 3];
    cursors[m3] = at + 1;
  }
  for (; i < to; i++) {
    const m = major[i];
    let at = cursors[m] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m);
      if (at < 0) return i;
    }
    words[at] = minor[i];
    words[at + pageRows] = a[i];
    cursors[m] = at + 1;
  }
  return to;
}

function fill2(
  filling: Filling,
  major: Uint32Array,
  minor: Uint32Array,
  a: Uint32Array,
  b: Uint32Array,
  from: number,
  to: number,
): number {
  const { words, cursors, pageRows } = filling;
  const mask = pageRows - 1;
  let i = from;
  for (const end = to - 3; i < end; i += 4) {
    const m0 = major[i];
    const m1 = major[i + 1];
    const m2 = major[i + 2];
    const m3 = major[i + 3];
    let at = cursors[m0] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m0);
      if (at < 0) return i;
    }
    words[at] = minor[i];
    words[at + pageRows] = a[i];
    words[at + 2 * pageRows] = b[i];
    cursors[m0] = at + 1;
    at = cursors[m1] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m1);
      if (at < 0) return i + 1;
    }
    words[at] = minor[i + 1];
    words[at + pageRows] = a[i + 1];
    words[at + 2 * pageRows] = b[i + 1];
    cursors[m1] = at + 1;
    at = cursors[m2] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m2);
      if (at < 0) return i + 2;
    }
    words[at] = minor[i + 2];
    words[at + pageRows] = a[i + 2];
    words[at + 2 * pageRows] = b[i + 2];
    cursors[m2] = at + 1;
    at = cursors[m3] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m3);
      if (at < 0) return i + 3;
    }
    words[at] = minor[i + 3];
    words[at + pageRows] = a[i + 3];
    words[at + 2 * pageRows] = b[i + 3];
    cursors[m3] = at + 1;
  }
  for (; i < to; i++) {
    const m = major[i];
    let at = cursors[m] | 0;
    if ((at & mask) === 0) {
      at = takePage(filling, m);
      if (at < 0) return i;
    }
    words[at] = minor[i];
    words[at + pageRows] = a[i];
    words[at + 2 * pageRows] = b[i];
    cursors[m] = at + 1;
  }
  return to;
}

/** What has been filled, by major; the filling is then empty (the pages keep their rows until they are taken anew). */
export function takeHeld(filling: Filling): Held {
  const { pages, pageRows, pageWords, owners, cursors } = filling;
  const byMajor = { minor: owners.slice(0, pages), payload: [new Uint32Array(pages)] };
  for (let p = 0; p < pages; p++) byMajor.payload[0][p] = p * pageWords;
  const spare = { minor: new Uint32Array(pages), payload: [new Uint32Array(pages)] };
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

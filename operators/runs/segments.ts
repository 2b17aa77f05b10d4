import { assert, fail } from '../core/errors.js';
import { lastAtMost } from '../core/search.js';

/**
 * The segment directory: which majors there are (ascending, none empty), and the row each begins at; starts[count] is
 * the number of rows.
 */
export interface Segments {
  readonly majors: Uint32Array;
  readonly starts: Float64Array;
}

/** A directory that grows as rows are appended, and what must be known to check their order. */
export interface GrowingSegments {
  count: number;
  majors: Uint32Array;
  starts: Float64Array;
  rows: number;
  /** Minors of the first and the last row; in a dense run, places in the segment. */
  leastMinor: number;
  greatestMinor: number;
}

export function newSegments(): GrowingSegments {
  return {
    count: 0,
    majors: new Uint32Array(8),
    starts: new Float64Array(9),
    rows: 0,
    leastMinor: 0,
    greatestMinor: 0,
  };
}

/** Enters `length` (at least 1) dense rows of `major`: they continue it if it is the last one. */
export function appendDense(segments: GrowingSegments, major: number, length: number): void {
  const continued = continues(segments, major);
  if (!continued) begin(segments, major);
  segments.rows += length;
  segments.starts[segments.count] = segments.rows;
  segments.greatestMinor = segments.rows - segments.starts[segments.count - 1] - 1;
  assert(segments.greatestMinor < 2 ** 32, 'a dense segment has at most 2^32 rows');
}

/** Enters rows minor[from..from+length) of `major` (at least 1); asserts that they go on in order. */
export function appendSparse(
  segments: GrowingSegments,
  major: number,
  minor: Uint32Array,
  from: number,
  length: number,
  strict: boolean,
): void {
  assert(from + length <= minor.length, 'the minor column holds the rows that are appended');
  const step = strict ? 1 : 0;
  if (continues(segments, major)) {
    if (minor[from] < segments.greatestMinor + step)
      fail(`rows are in order: minor ${minor[from]} after ${segments.greatestMinor} of major ${major}`);
  } else {
    if (segments.count === 0) segments.leastMinor = minor[from];
    begin(segments, major);
  }
  const bad = firstDisorder(minor, from, from + length, strict);
  if (bad >= 0) fail(`rows are in order: minor ${minor[bad]} after ${minor[bad - 1]} of major ${major}`);
  segments.greatestMinor = minor[from + length - 1];
  segments.rows += length;
  segments.starts[segments.count] = segments.rows;
}

/** Where in minor[from..to) a value is less than the one before it (strict: or equal to it), or -1. */
export function firstDisorder(minor: Uint32Array, from: number, to: number, strict: boolean): number {
  // Two plain loops of unsigned comparisons: adding a step to the values would make them doubles.
  if (strict) {
    for (let i = from + 1; i < to; i++) if (minor[i] <= minor[i - 1]) return i;
  } else {
    for (let i = from + 1; i < to; i++) if (minor[i] < minor[i - 1]) return i;
  }
  return -1;
}

/** How the rows [from, to), at least one, are parted among segments: the first one's number, and the rows of each. */
export function partsOf(
  { starts }: Segments,
  from: number,
  to: number,
): { first: number; parts: Uint32Array } {
  const first = lastAtMost(starts, from, starts.length - 1);
  const last = lastAtMost(starts, to - 1, starts.length - 1);
  const parts = new Uint32Array(last + 1 - first);
  for (let i = 0; i < parts.length; i++) {
    parts[i] = Math.min(to, starts[first + i + 1]) - Math.max(from, starts[first + i]);
  }
  return { first, parts };
}

/** The directory as it is now (views). */
export function finished(segments: GrowingSegments): Segments {
  return {
    majors: segments.majors.subarray(0, segments.count),
    starts: segments.starts.subarray(0, segments.count + 1),
  };
}

function continues(segments: GrowingSegments, major: number): boolean {
  if (segments.count === 0) return false;
  const last = segments.majors[segments.count - 1];
  if (major < last) fail(`rows are in order: major ${major} after ${last}`);
  return major === last;
}

function begin(segments: GrowingSegments, major: number): void {
  if (major >>> 0 !== major) fail(`a major fits in 32 bits: ${major}`);
  if (segments.count === segments.majors.length) {
    const majors = new Uint32Array(2 * segments.count);
    const starts = new Float64Array(2 * segments.count + 1);
    majors.set(segments.majors);
    starts.set(segments.starts);
    segments.majors = majors;
    segments.starts = starts;
  }
  segments.majors[segments.count++] = major;
}

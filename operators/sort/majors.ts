import { countHighDigit, scanRange } from './radix-count.js';

/** Above this range majors are ranked by a hash table instead of an array of counters. */
const MAX_COUNTERS = 1 << 16;

/** How rows are partitioned by major. */
export interface Majors {
  /** The distinct majors, ascending, and for each the number of rows of it and all lower ones. */
  readonly majors: Uint32Array;
  readonly ends: Uint32Array;
  /** starts[major[i] - least]: where the next row of row i's major goes. */
  readonly starts: Uint32Array;
  readonly least: number;
}

/**
 * Counts major[0, n). Memory: a counter for each major between the least and the greatest. If they are more than 65,536
 * apart, it is a hash table of the distinct ones. Then each major is replaced by its rank. At least one row.
 */
export function countMajors(major: Uint32Array, n: number): Majors {
  const { min, max } = scanRange(major, 0, n);
  if (max - min >= MAX_COUNTERS) return rankMajors(major, n);
  const starts = new Uint32Array(max - min + 1);
  countHighDigit(major, 0, n, min, 0, starts);
  let distinct = 0;
  for (let m = 0; m < starts.length; m++) distinct += starts[m] > 0 ? 1 : 0;
  const majors = new Uint32Array(distinct);
  const ends = new Uint32Array(distinct);
  let end = 0;
  let next = 0;
  for (let m = 0; m < starts.length; m++) {
    const count = starts[m];
    starts[m] = end;
    if (count === 0) continue;
    end += count;
    majors[next] = min + m;
    ends[next++] = end;
  }
  return { majors, ends, starts, least: min };
}

function rankMajors(major: Uint32Array, n: number): Majors {
  const counts = new Map<number, number>();
  for (let i = 0; i < n; i++) counts.set(major[i], (counts.get(major[i]) ?? 0) + 1);
  const majors = Uint32Array.from(counts.keys()).sort();
  const ends = new Uint32Array(majors.length);
  const starts = new Uint32Array(majors.length);
  let end = 0;
  for (let rank = 0; rank < majors.length; rank++) {
    starts[rank] = end;
    end += counts.get(majors[rank])!;
    ends[rank] = end;
    counts.set(majors[rank], rank);
  }
  for (let i = 0; i < n; i++) major[i] = counts.get(major[i])!;
  return { majors, ends, starts, least: 0 };
}

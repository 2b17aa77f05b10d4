/** Which majors are gathered together. */
import type { Interval } from '../core/interval.js';
import { firstAtLeast } from '../core/search.js';
import type { Pool } from './pool.js';
import type { DistributedRows } from './segments.js';

export interface Source {
  readonly segments: DistributedRows;
  readonly pool: Pool;
}

/** Neighbouring majors: those of [from, to) that have rows. ends[i]: rows of the first i + 1 of them. */
export interface Group {
  readonly from: number;
  readonly to: number;
  readonly majors: Uint32Array;
  readonly ends: Uint32Array;
  readonly rows: number;
  /** Words of it in scratch. */
  readonly spilledWords: number;
}

interface Present {
  readonly majors: Uint32Array;
  readonly rows: Float64Array;
  readonly spilledWords: Float64Array;
}

/** The majors of the range that have rows, ascending, with their numbers of rows over all sources. */
export function distinctMajors(sources: readonly Source[], range: Interval): Present {
  const from = range.from;
  const to = sources.reduce(
    (most, { segments }) => Math.max(most, Math.min(range.to, segments.majors)),
    from,
  );
  const rows = new Float64Array(to - from);
  const words = new Float64Array(to - from);
  for (const { segments } of sources) {
    const { held, spills, payload } = segments;
    for (let h = firstAtLeast(held.majors, from); held.majors[h] < to; h++) {
      rows[held.majors[h] - from] += held.rows[h];
    }
    for (const spill of spills) {
      for (let s = firstAtLeast(spill.majors, from); spill.majors[s] < to; s++) {
        const spilled = spill.words[s + 1] - spill.words[s];
        words[spill.majors[s] - from] += spilled;
        rows[spill.majors[s] - from] += spilled / (1 + payload);
      }
    }
  }
  let count = 0;
  for (let m = 0; m < rows.length; m++) count += rows[m] > 0 ? 1 : 0;
  const present = {
    majors: new Uint32Array(count),
    rows: new Float64Array(count),
    spilledWords: new Float64Array(count),
  };
  for (let m = 0, i = 0; m < rows.length; m++) {
    if (rows[m] === 0) continue;
    present.majors[i] = from + m;
    present.rows[i] = rows[m];
    present.spilledWords[i++] = words[m];
  }
  return present;
}

/** Rows that a read from one spill should have, and rows of a group that needs no reads. */
const READ_ROWS = 1 << 14;
const GROUP_ROWS = 1 << 12;

/**
 * Cuts majors into groups. A group has at most `capacity` rows if they are of more than one major, and of no more majors
 * than give long reads.
 */
export function planGroups(sources: readonly Source[], present: Present, capacity: number): Group[] {
  const spills = sources.reduce((sum, { segments }) => sum + segments.spills.length, 0);
  const enough = Math.min(capacity, Math.max(GROUP_ROWS, spills * READ_ROWS));
  const { majors, rows, spilledWords } = present;
  const groups: Group[] = [];
  for (let i = 0; i < majors.length; ) {
    let j = i;
    let sum = 0;
    let words = 0;
    do {
      sum += rows[j];
      words += spilledWords[j];
      j++;
    } while (j < majors.length && sum < enough && sum + rows[j] <= capacity);
    const ends = new Uint32Array(j - i);
    let end = 0;
    for (let m = i; m < j; m++) ends[m - i] = end += rows[m];
    groups.push({
      from: majors[i],
      to: majors[j - 1] + 1,
      majors: majors.subarray(i, j),
      ends,
      rows: sum,
      spilledWords: words,
    });
    i = j;
  }
  return groups;
}

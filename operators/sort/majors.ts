/** Above this range majors are ranked by a hash table instead of an array of counters. */
const MAX_COUNTERS = 1 << 16;

/**
 * Replaces each of major[0, n) by its rank among the distinct majors, and returns these in ascending order, with the
 * number of rows of this and all lower majors. Memory: a counter for each major between the least and the greatest,
 * or, if they are more than 65,536 apart, a hash table of the distinct ones.
 */
export function rankMajors(major: Uint32Array, n: number): { majors: Uint32Array; ends: Uint32Array } {
  let min = major[0];
  let max = min;
  for (let i = 1; i < n; i++) {
    const m = major[i];
    if (m < min) min = m;
    if (m > max) max = m;
  }
  if (max === min) return { majors: Uint32Array.of(min), ends: Uint32Array.of(n) };
  return max - min < MAX_COUNTERS ? rankByCounters(major, n, min, max - min + 1) : rankByTable(major, n);
}

function rankByCounters(major: Uint32Array, n: number, min: number, range: number) {
  const counts = new Uint32Array(range);
  for (let i = 0; i < n; i++) counts[major[i] - min]++;
  let distinct = 0;
  for (let m = 0; m < range; m++) distinct += counts[m] > 0 ? 1 : 0;
  const majors = new Uint32Array(distinct);
  const ends = new Uint32Array(distinct);
  let end = 0;
  let rank = 0;
  for (let m = 0; m < range; m++) {
    if (counts[m] === 0) continue;
    end += counts[m];
    majors[rank] = min + m;
    ends[rank] = end;
    counts[m] = rank++;
  }
  for (let i = 0; i < n; i++) major[i] = counts[major[i] - min];
  return { majors, ends };
}

function rankByTable(major: Uint32Array, n: number) {
  const counts = new Map<number, number>();
  for (let i = 0; i < n; i++) counts.set(major[i], (counts.get(major[i]) ?? 0) + 1);
  const majors = Uint32Array.from(counts.keys()).sort();
  const ends = new Uint32Array(majors.length);
  let end = 0;
  for (let rank = 0; rank < majors.length; rank++) {
    end += counts.get(majors[rank])!;
    ends[rank] = end;
    counts.set(majors[rank], rank);
  }
  for (let i = 0; i < n; i++) major[i] = counts.get(major[i])!;
  return { majors, ends };
}

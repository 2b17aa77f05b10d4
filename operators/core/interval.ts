/** Intervals of whole numbers: majors, parts of a slice, nodes. */

/** Numbers [from, to). */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Cuts [0, count) into at most `pieces` intervals, none empty; their lengths differ by at most one. */
export function cutEvenly(count: number, pieces: number): Interval[] {
  const cuts = Math.min(count, pieces);
  return Array.from({ length: cuts }, (_, i) => ({
    from: Math.floor((i * count) / cuts),
    to: Math.floor(((i + 1) * count) / cuts),
  }));
}

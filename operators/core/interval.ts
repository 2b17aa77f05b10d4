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

/** Cuts the numbers that have these weights into at most `pieces` intervals of about the same weight, none empty. */
export function cutByWeight(weights: readonly number[], pieces: number): Interval[] {
  const cuts = Math.min(weights.length, pieces);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const intervals: Interval[] = [];
  let to = 0;
  let sum = 0;
  for (let i = 1; i <= cuts; i++) {
    const from = to;
    const most = weights.length - (cuts - i);
    const wanted = (i * total) / cuts;
    // A number that straddles a cut goes to the interval with the larger share of its weight.
    while (to === from || (to < most && sum + weights[to] / 2 <= wanted)) sum += weights[to++];
    if (i === cuts) to = weights.length;
    intervals.push({ from, to });
  }
  return intervals;
}

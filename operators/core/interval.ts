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

/** As {@link cutEvenly} for as many numbers as there are weights, but so that the intervals weigh about the same. */
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
    // A number goes to the interval that has most of it.
    while (to === from || (to < most && sum + weights[to] / 2 <= wanted)) sum += weights[to++];
    if (i === cuts) to = weights.length;
    intervals.push({ from, to });
  }
  return intervals;
}

/** Joins neighbours: a large interval for each of so many workers, and the rest as they are. @param share that large ones have. */
export function joinForWorkers(intervals: readonly Interval[], workers: number, share: number): Interval[] {
  const large = Math.floor((share * intervals.length) / workers);
  if (large < 2) return [...intervals];
  const joined: Interval[] = [];
  for (let from = 0; from < intervals.length; ) {
    const to = joined.length < workers ? from + large : from + 1;
    joined.push({ from: intervals[from].from, to: intervals[to - 1].to });
    from = to;
  }
  return joined;
}

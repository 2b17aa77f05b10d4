/** Binary search in ascending whole numbers. */
type Ascending = Uint32Array | Float64Array;

/** The first index in [from, to) whose number is at least `bound`, or `to`. */
export function firstAtLeast(ascending: Ascending, bound: number, from = 0, to = ascending.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last index below `to` whose number is at most `limit`; 0 if there is none. */
export function lastAtMost(ascending: Ascending, limit: number, to = ascending.length): number {
  return firstAtLeast(ascending, limit + 1, 1, to) - 1;
}

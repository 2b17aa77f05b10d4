/** How losses are found; both give the same table (the benchmark compares their speed). */
export type Strategy = 'count' | 'lookup';
export const strategies: readonly Strategy[] = ['count', 'lookup'];

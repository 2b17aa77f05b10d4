/** Sums and lists over partitions, by side. */
import type { PartRun } from '../game/manifest.js';

export function sumSides(pairs: readonly (readonly [number, number])[]): [number, number] {
  return [pairs.reduce((sum, pair) => sum + pair[0], 0), pairs.reduce((sum, pair) => sum + pair[1], 0)];
}

export function joinSides(pairs: readonly (readonly [PartRun[], PartRun[]])[]): [PartRun[], PartRun[]] {
  return [pairs.flatMap((pair) => pair[0]), pairs.flatMap((pair) => pair[1])];
}

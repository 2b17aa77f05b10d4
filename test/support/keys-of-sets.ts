import type { SetColumns } from '../../pipeline/game/game.js';

/** The keys of a set. */
export function keysOfSet({ minor, low, high }: SetColumns, set: number): number[] {
  const keys: number[] = [];
  for (let bit = 0; bit < 64; bit++) {
    const half = bit < 32 ? low[set] : high[set];
    if (((half >>> (bit & 31)) & 1) === 1) keys.push(64 * minor[set] + bit);
  }
  return keys;
}

/** The keys of sets, one after the other. */
export function keysOfSets(sets: SetColumns, length: number): number[] {
  return Array.from({ length }, (_, set) => keysOfSet(sets, set)).flat();
}

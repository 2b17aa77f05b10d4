/** Which positions of a slice are looked at: all of a small one, of others a sample, the same for the same seed. */
import type { Stretch } from './fill-census.js';
import type { Slice } from './game.js';

/** Whole numbers from 0 to below n. */
export type Random = (n: number) => number;

/** The generator mulberry32; n is at most 2^53. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (n) => Math.floor(((next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53) * n);
}

/** Neighbours have much in common, so samples are many short stretches. */
const STRETCH = 16;

/** Stretches with about `indices` indices of each side: all of them, or the ends of the slice and others at random. */
export function sample(slice: Slice, indices: number, random: Random): Stretch[] {
  const stretches: Stretch[] = [];
  for (const side of [0, 1] as const) {
    if (slice.size <= indices) {
      for (let part = 0; part < slice.parts; part++)
        stretches.push({ side, part, first: 0, length: slice.partSize(part) });
      continue;
    }
    const at = (index: number) => {
      const part = Math.floor(index / slice.width);
      const first = index - part * slice.width;
      stretches.push({ side, part, first, length: Math.min(STRETCH, slice.partSize(part) - first) });
    };
    at(0);
    at(Math.max(0, slice.size - STRETCH));
    for (let n = 2 * STRETCH; n < indices; n += STRETCH) at(random(slice.size));
  }
  return stretches;
}

import { PAIRS } from '../../games/chess/geometry.js';
import type { Layout } from './layout.js';

/** A set of positions of one side to move, as {@link Layout} lays it out. */
export interface PositionSet {
  /** 2 * layout.words halves. */
  readonly halves: Int32Array;
  /** 0 where a pair of kings has no position: its words need not be looked at. */
  readonly some: Uint8Array;
}

export function newSet(layout: Layout): PositionSet {
  return { halves: new Int32Array(2 * layout.words), some: new Uint8Array(PAIRS) };
}

/** Adds the position of pair `pair` whose bit is `square` in word `word` (counted over the whole set). */
export function addPosition(set: PositionSet, pair: number, word: number, square: number): void {
  set.halves[2 * word + (square >> 5)] |= 1 << (square & 31);
  set.some[pair] = 1;
}

/** Takes the positions of `taken` out of `set`. */
export function subtract(layout: Layout, set: PositionSet, taken: PositionSet): void {
  const length = 2 * layout.configs;
  for (let pair = 0; pair < PAIRS; pair++) {
    if (taken.some[pair] === 0) continue;
    const end = (pair + 1) * length;
    for (let i = pair * length; i < end; i++) set.halves[i] &= ~taken.halves[i];
  }
}

export function popCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  x = (x + (x >>> 4)) & 0x0f0f0f0f;
  return Math.imul(x, 0x01010101) >>> 24;
}

/** Sets that come and go with the plies; those given back are used again. */
export interface SetPool {
  take(): PositionSet;
  give(set: PositionSet): void;
}

export function newSetPool(layout: Layout): SetPool {
  const idle: PositionSet[] = [];
  return {
    take: () => idle.pop() ?? newSet(layout),
    give(set) {
      for (let pair = 0; pair < PAIRS; pair++) {
        if (set.some[pair] === 0) continue;
        set.halves.fill(0, pair * 2 * layout.configs, (pair + 1) * 2 * layout.configs);
      }
      set.some.fill(0);
      idle.push(set);
    },
  };
}

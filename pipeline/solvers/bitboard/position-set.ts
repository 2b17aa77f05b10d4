import { assert } from '../../../operators/core/errors.js';
import { PAIRS } from '../../games/chess/geometry.js';
import type { SetLayout } from './layout.js';

/** A set of positions of one side to move, as {@link SetLayout} lays it out. */
export interface PositionSet {
  /** 2 * layout.words halves. */
  readonly halves: Int32Array;
  /** 0 where a pair of kings has no position: its words need not be looked at. */
  readonly some: Uint8Array;
}

/** An empty set; its words are at `offset` of `memory`, which must be zero there. */
export function newSet(
  layout: SetLayout,
  memory: ArrayBuffer = new ArrayBuffer(8 * layout.words),
  offset = 0,
): PositionSet {
  return { halves: new Int32Array(memory, offset, 2 * layout.words), some: new Uint8Array(PAIRS) };
}

/** Adds the position of pair `pair` whose bit is `square` in word `word` (counted over the whole set). */
export function addPosition(set: PositionSet, pair: number, word: number, square: number): void {
  set.halves[2 * word + (square >> 5)] |= 1 << (square & 31);
  set.some[pair] = 1;
}

/** Takes the positions of `taken` out of `set`. */
export function subtract(layout: SetLayout, set: PositionSet, taken: PositionSet): void {
  const length = 2 * layout.configs;
  for (let pair = 0; pair < PAIRS; pair++) {
    if (taken.some[pair] === 0) continue;
    const end = (pair + 1) * length;
    for (let i = pair * length; i < end; i++) set.halves[i] &= ~taken.halves[i];
  }
}

/** Sets that come and go with the plies; those given back are used again. */
export interface SetPool {
  take(): PositionSet;
  give(set: PositionSet): void;
}

/** All sets lie in `memory`, zero at first; there must never be more than it has room for. */
export function newSetPool(layout: SetLayout, memory: ArrayBuffer): SetPool {
  const idle: PositionSet[] = [];
  let made = 0;
  return {
    take() {
      const set = idle.pop();
      if (set) return set;
      const offset = 8 * layout.words * made++;
      assert(offset + 8 * layout.words <= memory.byteLength, 'sets that are in use at once were foreseen');
      return newSet(layout, memory, offset);
    },
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

import { assert } from '../../../operators/core/errors.js';
import { PAIRS } from '../../games/chess/geometry.js';
import { type SetKernels, wordsIn } from './kernels.js';
import { type SetLayout, setBytes } from './set-layout.js';

/** A set of positions of one side to move, as {@link SetLayout} lays it out. */
export interface PositionSet {
  /** 2 * layout.words halves. */
  readonly halves: Int32Array;
  /** 0 where a pair of kings has no position: its words need not be looked at. */
  readonly some: Uint8Array;
}

/** An empty set in `memory`: setBytes of linear memory, zero. */
export function newSet(layout: SetLayout, memory: Uint8Array): PositionSet {
  return {
    halves: wordsIn(memory.subarray(0, 8 * layout.words)),
    some: memory.subarray(8 * layout.words, 8 * layout.words + PAIRS),
  };
}

/** The words of a pair of kings. */
export function wordsOf({ configs }: SetLayout, set: PositionSet, pair: number): Int32Array {
  return set.halves.subarray(pair * 2 * configs, (pair + 1) * 2 * configs);
}

/** Adds the position of pair `pair` whose bit is `square` in word `word` (counted over the whole set). */
export function addPosition(set: PositionSet, pair: number, word: number, square: number): void {
  set.halves[2 * word + (square >> 5)] |= 1 << (square & 31);
  set.some[pair] = 1;
}

/** Takes the positions of `taken` out of `set`. */
export function subtract({ wasm, layout }: SetKernels, set: PositionSet, taken: PositionSet): void {
  for (let pair = 0; pair < PAIRS; pair++) {
    if (taken.some[pair] === 0) continue;
    const offset = 8 * layout.configs * pair;
    wasm.subtract(set.halves.byteOffset + offset, taken.halves.byteOffset + offset);
  }
}

/** Sets that come and go with the plies; those given back are used again. */
export interface SetPool {
  take(): PositionSet;
  give(set: PositionSet): void;
}

/** All sets lie in `memory`, zero at first; there must never be more than it has room for. */
export function newSetPool(layout: SetLayout, memory: Uint8Array): SetPool {
  const bytes = setBytes(layout.space.men);
  const idle: PositionSet[] = [];
  let made = 0;
  return {
    take() {
      const set = idle.pop();
      if (set) return set;
      const offset = bytes * made++;
      assert(offset + bytes <= memory.length, 'sets that are in use at once were foreseen');
      return newSet(layout, memory.subarray(offset, offset + bytes));
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

/** Solving with the bit-parallel solver, in memory, for tests; positions of its layout as boards. */
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side } from '../../pipeline/game/game.js';
import { planSlices } from '../../pipeline/game/plan.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { PAIR_BLACK, PAIR_WHITE } from '../../pipeline/games/chess/geometry.js';
import type { ChessBoard } from '../../pipeline/games/chess/rules.js';
import type { SetLayout } from '../../pipeline/rivals/bitboard/set-layout.js';
import {
  type BitboardOptions,
  type BitboardResult,
  solveBitboardSlice,
} from '../../pipeline/rivals/bitboard/solve-slice.js';
import { budgetOf, MiB } from './solving.js';

/** Solves slices and all they convert to; results by slice. */
export async function solveBitboard(
  slices: readonly string[],
  solving: Partial<BitboardOptions> = {},
): Promise<Map<string, BitboardResult>> {
  const store = solving.store ?? memoryStore();
  const results = new Map<string, BitboardResult>();
  for (const { slice } of planSlices(chess, slices)) {
    const options = { metric: 'dtm' as const, budget: budgetOf(256 * MiB), progress: () => {}, ...solving };
    results.set(slice, await solveBitboardSlice({ ...options, game: chess, slice, store }));
  }
  return results;
}

/** A store that fails when the `after`-th object from now on is begun or published. */
export function failingStore(store: Store, after: number): Store {
  let left = after;
  const tick = () => {
    if (left-- === 0) throw new Error('interrupted');
  };
  return {
    ...store,
    async create(name) {
      tick();
      return store.create(name);
    },
    async putIfAbsent(name, bytes) {
      tick();
      return store.putIfAbsent(name, bytes);
    },
  };
}

/** The board at a word and bit of a layout; null if men coincide. */
export function boardAt(layout: SetLayout, word: number, bit: number, side: Side): ChessBoard | null {
  const { space, shift, wordMan, configs } = layout;
  const pair = Math.floor(word / configs);
  const squares = new Int8Array(64);
  squares[PAIR_WHITE[pair]] = 1;
  squares[PAIR_BLACK[pair]] = -1;
  for (let man = 0; man < space.men; man++) {
    const square = man === wordMan ? bit : ((word - pair * configs) >> shift[man]) & 63;
    if (squares[square] !== 0) return null;
    squares[square] = (space.kindOf[man] + 2) * (space.sideOf[man] === 0 ? 1 : -1);
  }
  return { squares, side };
}

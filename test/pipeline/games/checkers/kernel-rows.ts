/** Rows that the kernels of a slice emit, and the right ones, in a form that tests can compare. */
import type { Address, Emission, Game, Side, Slice } from '../../../../pipeline/game/game.js';
import { halfOf } from '../../../../pipeline/game/views.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import type { CheckersBoard } from '../../../../pipeline/games/checkers/fen.js';
import { addressKey } from './boards.js';

export function emission(rows: number): Emission {
  return {
    length: 0,
    major: new Uint32Array(rows),
    minor: new Uint32Array(rows),
    source: new Uint32Array(rows),
  };
}

/** Sorted addresses as text. */
export interface Successors {
  readonly moves: string[];
  readonly conversions: string[];
}

const BIAS = 7;
/** No slice has more parts. */
const MOST_PARTS = 1 << 12;

/** Rows that `moves` and `conversions` emit, by key. Throws for rows that no dependency has room for. */
export function kernelSuccessors(slice: Slice, side: Side, part: number, keys: Uint32Array): Successors[] {
  const found = Array.from(keys, (): Successors => ({ moves: [], conversions: [] }));
  const out = emission(16 * slice.maxMoves);
  const other = 1 - side;
  for (let from = 0; from < keys.length; ) {
    out.length = 0;
    const next = slice.moves(side, part, keys, from, keys.length, BIAS, out);
    for (let row = 0; row < out.length; row++) {
      const address = `${slice.name} ${other} ${out.major[row] - BIAS} ${out.minor[row]}`;
      found[out.source[row]].moves.push(address);
    }
    from = next;
  }
  const bias = slice.dependencies.flatMap((_, i) => [2 * i * MOST_PARTS, (2 * i + 1) * MOST_PARTS]);
  for (let from = 0; from < keys.length; ) {
    out.length = 0;
    const next = slice.conversions(side, part, keys, from, keys.length, bias, out);
    for (let row = 0; row < out.length; row++) {
      const group = Math.floor(out.major[row] / MOST_PARTS);
      const partThere = out.major[row] % MOST_PARTS;
      const there = slice.dependencies[group >> 1];
      if (partThere >= there.parts) throw new Error(`${there.slice} has no part ${partThere}`);
      found[out.source[row]].conversions.push(`${there.slice} ${group & 1} ${partThere} ${out.minor[row]}`);
    }
    from = next;
  }
  for (const { moves, conversions } of found) {
    moves.sort();
    conversions.sort();
  }
  return found;
}

/** Successors of a position from its boards. Boards in its slice have the other side to move, as in kernels. */
export function locateSuccessors(at: Address, afters: readonly CheckersBoard[]): Successors {
  const moves: string[] = [];
  const conversions: string[] = [];
  for (const after of afters) {
    const there = checkers.locate(after);
    if (there.slice === at.slice) moves.push(addressKey({ ...there, side: otherSide(at, there) }));
    else conversions.push(addressKey(there));
  }
  return { moves: moves.sort(), conversions: conversions.sort() };
}

/** Boards of a slice that is its own mirror image are located on side 0 only; the kernels tell its sides apart. */
function otherSide(at: Address, there: Address): Side {
  const other = (1 - at.side) as Side;
  if (halfOf(checkers as Game, at.slice, 1).repeats) return other;
  if (there.side !== other) throw new Error(`a move from ${addressKey(at)} leads to ${addressKey(there)}`);
  return there.side;
}

/** All keys of a part: every index is a position. */
export function keysOf(slice: Slice, part: number): Uint32Array {
  return Uint32Array.from({ length: slice.partSize(part) }, (_, key) => key);
}

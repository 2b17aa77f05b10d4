/**
 * Captures. A piece jumps on as long as it can; what it jumps over stays on the board until the move ends. So it cannot be
 * jumped twice and keeps its square. A man that reaches the last rank is crowned, and its move ends.
 */
import { assert } from '../../../operators/core/errors.js';
import { downLeft, downRight, LAST_RANK, upLeft, upRight } from './squares.js';

/** No position of up to ten pieces comes near it. */
export const MOST_CAPTURES = 128;

/** The complete captures of a position: what the mover has after each, and what it took. */
export interface Captures {
  length: number;
  readonly men: Int32Array;
  readonly kings: Int32Array;
  readonly taken: Int32Array;
  /** The squares that the piece touches, as single bits, its origin first; null if nobody asks. */
  readonly paths: number[][] | null;
}

export function newCaptures(withPaths = false): Captures {
  return {
    length: 0,
    men: new Int32Array(MOST_CAPTURES),
    kings: new Int32Array(MOST_CAPTURES),
    taken: new Int32Array(MOST_CAPTURES),
    paths: withPaths ? [] : null,
  };
}

/** The squares touched so far by the piece that is being followed. */
const path: number[] = [];

/** Finds all complete captures of the player who moves up. */
export function findCaptures(men: number, kings: number, enemies: number, out: Captures): void {
  out.length = 0;
  const empty = ~(men | kings | enemies);
  const movers = men | kings;
  // Where a piece comes from whose first jump is possible.
  let origins = movers & (downRight(downRight(empty) & enemies) | downLeft(downLeft(empty) & enemies));
  if (kings !== 0) {
    origins |= kings & (upRight(upRight(empty) & enemies) | upLeft(upLeft(empty) & enemies));
  }
  for (; origins !== 0; origins &= origins - 1) {
    const origin = origins & -origins;
    const isKing = (kings & origin) !== 0;
    path[0] = origin;
    follow(origin, 1, isKing, men & ~origin, kings & ~origin, enemies, 0, empty | origin, out);
  }
}

/**
 * Follows the jumps of a piece on `at`, taken off `men` and `kings`. Returns whether there are any.
 *
 * The board between two jumps is numbers on the stack; as an object it would be made again for each jump.
 */
function follow(
  at: number,
  depth: number,
  isKing: boolean,
  men: number,
  kings: number,
  enemies: number,
  taken: number,
  empty: number,
  out: Captures,
): boolean {
  let jumps = false;
  const directions = isKing ? 4 : 2;
  for (let d = 0; d < directions; d++) {
    let over: number;
    let to: number;
    if (d === 0) to = upLeft((over = upLeft(at) & enemies));
    else if (d === 1) to = upRight((over = upRight(at) & enemies));
    else if (d === 2) to = downLeft((over = downLeft(at) & enemies));
    else to = downRight((over = downRight(at) & enemies));
    to &= empty;
    if (to === 0) continue;
    jumps = true;
    path[depth] = to;
    const crowned = !isKing && (to & LAST_RANK) !== 0;
    const left = enemies & ~over;
    if (!crowned && follow(to, depth + 1, isKing, men, kings, left, taken | over, empty, out)) continue;
    assert(out.length < MOST_CAPTURES, 'a position has few captures');
    const becomesKing = isKing || crowned;
    out.men[out.length] = becomesKing ? men : men | to;
    out.kings[out.length] = becomesKing ? kings | to : kings;
    out.taken[out.length] = taken | over;
    if (out.paths !== null) out.paths[out.length] = path.slice(0, depth + 1);
    out.length++;
  }
  return jumps;
}

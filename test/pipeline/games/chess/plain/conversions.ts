/**
 * Captures as rows for the endings that they lead to.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import type { Emission } from '../../../../../pipeline/game/game.js';
import {
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  LINE,
  PAIR_OF,
  PAIR_SYMMETRY,
} from '../../../../../pipeline/games/chess/geometry.js';
import { placementRank } from '../../../../../pipeline/games/chess/index-space.js';
import type { CaptureTable } from './captures.js';
import { ATTACK_MASK, kingAttackedOn, restrict } from './legality.js';
import { load, type Workspace } from './workspace.js';

/** Squares of the men in the ending that a capture leads to. */
const squaresThere = new Uint8Array(8);

/** The `conversions` kernel: one row for every legal capture. */
export function conversions(
  w: Workspace,
  captures: CaptureTable,
  maxMoves: number,
  side: number,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  conversionBias: ArrayLike<number>,
  out: Emission,
): number {
  const { space, squares } = w;
  const room = out.minor.length - maxMoves;
  const own = space.menOf[side];
  const opposing = space.menOf[1 - side];
  let i = from;
  for (; i < to && out.length <= room; i++) {
    load(w, part, keys[i]);
    restrict(w, side);
    const first = out.length;
    const king = side === 0 ? w.white : w.black;
    const otherKing = side === 0 ? w.black : w.white;
    for (let j = 0; j < opposing.length; j++) {
      const taken = opposing[j];
      const target = squares[taken];
      for (let k = 0; k < own.length; k++) {
        const man = own[k];
        const square = squares[man];
        const line = (square << 6) | target;
        if (
          (LINE[line] & ATTACK_MASK[space.kindOf[man]]) === 0 ||
          ((BETWEEN_LOW[line] & w.occupiedLow) | (BETWEEN_HIGH[line] & w.occupiedHigh)) !== 0 ||
          ((BIT_LOW[target] & w.allowedLow[man]) | (BIT_HIGH[target] & w.allowedHigh[man])) === 0
        ) {
          continue;
        }
        squares[man] = target;
        emit(w, captures, taken, side, w.white, w.black, conversionBias, out);
        squares[man] = square;
      }
      if (
        (LINE[(king << 6) | target] & 8) !== 0 &&
        (LINE[(otherKing << 6) | target] & 8) === 0 &&
        !kingAttackedOn(w, side, target)
      ) {
        if (side === 0) emit(w, captures, taken, side, target, w.black, conversionBias, out);
        else emit(w, captures, taken, side, w.white, target, conversionBias, out);
      }
    }
    for (let row = first; row < out.length; row++) out.source[row] = i;
  }
  return i;
}

/** Emits the loaded position without the man taken, brought to the canonical index of its ending. */
function emit(
  w: Workspace,
  captures: CaptureTable,
  taken: number,
  side: number,
  white: number,
  black: number,
  conversionBias: ArrayLike<number>,
  out: Emission,
): void {
  const { dependency, target, flipped, manThere } = captures.byMan[taken];
  const men = w.space.men;
  for (let man = 0; man < men; man++) if (man !== taken) squaresThere[manThere[man]] = w.squares[man];
  const kings = flipped ? (black << 6) | white : (white << 6) | black;
  const pair = PAIR_OF[kings];
  const symmetry = PAIR_SYMMETRY[kings];
  const rank = placementRank(target, squaresThere, symmetry);
  const sideThere = flipped ? side : 1 - side;
  out.major[out.length] = conversionBias[2 * dependency + sideThere] + target.pairPart[pair];
  out.minor[out.length] = target.pairBase[pair] + rank;
  out.length++;
}

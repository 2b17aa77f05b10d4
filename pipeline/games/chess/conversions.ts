/**
 * Captures as rows for the endings that they lead to.
 *
 * Many parameters: kernels have those of the contract (contract/emission.ts says why).
 */
import type { Dependency, Emission, Side } from '../../contract/game.js';
import {
  ATTACK_MASK,
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  LINE,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_SYMMETRY,
  REFLECTION,
} from './geometry.js';
import { placementRank, type Space, spaceOf } from './index-space.js';
import { kingAttackedOn, restrict } from './legality.js';
import { inOrder, sliceOf } from './shape.js';
import { load, type Workspace } from './workspace.js';

/** The position that a capture of one of the men leads to. */
interface Capture {
  /** Number of the ending among the dependencies, and its index space. */
  readonly dependency: number;
  readonly target: Space;
  /** The colours are exchanged there. */
  readonly flipped: boolean;
  /** For each man but the one taken: its number there. */
  readonly manThere: Uint8Array;
}

export interface CaptureTable {
  readonly dependencies: readonly Dependency[];
  /** By number of the man taken. */
  readonly byMan: readonly Capture[];
  /** Squares of the men in the ending the capture leads to. */
  readonly squares: Uint8Array;
}

/** Metrics whose count restarts with a capture. */
const RESTARTS = ['dtc', 'dtz'] as const;

/** A dependency while it is put together. */
export interface NewDependency extends Dependency {
  readonly sidesThere: Side[];
}

/** Says that a conversion by `mover` leads to a dependency, where the colours may be exchanged. */
export function addSideThere({ sidesThere }: NewDependency, mover: Side, flipped: boolean): void {
  const side = flipped ? mover : ((1 - mover) as Side);
  if (!sidesThere.includes(side)) sidesThere.push(side);
}

/** The endings that captures in `space` lead to. */
export function capturesOf(space: Space): CaptureTable {
  const dependencies: NewDependency[] = [];
  const byMan: Capture[] = [];
  for (let taken = 0; taken < space.men; taken++) {
    const rest = Array.from({ length: space.men }, (_, man) => man).filter((man) => man !== taken);
    const letters = (side: number) =>
      rest
        .filter((man) => space.sideOf[man] === side)
        .map((man) => 'QRBN'[space.kindOf[man]])
        .join('');
    const men = [inOrder(letters(0)), inOrder(letters(1))] as const;
    const { slice, flipped } = sliceOf({ men, ranks: [[], []], taker: null });
    const target = spaceOf(slice);
    let dependency = dependencies.findIndex((known) => known.slice === slice);
    const mover = (1 - space.sideOf[taken]) as Side;
    if (dependency < 0)
      dependency = dependencies.push({ slice, parts: target.parts, restarts: RESTARTS, sidesThere: [] }) - 1;
    addSideThere(dependencies[dependency], mover, flipped);
    const manThere = new Uint8Array(space.men);
    for (const group of target.groups) {
      const side = flipped ? 1 - group.side : group.side;
      rest
        .filter((man) => space.sideOf[man] === side && space.kindOf[man] === group.kind)
        .forEach((man, i) => {
          manThere[man] = group.first + i;
        });
    }
    byMan.push({ dependency, target, flipped, manThere });
  }
  return { dependencies, byMan, squares: new Uint8Array(8) };
}

/**
 * The man that captures by `side` take which lead to a dependency with `sideThere` to move: of a group of like men the last. There is
 * at most one, for two kinds of men taken by the same side leave different endings. -1 if there is none.
 */
export function takenBy(
  space: Space,
  { byMan }: CaptureTable,
  side: Side,
  dependency: number,
  sideThere: Side,
): number {
  return byMan.findLastIndex((capture, man) => {
    const opponent = 1 - side;
    if (space.sideOf[man] !== opponent || capture.dependency !== dependency) return false;
    return sideThere === (capture.flipped ? side : opponent);
  });
}

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
  const { squares } = captures;
  const { dependency, target, flipped, manThere } = captures.byMan[taken];
  const men = w.space.men;
  for (let man = 0; man < men; man++) if (man !== taken) squares[manThere[man]] = w.squares[man];
  const kings = flipped ? (black << 6) | white : (white << 6) | black;
  const pair = PAIR_OF[kings];
  const symmetry = PAIR_SYMMETRY[kings];
  let rank = placementRank(target, squares, symmetry);
  if (PAIR_DIAGONAL[pair]) {
    const reflected = placementRank(target, squares, symmetry ^ REFLECTION);
    if (reflected < rank) rank = reflected;
  }
  const sideThere = flipped ? side : 1 - side;
  out.major[out.length] = conversionBias[2 * dependency + sideThere] + target.pairPart[pair];
  out.minor[out.length] = target.pairBase[pair] + rank;
  out.length++;
}

/**
 * Retractions as rows.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import type { Emission, KeyEmission } from '../../../../../pipeline/game/game.js';
import {
  Kind,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_SYMMETRY,
  RAY_START,
  RAYS,
  REFLECT,
  REFLECTION,
} from '../../../../../pipeline/games/chess/geometry.js';
import { placementRank } from '../../../../../pipeline/games/chess/index-space.js';
import { clearBoard, load, setBoard, type Workspace } from './workspace.js';

/**
 * The `unmoves` kernel: retractions of the side that is not to move, onto free squares. A retraction is emitted as
 * often as the predecessor has moves to the canonical position. An orbit of boards under the eight symmetries has 8
 * boards, or 4 where the reflection maps the board to itself. So `(times emitted) x |orbit of p| = (times found) x
 * |orbit of q|`.
 *
 * The men's retractions leave the kings, and so the part, as they are; those of the king seldom stay in it.
 */
export function unmoves(
  w: Workspace,
  maxMoves: number,
  side: number,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  bias: number,
  out: Emission,
): number {
  const room = out.minor.length - maxMoves;
  let i = from;
  for (; i < to && out.length <= room; i++) {
    const first = out.length;
    load(w, part, keys[i]);
    setBoard(w);
    const symmetric = PAIR_DIAGONAL[w.pair] !== 0;
    const invariant = symmetric && isInvariant(w);
    const men = symmetric
      ? retractSymmetric(w, 1 - side, invariant, out.minor, first)
      : retractMen(w, 1 - side, out.minor, first);
    for (let row = first; row < men; row++) out.major[row] = bias + part;
    out.length = retractKing(w, 1 - side, invariant, bias, out, men);
    clearBoard(w);
  }
  return i;
}

/** The retractions of the men. */
export function unmovesWithin(
  w: Workspace,
  maxMoves: number,
  side: number,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  out: KeyEmission,
): number {
  const { minor } = out;
  const room = minor.length - maxMoves;
  let n = out.length;
  let i = from;
  for (; i < to && n <= room; i++) {
    load(w, part, keys[i]);
    setBoard(w);
    n =
      PAIR_DIAGONAL[w.pair] !== 0
        ? retractSymmetric(w, 1 - side, isInvariant(w), minor, n)
        : retractMen(w, 1 - side, minor, n);
    clearBoard(w);
  }
  out.length = n;
  return i;
}

/** The retractions of the king. */
export function unmovesBeyond(
  w: Workspace,
  maxMoves: number,
  side: number,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  bias: number,
  out: Emission,
): number {
  const room = out.minor.length - maxMoves;
  let n = out.length;
  let i = from;
  for (; i < to && n <= room; i++) {
    load(w, part, keys[i]);
    setBoard(w);
    const invariant = PAIR_DIAGONAL[w.pair] !== 0 && isInvariant(w);
    n = retractKing(w, 1 - side, invariant, bias, out, n);
    clearBoard(w);
  }
  out.length = n;
  return i;
}

/** Whether the reflection maps the loaded position, with both kings on the diagonal, to itself. */
function isInvariant(w: Workspace): boolean {
  return placementRank(w.space, w.squares, REFLECTION) === w.rank;
}

/** Retracts the men while the kings stay; the kings are not both on the diagonal, so nothing else changes. */
function retractMen(w: Workspace, mover: number, minor: Uint32Array, n: number): number {
  const { space, squares, board } = w;
  const men = space.menOf[mover];
  const base = space.pairBase[w.pair];
  for (let i = 0; i < men.length; i++) {
    const man = men[i];
    const square = squares[man];
    const rays = (space.kindOf[man] << 6) | square;
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const target = RAYS[r] & 63;
      if (board[target] !== 0) {
        r += (RAYS[r] >> 6) & 7;
        continue;
      }
      squares[man] = target;
      minor[n++] = base + placementRank(space, squares, 0);
      r++;
    }
    squares[man] = square;
  }
  return n;
}

/** Retracts the king of `mover`; `invariant` if the reflection maps the loaded position to itself. */
function retractKing(
  w: Workspace,
  mover: number,
  invariant: boolean,
  bias: number,
  out: Emission,
  n: number,
): number {
  const { space, board } = w;
  const { pairPart, pairBase } = space;
  const rays = (Kind.king << 6) | (mover === 0 ? w.white : w.black);
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; r++) {
    const target = RAYS[r] & 63;
    if (board[target] !== 0 || (invariant && target > REFLECT[target])) continue;
    const kings = mover === 0 ? (target << 6) | w.black : (w.white << 6) | target;
    const pair = PAIR_OF[kings];
    if (pair < 0) continue;
    const symmetry = PAIR_SYMMETRY[kings];
    let rank = symmetry === 0 ? w.rank : placementRank(space, w.squares, symmetry);
    if (PAIR_DIAGONAL[pair]) {
      const reflected = placementRank(space, w.squares, symmetry ^ REFLECTION);
      if (reflected < rank) rank = reflected;
      else if (reflected === rank && !invariant) {
        out.major[n] = bias + pairPart[pair];
        out.minor[n] = pairBase[pair] + rank;
        n++;
      }
    }
    out.major[n] = bias + pairPart[pair];
    out.minor[n] = pairBase[pair] + rank;
    n++;
  }
  return n;
}

/**
 * Retracts the men from a position with both kings on the diagonal. If the reflection maps it to itself, the predecessors
 * come in mirrored couples, and one of each is emitted. If it maps the predecessor alone to itself, that is emitted twice.
 */
function retractSymmetric(
  w: Workspace,
  mover: number,
  invariant: boolean,
  minor: Uint32Array,
  n: number,
): number {
  const { space, squares, board } = w;
  const men = space.menOf[mover];
  const base = space.pairBase[w.pair];
  for (let i = 0; i < men.length; i++) {
    const man = men[i];
    const square = squares[man];
    if (invariant && square > REFLECT[square]) continue;
    const rays = (space.kindOf[man] << 6) | square;
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const target = RAYS[r] & 63;
      if (board[target] !== 0) {
        r += (RAYS[r] >> 6) & 7;
        continue;
      }
      r++;
      if (invariant && square === REFLECT[square] && target > REFLECT[target]) continue;
      squares[man] = target;
      const rank = placementRank(space, squares, 0);
      const reflected = placementRank(space, squares, REFLECTION);
      minor[n++] = base + (reflected < rank ? reflected : rank);
      if (reflected === rank && !invariant) minor[n++] = base + rank;
    }
    squares[man] = square;
  }
  return n;
}

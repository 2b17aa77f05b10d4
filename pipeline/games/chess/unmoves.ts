import type { Emission } from '../../game.js';
import { digitRow, digitTable } from './digits.js';
import {
  Kind,
  PAIR_DIAGONAL,
  PAIR_OF,
  PAIR_SYMMETRY,
  RAY_START,
  RAYS,
  REFLECT,
  REFLECTION,
} from './geometry.js';
import { placementRank } from './index-space.js';
import { clearBoard, load, setBoard, type Workspace } from './workspace.js';

/**
 * The `unmoves` kernel: retractions of the side that is not to move, onto free squares. A retraction is emitted as often
 * as the predecessor has moves to the canonical position. With orbits of boards under the eight symmetries, of 8 boards
 * or, where the reflection maps the board to itself, 4: (times emitted) x |orbit of p| = (times found) x |orbit of q|.
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
  const mover = 1 - side;
  const room = out.minor.length - maxMoves;
  let n = out.length;
  let i = from;
  for (; i < to && n <= room; i++) {
    load(w, part, keys[i]);
    setBoard(w);
    if (PAIR_DIAGONAL[w.pair]) n = retractSymmetric(w, mover, bias, out, n);
    else {
      n = retractMen(w, mover, keys[i], bias + part, out.major, out.minor, n);
      n = retractKing(w, mover, false, bias, out, n);
    }
    clearBoard(w);
  }
  out.length = n;
  return i;
}

/** Retracts the men while the kings stay; the kings are not both on the diagonal, so nothing else changes. */
function retractMen(
  w: Workspace,
  mover: number,
  key: number,
  majorOut: number,
  major: Uint32Array,
  minor: Uint32Array,
  n: number,
): number {
  const { space, squares, board } = w;
  const men = space.menOf[mover];
  for (let i = 0; i < men.length; i++) {
    const man = men[i];
    const square = squares[man];
    const group = space.groupOf[man];
    const stride = space.groupStride[group];
    const rays = (space.kindOf[man] << 6) | square;
    const end = RAY_START[rays + 1];
    if (space.groupCount[group] === 1) {
      const base = (key - Math.imul(square, stride)) | 0;
      for (let r = RAY_START[rays]; r < end; ) {
        const target = RAYS[r] & 63;
        if (board[target] !== 0) {
          r += (RAYS[r] >> 6) & 7;
          continue;
        }
        major[n] = majorOut;
        minor[n] = base + Math.imul(target, stride);
        n++;
        r++;
      }
    } else {
      const table = digitTable(w, man);
      const row = digitRow(w, man);
      const base = (key - Math.imul(table[row + square], stride)) | 0;
      for (let r = RAY_START[rays]; r < end; ) {
        const target = RAYS[r] & 63;
        if (board[target] !== 0) {
          r += (RAYS[r] >> 6) & 7;
          continue;
        }
        major[n] = majorOut;
        minor[n] = base + Math.imul(table[row + target], stride);
        n++;
        r++;
      }
    }
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
 * Retractions from a position with both kings on the diagonal. If the reflection maps it to itself, the predecessors
 * come in mirrored couples, of which one is emitted; if it maps the predecessor alone to itself, that is emitted twice.
 */
function retractSymmetric(w: Workspace, mover: number, bias: number, out: Emission, n: number): number {
  const { space, squares, board } = w;
  const invariant = placementRank(space, squares, REFLECTION) === w.rank;
  const men = space.menOf[mover];
  const majorOut = bias + w.part;
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
      out.major[n] = majorOut;
      out.minor[n] = base + (reflected < rank ? reflected : rank);
      n++;
      if (reflected === rank && !invariant) {
        out.major[n] = majorOut;
        out.minor[n] = base + rank;
        n++;
      }
    }
    squares[man] = square;
  }
  return retractKing(w, mover, invariant, bias, out, n);
}

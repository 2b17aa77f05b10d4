/**
 * Retractions as rows.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import type { Emission, KeyEmission } from '../../../../../pipeline/game/game.js';
import {
  Kind,
  PAIR_OF,
  PAIR_SYMMETRY,
  RAY_START,
  RAYS,
  SYMMETRY,
} from '../../../../../pipeline/games/chess/geometry.js';
import { placementRank } from '../../../../../pipeline/games/chess/index-space.js';
import { clearBoard, load, setBoard, type Workspace } from './workspace.js';

/**
 * The `unmoves` kernel: retractions of the side that is not to move, onto free squares. Each of the eight symmetries may bring the
 * predecessor's kings to their pair. The retraction leads to this image if the move from there leads back to this very position.
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
    const men = retractMen(w, 1 - side, out.minor, first);
    for (let row = first; row < men; row++) out.major[row] = bias + part;
    out.length = retractKing(w, 1 - side, bias, out, men);
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
    n = retractMen(w, 1 - side, minor, n);
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
    n = retractKing(w, 1 - side, bias, out, n);
    clearBoard(w);
  }
  out.length = n;
  return i;
}

/** Retracts the men while the kings stay. */
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

/** Retracts the king of `mover`. */
function retractKing(w: Workspace, mover: number, bias: number, out: Emission, n: number): number {
  const { space, board } = w;
  const { pairPart, pairBase } = space;
  const kings = (w.white << 6) | w.black;
  const rays = (Kind.king << 6) | (mover === 0 ? w.white : w.black);
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; r++) {
    const target = RAYS[r] & 63;
    if (board[target] !== 0) continue;
    const before = mover === 0 ? (target << 6) | w.black : (w.white << 6) | target;
    const pair = PAIR_OF[before];
    if (pair < 0) continue;
    for (const symmetry of symmetriesBack(before, kings)) {
      out.major[n] = bias + pairPart[pair];
      out.minor[n] = pairBase[pair] + placementRank(space, w.squares, symmetry);
      n++;
    }
  }
  return n;
}

const imageOf = (kings: number, symmetry: number) =>
  (SYMMETRY[symmetry * 64 + (kings >> 6)] << 6) | SYMMETRY[symmetry * 64 + (kings & 63)];

/** The symmetries that bring the kings `before` to their pair, if the move then made there leads to the canonical `kings` unturned. */
export function symmetriesBack(before: number, kings: number): number[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].filter((symmetry) => {
    const there = imageOf(before, symmetry);
    if (PAIR_OF[there] !== PAIR_OF[before] || PAIR_SYMMETRY[there] !== 0) return false;
    const back = PAIR_SYMMETRY[imageOf(kings, symmetry)];
    return SQUARES.every((square) => SYMMETRY[back * 64 + SYMMETRY[symmetry * 64 + square]] === square);
  });
}

const SQUARES = Array.from({ length: 64 }, (_, square) => square);

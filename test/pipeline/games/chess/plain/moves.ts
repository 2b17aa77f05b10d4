/**
 * Moves as rows.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import type { Emission } from '../../../../../pipeline/game/game.js';
import {
  BIT_HIGH,
  BIT_LOW,
  Kind,
  PAIR_OF,
  PAIR_SYMMETRY,
  RAY_START,
  RAYS,
} from '../../../../../pipeline/games/chess/geometry.js';
import { placementRank } from '../../../../../pipeline/games/chess/index-space.js';
import { kingAttackedOn, restrict } from './legality.js';
import { clearBoard, load, setBoard, type Workspace } from './workspace.js';

/** The `moves` kernel: one row for every legal move that takes nothing. */
export function moves(
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
    restrict(w, side);
    const men = moveMen(w, side, out.minor, first);
    for (let row = first; row < men; row++) out.major[row] = bias + part;
    const n = moveKing(w, side, bias, out, men);
    for (let row = first; row < n; row++) out.source[row] = i;
    out.length = n;
    clearBoard(w);
  }
  return i;
}

/** Moves of the men while the kings stay. */
function moveMen(w: Workspace, side: number, minor: Uint32Array, n: number): number {
  const { space, squares, board } = w;
  const base = space.pairBase[w.pair];
  const men = space.menOf[side];
  for (let i = 0; i < men.length; i++) {
    const man = men[i];
    const low = w.allowedLow[man];
    const high = w.allowedHigh[man];
    if ((low | high) === 0) continue;
    const square = squares[man];
    const rays = (space.kindOf[man] << 6) | square;
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const target = RAYS[r] & 63;
      if (board[target] !== 0) {
        r += (RAYS[r] >> 6) & 7;
        continue;
      }
      r++;
      if (((BIT_LOW[target] & low) | (BIT_HIGH[target] & high)) === 0) continue;
      squares[man] = target;
      minor[n++] = base + placementRank(space, squares, 0);
    }
    squares[man] = square;
  }
  return n;
}

function moveKing(w: Workspace, side: number, bias: number, out: Emission, n: number): number {
  const { space, board } = w;
  const rays = (Kind.king << 6) | (side === 0 ? w.white : w.black);
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; r++) {
    const target = RAYS[r] & 63;
    if (board[target] !== 0) continue;
    const kings = side === 0 ? (target << 6) | w.black : (w.white << 6) | target;
    const pair = PAIR_OF[kings];
    if (pair < 0 || kingAttackedOn(w, side, target)) continue;
    const symmetry = PAIR_SYMMETRY[kings];
    const rank = symmetry === 0 ? w.rank : placementRank(space, w.squares, symmetry);
    out.major[n] = bias + space.pairPart[pair];
    out.minor[n] = space.pairBase[pair] + rank;
    n++;
  }
  return n;
}

/**
 * Captures taken back, in TypeScript, from the positions of a dependency.
 * Kernels have the parameters of the contract (game/emission.ts says why), and hand them on as numbers.
 */
import type { Emission } from '../../../../../pipeline/game/game.js';
import {
  BETWEEN_HIGH,
  BETWEEN_LOW,
  BIT_HIGH,
  BIT_LOW,
  Kind,
  LINE,
  PAIR_BLACK,
  PAIR_OF,
  PAIR_SYMMETRY,
  PAIR_WHITE,
  RAY_START,
  RAYS,
  SYMMETRY,
} from '../../../../../pipeline/games/chess/geometry.js';
import { placementRank, type Space } from '../../../../../pipeline/games/chess/index-space.js';
import type { CaptureTable } from './captures.js';
import { ATTACK_MASK } from './legality.js';
import { symmetriesBack } from './unmoves.js';
import { clearBoard, createWorkspace, load, setBoard, type Workspace } from './workspace.js';

/** Captures of a man by one side, taken back. */
interface Uncapture {
  /** The side that takes, in the slice. */
  readonly mover: number;
  /** The colours are exchanged in the dependency. */
  readonly flipped: boolean;
  /** The man that comes back: of a group of like men the last. */
  readonly taken: number;
  /** For each man but that one: its number there. */
  readonly manThere: Uint8Array;
  readonly there: Workspace;
}

export interface Uncaptures {
  /** The slice's own; the man that comes back has no square until one is tried. */
  readonly w: Workspace;
  readonly all: readonly Uncapture[];
}

/** The `captures` in `space`, taken back. */
export function uncapturesOf(space: Space, captures: CaptureTable): Uncaptures {
  const all = space.groups.map(({ men, first }) => {
    const taken = first + men.length - 1;
    const { target, flipped, manThere } = captures.byMan[taken];
    return { mover: 1 - men[0].side, flipped, taken, manThere, there: createWorkspace(target.name) };
  });
  return { w: createWorkspace(space.name), all };
}

/**
 * The `unconversions` kernel in TypeScript, for captures of the man `taken`. Every man of the other side goes back
 * from its square to a free one. The man that it took comes to stand where it stood. Only legal positions are
 * emitted: those where that does not leave the other king in check. Images are those of `unmoves`, for the same
 * reason.
 */
export function unconversions(
  uncaptures: Uncaptures,
  taken: number,
  maxMoves: number,
  part: number,
  keys: Uint32Array,
  from: number,
  to: number,
  bias: number,
  out: Emission,
): number {
  const { w, all } = uncaptures;
  const uncapture = all.find((each) => each.taken === taken)!;
  const { there } = uncapture;
  const room = out.minor.length - maxMoves;
  let n = out.length;
  let i = from;
  for (; i < to && n <= room; i++) {
    load(there, part, keys[i]);
    place(w, uncapture);
    setBoard(w);
    restrict(w, uncapture);
    n = uncaptureMen(w, uncapture, bias, out, n);
    clearBoard(w);
  }
  out.length = n;
  return i;
}

/**
 * Takes the position over from the dependency: with its own colours, and the kings on their canonical squares here. The
 * rank is that of all men but the one to come back, which is hidden under a king.
 */
function place(w: Workspace, { there, flipped, taken, manThere }: Uncapture): void {
  const { space, squares } = w;
  let map = 0;
  w.pair = there.pair;
  if (flipped) {
    const kings = (there.black << 6) | there.white;
    w.pair = PAIR_OF[kings];
    map = PAIR_SYMMETRY[kings] << 6;
  }
  w.white = PAIR_WHITE[w.pair];
  w.black = PAIR_BLACK[w.pair];
  for (let man = 0; man < space.men; man++) {
    if (man === taken) continue;
    // Squares of like men ascend, also when a symmetry was in between.
    const square = SYMMETRY[map | there.squares[manThere[man]]];
    let at = man;
    for (; at > space.groupFirst[space.groupOf[man]] && squares[at - 1] > square; at--) {
      squares[at] = squares[at - 1];
    }
    squares[at] = square;
  }
  squares[taken] = w.white;
}

/**
 * Finds, for each man of the mover and (under the number `space.men`) for its king, the squares from which no other man
 * gives check. These are all squares, or those between the king and the men that give check now.
 */
function restrict(w: Workspace, { mover, taken }: Uncapture): void {
  const { space, squares, allowedLow, allowedHigh } = w;
  const own = space.menOf[mover];
  const king = mover === 0 ? w.black : w.white;
  let low = BIT_LOW[w.white] | BIT_LOW[w.black];
  let high = BIT_HIGH[w.white] | BIT_HIGH[w.black];
  for (let man = 0; man < space.men; man++) {
    if (man === taken) continue;
    low |= BIT_LOW[squares[man]];
    high |= BIT_HIGH[squares[man]];
  }
  w.occupiedLow = low;
  w.occupiedHigh = high;
  allowedLow.fill(-1);
  allowedHigh.fill(-1);
  for (let j = 0; j < own.length; j++) {
    const line = (squares[own[j]] << 6) | king;
    if (
      (LINE[line] & ATTACK_MASK[space.kindOf[own[j]]]) === 0 ||
      ((BETWEEN_LOW[line] & low) | (BETWEEN_HIGH[line] & high)) !== 0
    ) {
      continue;
    }
    for (let man = 0; man <= space.men; man++) {
      if (man === own[j]) continue;
      allowedLow[man] &= BETWEEN_LOW[line];
      allowedHigh[man] &= BETWEEN_HIGH[line];
    }
  }
}

/** Whether the man, gone back to `target`, gives no check and leaves none. */
function isLegal(w: Workspace, man: number, target: number, king: number): boolean {
  if (((BIT_LOW[target] & w.allowedLow[man]) | (BIT_HIGH[target] & w.allowedHigh[man])) === 0) return false;
  const line = (target << 6) | king;
  return (
    (LINE[line] & ATTACK_MASK[w.space.kindOf[man]]) === 0 ||
    ((BETWEEN_LOW[line] & w.occupiedLow) | (BETWEEN_HIGH[line] & w.occupiedHigh)) !== 0
  );
}

/** Takes captures back while the kings stay; then those by the king. */
function uncaptureMen(
  w: Workspace,
  { mover, taken }: Uncapture,
  bias: number,
  out: Emission,
  n: number,
): number {
  const { space, squares, board } = w;
  const { major, minor } = out;
  const men = space.menOf[mover];
  const king = mover === 0 ? w.black : w.white;
  const majorOut = bias + space.pairPart[w.pair];
  const base = space.pairBase[w.pair];
  for (let i = 0; i < men.length; i++) {
    const man = men[i];
    const square = squares[man];
    squares[taken] = square;
    const rays = (space.kindOf[man] << 6) | square;
    const end = RAY_START[rays + 1];
    for (let r = RAY_START[rays]; r < end; ) {
      const target = RAYS[r] & 63;
      if (board[target] !== 0) {
        r += (RAYS[r] >> 6) & 7;
        continue;
      }
      r++;
      if (!isLegal(w, man, target, king)) continue;
      squares[man] = target;
      major[n] = majorOut;
      minor[n] = base + placementRank(space, squares, 0);
      squares[man] = square;
      n++;
    }
  }
  return uncaptureKing(w, mover, taken, bias, out, n);
}

/** Takes captures by the king back. */
function uncaptureKing(
  w: Workspace,
  mover: number,
  taken: number,
  bias: number,
  out: Emission,
  n: number,
): number {
  const { space, squares, board } = w;
  const square = mover === 0 ? w.white : w.black;
  const low = w.allowedLow[space.men];
  const high = w.allowedHigh[space.men];
  squares[taken] = square;
  const rays = (Kind.king << 6) | square;
  const end = RAY_START[rays + 1];
  for (let r = RAY_START[rays]; r < end; r++) {
    const target = RAYS[r] & 63;
    if (board[target] !== 0) continue;
    if (((BIT_LOW[target] & low) | (BIT_HIGH[target] & high)) === 0) continue;
    const kings = mover === 0 ? (target << 6) | w.black : (w.white << 6) | target;
    const pair = PAIR_OF[kings];
    if (pair < 0) continue;
    for (const symmetry of symmetriesBack(kings, (w.white << 6) | w.black)) {
      out.major[n] = bias + space.pairPart[pair];
      out.minor[n] = space.pairBase[pair] + placementRank(space, squares, symmetry);
      n++;
    }
  }
  // The board is cleared by the squares of the men: this one is not there.
  squares[taken] = w.white;
  return n;
}

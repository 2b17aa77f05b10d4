/**
 * Where the moves that leave a slice lead, and how many moves positions have at most. A *change* is what a move does to the material and to
 * the ranks of the pawns, and to each belongs a slice. The kernels (assembly/changes.ts) have changes by number.
 */

import { assert } from '../../../operators/core/errors.js';
import type { Dependency, Side } from '../../game/game.js';
import type { Metric } from '../../game/value.js';
import { Kind } from './geometry.js';
import { type Space, spaceOf } from './index-space.js';
import { type PromotedGroup, promotedGroup, promotionKeys } from './promotion-keys.js';
import { allowsPassant, type EndingShape, inOrder, type Naming, sliceOf } from './shape.js';

const PIECES = 'QRBN';

/** A dependency while it is put together. */
interface NewDependency extends Dependency {
  readonly sidesThere: Side[];
}

/** Says that a conversion by `mover` leads to a dependency, where the colours may be exchanged. */
function addSideThere({ sidesThere }: NewDependency, mover: Side, flipped: boolean): void {
  const side = flipped ? mover : ((1 - mover) as Side);
  if (!sidesThere.includes(side)) sidesThere.push(side);
}

/** A man of a side: its letter and, of a pawn, its rank. */
interface Man {
  readonly letter: string;
  readonly rank: number;
}

export interface Change {
  /** The side that moves. */
  readonly side: Side;
  /** Its place in the kernel's table, by {@link placeOf}. */
  readonly place: number;
  /** Number of the slice among the dependencies, and its index space. */
  readonly dependency: number;
  readonly target: Space;
  /** The colours are exchanged there. */
  readonly flipped: boolean;
  /** Whether pieces and kings make it, not pawns. */
  readonly byPiece: boolean;
  /** It leads to an assumed slice: from the position of a key to the one with this key, with the other side to move. */
  readonly assumed: boolean;
}

/** The place of the change that forbidden moves make (assembly/changes.ts). */
const FORBIDDEN = 286;
/** How many places there are. */
export const PLACES = 288;

/** The place of a change in the kernel's table, by the numbers that the kernel has for the man taken and the move. */
export function placeOf(side: Side, taken: number, moved: number): number {
  return (side * 11 + taken) * 13 + moved;
}

export interface Changes {
  readonly dependencies: readonly Dependency[];
  readonly all: readonly Change[];
}

/** The number of the man that a move takes in the kernel: 0 for none, then queen to knight, then pawns by rank. */
function takenNumber(taken: Man | null): number {
  if (taken === null) return 0;
  return taken.letter === 'P' ? 3 + taken.rank : 1 + PIECES.indexOf(taken.letter);
}

/** The effect of a move on the mover's own men: `number` as the kernel has it. */
interface Moved {
  readonly number: number;
  /** The rank of a pawn before the move; 0 if a piece moves. */
  readonly from: number;
  /** The rank after it, 0 if it is no pawn any more. */
  readonly to: number;
  readonly promotion: string;
  /** It may be captured en passant. */
  readonly passing: boolean;
}

const PIECE: Moved = { number: 0, from: 0, to: 0, promotion: '', passing: false };

/** The metrics whose count restarts. A move that changes neither material nor ranks loses but the right to capture. */
function restartsOf(moved: Moved, taken: Man | null): readonly Metric[] {
  if (taken !== null || moved.promotion !== '') return ['dtc', 'dtz'];
  return moved.from > 0 ? ['dtz'] : [];
}

/** Effects of the moves of a side's pawn on this rank: single steps and captures, a double step, promotions. */
function pawnMoves(side: Side, from: number): Moved[] {
  const to = side === 0 ? from + 1 : from - 1;
  if (to === 1 || to === 8) {
    return [...PIECES].map((promotion, i) => ({ number: 9 + i, from, to: 0, promotion, passing: false }));
  }
  const moves: Moved[] = [{ number: from - 1, from, to, promotion: '', passing: false }];
  if (from === (side === 0 ? 2 : 7)) {
    const far = side === 0 ? 4 : 5;
    moves.push({ number: 7, from, to: far, promotion: '', passing: false });
    moves.push({ number: 8, from, to: far, promotion: '', passing: true });
  }
  return moves;
}

function without(letters: string, letter: string): string {
  return letters.replace(letter, '');
}

function withoutRank(ranks: readonly number[], rank: number): number[] {
  const at = ranks.indexOf(rank);
  return ranks.filter((_, i) => i !== at);
}

/** The shape after a move of `side`. */
function after(shape: EndingShape, side: Side, moved: Moved, taken: Man | null): EndingShape {
  const men: [string, string] = [...shape.men];
  const ranks: [readonly number[], readonly number[]] = [...shape.ranks];
  const other = side === 0 ? 1 : 0;
  if (taken !== null) {
    men[other] = without(men[other], taken.letter);
    if (taken.letter === 'P') ranks[other] = withoutRank(ranks[other], taken.rank);
  }
  if (moved.from > 0) {
    const left = withoutRank(ranks[side], moved.from);
    ranks[side] = moved.to > 0 ? [...left, moved.to].sort() : left;
    if (moved.promotion !== '') men[side] = inOrder(without(men[side], 'P') + moved.promotion);
  }
  return { men, ranks, taker: moved.passing ? other : null };
}

/** Men that a move of `side` may take; `moved` is its effect on the mover's own men. */
function victims(shape: EndingShape, side: Side, moved: Moved): Man[] {
  const other = side === 0 ? 1 : 0;
  if (moved.number === 7 || moved.number === 8) return [];
  const pieces = [...new Set(shape.men[other].replaceAll('P', ''))].map((letter) => ({ letter, rank: 0 }));
  const ranks = [...new Set(shape.ranks[other])];
  const reached = moved.from === 0 ? ranks : ranks.filter((rank) => rank === moved.to);
  // En passant: the pawn that is taken stands on the rank that the other comes from.
  const passed = shape.taker === side && moved.from === (side === 0 ? 5 : 4) ? [moved.from] : [];
  return [...pieces, ...[...reached, ...passed].map((rank) => ({ letter: 'P', rank }))];
}

/** Where moves to a shape lead, with the colours exchanged there or not. */
export interface Leading {
  /** Of an assumed slice, the index space of the slice that moves lead from. */
  readonly target: Space;
  readonly flipped: boolean;
  /** The name of an assumed slice (`SliceIndex.assumed`). */
  readonly assumed?: string;
}

/** Finds the slices of shapes. */
export function slicesByRanks(naming: Naming): (shape: EndingShape) => Leading {
  return (shape) => {
    const { slice, flipped } = sliceOf(shape, naming);
    return { target: spaceOf(slice), flipped };
  };
}

/**
 * All changes that moves out of a slice make, whose men stand as in one of the shapes. @param targetOf the slice of a shape, which a promotion to a
 * piece leads to if that is given; null if no move leads to that shape. @param forbidden where the moves of a side lead that restrictions forbid
 * (placements.ts).
 */
export function changesOf(
  shapes: readonly EndingShape[],
  targetOf: (shape: EndingShape, promotion: string) => Leading | null = slicesByRanks('exchangeable'),
  forbidden: { readonly side: Side; readonly leading: Leading } | null = null,
): Changes {
  const dependencies: NewDependency[] = [];
  const all: Change[] = [];
  /** By dependency, the pieces that promotions bring there; null if other moves lead there too. */
  const promoted: (PromotedGroup[] | null)[] = [];
  const add = (shape: EndingShape, side: Side, moved: Moved, taken: Man | null) => {
    const found = targetOf(after(shape, side, moved, taken), moved.promotion);
    const place = placeOf(side, takenNumber(taken), moved.number);
    if (found !== null) addTo(found, side, place, moved, restartsOf(moved, taken));
  };
  const addTo = (
    { target, flipped, assumed }: Leading,
    side: Side,
    place: number,
    moved: Moved,
    restarts: readonly Metric[],
  ) => {
    const known = all.find((change) => change.place === place);
    assert(known === undefined || known.target === target, 'a change leads to one slice');
    if (known !== undefined) return;
    const { name, parts } = target;
    const slice = assumed ?? name;
    let dependency = dependencies.findIndex((known) => known.slice === slice);
    if (dependency < 0) {
      dependency = dependencies.push({ slice, parts, restarts, sidesThere: [] }) - 1;
    }
    addSideThere(dependencies[dependency], side, flipped);
    promoted[dependency] =
      assumed === undefined
        ? withPromotion(promoted[dependency], target, moved, flipped ? 1 - side : side)
        : null;
    all.push({
      side,
      place,
      dependency,
      target,
      flipped,
      byPiece: moved.from === 0,
      assumed: assumed !== undefined,
    });
  };
  for (const shape of shapes) {
    for (const side of shape.taker === null ? ([0, 1] as const) : [shape.taker]) {
      const own = [...new Set(shape.ranks[side])].flatMap((rank) => pawnMoves(side, rank));
      for (const moved of [PIECE, ...own]) {
        if (moved.passing && !allowsPassant(after(shape, side, moved, null).ranks, side === 0 ? 1 : 0))
          continue;
        if (moved.from > 0 || shape.taker !== null) add(shape, side, moved, null);
        for (const taken of victims(shape, side, moved)) add(shape, side, moved, taken);
      }
    }
  }
  if (forbidden !== null) addTo(forbidden.leading, forbidden.side, FORBIDDEN, PIECE, ['dtc', 'dtz']);
  for (const [i, groups] of promoted.entries()) {
    const { target } = all.find(({ dependency }) => dependency === i)!;
    if (groups !== null)
      dependencies[i] = { ...dependencies[i], keysThere: () => promotionKeys(target, groups) };
  }
  return { dependencies, all };
}

/** The pieces that promotions bring to a slice, with those of one more move that leads there; null if it is another move. */
function withPromotion(
  before: PromotedGroup[] | null | undefined,
  target: Space,
  { promotion }: Moved,
  sideThere: number,
): PromotedGroup[] | null {
  if (promotion === '' || before === null) return null;
  return [...(before ?? []), promotedGroup(target, sideThere, PIECES.indexOf(promotion))];
}

/** Most moves of a pawn: three to the last rank, each to become one of four pieces. */
const MOST_PAWN_MOVES = 12;
/** Most moves of a man on an empty board, by kind; a pawn that may be captured en passant moves like any. */
const MOST = [27, 14, 13, 8, 8, MOST_PAWN_MOVES, MOST_PAWN_MOVES];

/** Rows that a kernel writes for a set of 64 positions, at most (MOST_BEHIND of assembly/tables.ts). */
export const MOST_BEHIND = 16384;

/** A side's men can move no further than on an empty board. */
export function mostMovesOf({ menOf, kindOf }: Space, side: Side): number {
  return menOf[side].reduce((sum, man) => sum + MOST[kindOf[man]], MOST[Kind.king]);
}

/**
 * Most rows that a kernel emits for a position. `unmoves` and `unconversions` may also have two mirror images of the predecessors in which a king
 * stands on the long diagonal that the other is on. It comes from two squares of it at most.
 */
export function mostRows(space: Space): number {
  return Math.max(mostMovesOf(space, 0), mostMovesOf(space, 1)) + 2;
}

/**
 * As `mostRows`, for slices with pawns. A position without pawns that `unconversions` comes from stands for four boards up to
 * the mirror image of the files. But on two of them at most a man stands on the rank that it took a pawn on, or came to as a
 * pawn. Each pawn on a rank may be the one that can be captured en passant; then there are pawns left.
 */
export function mostPawnRows(space: Space): number {
  const most = Math.max(mostMovesOf(space, 0), mostMovesOf(space, 1));
  const passant = space.kindOf.indexOf(Kind.passant);
  if (passant < 0) return 2 * most;
  const pawns = [...space.menOf[space.sideOf[passant]]].filter((man) => space.kindOf[man] >= Kind.pawn);
  return pawns.length * most;
}

/** Bounds on how many moves positions of an ending have. */
import type { Side } from '../../game/game.js';
import { MOST_PAWN_MOVES } from './changes.js';
import { Kind } from './geometry.js';
import type { Space } from './index-space.js';

/** Most moves of a man on an empty board, by kind; a pawn that may be captured en passant moves like any. */
const MOST = [27, 14, 13, 8, 8, MOST_PAWN_MOVES, MOST_PAWN_MOVES];

/** A side's men can move no further than on an empty board. */
export function mostMovesOf({ groups }: Space, side: Side): number {
  return groups.reduce(
    (sum, g) => sum + (g.side === side && g.kind !== Kind.king ? g.count * MOST[g.kind] : 0),
    MOST[Kind.king],
  );
}

/**
 * Most rows that a kernel emits for a position. `unmoves` and `unconversions` may also repeat up to seven
 * predecessors that the reflection maps to themselves. In these one man that has no mirror image goes to one of three
 * squares at most. Or one of four men on the diagonal goes to the mirror square of a man that has none.
 */
export function mostRows(space: Space): number {
  return Math.max(mostMovesOf(space, 0), mostMovesOf(space, 1)) + 8;
}

/**
 * As `mostRows`, for slices with pawns. A position without pawns that `unconversions` comes from stands for four boards up to
 * the mirror image of the files. But on two of them at most a man stands on the rank that it took a pawn on, or came to as a
 * pawn. Each pawn on a rank may be the one that can be captured en passant; then there are pawns left.
 */
export function mostPawnRows(space: Space): number {
  const most = Math.max(mostMovesOf(space, 0), mostMovesOf(space, 1));
  const passant = space.groups.find(({ kind }) => kind === Kind.passant);
  if (passant === undefined) return 2 * most;
  const beside = space.groups.find(({ kind, side, rank }) => {
    return kind === Kind.pawn && side === passant.side && rank === passant.rank;
  });
  return (1 + (beside?.count ?? 0)) * most;
}

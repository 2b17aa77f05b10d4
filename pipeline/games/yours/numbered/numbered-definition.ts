/** The definition of a game by positions with numbers and forward moves. */

import type { Side } from '../../../game/game.js';
import type { NamedMove } from '../definition.js';
import type { BoardPicture, End } from '../keyed/keyed-rules.js';

/** Numbers that follow each other and are solved together. */
export interface NumberedSlice {
  /** Letters, digits and dashes. */
  readonly name: string;
  /** How many numbers there are. */
  readonly size: number;
  /** The slices that moves from here lead to, besides this one. */
  readonly leadsTo?: readonly string[];
}

/** The positions of a numbered game, whatever its ends are worth. All functions are as {@link NumberedGame} says. */
export interface NumberedPositions<Position> {
  /** Letters, digits and dashes: tables are stored under it. */
  readonly name: string;
  /**
   * Positions have numbers 0 … size - 1, at most 2^32 of them in a slice (2^53 with `unmoves`). A number may be a
   * position with either side to move, with one, or with none. Gaps cost a byte or two in the table and nothing else.
   */
  readonly size: number;
  /** The number of a position. Positions with different sides to move may have the same. */
  index(position: Position): number;
  /** The position with this number and this side to move; null if there is none. */
  position(index: number, side: Side): Position | null;
  /** The side to move: 0 ("white") or 1 ("black"). */
  mover(position: Position): Side;
  /** Reads a position as people write it; throws an Error that says what is wrong. Else it is its number and "w" or "b". */
  parse?(text: string): Position;
  /** Writes what `parse` reads. */
  format?(position: Position): string;
  /** A picture in lines of text: one text, or a list of lines. Else it is the text of `format`. */
  diagram?(position: Position): string | readonly string[];
  /**
   * All positions that are the same as this one but for a symmetry of the board, with the same side to move. There
   * are at most 254 others, in any order. Repeats and the position itself are allowed. The one with the least number
   * is stored, and the others are looked up there. So a table has a fraction of the values and takes a fraction of
   * the rounds' work. Counts of positions still count each of them; those with either side to move have as many
   * images.
   */
  symmetries?(position: Position): Iterable<Position>;
}

/**
 * Two players move in turn; no chance, nothing hidden. All functions are pure: the same answer whenever they are
 * asked, in any thread. A definition may be at fault: a number out of range, a move to a number without a position.
 * Solving the game then throws a UserError that names the position.
 *
 * All are called again and again, so they should be cheap. To solve a position with m moves takes `moves` twice (once
 * with `unmoves`) and `position` m + 2 times. It takes `index` 3 m + 1 and `mover` 2 m + 1 times. To verify it, which
 * is the default, takes as much again. With symmetries, `index` is asked of every image. A game of two heaps with six
 * moves a position takes 15 s of CPU time a million positions, 22 with verification. With `unmoves` it takes 7 and
 * 13; with a symmetry that halves the positions, 11 and 17.
 */
export interface NumberedGame<Position> extends NumberedPositions<Position> {
  /**
   * The legal moves: the name of each and the position after it, with the other side to move. At most 254. Several moves may
   * lead to the same position. A pass is a move. Not called for positions that are `ended`.
   */
  moves(position: Position): Iterable<NamedMove<Position>>;
  /**
   * Whether the game is over before anybody moves: the side to move has lost, or it is drawn. Null: it goes on. Without
   * this function the game goes on until somebody cannot move.
   *
   * There is no "won": tables count a winner's plies from 1, for 0 is a draw. If a move makes the opponent win at once, leave
   * it out of `moves` and have `position` give null for the position after it. A side with no other move is 'lost'.
   */
  ended?(position: Position): 'lost' | 'drawn' | null;
  /** The result for a side to move that has no move: 'lost' unless this says 'drawn'. */
  readonly stuck?: 'lost' | 'drawn';
  /**
   * Where some moves can never be taken back (captures, men that advance): the numbers divided into slices, in the order
   * of the numbers, 0 first. Slices are solved one after another, each after those that it leads to, in the memory
   * and disk space of one. Moves must not lead in a circle of slices. Names are what `solve` and `stats` can be asked for.
   */
  readonly slices?: readonly NumberedSlice[];
  /**
   * The positions from which a move leads here, each as often as `moves` has this one; the other side to move. Positions that
   * do not exist or have `ended` may be among them. Never needed; it saves the memory and time of writing all moves down.
   */
  unmoves?(position: Position): Iterable<Position>;
}

/**
 * A numbered game in which the same side may be to move again, and the side to move may have won. It is solved as a keyed game is: as a
 * whole, from all positions that there are. At most 2^30 of them; `size` is at most 2^52. It has neither slices nor `unmoves`.
 */
export interface FreeNumberedGame<Position> extends NumberedPositions<Position>, ShownPositions<Position> {
  readonly turns: 'free';
  /** As in {@link NumberedGame}, but the same side may be to move after it, and there may be 2^20 moves. */
  moves(position: Position): Iterable<NamedMove<Position>>;
  /**
   * Whether the game is over before anybody moves, and what it then is for the side to move. Null: it goes on. Values of another table are ends,
   * too: see {@link End}.
   */
  ended?(position: Position): End | null;
  /** The result for a side to move that has no move: 'lost' unless this says 'drawn'. */
  readonly stuck?: 'lost' | 'drawn';
}

/** Fields of numbered games that are solved as a whole, for commands and pages. */
export interface ShownPositions<Position> {
  /** The positions that commands and pages show first. Else it is the first, by number, from which there is a move. */
  starts?(): Iterable<Position>;
  /** A picture for pages. Else it is that of `diagram`. */
  board?(position: Position): BoardPicture;
  /** Names of the players, side 0 first. Else they are white and black. */
  readonly players?: readonly [string, string];
}

/**
 * A numbered game whose ends are worth points. It is solved as a keyed game is: as a whole, for the metric `score`, from all
 * positions that there are. At most 2^30 of them; `size` is at most 2^52. It has neither slices nor `unmoves`.
 */
export interface ScoredNumberedGame<Position> extends NumberedPositions<Position>, ShownPositions<Position> {
  /** As in {@link NumberedGame}, but the same side may be to move after it, and there may be 2^20 moves. */
  moves(position: Position): Iterable<NamedMove<Position>>;
  /** Whether the game is over before anybody moves. Without this function it goes on until somebody cannot move. */
  ended?(position: Position): 'over' | null;
  /**
   * By how much side 0 has won where the game is over, or nobody can move. It is an integer from -125 to 125,
   * negative if side 1 has won. Side 0 wants more, side 1 less; endless play is worth 0.
   */
  score(position: Position): number;
}

/** The rules of a game for people: one board at a time, and how boards and moves are written. */
import type { Colour } from './side.js';
import type { Address } from './slice-index.js';

/** A legal move for display. `uci` and `san` are the notations of chess; other games put their own notation in both. */
export interface Move<Board> {
  readonly uci: string;
  readonly san: string;
  readonly board: Board;
}

/** A short search, by which publications leave out the values that it finds. */
export interface Search<Board> {
  /** Whether published tables may leave the value of the board out. */
  dontCare(board: Board): boolean;
  /** The board after each legal move. */
  successors(board: Board): Board[];
  /** Whether two boards are the same position. */
  same(a: Board, b: Board): boolean;
}

/** A condition on where men stand, from a query for positions. */
export interface Standing<Board> {
  /** The rotated or mirrored version of the board that meets the condition, the board itself if it does; null if none does. */
  imageOf(board: Board): Board | null;
  /** Whether a board with the same men, wherever they stand, could meet it. */
  couldMeet(board: Board): boolean;
}

export interface BoardRules<Board> {
  /** Whether boards of slices that are their own mirror image are all located on side 0. */
  readonly locatesMirrored: boolean;
  /** Reads a position (FEN, or what the game has for one). Throws UserError saying what is malformed or why it is illegal. */
  parse(text: string): Board;
  format(board: Board): string;
  /** The canonical address of a legal board. Throws UserError when no slice can hold it (pawns, too many men). */
  locate(board: Board): Address;
  /** A board at a canonical address; with `flipped`, with the colours exchanged. */
  board(address: Address, flipped?: boolean): Board;
  /**
   * The boards that are the same position as this one, itself among them, each once; as many as `orbitSizes` says. For
   * games with symmetries. Only the check of symmetries (`mergemate check`) needs them.
   */
  images?(board: Board): Board[];
  /**
   * For games whose positions can be chosen by where men stand: reads such a condition, in the game's own notation. Throws UserError
   * if it is malformed.
   */
  standing?(text: string): Standing<Board>;
  moves(board: Board): Move<Board>[];
  /** 'lost' (mated) or 'drawn' (stalemate) when there are no legal moves, else 'open'. */
  terminal(board: Board): 'open' | 'lost' | 'drawn';
  mover(board: Board): Colour;
  /**
   * The count of plies without progress, for games that write it with their positions and draw by it. Values under `dtz` are
   * then those with so many plies gone.
   */
  clock?(board: Board): number;
  /** For games that have don't-cares ({@link Slice.dontCares}): what a search for their values needs. */
  readonly search?: Search<Board>;
  /** A picture of the board in text, lines ended by newlines. */
  diagram(board: Board): string;
}

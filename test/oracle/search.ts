/**
 * A brute-force search by the plain rules alone: it knows no table, no index, no symmetry and no unmove. It proves in how many
 * plies the side to move mates or is mated, if it takes few. For that it asks for ever more plies (iterative deepening), and
 * remembers each position's proofs.
 */
import { type ChessBoard, inCheck, legalMoves, play } from '../../pipeline/games/chess/rules.js';

/** Result for the side to move: it mates (1) or is mated (-1) in exactly so many plies, with best play of both. */
export interface Mate {
  readonly wdl: 1 | -1;
  readonly plies: number;
}

export interface MateSearch {
  /**
   * Null: neither side can force mate within `plies` plies. Boards of four or five men take some ten milliseconds for 5
   * plies, and ten times as long for every two more.
   */
  mateWithin(board: ChessBoard, plies: number): Mate | null;
}

interface Position {
  readonly board: ChessBoard;
  /** Positions after each legal move; null if nobody asked. */
  after: readonly Position[] | null;
  isInCheck: boolean | null;
  /** Plies proven to be enough for mating (odd) or being mated (even); Infinity if neither is known. */
  decided: number;
  /** Plies proven not to be enough for mating, for being mated. */
  notWon: number;
  notLost: number;
}

/** Remembered positions; beyond that all are forgotten before the next search. */
const MOST_POSITIONS = 300_000;

/** The men and where they stand, the side to move and the right to capture en passant. */
function keyOf({ squares, side, passant }: ChessBoard): string {
  let key = String.fromCharCode(side, passant ?? 64);
  for (let square = 0; square < 64; square++) {
    if (squares[square] !== 0) key += String.fromCharCode(64 * (squares[square] + 6) + square);
  }
  return key;
}

export function newSearch(): MateSearch {
  const known = new Map<string, Position>();

  function positionOf(board: ChessBoard): Position {
    const key = keyOf(board);
    let found = known.get(key);
    if (found === undefined) {
      found = { board, after: null, isInCheck: null, decided: Infinity, notWon: -1, notLost: -1 };
      known.set(key, found);
    }
    return found;
  }

  function after(position: Position): readonly Position[] {
    position.after ??= legalMoves(position.board).map((step) => positionOf(play(position.board, step)));
    return position.after;
  }

  /** Whether the side to move can mate within `plies` plies. */
  function wins(position: Position, plies: number): boolean {
    if (position.decided <= plies) return position.decided % 2 === 1;
    if (plies <= position.notWon) return false;
    if (plies > 0 && after(position).some((next) => loses(next, plies - 1))) {
      position.decided = Math.min(position.decided, plies);
      return true;
    }
    position.notWon = plies;
    return false;
  }

  /** Whether the side to move is mated within `plies` plies by all its moves. */
  function loses(position: Position, plies: number): boolean {
    if (position.decided <= plies) return position.decided % 2 === 0;
    if (plies <= position.notLost) return false;
    if (isMated(position) || (plies > 0 && cannotEscape(position, plies))) {
      position.decided = Math.min(position.decided, plies);
      return true;
    }
    position.notLost = plies;
    return false;
  }

  function cannotEscape(position: Position, plies: number): boolean {
    const next = after(position);
    return next.length > 0 && next.every((each) => wins(each, plies - 1));
  }

  function isMated(position: Position): boolean {
    position.isInCheck ??= inCheck(position.board.squares, position.board.side);
    return position.isInCheck && after(position).length === 0;
  }

  return {
    mateWithin(board, most) {
      if (known.size > MOST_POSITIONS) known.clear();
      const position = positionOf(board);
      for (let plies = 0; plies <= most; plies++) {
        // The mating side has the last ply: the mover in an odd number of plies, the other side in an even one.
        if (plies % 2 === 1 && wins(position, plies)) return { wdl: 1, plies };
        if (plies % 2 === 0 && loses(position, plies)) return { wdl: -1, plies };
      }
      return null;
    },
  };
}

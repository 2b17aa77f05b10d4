/** Values for Syzygy's files from the oracle: for endings whatever the product can solve. */

import {
  type ChessBoard,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../pipeline/games/chess/rules.js';
import type { Material } from '../../pipeline/games/chess/syzygy/material.js';
import { outcomeBefore, type ValueSource } from '../../pipeline/games/chess/syzygy/subtable.js';
import type { Oracle } from '../oracle/oracle.js';

/** The code of pipeline/value.ts. */
export function codeOf(oracle: Oracle, board: ChessBoard): number {
  const { wdl, plies } = oracle.value(board);
  return wdl > 0 ? plies : wdl < 0 ? -plies - 1 : 0;
}

export function oracleSource(oracle: Oracle, { men }: Material): ValueSource {
  const letters = '.PNBRQK';
  const squares = new Uint8Array(men.length);
  const place = (board: ChessBoard): Uint8Array => {
    const taken = new Set<number>();
    for (const [man, code] of men.entries()) {
      const wanted = LETTERS.indexOf(letters[code & 7]) * (code & 8 ? -1 : 1);
      const square = board.squares.findIndex((is, at) => is === wanted && !taken.has(at));
      taken.add(square);
      squares[man] = square;
    }
    return squares;
  };
  function* boards(side: number): Generator<ChessBoard> {
    for (const board of oracle.boards()) {
      if (board.side === side && board.passant === undefined) yield board;
    }
  }
  return {
    async values(side, show) {
      for (const board of boards(side)) show(place(board), codeOf(oracle, board));
    },
    async zeroingMoves(side, show) {
      for (const board of boards(side)) {
        for (const move of legalMoves(board)) {
          const capture = isCapture(board, move);
          if (!capture && Math.abs(board.squares[move.from]) !== PAWN) continue;
          show(place(board), capture, outcomeBefore(codeOf(oracle, play(board, move))));
        }
      }
    },
  };
}

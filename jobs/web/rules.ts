/** The moves of chess, for positions that no table has. */
import { ChessPosition } from '../notation/chess-position.js';
import type { LineStep } from './line.js';

/** @throws UserError for a position that is malformed or illegal. */
export function movesOf(fen: string): LineStep[] {
  const position = ChessPosition.read(fen);
  return [...position.moves(), 'O-O', 'O-O-O'].flatMap((name) => {
    try {
      const { san, uci, after } = position.play(name);
      return [{ san, uci, position: after.fen }];
    } catch {
      return []; // it cannot castle
    }
  });
}

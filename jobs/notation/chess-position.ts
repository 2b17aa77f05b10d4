/** Positions of chess as games come to them: with any number of men, castling (that of Chess960, too) and null moves. */
import { formatFen, readFen } from '../../pipeline/games/chess/fen.js';
import { namedMoves } from '../../pipeline/games/chess/san.js';
import { type Placed, playWritten } from '../../pipeline/games/chess/written-moves.js';
import type { GamePosition, PlayedMove } from './notation.js';

export class ChessPosition implements GamePosition {
  private text: string | undefined;

  private constructor(private readonly placed: Placed) {}

  /** @throws UserError if the FEN is malformed, or the position illegal. */
  static read(fen: string): ChessPosition {
    return new ChessPosition(readFen(fen, 'chess960'));
  }

  readonly begun = null;

  /** Written once, because it is asked for as the position after one move and before the next. */
  get fen(): string {
    return (this.text ??= formatFen(this.placed.board, this.placed.rooks));
  }

  get number(): string {
    const { counters, side } = this.placed.board;
    return `${counters!.move}.${side === 0 ? '' : '..'}`;
  }

  play(text: string): PlayedMove {
    const { san, uci, after } = playWritten(this.placed, text);
    return { san, uci, after: new ChessPosition(after) };
  }

  /** All legal moves but castling, by their uci names. */
  moves(): string[] {
    return namedMoves(this.placed.board).map(({ uci }) => uci);
  }
}

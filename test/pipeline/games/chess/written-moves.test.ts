/** Positions with moves behind them, as UCI writes them: chess.js plays the same. */
import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { readChessPosition } from '../../../../jobs/notation/epd.js';
import { UntabledError } from '../../../../pipeline/game/untabled.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { afterMoves, parseFen, readFen, START } from '../../../../pipeline/games/chess/fen.js';
import { LONG } from '../../../support/long.js';

const QUEEN = '8/8/8/8/8/2k5/8/K6Q w - - 5 40';

describe('moves behind a position', () => {
  it('are played', () => {
    expect(afterMoves(`${QUEEN} moves h1a8`)).toBe('Q7/8/8/8/8/2k5/8/K7 b - - 6 40');
    expect(chess.format(parseFen(`${QUEEN} moves h1a8 c3b3 a1b1`))).toBe('Q7/8/8/8/8/1k6/8/1K6 b - - 8 41');
    expect(afterMoves('8/P7/8/8/8/2k5/8/K7_w_-_-_0_1 moves a7a8n')).toBe('N7/8/8/8/8/2k5/8/K7 b - - 0 1');
    expect(afterMoves('8/P7/8/8/8/2k5/8/K7 moves A7A8Q c3b3')).toBe('Q7/8/8/8/8/1k6/8/K7 w - - 1 2');
    expect(afterMoves(`${QUEEN} moves`)).toBe(QUEEN);
    expect(afterMoves(QUEEN)).toBe(QUEEN);
  });

  it('castle, also as Chess960 writes it', () => {
    const rooks = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    expect(afterMoves(`${rooks} moves e1g1`)).toBe('r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1');
    expect(afterMoves(`${rooks} moves e1a1 e8g8`)).toBe('r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2');
    expect(() => readFen(`${rooks} moves a1a8 e8c8`)).toThrow('move 2: e8c8 is not a legal move');
  });

  it('lead from the first position to one that tables have', () => {
    expect(afterMoves('startpos')).toBe(START);
    expect(() => parseFen('startpos')).toThrow(UntabledError);
    expect(() => parseFen('startpos moves e2e4')).toThrow(/^FEN "startpos moves e2e4": no table has 32 men/);
  });

  it('are those of chess.js in random games', () => {
    for (let seed = 1; seed <= (LONG ? 8 : 1); seed++) {
      let state = seed * 7919;
      const game = new Chess();
      const moves: string[] = [];
      while (!game.isGameOver() && moves.length < 300) {
        const legal = game.moves({ verbose: true });
        state = (state * 48271) % 0x7fffffff;
        const { lan } = legal[state % legal.length];
        game.move(lan);
        moves.push(lan);
      }
      // Programs differ on en-passant rights that no move can use: chess.js, too, writes none.
      expect(afterMoves(`startpos moves ${moves.join(' ')}`)).toBe(game.fen());
    }
  });

  it.each([
    [`${QUEEN} garbage`, /7 fields, expected at most 6, and behind them nothing but "moves"/],
    [`${QUEEN} moves h1h9`, /move 1: "h1h9" is not a move as UCI writes it/],
    [`${QUEEN} moves h1a8 a8a1`, /move 2: a8a1 is not a legal move/],
    [`${QUEEN} moves Qa8`, /move 1: "Qa8" is not a move as UCI writes it/],
    ['8/P7/8/8/8/2k5/8/K7 w - - 0 1 moves a7a8', /move 1: a7a8 does not name the man that the pawn becomes/],
    [`${QUEEN} h1a8`, /7 fields/],
    ['startpos w', /"startpos" is followed by "w"/],
    ['startpos garbage moves e2e4', /"startpos" is followed by "garbage"/],
  ])('%s is refused', (text, error) => {
    expect(() => parseFen(text)).toThrow(error);
    expect(() => parseFen(readChessPosition(text).fen)).toThrow(error);
  });

  it('castling rights are refused with what the position without them may be worth', () => {
    // Without the right Black takes the pawn and wins; with it White castles and wins the rook.
    expect(() => parseFen('2k5/3P4/8/8/8/8/1r5p/R3K3 b Q - 0 1')).toThrow(
      /castling rights Q are not supported: no table has castling\. "-" in their place is the position without them, whose value may be another$/,
    );
  });
});

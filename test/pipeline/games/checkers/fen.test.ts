/**
 * Positions as text.
 */
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { squareOf } from '../../../../pipeline/games/checkers/fen.js';
import { classesOf, positionsOf } from '../../../oracle/checkers/classes.js';
import { formatFen } from '../../../oracle/checkers/fen.js';
import { mirrored } from '../../../oracle/checkers/rules.js';
import { boardKey, figure9, toBoard } from './boards.js';

describe('FEN', () => {
  it('is read and written as the oracle does, either side to move', () => {
    let i = 0;
    for (const name of [...classesOf(2), ...classesOf(3), ...classesOf(4)]) {
      for (const position of positionsOf(name)) {
        if (i++ % 1999 !== 0) continue;
        for (const either of [position, mirrored(position)]) {
          const other = [...either.squares].some((piece) =>
            either.side === 'black' ? piece < 0 : piece > 0,
          );
          const fen = formatFen(either);
          const board = toBoard(either);
          expect(checkers.format(board)).toBe(fen);
          if (other) expect(boardKey(checkers.parse(fen))).toBe(boardKey(board));
          else expect(() => checkers.parse(fen)).toThrow('the game is over');
        }
      }
    }
    expect(i).toBeGreaterThan(7_000_000);
  });

  it.each([
    ['B:W18,K24:B1,K3', 'B:W18,K24:B1,K3'],
    ['W:B1,K3:WK24,18.', 'W:W18,K24:B1,K3'],
    [' W:W:BK3\n', 'W:W:BK3'],
    ['B:W5:B', 'B:W5:B'],
    // Counters of other programs.
    ['W:WK29:BK4:H0:F1', 'W:WK29:BK4'],
    ['B:W18,K24:B1,K3:H12:F35.', 'B:W18,K24:B1,K3'],
    ['B : W18 : B1 : f7', 'B:W18:B1'],
    ['W:W18:B1:F3:h2', 'W:W18:B1'],
    ['B:W05:BK01', 'B:W5:BK1'],
    ['B:W5,6,7,8,9:B28,27,26,K32,K1', 'B:W5,6,7,8,9:BK1,26,27,28,K32'],
  ])('%j is %s', (text, fen) => expect(checkers.format(checkers.parse(text))).toBe(fen));

  it('numbers the squares from the other side than figure 9', () => {
    for (let pdn = 1; pdn <= 32; pdn++) expect(squareOf(pdn)).toBe(figure9(pdn));
  });

  const eleven = Array.from({ length: 10 }, (_, i) => i + 12).join();
  it.each([
    ['', 'expected the side to move and the pieces of both colours'],
    ['B', 'expected the side to move and the pieces of both colours'],
    ['B:W18', 'expected the side to move and the pieces of both colours'],
    ['B:W18:B1:W2', 'expected the side to move and the pieces of both colours'],
    ['B:W18:B1:H0:H1', 'expected the side to move and the pieces of both colours'],
    ['B:W18:B1:G4', 'expected the side to move and the pieces of both colours'],
    ['B:W18:F1', 'pieces "F1" begin with neither W nor B'],
    ['4k3/8/8/8/8/8/8/4K3 w - - 0 1', 'expected the side to move and the pieces of both colours'],
    ['X:W18:B1', 'side to move is "X", expected B or W'],
    [':W18:B1', 'side to move is "", expected B or W'],
    ['B:18:B1', 'pieces "18" begin with neither W nor B'],
    ['B::B1', 'pieces "" begin with neither W nor B'],
    ['B:W18:W1', 'the pieces of W are given twice'],
    ['B:B18:B1', 'the pieces of B are given twice'],
    ['B:W0:B1', 'there is no square 0'],
    ['B:W18:BK33', 'there is no square 33'],
    ['B:W18:B99', 'there is no square 99'],
    ['B:W18:B100', '"100" is not a piece'],
    ['B:W18,:B1', '"" is not a piece'],
    ['B:W18;19:B1', '"18;19" is not a piece'],
    ['B:WQ18:B1', '"Q18" is not a piece'],
    ['B:W18:BK', '"K" is not a piece'],
    ['B:W18:B-1', '"-1" is not a piece'],
    ['B:W18,18:B1', 'square 18 has two pieces'],
    ['B:W18,K18:B1', 'square 18 has two pieces'],
    ['B:W18:BK18', 'square 18 has two pieces'],
    ['B:W18:B29', 'a black man stands where it would have been crowned (29 to 32)'],
    ['B:W18:B32', 'a black man stands where it would have been crowned (29 to 32)'],
    ['B:W1:BK18', 'a white man stands where it would have been crowned (1 to 4)'],
    ['B:W4:BK18', 'a white man stands where it would have been crowned (1 to 4)'],
    [`B:W${eleven}:BK1`, '11 pieces, at most 10 are supported'],
    ['B:W:B1', 'White has no pieces and is not to move: the game is over'],
    ['W:W18:B', 'Black has no pieces and is not to move: the game is over'],
    ['B:W:B', 'White has no pieces and is not to move: the game is over'],
  ])('%j is refused: %s', (text, reason) => {
    let message = '';
    try {
      checkers.parse(text);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      message = (error as Error).message;
    }
    expect(message).toContain(reason);
    expect(message.startsWith(`FEN ${JSON.stringify(text)}: `)).toBe(true);
    expect(message).not.toContain('\n');
  });
});

describe('the text of a board', () => {
  it('from White below, squares numbered along the sides', () => {
    expect(checkers.diagram(checkers.parse('B:W18,K24,32:B1,K3,12'))).toBe(
      [
        ' 1    b   .   B   .  4',
        ' 5  .   .   .   .    8',
        ' 9    .   .   .   b  12',
        '13  .   .   .   .    16',
        '17    .   w   .   .  20',
        '21  .   .   .   W    24',
        '25    .   .   .   .  28',
        '29  .   .   .   w    32',
        '',
      ].join('\n'),
    );
  });

  it('whose turn it is', () => {
    expect(checkers.mover(checkers.parse('B:W18:B1'))).toBe('black');
    expect(checkers.mover(checkers.parse('W:W18:B1'))).toBe('white');
    expect(checkers.colours).toEqual(['black', 'white']);
  });
});

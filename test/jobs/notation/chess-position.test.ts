/** FENs as programs write them: rights in any order, and rights that no game could have. */
import { expect, test } from 'vitest';
import { ChessPosition } from '../../../jobs/notation/chess-position.js';
import { lichessAnswer } from '../../../jobs/server/lichess.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { readFen } from '../../../pipeline/games/chess/fen.js';

const ROOKS = 'r3k2r/8/8/8/8/8/8/R3K2R w';

test.each(['KQkq', 'qkQK', 'kQKq', 'kqKQ'])('the rights %s are read as all four, in any order', (field) => {
  expect(readFen(`${ROOKS} ${field} - 0 1`)).toEqual(readFen(`${ROOKS} KQkq - 0 1`));
  expect(() => chess.parse(`${ROOKS} ${field} - 0 1`)).toThrow(/castling rights KQkq are not supported/);
});

test('the Lichess API castles by rights in any order', async () => {
  const movesOf = async (field: string) => {
    const { moves } = await lichessAnswer(readFen(`${ROOKS} ${field} - 0 1`), async () => null);
    return moves.map(({ uci, san }) => `${uci} ${san}`).sort();
  };
  expect(await movesOf('kQ')).toEqual(await movesOf('Qk'));
  expect(await movesOf('kQ')).toContain('e1c1 O-O-O');
  expect(await movesOf('kQ')).not.toContain('e1g1 O-O');
});

test('letters of files name rooks in games, and nowhere else', () => {
  const fen = '1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1';
  expect(ChessPosition.read(fen).fen).toBe('1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1');
  expect(ChessPosition.read('4k3/8/8/8/8/8/8/RR2K3 w B - 0 1').fen).toBe('4k3/8/8/8/8/8/8/RR2K3 w B - 0 1');
  expect(() => readFen(fen)).toThrow('castling is "GBgb", expected "-" or letters of KQkq');
});

test.each([
  ['without the pawn', '8/8/8/8/8/k7/8/K6Q b - e3 0 1', '8/8/8/8/8/k7/8/K6Q b - - 0 1'],
  ['of the side to move', '8/8/8/3pP3/8/8/k7/7K w - e3 0 1', '8/8/8/3pP3/8/8/k7/7K w - - 0 1'],
  // The queen gave check from f1 before d2-d4, so that White could not be to move.
  [
    'though the mover was in check before the step',
    '8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1',
    '8/8/8/1k6/3Pp3/8/8/4KQ2 b - - 0 1',
  ],
])('a right to capture en passant %s is dropped', (_, fen, read) => {
  expect(chess.format(chess.parse(fen))).toBe(read);
});

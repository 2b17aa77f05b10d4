/** Reading of FENs: fields that may be left out, fields that are dropped, and fields that are kept. */
import { expect, test } from 'vitest';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { readFen } from '../../../../pipeline/games/chess/fen.js';

const readAndWritten = (fen: string) => chess.format(chess.parse(fen));

test.each([
  ['8/8/8/8/8/8/2k5/K6Q', '8/8/8/8/8/8/2k5/K6Q w - - 0 1'],
  ['8/8/8/8/8/8/2k5/K6Q b', '8/8/8/8/8/8/2k5/K6Q b - - 0 1'],
  ['8/8/8/8/8/8/2k5/K6Q w -', '8/8/8/8/8/8/2k5/K6Q w - - 0 1'],
  ['8/8/8/8/8/8/2k5/K6Q w - - 80', '8/8/8/8/8/8/2k5/K6Q w - - 80 1'],
  ['8/8/8/8/8/8/2k5/K6Q_b_-_-_80_95', '8/8/8/8/8/8/2k5/K6Q b - - 80 95'],
  ['  8/8/8/8/8/8/2k5/K6Q   w - -  7 9 ', '8/8/8/8/8/8/2k5/K6Q w - - 7 9'],
])('%j is read as %j', (fen, written) => {
  expect(readAndWritten(fen)).toBe(written);
  expect(readAndWritten(written)).toBe(written);
});

test.each([
  ['used by a capture', '8/8/8/3pP3/8/8/k7/7K w - d6 0 2', 'd6'],
  ['used by Black', '8/8/8/8/3Pp3/k7/8/7K b - d3 0 2', 'd3'],
  ['no pawn beside it', '8/8/8/3p4/4P3/8/k7/7K w - d6 0 2', '-'],
  ['of the wrong side', '8/8/8/3pP3/8/8/k7/7K w - d3 0 2', '-'],
  ['without the pawn', '8/8/8/3pP3/8/8/k7/7K w - c6 0 2', '-'],
  ['over an occupied square', '8/8/3n4/3pP3/8/8/k7/7K w - d6 0 2', '-'],
  ['from an occupied square', '8/3n4/8/3pP3/8/8/k7/7K w - d6 0 2', '-'],
  ['while in check', '8/8/8/3pP3/8/8/k4n2/7K w - d6 0 2', '-'],
])('an en-passant square %s', (_, fen, field) => {
  expect(readAndWritten(fen).split(' ')[3]).toBe(field);
});

test('rights to castle are dropped without king and rook at home, and refused with them', () => {
  expect(readAndWritten('8/8/8/8/8/8/2k5/K6Q w KQkq - 0 1')).toBe('8/8/8/8/8/8/2k5/K6Q w - - 0 1');
  expect(readFen('4k3/8/8/8/8/8/8/4K2R w KQq - 0 1').rooks).toEqual([7]);
  expect(() => chess.parse('4k3/8/8/8/8/8/8/4K2R w K - 0 1')).toThrow(/castling rights K are not supported/);
});

/** The counters are those that another implementation of chess counts (chess.js in test/jobs/server/lichess.test.ts). */
test("quiet moves advance the clock, captures and pawns reset it, and Black's moves advance the move number", () => {
  const after = (fen: string, san: string) => {
    const board = chess.parse(fen);
    return chess.format(chess.moves(board).find((move) => move.san === san)!.board);
  };
  const start = '8/8/8/3k4/8/r2P4/1K6/8 w - - 41 60';
  expect(after(start, 'Kc2')).toBe('8/8/8/3k4/8/r2P4/2K5/8 b - - 42 60');
  expect(after(start, 'Kxa3')).toBe('8/8/8/3k4/8/K2P4/8/8 b - - 0 60');
  expect(after(start, 'd4')).toBe('8/8/8/3k4/3P4/r7/1K6/8 b - - 0 60');
  expect(after('8/8/8/3k4/8/r2P4/2K5/8 b - - 42 60', 'Ra1')).toBe('8/8/8/3k4/8/3P4/2K5/r7 w - - 43 61');
});

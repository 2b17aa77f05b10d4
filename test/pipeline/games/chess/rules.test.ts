import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { illegality } from '../../../../pipeline/games/chess/fen.js';
import type { ChessBoard } from '../../../../pipeline/games/chess/rules.js';
import { LONG, LONGEST } from '../../../support/long.js';
import { randomNumbers } from './kernel-rows.js';

/** A random legal board of two kings and `others` more men; `near` puts the men on half of the board. */
function randomBoard(random: () => number, others: number, near: boolean): ChessBoard {
  for (;;) {
    const squares = new Int8Array(64);
    const men = [1, -1];
    for (let i = 0; i < others; i++) men.push((2 + (random() % 4)) * (random() & 1 ? 1 : -1));
    for (const man of men) {
      let square = random() % (near ? 24 : 64);
      while (squares[square] !== 0) square = random() % (near ? 24 : 64);
      squares[square] = man;
    }
    const board: ChessBoard = { squares, side: random() & 1 ? 1 : 0 };
    if (illegality(board) === null) return board;
  }
}

const SAMPLES = LONGEST ? 900 : LONG ? 400 : 200;

describe('the plain rules', () => {
  it.each([1, 2, 3, 4, 5])('agree with chess.js on boards with %i men besides the kings', (others) => {
    const random = randomNumbers(40 + others);
    const seen = { lost: 0, drawn: 0, open: 0 };
    for (let sample = 0; sample < SAMPLES; sample++) {
      const board = randomBoard(random, others, sample % 2 === 0);
      const fen = chess.format(board);
      const other = new Chess(fen, { skipValidation: true });
      const theirs = other.moves({ verbose: true }).map((move) => `${move.from}${move.to} ${move.san}`);
      const ours = chess.moves(board).map((move) => `${move.uci} ${move.san}`);
      if (ours.sort().join() !== theirs.sort().join())
        expect({ fen, moves: ours }).toEqual({ fen, moves: theirs });
      const end = other.isCheckmate() ? 'lost' : other.isStalemate() ? 'drawn' : 'open';
      if (chess.terminal(board) !== end) expect({ fen, end: chess.terminal(board) }).toEqual({ fen, end });
      seen[end]++;
    }
    expect(seen.open).toBeGreaterThan(SAMPLES / 2);
    if (others > 2) expect(seen.lost).toBeGreaterThan(0);
  });

  it('names moves', () => {
    const sans = (fen: string) => chess.moves(chess.parse(fen)).map((move) => move.san);
    expect(sans('8/7k/8/8/8/8/8/K3N1N1 w')).toEqual(expect.arrayContaining(['Nef3', 'Ngf3', 'Ne2', 'Nh3']));
    expect(sans('8/7k/8/R7/8/8/R7/7K w')).toEqual(expect.arrayContaining(['R2a4', 'R5a4', 'Rh5+']));
    expect(sans('8/k7/8/8/4Q2Q/8/8/K6Q w')).toEqual(expect.arrayContaining(['Qh4e1', 'Qee1', 'Q1e1']));
    expect(sans('8/7k/8/8/8/8/8/KR3R2 w')).toEqual(expect.arrayContaining(['Rbc1', 'Rfc1', 'Rh1+']));
    expect(sans('k7/8/1K6/8/8/8/8/7R w')).toContain('Rh8#');
    expect(sans('7k/5K2/6Q1/8/8/8/8/8 b')).toEqual([]);
    expect(sans('8/8/8/8/8/5k2/6R1/K7 b')).toContain('Kxg2');
  });
});

describe('FEN', () => {
  it('comes back from random boards', () => {
    const random = randomNumbers(3);
    for (let sample = 0; sample < 500; sample++) {
      const board = randomBoard(random, sample % 6, false);
      expect(chess.parse(chess.format(board))).toEqual({ ...board, counters: { clock: 0, move: 1 } });
    }
  });

  it.each([
    ['', 'a placement must have 8 ranks, not 1'],
    ['8/8/8/4k3/8/1Q6/8/K7 w - - 0 1 1', '7 fields, expected at most 6'],
    ['8/8/8/4k3/8/1Q6/K7 w', 'a placement must have 8 ranks, not 7'],
    ['8/8/8/4k3/8/1Q7/8/K7 w', 'rank 3 must have 8 squares, not 9'],
    ['8/8/8/4k3/8/1Q5/8/K7 w', 'rank 3 must have 8 squares, not 7'],
    ['8/8/8/4kx2/8/8/8/K7 w', '"x" in rank 5 is not a man'],
    ['8/8/8/4k.3/8/8/8/K7 w', '"." in rank 5 is not a man'],
    ['8/8/8/4k3/8/8/8/K6P w', 'a pawn stands on h1'],
    ['8/8/8/4k3/8/1Q6/8/K7 white', 'side to move is "white"'],
    ['8/8/8/4k3/8/8/8/R3K3 w Q - 0 1', 'castling rights Q are not supported'],
    ['8/8/8/4k3/8/8/8/K7 w - e4 0 1', 'en passant is "e4"'],
    ['8/8/8/4k3/8/8/8/K7 w - - x 1', 'half-move clock is "x"'],
    ['8/8/8/4k3/8/8/8/K7 w - - 0 -1', 'move number is "-1"'],
    ['8/8/8/8/8/1Q6/8/K7 w', 'the black king is missing'],
    ['8/8/8/k7/8/1Q6/8/8 w', 'the white king is missing'],
    ['8/8/8/k7/8/1Q6/8/KK6 w', '2 white kings'],
    ['8/8/8/8/8/1Q6/1k6/K7 w', 'the kings are adjacent'],
    ['8/8/8/8/8/kQ6/8/3K4 w', 'the side not to move (black) is in check'],
    ['8/8/8/8/8/4k3/8/r2K4 b', 'the side not to move (white) is in check'],
    ['8/8/8/k7/8/2NNNNNN/8/K7 w', '8 men, at most 7'],
  ])('refuses %j: %s', (text, reason) => {
    expect(() => chess.parse(text)).toThrow(UserError);
    expect(() => chess.parse(text)).toThrow(reason);
  });
});

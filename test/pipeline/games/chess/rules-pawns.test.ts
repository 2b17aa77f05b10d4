import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { illegality, readFen } from '../../../../pipeline/games/chess/fen.js';
import { type ChessBoard, legalMoves, play } from '../../../../pipeline/games/chess/rules.js';
import { LONG } from '../../../support/long.js';
import { randomNumbers } from './kernel-rows.js';

/** Positions that a number of plies leads to, repetitions counted. */
function perft(board: ChessBoard, plies: number): number {
  const steps = legalMoves(board);
  if (plies === 1) return steps.length;
  return steps.reduce((sum, step) => sum + perft(play(board, step), plies - 1), 0);
}

/** Positions and counts published at chessprogramming.org/Perft_Results (3 and 6) and by Hyatt (the promotions). */
describe('perft', () => {
  it.each([
    ['8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -', [14, 191, 2812, 43_238, 674_624]],
    ['n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -', [24, 496, 9483, 182_838]],
    ['r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -', [46, 2079, 89_890]],
  ])('%s', (fen, counts) => {
    const { board } = readFen(fen);
    expect(counts.map((_, i) => perft(board, i + 1))).toEqual(counts);
  });
});

/** A random legal board of two kings, 1 or more pawns and up to 4 other men, in a third of the cases close together. */
function randomBoard(random: () => number, others: number): ChessBoard {
  const ranks = [8, 3, 8][random() % 3];
  const above = random() % (9 - ranks);
  for (;;) {
    const squares = new Int8Array(64);
    const men = [1, -1, random() & 1 ? 6 : -6];
    while (men.length < 2 + others) men.push([6, 6, 6, 2, 3, 4, 5][random() % 7] * (random() & 1 ? 1 : -1));
    for (const man of men) {
      let square = 0;
      do square = 8 * above + (random() % (8 * ranks));
      while (squares[square] !== 0);
      squares[square] = man;
    }
    const board: ChessBoard = { squares, side: random() & 1 ? 1 : 0 };
    if (illegality(board) === null) return board;
  }
}

/** Two pawns that can meet en passant, the one to step to move, and random men about them. */
function randomMeeting(random: () => number, others: number): ChessBoard {
  for (;;) {
    const squares = new Int8Array(64);
    const side = random() & 1 ? 1 : 0;
    const file = random() % 7;
    const [mine, theirs] = random() & 1 ? [file, file + 1] : [file + 1, file];
    squares[(side === 0 ? 8 : 48) + mine] = side === 0 ? 6 : -6;
    squares[(side === 0 ? 24 : 32) + theirs] = side === 0 ? -6 : 6;
    const men = [1, -1];
    while (men.length < others) men.push((2 + (random() % 5)) * (random() & 1 ? 1 : -1));
    for (const man of men) {
      let square = random() & 63;
      // Half of the men stand on the ranks where captures en passant discover checks.
      if (random() & 1) square = (square & 7) + (side === 0 ? 24 : 32);
      while (squares[square] !== 0) square = random() & 63;
      squares[square] = man;
    }
    const board: ChessBoard = { squares, side };
    if (illegality(board) === null) return board;
  }
}

const seen = { positions: 0, lost: 0, drawn: 0, open: 0, promotions: 0, rights: 0, unusable: 0 };

/** Compares moves, names, positions after them and the state of the game with those of chess.js. */
function compare(board: ChessBoard): void {
  const fen = chess.format(board);
  const other = new Chess(fen, { skipValidation: true });
  const withoutClocks = (text: string) => text.split(' ').slice(0, 4).join(' ');
  const moves = other.moves({ verbose: true });
  const theirs = moves.map((move) => `${move.lan} ${move.san} ${withoutClocks(move.after)}`);
  const ours = chess
    .moves(board)
    .map((move) => `${move.uci} ${move.san} ${withoutClocks(chess.format(move.board))}`);
  if (ours.sort().join() !== theirs.sort().join())
    expect({ fen, moves: ours }).toEqual({ fen, moves: theirs });
  const end = other.isCheckmate() ? 'lost' : other.isStalemate() ? 'drawn' : 'open';
  if (chess.terminal(board) !== end) expect({ fen, end: chess.terminal(board) }).toEqual({ fen, end });
  // A right is there exactly if a capture en passant is legal.
  const captures = moves.filter((move) => move.isEnPassant());
  if (captures.length > 0 !== (board.passant !== undefined)) expect({ fen, captures }).toBe(null);
  seen.positions++;
  seen[end]++;
  if (ours.some((move) => move.includes('='))) seen.promotions++;
  if (board.passant !== undefined) seen.rights++;
}

describe('pawns', () => {
  it('move as in chess.js on random boards of up to 7 men, and after two random moves', () => {
    const random = randomNumbers(77);
    for (let sample = 0; sample < (LONG ? 800 : 175); sample++) {
      let board = randomBoard(random, 1 + (sample % 5));
      for (let ply = 0; ply < 3; ply++) {
        compare(board);
        const moves = chess.moves(board);
        if (moves.length === 0) break;
        board = moves[random() % moves.length].board;
      }
    }
    expect(seen.positions).toBeGreaterThan(LONG ? 2000 : 400);
    expect(seen.lost).toBeGreaterThan(0);
    if (LONG) expect(seen.drawn).toBeGreaterThan(0);
    expect(seen.promotions).toBeGreaterThan(LONG ? 200 : 40);
  });

  it('meet en passant as in chess.js, whether or not the capture is legal', () => {
    const random = randomNumbers(78);
    for (let sample = 0; sample < (LONG ? 1500 : 300); sample++) {
      const board = randomMeeting(random, 2 + (sample % 4));
      const steps = legalMoves(board).filter(
        ({ from, to }) => Math.abs(board.squares[from]) === 6 && Math.abs(to - from) === 16,
      );
      for (const step of steps) {
        const after = play(board, step);
        compare(after);
        if (after.passant === undefined) seen.unusable++;
        expect(chess.parse(chess.format(after))).toEqual({ ...after, counters: { clock: 0, move: 1 } });
      }
    }
    expect(seen.rights).toBeGreaterThan(LONG ? 800 : 150);
    expect(seen.unusable).toBeGreaterThan(LONG ? 20 : 1);
  });

  it.each([
    ['both pawns vanish', '8/8/8/8/k2Pp3/8/8/7K b - d3', 'exd3', '8/8/8/8/k7/3p4/8/7K w - - 0 2'],
    [
      'of two that may, the one named',
      '8/8/8/1PpP4/8/k7/8/7K w - c6',
      'dxc6',
      '8/8/2P5/1P6/8/k7/8/7K b - - 0 1',
    ],
    [
      'the capturer is pinned on its diagonal, along it',
      '7k/8/8/K1Pp4/8/8/8/8 w - d6',
      'cxd6',
      '7k/8/3P4/K7/8/8/8/8 b - - 0 1',
    ],
    [
      'it removes the pawn that checks',
      '8/8/8/4k3/2pP4/8/8/7K b - d3',
      'cxd3',
      '8/8/8/4k3/8/3p4/8/7K w - - 0 2',
    ],
  ])('capture en passant: %s', (_, fen, san, after) => {
    const move = chess.moves(chess.parse(fen)).find((found) => found.san.replace(/[+#]$/, '') === san);
    expect(move && chess.format(move.board)).toBe(after);
  });

  it.each([
    ['the capturer is pinned on its file', '4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1'],
    ['the capturer is pinned on a diagonal', '7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1'],
    ['both leave the rank and discover a check', '8/8/8/8/k2Pp2R/8/8/7K b - d3 0 1'],
    ['the step discovers another check', '8/r6K/8/3pP3/8/8/8/k7 w - d6 0 1'],
    ['no pawn stands beside it', '8/8/8/8/3P4/k7/8/7K b - d3 0 1'],
    ['the pawn beside it is over the edge', '8/8/8/8/P7/7p/2k5/7K b - a3 0 1'],
  ])('may not: %s', (_, fen) => {
    const board = chess.parse(fen);
    expect(board.passant).toBeUndefined();
    expect(chess.format(board)).toBe(fen.replace(/ [a-h][36] /, ' - '));
    expect(chess.moves(board).filter(({ san }) => /^[a-h]x/.test(san))).toEqual([]);
  });
});

describe('names of pawn moves', () => {
  const names = (fen: string) => chess.moves(chess.parse(fen)).map(({ san, uci }) => `${san} ${uci}`);
  it.each([
    ['4k3/8/8/8/8/8/4P3/4K3 w', ['e4 e2e4', 'e3 e2e3']],
    ['8/8/8/3p4/4P3/8/k7/7K w', ['exd5 e4d5', 'e5 e4e5']],
    ['8/8/8/3pP3/8/8/k7/7K w - d6', ['exd6 e5d6', 'e6 e5e6']],
    ['7k/4P3/8/8/8/8/8/K7 w', ['e8=Q+ e7e8q', 'e8=R+ e7e8r', 'e8=B e7e8b', 'e8=N e7e8n']],
    ['3r4/1k2P3/8/8/8/8/8/K7 w', ['exd8=N+ e7d8n', 'exd8=Q e7d8q', 'e8=Q e7e8q']],
    ['8/8/8/8/8/5k2/4p3/7K b', ['e1=Q+ e2e1q', 'e1=N e2e1n']],
    ['2r5/k2KP3/8/8/8/8/8/8 w', ['Kxc8 d7c8', 'e8=Q e7e8q']],
    ['rnk5/1pP5/1P6/8/8/8/8/1K6 w', ['cxb8=Q+ c7b8q', 'cxb8=N c7b8n']],
  ])('%s', (fen, some) => {
    expect(names(fen)).toEqual(expect.arrayContaining(some));
  });
});

describe('FEN with pawns', () => {
  it.each([
    '8/2p5/8/8/8/8/1P6/K6k w - - 0 1',
    '8/8/8/8/3Pp3/k7/8/7K b - d3 0 1',
    '8/8/8/3pP3/8/8/k7/7K w - d6 0 1',
  ])('%s comes back', (fen) => {
    expect(chess.format(chess.parse(fen))).toBe(fen);
  });

  it.each([
    ['4k3/8/8/8/8/8/4P3/4K2R w K - 0 1', 'castling rights K are not supported'],
    ['r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1', 'castling rights KQkq are not supported'],
    ['4k3/8/8/8/8/8/8/4K2R w x - 0 1', 'castling is "x", expected "-"'],
    ['P7/8/8/8/8/8/k7/7K w', 'a pawn stands on a8'],
    ['8/8/8/8/8/8/k7/7p w', 'the white king is missing'],
    ['8/8/8/8/8/k7/8/K6p w', 'a pawn stands on h1'],
    ['8/8/8/8/8/8/kK5P/8 w', 'the kings are adjacent'],
    ['8/8/8/8/3k4/2P5/8/K7 w', 'the side not to move (black) is in check'],
    ['8/8/8/8/8/2p5/1K6/7k b', 'the side not to move (white) is in check'],
    ['8/pppppp2/8/8/8/8/8/K6k w', '8 men, at most 7'],
    ['8/8/8/8/3Pp3/k7/8/7K b - x9', 'en passant is "x9", expected "-" or a square'],
  ])('refuses %j: %s', (text, reason) => {
    expect(() => chess.parse(text)).toThrow(UserError);
    expect(() => chess.parse(text)).toThrow(reason);
  });
});

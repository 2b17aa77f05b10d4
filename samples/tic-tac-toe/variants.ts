/**
 * Variants of tic-tac-toe. `misere`: who makes a line loses. `wild`: each move is a cross or a nought, as the player likes, and
 * who makes a line wins. `notakto`: all put crosses, and who makes a line loses.
 */
import { type KeyedGame, keyedGame, type Side } from 'mergemate';

/** Squares 0 … 8, row by row: 0 is empty, 1 a cross, 2 a nought. As many are taken as moves were made. */
type Board = readonly number[];

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'].map((line) => [...line].map(Number));
/** The square that comes to each square when the board is turned by a quarter, and when it is turned over. */
const TURNED = [...'630741852'].map(Number);
const OVER = [...'210543876'].map(Number);
const SIGNS = '.xo';

const RULES = {
  misere: { signs: (side: Side) => [side + 1], whoMakesALine: 'loses' },
  wild: { signs: () => [1, 2], whoMakesALine: 'wins' },
  notakto: { signs: () => [1], whoMakesALine: 'loses' },
} as const;

const isLine = (board: Board, line: readonly number[]) =>
  board[line[0]] !== 0 && line.every((square) => board[square] === board[line[0]]);
const text = (board: Board) =>
  board
    .map((square) => SIGNS[square])
    .join('')
    .replace(/...(?=.)/g, '$&/');

export function variant(name: keyof typeof RULES): KeyedGame<Board, number> {
  const { signs, whoMakesALine } = RULES[name];
  const mover = (board: Board) => (board.filter((square) => square !== 0).length % 2) as Side;
  return {
    name: `tic-tac-toe-${name}`,
    players: ['first', 'second'],
    roots: () => [Array(9).fill(0)],
    key: (board) => board.reduce((number, square) => 3 * number + square, 0),
    position: (key) => Array.from({ length: 9 }, (_, square) => Math.floor(key / 3 ** (8 - square)) % 3),
    mover,
    *moves(board) {
      for (const sign of signs(mover(board)))
        for (const [i, square] of board.entries())
          if (square === 0) yield [`${SIGNS[sign]}${'abcdefghi'[i]}`, board.with(i, sign)];
    },
    // The line is that of who has just moved.
    ended: (board) =>
      !LINES.some((line) => isLine(board, line)) ? null : whoMakesALine === 'wins' ? 'lost' : 'won',
    // All squares are taken.
    stuck: 'drawn',
    *symmetries(board) {
      for (let quarters = 0, turned = board; quarters < 4; quarters++) {
        turned = TURNED.map((square) => turned[square]);
        yield turned;
        yield OVER.map((square) => turned[square]);
      }
    },
    parse(words) {
      const board = [...words.replaceAll('/', '')].map((sign) => SIGNS.indexOf(sign));
      if (text(board) !== words) throw new Error('a position looks like "x.o/.../..x"');
      return board;
    },
    format: text,
    board: (board) =>
      [0, 3, 6].map((row) => board.slice(row, row + 3).map((square) => ['', '✕', '○'][square])),
  };
}

export default keyedGame(variant('misere'));

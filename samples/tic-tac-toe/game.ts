/** Tic-tac-toe: its rules, forward moves only, and the symmetries of the board. `mergemate` does the rest. */
import { numberedGame, type Side } from 'mergemate';

/** Squares 0 … 8, row by row: 0 is empty, 1 a cross, 2 a nought. */
type Board = readonly number[];

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'].map((line) => [...line].map(Number));
/** The square that comes to each square when the board is turned by a quarter, and when it is turned over. */
const TURNED = [...'630741852'].map(Number);
const OVER = [...'210543876'].map(Number);
const SIGNS = '.xo';

const count = (board: Board, sign: number) => board.filter((square) => square === sign).length;
const hasLine = (board: Board, sign: number) =>
  LINES.some((line) => line.every((square) => board[square] === sign));

/** Crosses begin, so that who is to move can be counted. */
const mover = (board: Board): Side => (count(board, 1) === count(board, 2) ? 0 : 1);

/** Whether this can be a game with this side to move: right numbers of signs, and nobody went on after a line. */
function canBe(board: Board, side: Side): boolean {
  return count(board, 1) - count(board, 2) === side && !hasLine(board, side + 1);
}

/** The other seven ways to look at a board. */
function* symmetries(board: Board): Iterable<Board> {
  for (let quarters = 0, turned = board; quarters < 4; quarters++) {
    turned = TURNED.map((square) => turned[square]);
    yield turned;
    yield OVER.map((square) => turned[square]);
  }
}

export default numberedGame<Board>({
  name: 'tic-tac-toe',
  // A square is a digit of base 3.
  size: 3 ** 9,
  index: (board) => board.reduce((number, square) => 3 * number + square, 0),
  position(index, side) {
    const board = Array.from({ length: 9 }, (_, square) => Math.floor(index / 3 ** (8 - square)) % 3);
    return canBe(board, side) ? board : null;
  },
  mover,
  *moves(board) {
    for (const [i, square] of board.entries())
      if (square === 0) yield ['abcdefghi'[i], board.with(i, mover(board) + 1)];
  },
  symmetries,
  ended: (board) => (hasLine(board, 2 - mover(board)) ? 'lost' : null),
  // All squares are taken.
  stuck: 'drawn',
  parse(text) {
    const board = [...text.replaceAll('/', '')].map((sign) => SIGNS.indexOf(sign));
    if (board.length !== 9 || board.includes(-1))
      throw new Error('nine squares of "x", "o" and "." are a board');
    if (!canBe(board, mover(board))) throw new Error('no game comes to this');
    return board;
  },
  format: (board) =>
    board
      .map((square) => SIGNS[square])
      .join('')
      .replace(/...(?=.)/g, '$&/'),
  diagram: (board) =>
    board
      .map((square) => SIGNS[square])
      .join('')
      .replace(/.../g, '$&\n'),
});

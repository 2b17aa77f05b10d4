import type { Side } from '../../game.js';

/**
 * The rules on a plain board of 64 squares, for people and as the second opinion on the batch kernels: nothing is shared
 * with them. Squares are rank * 8 + file, a1 = 0.
 */
export interface ChessBoard {
  /** 0 or a man: 1 king, 2 queen, 3 rook, 4 bishop, 5 knight; positive white, negative black. */
  readonly squares: Int8Array;
  readonly side: Side;
}

export interface Step {
  readonly from: number;
  readonly to: number;
}

export const LETTERS = '.KQRBN';
const KING = 1;
const ROOK = 3;
const BISHOP = 4;
const KNIGHT = 5;

const STRAIGHT: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const OBLIQUE: readonly (readonly [number, number])[] = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
];
const JUMPS: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];

const ROYAL = [...STRAIGHT, ...OBLIQUE];

function directions(man: number): readonly (readonly [number, number])[] {
  if (man === KNIGHT) return JUMPS;
  if (man === ROOK) return STRAIGHT;
  if (man === BISHOP) return OBLIQUE;
  return ROYAL;
}

/** Squares that the man on `from` attacks: up to and including the first occupied one of each direction. */
function attacks(squares: Int8Array, from: number): number[] {
  const man = Math.abs(squares[from]);
  const found: number[] = [];
  for (const [files, ranks] of directions(man)) {
    let file = (from % 8) + files;
    let rank = Math.floor(from / 8) + ranks;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const to = rank * 8 + file;
      found.push(to);
      if (squares[to] !== 0 || man === KING || man === KNIGHT) break;
      file += files;
      rank += ranks;
    }
  }
  return found;
}

function belongsTo(man: number, side: Side): boolean {
  return side === 0 ? man > 0 : man < 0;
}

/** True if the man on `from` attacks `to`: the move fits the man, and nothing stands between. */
function reaches(squares: Int8Array, from: number, to: number): boolean {
  const files = (to & 7) - (from & 7);
  const ranks = (to >> 3) - (from >> 3);
  const straight = files === 0 || ranks === 0;
  const oblique = Math.abs(files) === Math.abs(ranks);
  const man = Math.abs(squares[from]);
  if (man === KNIGHT) return Math.abs(files * ranks) === 2;
  if (man === KING) return Math.abs(files) < 2 && Math.abs(ranks) < 2;
  if (!(straight && man !== BISHOP) && !(oblique && man !== ROOK)) return false;
  const step = Math.sign(ranks) * 8 + Math.sign(files);
  for (let square = from + step; square !== to; square += step) if (squares[square] !== 0) return false;
  return true;
}

/** True if the king of `side` is attacked. */
export function inCheck(squares: Int8Array, side: Side): boolean {
  const king = squares.indexOf(side === 0 ? KING : -KING);
  const attacker = side === 0 ? 1 : 0;
  for (let from = 0; from < 64; from++) {
    if (belongsTo(squares[from], attacker) && reaches(squares, from, king)) return true;
  }
  return false;
}

export function play(board: ChessBoard, step: Step): ChessBoard {
  const squares = board.squares.slice();
  squares[step.to] = squares[step.from];
  squares[step.from] = 0;
  return { squares, side: board.side === 0 ? 1 : 0 };
}

/** The legal moves of a legal board. */
export function legalMoves(board: ChessBoard): Step[] {
  const { squares, side } = board;
  const steps: Step[] = [];
  for (let from = 0; from < 64; from++) {
    if (!belongsTo(squares[from], side)) continue;
    for (const to of attacks(squares, from)) {
      if (belongsTo(squares[to], side)) continue;
      const step = { from, to };
      if (!inCheck(play(board, step).squares, side)) steps.push(step);
    }
  }
  return steps;
}

/** 'lost' (mated) or 'drawn' (stalemate) when there are no legal moves, else 'open'. */
export function terminal(board: ChessBoard): 'open' | 'lost' | 'drawn' {
  if (legalMoves(board).length > 0) return 'open';
  return inCheck(board.squares, board.side) ? 'lost' : 'drawn';
}

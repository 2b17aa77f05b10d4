import type { Side } from '../../game/game.js';

/**
 * The rules on a plain board of 64 squares, without castling, for people and as the second opinion on the batch
 * kernels. They share nothing with the kernels. Squares are rank * 8 + file, a1 = 0.
 */
export interface ChessBoard {
  /** 0 or a man: 1 king, 2 queen, 3 rook, 4 bishop, 5 knight, 6 pawn; positive white, negative black. */
  readonly squares: Int8Array;
  readonly side: Side;
  /**
   * The square behind a pawn that has just stepped two squares, only if it can legally be captured en passant; else the
   * field is absent. So boards without counters are equal exactly if they have the same men, side to move and legal moves.
   */
  readonly passant?: number;
  /** Boards that were read from a FEN, and those after moves from them, count on; boards of an index count nothing. */
  readonly counters?: FenCounters;
}

/** Counters that a FEN has in addition to the board. */
export interface FenCounters {
  /** Plies since the last capture or move of a pawn. */
  readonly clock: number;
  /** The number of the move; one more after each move of Black. */
  readonly move: number;
}

export interface CoordinateMove {
  readonly from: number;
  readonly to: number;
  /** The piece that a pawn becomes on the last rank (2 queen ... 5 knight, of either colour); absent in all other moves. */
  readonly promotion?: number;
}

export const LETTERS = '.KQRBNP';
const KING = 1;
const ROOK = 3;
const BISHOP = 4;
const KNIGHT = 5;
export const PAWN = 6;
const PROMOTIONS = [2, ROOK, BISHOP, KNIGHT];

export function squareName(square: number): string {
  return 'abcdefgh'[square & 7] + String((square >> 3) + 1);
}

/** @param name of a square, "a1" to "h8". */
export function squareOf(name: string): number {
  return 'abcdefgh'.indexOf(name[0]) + 8 * (Number(name[1]) - 1);
}

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

/** By man and square: the squares that it attacks on an empty board, direction by direction, outwards. */
const RAYS: readonly (readonly (readonly (readonly number[])[])[])[] = Array.from(
  { length: PAWN },
  (_, man) => Array.from({ length: 64 }, (_, from) => directions(man).map((step) => ray(man, from, step))),
);

function ray(man: number, from: number, [files, ranks]: readonly [number, number]): number[] {
  const squares: number[] = [];
  let file = (from & 7) + files;
  let rank = (from >> 3) + ranks;
  while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
    squares.push(rank * 8 + file);
    if (man === KING || man === KNIGHT) break;
    file += files;
    rank += ranks;
  }
  return squares;
}

/** Squares that the man on `from`, no pawn, attacks: up to and including the first occupied one of each direction. */
function attacks(squares: Int8Array, from: number): number[] {
  const found: number[] = [];
  for (const ray of RAYS[Math.abs(squares[from])][from]) {
    for (const to of ray) {
      found.push(to);
      if (squares[to] !== 0) break;
    }
  }
  return found;
}

/** The two files beside that of a square, or the one. */
function besides(square: number): number[] {
  return [(square & 7) - 1, (square & 7) + 1].filter((file) => file >= 0 && file < 8);
}

/** The same position with the colours exchanged: the board is turned upside down, as pawns ask. */
export function exchangeColours({ squares, side, passant }: ChessBoard): ChessBoard {
  const turned = squares.map((_, square) => -squares[square ^ 56]);
  const other = side === 0 ? 1 : 0;
  return passant === undefined
    ? { squares: turned, side: other }
    : { squares: turned, side: other, passant: passant ^ 56 };
}

/** From one rank to the next in the direction in which the pawns of a side move. */
function forwardOf(side: Side): number {
  return side === 0 ? 8 : -8;
}

/** Where a pawn goes, whether or not that leaves its king in check: steps forward, captures, captures en passant. */
function pawnTargets({ squares, side, passant }: ChessBoard, from: number): number[] {
  const forward = forwardOf(side);
  const found: number[] = [];
  const ahead = from + forward;
  if (squares[ahead] === 0) {
    found.push(ahead);
    const isFirst = from >> 3 === (side === 0 ? 1 : 6);
    if (isFirst && squares[ahead + forward] === 0) found.push(ahead + forward);
  }
  for (const file of besides(from)) {
    const to = (ahead & ~7) + file;
    if (squares[to] !== 0 || to === passant) found.push(to);
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
  if (man === PAWN) return Math.abs(files) === 1 && ranks === Math.sign(squares[from]);
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

/** The men after a move. */
function moved(board: ChessBoard, { from, to, promotion }: CoordinateMove): Int8Array {
  const squares = board.squares.slice();
  const man = squares[from];
  squares[to] = promotion === undefined ? man : Math.sign(man) * promotion;
  squares[from] = 0;
  if (Math.abs(man) === PAWN && to === board.passant) squares[to - forwardOf(board.side)] = 0;
  return squares;
}

/** True if the move does not leave the mover's own king in check. It is played and taken back: a copy of the board takes longer. */
function isSafe({ squares, side, passant }: ChessBoard, from: number, to: number): boolean {
  const man = squares[from];
  const taken = squares[to];
  const passed = Math.abs(man) === PAWN && to === passant ? to - forwardOf(side) : -1;
  squares[to] = man;
  squares[from] = 0;
  if (passed >= 0) squares[passed] = 0;
  const found = !inCheck(squares, side);
  squares[from] = man;
  squares[to] = taken;
  if (passed >= 0) squares[passed] = side === 0 ? -PAWN : PAWN;
  return found;
}

/** True if a pawn of the side to move may capture en passant on `passant`, the square behind a pawn that stepped past it. */
export function canTakeEnPassant(squares: Int8Array, side: Side, passant: number): boolean {
  const board = { squares, side, passant };
  const rank = (passant - forwardOf(side)) & ~7;
  const pawn = side === 0 ? PAWN : -PAWN;
  return besides(passant).some(
    (file) => squares[rank + file] === pawn && isSafe(board, rank + file, passant),
  );
}

export function play(board: ChessBoard, step: CoordinateMove): ChessBoard {
  const squares = moved(board, step);
  const side = board.side === 0 ? 1 : 0;
  const isDouble = Math.abs(squares[step.to]) === PAWN && Math.abs(step.to - step.from) === 16;
  const passant = (step.from + step.to) / 2;
  const after: ChessBoard =
    isDouble && canTakeEnPassant(squares, side, passant) ? { squares, side, passant } : { squares, side };
  return board.counters === undefined ? after : { ...after, counters: countersAfter(board, step) };
}

function countersAfter(board: ChessBoard, step: CoordinateMove): FenCounters {
  const { clock, move } = board.counters!;
  const zeroes = isCapture(board, step) || Math.abs(board.squares[step.from]) === PAWN;
  return { clock: zeroes ? 0 : clock + 1, move: move + board.side };
}

/** The legal moves of a legal board; with `wanted`, those that it accepts, and with `isMover`, those of men on the squares that it accepts. */
export function legalMoves(
  board: ChessBoard,
  wanted?: (from: number, to: number) => boolean,
  isMover?: (from: number) => boolean,
): CoordinateMove[] {
  const steps: CoordinateMove[] = [];
  someMove(board, wanted, isMover, (from, to) => {
    if ((to < 8 || to >= 56) && Math.abs(board.squares[from]) === PAWN)
      for (const promotion of PROMOTIONS) steps.push({ from, to, promotion });
    else steps.push({ from, to });
    return false;
  });
  return steps;
}

/** Whether a legal board has a legal move; with `wanted`, one that it accepts. */
export function canMove(board: ChessBoard, wanted?: (from: number, to: number) => boolean): boolean {
  return someMove(board, wanted, undefined, () => true);
}

/** Shows legal moves until `take` returns true; whether it did. */
function someMove(
  board: ChessBoard,
  wanted: ((from: number, to: number) => boolean) | undefined,
  isMover: ((from: number) => boolean) | undefined,
  take: (from: number, to: number) => boolean,
): boolean {
  const { squares, side } = board;
  for (let from = 0; from < 64; from++) {
    if (!belongsTo(squares[from], side)) continue;
    if (isMover !== undefined && !isMover(from)) continue;
    const isPawn = Math.abs(squares[from]) === PAWN;
    for (const to of isPawn ? pawnTargets(board, from) : attacks(squares, from)) {
      if (belongsTo(squares[to], side)) continue;
      if (wanted !== undefined && !wanted(from, to)) continue;
      if (isSafe(board, from, to) && take(from, to)) return true;
    }
  }
  return false;
}

/** True if the move captures a man, en passant included. */
export function isCapture(board: ChessBoard, { from, to }: CoordinateMove): boolean {
  return board.squares[to] !== 0 || (Math.abs(board.squares[from]) === PAWN && to === board.passant);
}

/** 'lost' (mated) or 'drawn' (stalemate) when there are no legal moves, else 'open'. */
export function terminal(board: ChessBoard): 'open' | 'lost' | 'drawn' {
  if (canMove(board)) return 'open';
  return inCheck(board.squares, board.side) ? 'lost' : 'drawn';
}

/** Neither side could mate however the other plays: bare kings, one knight or bishop more, or bishops of one colour of square. */
export function isInsufficient({ squares }: Pick<ChessBoard, 'squares'>): boolean {
  let knights = 0;
  const bishopsOn = [0, 0];
  for (let square = 0; square < 64; square++) {
    const man = Math.abs(squares[square]);
    if (man === KNIGHT) knights++;
    else if (man === BISHOP) bishopsOn[((square >> 3) + square) & 1]++;
    else if (man > 1) return false;
  }
  const bishops = bishopsOn[0] + bishopsOn[1];
  if (knights > 0) return knights + bishops === 1;
  return bishopsOn[0] === 0 || bishopsOn[1] === 0;
}

/**
 * Whether a win can only end by mate: the loser has a bare king, the winner no pawn, and without any one of its men the winner could not
 * mate. So the winner cannot zero the clock, and a capture by the loser draws. Then a win takes an odd number of plies, and a loss an even one.
 */
export function endsByMateAlone({ squares }: Pick<ChessBoard, 'squares'>, winner: 1 | -1): boolean {
  const men: number[] = [];
  for (let square = 0; square < 64; square++) {
    const man = squares[square] * winner;
    if (man === PAWN || man < -1) return false;
    if (man > 1) men.push(square);
  }
  return men.every((taken) =>
    isInsufficient({ squares: squares.map((man, square) => (square === taken ? 0 : man)) }),
  );
}

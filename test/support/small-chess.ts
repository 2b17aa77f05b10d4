/**
 * Chess on 3 x 3 squares, by the rules of Kirill Kryukov's "3x3 Chess" (2004): those of chess, without castling, double steps of pawns and taking
 * en passant. There is no first position: a game begins with any one.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

export interface SmallBoard {
  /** The men by square, from the third rank on, as FEN has them; '.' where there is none. */
  readonly men: string;
  readonly side: Side;
}

const SIZE = 3;
const SIGNS = '.KQRBNPkqrbnp';
const squares = Array.from({ length: SIZE * SIZE }, (_, square) => square);
const STRAIGHT = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;
const JUMPS = [
  [1, 2],
  [2, 1],
  [-1, 2],
  [-2, 1],
  [1, -2],
  [2, -1],
  [-1, -2],
  [-2, -1],
] as const;
type Steps = readonly (readonly [number, number])[];
const STEPS: Record<string, Steps> = {
  K: [...STRAIGHT, ...DIAGONAL],
  Q: [...STRAIGHT, ...DIAGONAL],
  R: STRAIGHT,
  B: DIAGONAL,
  N: JUMPS,
  P: [
    [-1, -1],
    [1, -1],
  ],
  p: [
    [-1, 1],
    [1, 1],
  ],
};

const sideOf = (man: string): Side => (man < 'a' ? 0 : 1);

function stepFrom(square: number, [right, down]: readonly [number, number]): number | null {
  const [x, y] = [(square % SIZE) + right, Math.floor(square / SIZE) + down];
  return x < 0 || y < 0 || x >= SIZE || y >= SIZE ? null : y * SIZE + x;
}

/** The squares that a man attacks from a square, line by line: those behind a man are not. */
function linesOf(man: string, square: number): number[][] {
  const steps = STEPS[man] ?? STEPS[man.toUpperCase()];
  const isRider = 'QRB'.includes(man.toUpperCase());
  return steps
    .map((step) => {
      const line: number[] = [];
      for (let to = stepFrom(square, step); to !== null; to = isRider ? stepFrom(to, step) : null)
        line.push(to);
      return line;
    })
    .filter(({ length }) => length > 0);
}

const LINES = Object.fromEntries(
  [...SIGNS].slice(1).map((man) => [man, squares.map((square) => linesOf(man, square))]),
);

function attackedFrom(men: string, square: number): number[] {
  const attacked: number[] = [];
  for (const line of LINES[men[square]][square]) {
    for (const to of line) {
      attacked.push(to);
      if (men[to] !== '.') break;
    }
  }
  return attacked;
}

function isInCheck(men: string, side: Side): boolean {
  const king = men.indexOf(side === 0 ? 'K' : 'k');
  return squares.some(
    (square) =>
      men[square] !== '.' && sideOf(men[square]) !== side && attackedFrom(men, square).includes(king),
  );
}

/** Where a man can go, the king's safety left aside. */
function targetsOf(men: string, square: number): number[] {
  const man = men[square];
  const attacked = attackedFrom(men, square);
  if (man.toUpperCase() !== 'P')
    return attacked.filter((to) => men[to] === '.' || sideOf(men[to]) !== sideOf(man));
  const ahead = stepFrom(square, [0, man === 'P' ? -1 : 1]);
  return [
    ...attacked.filter((to) => men[to] !== '.' && sideOf(men[to]) !== sideOf(man)),
    ...(ahead !== null && men[ahead] === '.' ? [ahead] : []),
  ];
}

/** What a man is at its target. */
function becomes(man: string, to: number): string {
  if (man === 'P' && to < SIZE) return 'QRBN';
  if (man === 'p' && to >= SIZE * (SIZE - 1)) return 'qrbn';
  return man;
}

function movesOf({ men, side }: SmallBoard): NamedMove<SmallBoard>[] {
  const moves: NamedMove<SmallBoard>[] = [];
  for (const square of squares) {
    if (men[square] === '.' || sideOf(men[square]) !== side) continue;
    for (const to of targetsOf(men, square)) {
      for (const man of becomes(men[square], to)) {
        const after = [...men];
        after[square] = '.';
        after[to] = man;
        const next = after.join('');
        if (!isInCheck(next, side))
          moves.push([`${square}-${to}${man}`, { men: next, side: (1 - side) as Side }]);
      }
    }
  }
  return moves;
}

/** @param men of the position that games begin with; White moves. */
export function smallChess(men: string): KeyedGame<SmallBoard, number> {
  return {
    name: 'small-chess',
    roots: () => [{ men, side: 0 }],
    key: (board) =>
      squares.reduce((key, square) => key * SIGNS.length + SIGNS.indexOf(board.men[square]), 0) * 2 +
      board.side,
    position(key) {
      const found: string[] = [];
      let rest = Math.floor(key / 2);
      for (const _ of squares) {
        found.push(SIGNS[rest % SIGNS.length]);
        rest = Math.floor(rest / SIGNS.length);
      }
      return { men: found.reverse().join(''), side: (key % 2) as Side };
    },
    mover: ({ side }) => side,
    stuck: 'drawn',
    ended: (board) => (isInCheck(board.men, board.side) && movesOf(board).length === 0 ? 'lost' : null),
    moves: movesOf,
  };
}

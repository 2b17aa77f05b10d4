/**
 * Breakthrough on 3 columns and 5 rows. Each side has men on its first two rows. A man moves one square forward, straight or diagonally, to an
 * empty square, and takes diagonally forward. Who reaches the last row, or takes all men of the other side, has won.
 *
 * A position is its own key, a number: the men of each side as 15 bits, and who is to move.
 */
import { type BoardPicture, type KeyedGame, keyedGame, type NamedMove } from 'mergemate';

const COLUMNS = 3;
const ROWS = 5;
const SQUARES = COLUMNS * ROWS;
const ALL = (1 << SQUARES) - 1;
const squares = Array.from({ length: SQUARES }, (_, square) => square);
/** From the lower left corner, row by row; White moves up. */
const names = squares.map((square) => `${'abc'[square % COLUMNS]}${1 + Math.floor(square / COLUMNS)}`);
const FIRST_ROWS = 0b111111;
const lastRows = [0b111 << (SQUARES - COLUMNS), 0b111];
/** By side and square, the squares straight and diagonally ahead. */
const ahead = [1, -1].map((step) =>
  squares.map((square) => {
    const [x, row] = [square % COLUMNS, Math.floor(square / COLUMNS) + step];
    const on = (column: number) =>
      row < 0 || row >= ROWS || column < 0 || column >= COLUMNS ? [] : [row * COLUMNS + column];
    return { straight: on(x), diagonal: [...on(x - 1), ...on(x + 1)] };
  }),
);
/** By from and to. Made once, since a game has many more moves than names. */
const moveNames = squares.map((from) => squares.map((to) => `${names[from]}${names[to]}`));

const menOf = (position: number, side: number) =>
  side === 0 ? Math.floor(position / 65_536) : (position >> 1) & ALL;
const moverOf = (position: number) => (position & 1) as 0 | 1;
const pack = (white: number, black: number, mover: number) => white * 65_536 + black * 2 + mover;

function moves(position: number): NamedMove<number>[] {
  const mover = moverOf(position);
  const [own, other] = [menOf(position, mover), menOf(position, 1 - mover)];
  const found: NamedMove<number>[] = [];
  const add = (from: number, to: number) => {
    const men = own ^ (1 << from) ^ (1 << to);
    const left = other & ~(1 << to);
    found.push([moveNames[from][to], mover === 0 ? pack(men, left, 1) : pack(left, men, 0)]);
  };
  for (const from of squares) {
    if (((own >> from) & 1) === 0) continue;
    const { straight, diagonal } = ahead[mover][from];
    for (const to of straight) if ((((own | other) >> to) & 1) === 0) add(from, to);
    for (const to of diagonal) if (((own >> to) & 1) === 0) add(from, to);
  }
  return found;
}

/** The side that moved last has won if one of its men is on its last row. Without men a side cannot move, which loses. */
function ended(position: number): 'lost' | null {
  const last = 1 - moverOf(position);
  return (menOf(position, last) & lastRows[last]) === 0 ? null : 'lost';
}

/** The highest row first. */
function board(position: number): BoardPicture {
  const text = (square: number) =>
    (menOf(position, 0) >> square) & 1 ? 'W' : (menOf(position, 1) >> square) & 1 ? 'B' : '';
  return [4, 3, 2, 1, 0].map((row) => [0, 1, 2].map((x) => text(row * COLUMNS + x)));
}

/** Rows from the highest to the lowest, then who is to move: `BBB/BBB/.../WWW/WWW w`. */
function format(position: number): string {
  const rows = (board(position) as string[][]).map((row) => row.map((text) => text || '.').join(''));
  return `${rows.join('/')} ${moverOf(position) === 0 ? 'w' : 'b'}`;
}

function parse(text: string): number {
  const [, rows, mover] = /^((?:[WB.]{3}\/){4}[WB.]{3}) ([wb])$/.exec(text.trim()) ?? [];
  if (rows === undefined)
    throw new Error('write it as "BBB/BBB/.../WWW/WWW w": five rows, then who is to move');
  const men = [...rows.split('/').reverse().join('')];
  const setOf = (letter: string) =>
    men.reduce((set, man, square) => (man === letter ? set | (1 << square) : set), 0);
  return pack(setOf('W'), setOf('B'), mover === 'w' ? 0 : 1);
}

export const breakthrough: KeyedGame<number, number> = {
  name: 'breakthrough',
  roots: () => [pack(FIRST_ROWS, FIRST_ROWS << (SQUARES - 2 * COLUMNS), 0)],
  key: (position) => position,
  position: (key) => key,
  mover: moverOf,
  moves,
  ended,
  parse,
  format,
  diagram: (position) => format(position).slice(0, -2).replaceAll('/', '\n'),
  board,
};

export default keyedGame(breakthrough);

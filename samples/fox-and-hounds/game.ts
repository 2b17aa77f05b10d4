/**
 * Fox and Hounds on the 32 dark squares of a chessboard. The fox moves one square diagonally, in any direction, and wants to reach the
 * row from which the hounds came. The four hounds move one square diagonally forward, and want to shut the fox in. Who cannot move has lost.
 *
 * A position is its own key, a number: the squares of the hounds as 32 bits, then 5 bits for the square of the fox, and who is to move.
 */
import { type BoardPicture, type KeyedGame, keyedGame, type NamedMove } from 'mergemate';

const FOX = 0;
const HOUNDS = 1;
/** By square, the neighbours in the row before and in the row behind; square 0 is in the row of the hounds at first. */
const [backward, forward] = [-1, 1].map((step) =>
  Array.from({ length: 32 }, (_, square) => {
    const [row, x] = [square >> 2, columnOf(square)];
    const inside = [x - 1, x + 1].filter(
      (each) => each >= 0 && each < 8 && row + step >= 0 && row + step < 8,
    );
    return inside.map((each) => (row + step) * 4 + (each >> 1));
  }),
);
const around = forward.map((there, square) => [...there, ...backward[square]]);
const names = around.map((_, square) => `${'abcdefgh'[columnOf(square)]}${8 - (square >> 2)}`);

function columnOf(square: number): number {
  return 2 * (square & 3) + ((square >> 2) % 2 === 0 ? 1 : 0);
}

const houndsOf = (position: number) => Math.floor(position / 64);
const foxOf = (position: number) => (position >> 1) & 31;
const moverOf = (position: number) => (position & 1) as 0 | 1;
const pack = (hounds: number, fox: number, mover: number) => hounds * 64 + fox * 2 + mover;
const hasHound = (hounds: number, square: number) => ((hounds >>> square) & 1) === 1;
const squares = [...names.keys()];

function moves(position: number): NamedMove<number>[] {
  const hounds = houndsOf(position) | 0;
  const fox = foxOf(position);
  const found: NamedMove<number>[] = [];
  if (moverOf(position) === FOX) {
    for (const to of around[fox])
      if (!hasHound(hounds, to)) found.push([`${names[fox]}-${names[to]}`, pack(hounds >>> 0, to, HOUNDS)]);
    return found;
  }
  for (let from = 0; from < 32; from++) {
    if (!hasHound(hounds, from)) continue;
    for (const to of forward[from])
      if (to !== fox && !hasHound(hounds, to))
        found.push([`${names[from]}-${names[to]}`, pack((hounds ^ (1 << from) ^ (1 << to)) >>> 0, fox, FOX)]);
  }
  return found;
}

/** The squares as rows of eight, with the white ones between them. */
function board(position: number): BoardPicture {
  const text = (square: number) =>
    square === foxOf(position) ? 'fox' : hasHound(houndsOf(position) | 0, square) ? 'hound' : '';
  return Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 8 }, (_, x) => ((row + x) % 2 === 1 ? text(row * 4 + (x >> 1)) : '')),
  );
}

/** As `fox c1, hounds b8 d8 f8 h8, fox to move`. */
function format(position: number): string {
  const hounds = squares.filter((square) => hasHound(houndsOf(position) | 0, square));
  const mover = moverOf(position) === FOX ? 'fox' : 'hounds';
  return `fox ${names[foxOf(position)]}, hounds ${hounds.map((square) => names[square]).join(' ')}, ${mover} to move`;
}

function parse(text: string): number {
  const [, fox, hounds, mover] =
    /^fox (\w\d), hounds (\w\d(?: \w\d){3}), (fox|hounds) to move$/.exec(text.trim()) ?? [];
  const places = [fox, ...(hounds ?? '').split(' ')].map((name) => names.indexOf(name));
  if (places.includes(-1) || new Set(places).size < 5)
    throw new Error('write it as "fox a1, hounds b8 d8 f8 h8, fox to move", on dark squares');
  const set = places.slice(1).reduce((sum, square) => sum + 2 ** square, 0);
  return pack(set, places[0], mover === 'fox' ? FOX : HOUNDS);
}

export const foxAndHounds: KeyedGame<number, number> = {
  name: 'fox-and-hounds',
  players: ['fox', 'hounds'],
  // The fox chooses its square in the last row, and moves first.
  roots: () => [28, 29, 30, 31].map((fox) => pack(0b1111, fox, FOX)),
  key: (position) => position,
  position: (key) => key,
  mover: moverOf,
  moves,
  ended: (position) => (foxOf(position) < 4 ? (moverOf(position) === FOX ? 'won' : 'lost') : null),
  parse,
  format,
  diagram: (position) =>
    (board(position) as string[][])
      .map((row, y) => row.map((text, x) => text[0] ?? ((x + y) % 2 === 1 ? '.' : ' ')).join(' '))
      .join('\n'),
  board,
};

export default keyedGame(foxAndHounds);

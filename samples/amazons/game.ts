/**
 * The game of the Amazons on 4 x 4 squares, with one amazon a side. An amazon moves as a queen does, then shoots an arrow, which flies as a
 * queen moves and blocks the square where it lands for good. Who cannot move has lost.
 *
 * A position is its own key, a number: the blocked squares as 16 bits, then 4 bits for each amazon. Each move blocks one square, so the number
 * of blocked squares says who is to move.
 */
import { type BoardPicture, type KeyedGame, keyedGame, type NamedMove } from 'mergemate';

const SIZE = 4;
const SQUARES = SIZE * SIZE;
const squares = Array.from({ length: SQUARES }, (_, square) => square);
/** From the lower left corner, row by row. */
const names = squares.map((square) => `${'abcd'[square % SIZE]}${1 + Math.floor(square / SIZE)}`);
const directions = [-1, 0, 1]
  .flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy]))
  .filter(([dx, dy]) => dx !== 0 || dy !== 0);
/** By square and direction, the squares that a queen passes. */
const rays = squares.map((square) =>
  directions.map(([dx, dy]) => rayFrom(square, dx, dy)).filter((ray) => ray.length > 0),
);
/** By from, to and arrow. Made once, since a game has many more moves than names. */
const moveNames = squares.flatMap((from) =>
  squares.flatMap((to) => squares.map((arrow) => `${names[from]}-${names[to]}/${names[arrow]}`)),
);

function rayFrom(square: number, dx: number, dy: number): number[] {
  const ray: number[] = [];
  let [x, y] = [(square % SIZE) + dx, Math.floor(square / SIZE) + dy];
  for (; x >= 0 && x < SIZE && y >= 0 && y < SIZE; x += dx, y += dy) ray.push(y * SIZE + x);
  return ray;
}

const blockedOf = (position: number) => position >> 8;
const firstOf = (position: number) => (position >> 4) & 15;
const secondOf = (position: number) => position & 15;
const pack = (blocked: number, first: number, second: number) => (blocked << 8) | (first << 4) | second;

function moverOf(position: number): 0 | 1 {
  let parity = blockedOf(position);
  for (let shift = 8; shift > 0; shift >>= 1) parity ^= parity >> shift;
  return (parity & 1) as 0 | 1;
}

function moves(position: number): NamedMove<number>[] {
  const [blocked, first, second] = [blockedOf(position), firstOf(position), secondOf(position)];
  const isFirst = moverOf(position) === 0;
  const [from, other] = isFirst ? [first, second] : [second, first];
  const taken = blocked | (1 << other);
  const found: NamedMove<number>[] = [];
  for (const ray of rays[from])
    for (const to of ray) {
      if ((taken >> to) & 1) break;
      for (const flight of rays[to])
        for (const arrow of flight) {
          if ((taken >> arrow) & 1) break;
          const after = blocked | (1 << arrow);
          found.push([
            moveNames[(from << 8) | (to << 4) | arrow],
            isFirst ? pack(after, to, second) : pack(after, first, to),
          ]);
        }
    }
  return found;
}

/** The highest row first. */
function board(position: number): BoardPicture {
  const text = (square: number) =>
    square === firstOf(position)
      ? 'W'
      : square === secondOf(position)
        ? 'B'
        : (blockedOf(position) >> square) & 1
          ? 'x'
          : '';
  return [3, 2, 1, 0].map((row) => [0, 1, 2, 3].map((x) => text(row * SIZE + x)));
}

/** As `white a1, black d4, blocked b2 c3`; the number of blocked squares says who is to move. */
function format(position: number): string {
  const blocked = squares
    .filter((square) => (blockedOf(position) >> square) & 1)
    .map((square) => names[square]);
  const amazons = `white ${names[firstOf(position)]}, black ${names[secondOf(position)]}`;
  return blocked.length === 0 ? amazons : `${amazons}, blocked ${blocked.join(' ')}`;
}

function parse(text: string): number {
  const [, white, black, blocked = ''] =
    /^white (\S+), black (\S+?)(?:, blocked (.+))?$/.exec(text.trim()) ?? [];
  const places = [white, black, ...blocked.split(' ').filter((name) => name !== '')].map((name) =>
    names.indexOf(name),
  );
  if (places.includes(-1) || new Set(places).size < places.length)
    throw new Error('write it as "white a1, black d4, blocked b2 c3", each square once');
  return pack(
    places.slice(2).reduce((sum, square) => sum | (1 << square), 0),
    places[0],
    places[1],
  );
}

export const amazons: KeyedGame<number, number> = {
  name: 'amazons',
  roots: () => [parse('white b1, black c4')],
  key: (position) => position,
  position: (key) => key,
  mover: moverOf,
  moves,
  parse,
  format,
  diagram: (position) =>
    (board(position) as string[][]).map((row) => row.map((text) => text || '.').join(' ')).join('\n'),
  board,
};

export default keyedGame(amazons);

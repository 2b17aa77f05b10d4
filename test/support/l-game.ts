/**
 * The L game (de Bono 1967): a move takes the own L to another place, and then one of two neutral pieces, or none, to a free square. Who
 * cannot move has lost. Each position has the eight symmetries of the square. Of 2,296 positions with the sides merged 15 are lost.
 */
import type { KeyedGame } from '../../pipeline/games/yours/keyed/keyed-rules.js';

const SIDE = 4;
const SQUARES = SIDE * SIDE;
const squares = Array.from({ length: SQUARES }, (_, square) => square);
const turn = (square: number) => (square % SIDE) * SIDE + SIDE - 1 - Math.floor(square / SIDE);
const flip = (square: number) => square + SIDE - 1 - 2 * (square % SIDE);
/** The eight ways to look at the board, as squares by square. */
const views = [0, 1, 2, 3].flatMap((quarters) => {
  const turned = squares.map((square) => Array.from({ length: quarters }).reduce<number>(turn, square));
  return [turned, turned.map(flip)];
});
const seen = (mask: number, view: readonly number[]) =>
  squares.reduce((so, square) => so | (((mask >> square) & 1) << view[square]), 0);
/** The places of an L, as sets of squares: an L in two rows of three squares, seen in every way from every square. */
const bits = (list: readonly number[]) => list.reduce((so, square) => so | (1 << square), 0);
const corners = [0, 1, 4, 5, 8, 9].map((corner) => (corner % SIDE) + Math.floor(corner / SIDE) * SIDE);
const places = [
  ...new Set(
    corners
      .filter((corner) => corner % SIDE < 2)
      .flatMap((corner) =>
        views.map((view) => seen(bits([corner, corner + 1, corner + 2, corner + SIDE]), view)),
      ),
  ),
].sort((a, b) => a - b);
const placeOf = new Map(places.map((place, i) => [place, i]));

/** Sets of squares: those of the side to move, those of the other, and two neutral ones. */
export interface At {
  readonly mine: number;
  readonly his: number;
  readonly neutral: number;
  readonly side: 0 | 1;
}

export const lGame: KeyedGame<At, number> = {
  name: 'l-game',
  roots: () => [{ mine: bits([1, 2, 6, 10]), his: bits([5, 9, 13, 14]), neutral: bits([0, 15]), side: 0 }],
  key: ({ mine, his, neutral, side }) =>
    ((placeOf.get(mine)! * places.length + placeOf.get(his)!) * 2 ** SQUARES + neutral) * 2 + side,
  position(key) {
    const pair = Math.floor(key / 2 / 2 ** SQUARES);
    return {
      mine: places[Math.floor(pair / places.length)],
      his: places[pair % places.length],
      neutral: Math.floor(key / 2) % 2 ** SQUARES,
      side: (key % 2) as 0 | 1,
    };
  },
  mover: ({ side }) => side,
  *moves({ mine, his, neutral, side }) {
    const other = (1 - side) as 0 | 1;
    for (const place of places) {
      if (place === mine || (place & (his | neutral)) !== 0) continue;
      yield [`${place}`, { mine: his, his: place, neutral, side: other }];
      for (const from of squares)
        for (const to of squares) {
          if (((neutral >> from) & 1) === 0 || (((place | his | neutral) >> to) & 1) === 1) continue;
          const moved = (neutral ^ (1 << from)) | (1 << to);
          yield [`${place} ${from}-${to}`, { mine: his, his: place, neutral: moved, side: other }];
        }
    }
  },
  symmetries: (at) =>
    views.map((view) => ({
      ...at,
      mine: seen(at.mine, view),
      his: seen(at.his, view),
      neutral: seen(at.neutral, view),
    })),
};

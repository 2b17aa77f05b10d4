/**
 * Hare and Hounds on the board of eleven points ("the French military game"; Martin Gardner, Scientific American, October 1963): three hounds go
 * forward or sideways along the lines, the hare in any direction. The hounds win if the hare cannot move, and the hare if no hound is
 * before it. Without the rule against stalling, by which the hare wins after ten moves sideways: going on so without end is a draw here.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

export interface Chase {
  /** A set of points, as bits. */
  readonly hounds: number;
  readonly hare: number;
  readonly side: Side;
}

/** By point; in the columns of three, points are from the upper to the lower row. */
const COLUMN = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4];
const START = 0b1011;
/** Along the columns, along the rows, and diagonally. */
const LINES: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 3],
  [4, 5],
  [5, 6],
  [7, 8],
  [8, 9],
  [0, 2],
  [1, 4],
  [4, 7],
  [2, 5],
  [5, 8],
  [3, 6],
  [6, 9],
  [8, 10],
  [0, 1],
  [0, 3],
  [1, 5],
  [3, 5],
  [5, 7],
  [5, 9],
  [7, 10],
  [9, 10],
];
const points = [...COLUMN.keys()];
const around = points.map((point) => LINES.flatMap(([a, b]) => (a === point ? [b] : b === point ? [a] : [])));
const pointsOf = (set: number) => points.filter((point) => ((set >> point) & 1) === 1);

function moves({ hounds, hare, side }: Chase): NamedMove<Chase>[] {
  const isFree = (point: number) => point !== hare && ((hounds >> point) & 1) === 0;
  if (side === 1)
    return around[hare].filter(isFree).map((to) => [`${hare}-${to}`, { hounds, hare: to, side: 0 }]);
  return pointsOf(hounds).flatMap((from) =>
    around[from]
      .filter((to) => isFree(to) && COLUMN[to] >= COLUMN[from])
      .map(
        (to): NamedMove<Chase> => [
          `${from}-${to}`,
          { hounds: hounds ^ (1 << from) ^ (1 << to), hare, side: 1 },
        ],
      ),
  );
}

/** The hounds begin at one end. The hare may begin on any other point, first the other end, and either may move first. */
export const hareAndHounds: KeyedGame<Chase, number> = {
  name: 'hare-and-hounds',
  players: ['hounds', 'hare'],
  roots: () =>
    [10, 9, 8, 7, 6, 5, 4, 2].flatMap((hare) =>
      [0, 1].map((side) => ({ hounds: START, hare, side: side as Side })),
    ),
  key: ({ hounds, hare, side }) => (hounds * 16 + hare) * 2 + side,
  position: (key) => ({ hounds: key >> 5, hare: (key >> 1) & 15, side: (key & 1) as Side }),
  mover: ({ side }) => side,
  ended({ hounds, hare, side }) {
    const isPast = pointsOf(hounds).every((hound) => COLUMN[hound] >= COLUMN[hare]);
    return isPast ? (side === 0 ? 'lost' : 'won') : null;
  },
  moves,
};

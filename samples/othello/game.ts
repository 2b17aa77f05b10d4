/**
 * Othello on 4 x 4 squares. A man turns all men round that are enclosed in a line between it and another man of its colour. Whoever can
 * turn none passes. If neither can, the game is over, and the score is by how many men Black has more.
 */
import { type KeyedGame, keyedGame, type NamedMove, type Side } from 'mergemate';
import { board, diagram, format, type Men, N, parse } from './drawing.js';

const SQUARES = N * N;
const squares = Array.from({ length: SQUARES }, (_, square) => square);
const size = (set: number) => squares.reduce((count, square) => count + ((set >> square) & 1), 0);
const steps = [-1, 0, 1]
  .flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const))
  .filter(([down, right]) => down !== 0 || right !== 0);
/** The squares in each direction from each square. */
const rays = squares.map((square) =>
  steps.map(([down, right]) => {
    const ray: number[] = [];
    let [row, column] = [Math.floor(square / N) + down, (square % N) + right];
    for (; row >= 0 && row < N && column >= 0 && column < N; row += down, column += right)
      ray.push(row * N + column);
    return ray;
  }),
);

/** The men that are turned round by a man of `own` on a free square. */
function turned(own: number, other: number, square: number): number {
  let all = 0;
  for (const ray of rays[square]) {
    let set = 0;
    for (const each of ray) {
      if ((other >> each) & 1) set |= 1 << each;
      else {
        if ((own >> each) & 1) all |= set;
        break;
      }
    }
  }
  return all;
}

function turns({ men, side }: Men): NamedMove<Men>[] {
  const [own, other] = [men[side], men[1 - side]];
  return squares.flatMap((square): NamedMove<Men>[] => {
    const set = ((own | other) >> square) & 1 ? 0 : turned(own, other, square);
    if (set === 0) return [];
    const [mine, theirs] = [own | set | (1 << square), other & ~set];
    const name = `${'abcd'[square % N]}${Math.floor(square / N) + 1}`;
    return [[name, { men: side === 0 ? [mine, theirs] : [theirs, mine], side: (1 - side) as Side }]];
  });
}

function moves(position: Men): NamedMove<Men>[] {
  const found = turns(position);
  return found.length > 0 ? found : [['pass', { ...position, side: (1 - position.side) as Side }]];
}

export const othello: KeyedGame<Men, number> = {
  name: 'othello',
  players: ['black', 'white'],
  roots: () => [{ men: [(1 << 6) | (1 << 9), (1 << 5) | (1 << 10)], side: 0 }],
  key: ({ men: [black, white], side }) => (black * 2 ** SQUARES + white) * 2 + side,
  position: (key) => ({
    men: [Math.floor(key / 2 ** (SQUARES + 1)), Math.floor(key / 2) % 2 ** SQUARES],
    side: (key % 2) as Side,
  }),
  mover: ({ side }) => side,
  moves,
  parse,
  format,
  diagram,
  board,
  ended(position) {
    const { men, side } = position;
    return turns(position).length > 0 || turns({ men, side: (1 - side) as Side }).length > 0 ? null : 'over';
  },
  score: ({ men }) => size(men[0]) - size(men[1]),
};

export default keyedGame(othello);

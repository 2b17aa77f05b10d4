/**
 * Quixo (Thierry Chapeau 1995) on a small board, by the rules of Tanaka, Bonnet, Tixeuil and Tamura, "Quixo is solved" (2020): who moves takes a
 * blank or own cube from the border and pushes it in again at another end of its row or column, with the own symbol up. A line of symbols
 * wins for their owner, and who makes one for the opponent has lost, also if there is an own one beside it.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

export interface Cubes {
  /** Row by row: 0 blank, 1 of side 0, 2 of side 1. */
  readonly squares: readonly number[];
  readonly side: Side;
}

export function quixo(size: number): KeyedGame<Cubes, number> {
  const all = Array.from({ length: size }, (_, i) => i);
  const rows = all.map((y) => all.map((x) => y * size + x));
  const columns = all.map((x) => all.map((y) => y * size + x));
  const lines = [...rows, ...columns, all.map((i) => i * size + i), all.map((i) => i * size + size - 1 - i)];
  /** For each border square the ways to push: the squares that move up one place each, from the square itself to the end that is pushed at. */
  const pushes = all.flatMap((y) =>
    all
      .filter((x) => [0, size - 1].includes(x) || [0, size - 1].includes(y))
      .flatMap((x) =>
        [
          rows[y].slice(x),
          rows[y].slice(0, x + 1).reverse(),
          columns[x].slice(y),
          columns[x].slice(0, y + 1).reverse(),
        ].filter(({ length }) => length > 1),
      ),
  );
  const has = ({ squares }: Cubes, symbol: number) =>
    lines.some((line) => line.every((square) => squares[square] === symbol));

  return {
    name: `quixo-${size}x${size}`,
    roots: () => [{ squares: Array.from({ length: size * size }, () => 0), side: 0 }],
    key: ({ squares, side }) => squares.reduce((key, square) => key * 3 + square, 0) * 2 + side,
    position(key) {
      const squares = Array.from({ length: size * size }, () => 0);
      let rest = Math.floor(key / 2);
      for (let i = squares.length - 1; i >= 0; i--, rest = Math.floor(rest / 3)) squares[i] = rest % 3;
      return { squares, side: (key % 2) as Side };
    },
    mover: ({ side }) => side,
    ended: (position) =>
      has(position, position.side + 1) ? 'won' : has(position, 2 - position.side) ? 'lost' : null,
    moves: ({ squares, side }) =>
      pushes
        .filter(([from]) => [0, side + 1].includes(squares[from]))
        .map((path): NamedMove<Cubes> => {
          const after = [...squares];
          for (let i = 0; i + 1 < path.length; i++) after[path[i]] = squares[path[i + 1]];
          after[path[path.length - 1]] = side + 1;
          return [`${path[0]}-${path[path.length - 1]}`, { squares: after, side: (1 - side) as Side }];
        }),
  };
}

/** The symbols exchanged, and the other side to move. */
export function exchangedCubes({ squares, side }: Cubes): Cubes[] {
  return [{ squares: squares.map((square) => (square === 0 ? 0 : 3 - square)), side: (1 - side) as Side }];
}

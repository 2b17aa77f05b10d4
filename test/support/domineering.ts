/**
 * Domineering (Göran Andersson, 1973) on a square board: one player puts dominoes upright, the other across, and who cannot has lost. To turn
 * the board by a quarter exchanges the players, so up to eight positions are alike, four of them with the other side to move.
 */
import type { KeyedGame, NamedMove, Side } from 'mergemate';

export interface Dominoes {
  /** A set of squares, row by row, as bits. */
  readonly taken: number;
  /** Side 0 puts dominoes upright. */
  readonly side: Side;
}

export function domineering(size: number): KeyedGame<Dominoes, number> {
  const squares = Array.from({ length: size ** 2 }, (_, i) => [i % size, Math.floor(i / size)] as const);
  const at = (x: number, y: number) => y * size + x;
  const last = size - 1;
  /** Where each square goes, by the mirror images that keep columns upright and by those that lay them down. */
  const upright = [
    squares.map(([x, y]) => at(last - x, y)),
    squares.map(([x, y]) => at(x, last - y)),
    squares.map(([x, y]) => at(last - x, last - y)),
  ];
  const laid = [
    squares.map(([x, y]) => at(y, x)),
    squares.map(([x, y]) => at(last - y, x)),
    squares.map(([x, y]) => at(y, last - x)),
    squares.map(([x, y]) => at(last - y, last - x)),
  ];
  const image = (taken: number, to: readonly number[]) =>
    to.reduce((set, square, from) => set | (((taken >>> from) & 1) << square), 0);
  /** By side: each domino with its name. */
  const dominoes = [size, 1].map((step) =>
    squares.flatMap(([x, y], from) =>
      (step === 1 ? x : y) === last
        ? []
        : [[`${'abcdefgh'[x]}${y + 1}`, (1 << from) | (1 << (from + step))] as const],
    ),
  );
  return {
    name: `domineering-${size}x${size}`,
    players: ['upright', 'across'],
    roots: () => [{ taken: 0, side: 0 }],
    key: ({ taken, side }) => 2 * taken + side,
    position: (key) => ({ taken: Math.floor(key / 2), side: (key % 2) as Side }),
    mover: ({ side }) => side,
    moves({ taken, side }): NamedMove<Dominoes>[] {
      const next = (1 - side) as Side;
      return dominoes[side]
        .filter(([, domino]) => (taken & domino) === 0)
        .map(([name, domino]) => [name, { taken: taken | domino, side: next }]);
    },
    symmetries: ({ taken, side }) => [
      ...upright.map((to) => ({ taken: image(taken, to), side })),
      ...laid.map((to) => ({ taken: image(taken, to), side: (1 - side) as Side })),
    ],
  };
}

/** Positions of Othello as people write them: rows from the first, `x` for Black, `o` for White, `.` for nobody, and who is to move. */
import type { Side } from 'mergemate';

export const N = 4;

/** Sets of squares with a bit for each, row by row. */
export interface Men {
  readonly men: readonly [black: number, white: number];
  readonly side: Side;
}

const rows = Array.from({ length: N }, (_, row) =>
  Array.from({ length: N }, (_, column) => row * N + column),
);
const has = (set: number, square: number) => ((set >> square) & 1) === 1;

function rowsOf({ men: [black, white] }: Men, signs: string): string[][] {
  return rows.map((row) =>
    row.map((square) => (has(black, square) ? signs[0] : has(white, square) ? signs[1] : signs.slice(2))),
  );
}

export const format = (position: Men): string =>
  `${rowsOf(position, 'xo.')
    .map((row) => row.join(''))
    .join('/')} ${'xo'[position.side]}`;

export const diagram = (position: Men): string =>
  rowsOf(position, 'xo.')
    .map((row) => row.join(' '))
    .join('\n');

export const board = (position: Men): string[][] => rowsOf(position, '●○');

export function parse(text: string): Men {
  const [, signs, mover] = /^([xo./]+) ([xo])$/.exec(text.trim()) ?? [];
  const squares = [...(signs ?? '').replaceAll('/', '')];
  if (squares.length !== N * N)
    throw new Error('a position looks like "..../.xo./.ox./.... x": rows, and who is to move');
  const setOf = (sign: string) =>
    squares.reduce((set, each, square) => (each === sign ? set | (1 << square) : set), 0);
  return { men: [setOf('x'), setOf('o')], side: mover === 'x' ? 0 : 1 };
}

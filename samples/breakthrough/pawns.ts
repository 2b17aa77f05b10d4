/** What games of pawns on a small board share: squares and their names, the squares ahead of each, and positions as text. */
import type { BoardPicture, Side } from 'mergemate';

/** The pawns of each side as bits, from the lower left corner, row by row; and who is to move. White moves up. */
export interface Pawns {
  readonly white: number;
  readonly black: number;
  readonly mover: Side;
}

/** @param expected the message for a text that is not a position. */
export function pawnBoard(columns: number, rows: number, expected: string) {
  const squares = Array.from({ length: columns * rows }, (_, square) => square);
  const names = squares.map(
    (square) => `${String.fromCharCode(97 + (square % columns))}${1 + Math.floor(square / columns)}`,
  );
  /** By from and to. Made once, since a game has many more moves than names. */
  const moveNames = names.map((from) => names.map((to) => `${from}${to}`));
  /** By side and square, the squares straight and diagonally ahead. */
  const ahead = [1, -1].map((step) =>
    squares.map((square) => {
      const [x, row] = [square % columns, Math.floor(square / columns) + step];
      const on = (column: number) =>
        row < 0 || row >= rows || column < 0 || column >= columns ? [] : [row * columns + column];
      return { straight: on(x), diagonal: [...on(x - 1), ...on(x + 1)] };
    }),
  );

  /** The highest row first. */
  function board({ white, black }: Pawns): BoardPicture {
    const text = squares.map((square) => ((white >> square) & 1 ? 'W' : (black >> square) & 1 ? 'B' : ''));
    return Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns)).reverse();
  }

  /** Rows from the highest to the lowest, as lines. */
  function diagram(pawns: Pawns): string {
    const lines = (board(pawns) as string[][]).map((row) => row.map((text) => text || '.').join(''));
    return lines.join('\n');
  }

  /** The rows with slashes between them, then who is to move: `BBB/.../WWW w`. */
  function format(pawns: Pawns): string {
    return `${diagram(pawns).replaceAll('\n', '/')} ${pawns.mover === 0 ? 'w' : 'b'}`;
  }

  function parse(text: string): Pawns {
    const [, lines, mover] = /^([WB./]+) ([wb])$/.exec(text.trim()) ?? [];
    const found = lines?.split('/') ?? [];
    if (found.length !== rows || found.some((line) => line.length !== columns)) throw new Error(expected);
    const men = [...found.reverse().join('')];
    const setOf = (letter: string) =>
      men.reduce((set, man, square) => (man === letter ? set | (1 << square) : set), 0);
    return { white: setOf('W'), black: setOf('B'), mover: mover === 'w' ? 0 : 1 };
  }

  return { squares, moveNames, ahead, board, diagram, format, parse };
}

/**
 * Hexapawn (Martin Gardner, Scientific American, March 1962) on a board of any size: a row of pawns each, which move as those of chess do,
 * one square at a time. Who reaches the last row has won, and who cannot move has lost.
 *
 * A position is its own key, a number: the pawns of each side as bits, and who is to move. So boards have 26 squares at most.
 */
import { type BoardPicture, type KeyedGame, keyedGame, type NamedMove, type Side } from 'mergemate';

export function hexapawn(columns: number, rows: number): KeyedGame<number, number> {
  const squares = Array.from({ length: columns * rows }, (_, square) => square);
  /** As many numbers as there are sets of squares. */
  const sets = 2 ** squares.length;
  /** From the lower left corner, row by row; White moves up. */
  const names = squares.map(
    (square) => `${String.fromCharCode(97 + (square % columns))}${1 + Math.floor(square / columns)}`,
  );
  const moveNames = names.map((from) => names.map((to) => `${from}${to}`));
  const firstRow = 2 ** columns - 1;
  const farRow = firstRow << (columns * (rows - 1));
  const lastRows = [farRow, firstRow];
  /** By side and square, the squares straight and diagonally ahead. */
  const ahead = [1, -1].map((step) =>
    squares.map((square) => {
      const [x, row] = [square % columns, Math.floor(square / columns) + step];
      const on = (column: number) =>
        row < 0 || row >= rows || column < 0 || column >= columns ? [] : [row * columns + column];
      return { straight: on(x), diagonal: [...on(x - 1), ...on(x + 1)] };
    }),
  );

  const moverOf = (position: number) => (position % 2) as Side;
  const pawnsOf = (position: number, side: number) =>
    side === 0 ? Math.floor(position / (2 * sets)) : Math.floor(position / 2) % sets;
  const pack = (white: number, black: number, mover: number) => white * 2 * sets + black * 2 + mover;

  function moves(position: number): NamedMove<number>[] {
    const mover = moverOf(position);
    const [own, other] = [pawnsOf(position, mover), pawnsOf(position, 1 - mover)];
    const found: NamedMove<number>[] = [];
    const add = (from: number, to: number) => {
      const pawns = own ^ (1 << from) ^ (1 << to);
      const left = other & ~(1 << to);
      found.push([moveNames[from][to], mover === 0 ? pack(pawns, left, 1) : pack(left, pawns, 0)]);
    };
    for (const from of squares) {
      if (((own >> from) & 1) === 0) continue;
      const { straight, diagonal } = ahead[mover][from];
      for (const to of straight) if ((((own | other) >> to) & 1) === 0) add(from, to);
      for (const to of diagonal) if (((other >> to) & 1) === 1) add(from, to);
    }
    return found;
  }

  /** The side that moved last has won if one of its pawns is on its last row. */
  function ended(position: number): 'lost' | null {
    const last = 1 - moverOf(position);
    return (pawnsOf(position, last) & lastRows[last]) === 0 ? null : 'lost';
  }

  /** The highest row first. */
  function board(position: number): BoardPicture {
    const [white, black] = [pawnsOf(position, 0), pawnsOf(position, 1)];
    const text = squares.map((square) => ((white >> square) & 1 ? 'W' : (black >> square) & 1 ? 'B' : ''));
    return Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns)).reverse();
  }

  /** Rows from the highest to the lowest, then who is to move: `BBB/.../WWW w`. */
  function format(position: number): string {
    const lines = (board(position) as string[][]).map((row) => row.map((text) => text || '.').join(''));
    return `${lines.join('/')} ${moverOf(position) === 0 ? 'w' : 'b'}`;
  }

  function parse(text: string): number {
    const [, lines, mover] = /^([WB./]+) ([wb])$/.exec(text.trim()) ?? [];
    const found = lines?.split('/') ?? [];
    if (found.length !== rows || found.some((line) => line.length !== columns))
      throw new Error(`write it as "BBB/.../WWW w": ${rows} rows of ${columns} squares, then who is to move`);
    const men = [...found.reverse().join('')];
    const setOf = (letter: string) =>
      men.reduce((set, man, square) => (man === letter ? set | (1 << square) : set), 0);
    return pack(setOf('W'), setOf('B'), mover === 'w' ? 0 : 1);
  }

  return {
    name: `hexapawn-${columns}x${rows}`,
    roots: () => [pack(firstRow, farRow, 0)],
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
}

export default keyedGame(hexapawn(5, 5));

/**
 * Hexapawn (Martin Gardner, Scientific American, March 1962) on a board of any size: a row of pawns each, which move as those of chess do,
 * one square at a time. Who reaches the last row has won, and who cannot move has lost.
 *
 * A position is its own key, a number: the pawns of each side as bits, and who is to move. So boards have 26 squares at most.
 */
import { type KeyedGame, keyedGame, type NamedMove, type Side } from 'mergemate';
import { type Pawns, pawnBoard } from '../breakthrough/pawns.js';

export function hexapawn(columns: number, rows: number): KeyedGame<number, number> {
  const { squares, moveNames, ahead, ...text } = pawnBoard(
    columns,
    rows,
    `write it as "BBB/.../WWW w": ${rows} rows of ${columns} squares, then who is to move`,
  );
  /** As many numbers as there are sets of squares. */
  const sets = 2 ** squares.length;
  const firstRow = 2 ** columns - 1;
  const farRow = firstRow << (columns * (rows - 1));
  const lastRows = [farRow, firstRow];

  const moverOf = (position: number) => (position % 2) as Side;
  const pawnsOf = (position: number, side: number) =>
    side === 0 ? Math.floor(position / (2 * sets)) : Math.floor(position / 2) % sets;
  const pack = (white: number, black: number, mover: number) => white * 2 * sets + black * 2 + mover;

  function moves(position: number): NamedMove<number>[] {
    const mover = moverOf(position);
    const [own, other] = [pawnsOf(position, mover), pawnsOf(position, 1 - mover)];
    const found: NamedMove<number>[] = [];
    const add = (from: number, to: number) => {
      const moved = own ^ (1 << from) ^ (1 << to);
      const left = other & ~(1 << to);
      found.push([moveNames[from][to], mover === 0 ? pack(moved, left, 1) : pack(left, moved, 0)]);
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

  const pawns = (position: number): Pawns => ({
    white: pawnsOf(position, 0),
    black: pawnsOf(position, 1),
    mover: moverOf(position),
  });

  return {
    name: `hexapawn-${columns}x${rows}`,
    roots: () => [pack(firstRow, farRow, 0)],
    key: (position) => position,
    position: (key) => key,
    mover: moverOf,
    moves,
    ended,
    parse(words) {
      const { white, black, mover } = text.parse(words);
      return pack(white, black, mover);
    },
    format: (position) => text.format(pawns(position)),
    diagram: (position) => text.diagram(pawns(position)),
    board: (position) => text.board(pawns(position)),
  };
}

export default keyedGame(hexapawn(5, 5));

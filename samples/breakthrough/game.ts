/**
 * Breakthrough on 3 columns and 5 rows. Each side has men on its first two rows. A man moves one square forward, straight or diagonally, to an
 * empty square, and takes diagonally forward. Who reaches the last row, or takes all men of the other side, has won.
 *
 * A position is its own key, a number: the men of each side as 15 bits, and who is to move.
 */
import { type KeyedGame, keyedGame, type NamedMove } from 'mergemate';
import { type Pawns, pawnBoard } from './pawns.js';

const COLUMNS = 3;
const ROWS = 5;
const SQUARES = COLUMNS * ROWS;
const ALL = (1 << SQUARES) - 1;
const FIRST_ROWS = 0b111111;
const lastRows = [0b111 << (SQUARES - COLUMNS), 0b111];
const { squares, moveNames, ahead, ...text } = pawnBoard(
  COLUMNS,
  ROWS,
  'write it as "BBB/BBB/.../WWW/WWW w": five rows, then who is to move',
);

const menOf = (position: number, side: number) =>
  side === 0 ? Math.floor(position / 65_536) : (position >> 1) & ALL;
const moverOf = (position: number) => (position & 1) as 0 | 1;
const pack = (white: number, black: number, mover: number) => white * 65_536 + black * 2 + mover;

function moves(position: number): NamedMove<number>[] {
  const mover = moverOf(position);
  const [own, other] = [menOf(position, mover), menOf(position, 1 - mover)];
  const found: NamedMove<number>[] = [];
  const add = (from: number, to: number) => {
    const men = own ^ (1 << from) ^ (1 << to);
    const left = other & ~(1 << to);
    found.push([moveNames[from][to], mover === 0 ? pack(men, left, 1) : pack(left, men, 0)]);
  };
  for (const from of squares) {
    if (((own >> from) & 1) === 0) continue;
    const { straight, diagonal } = ahead[mover][from];
    for (const to of straight) if ((((own | other) >> to) & 1) === 0) add(from, to);
    for (const to of diagonal) if (((own >> to) & 1) === 0) add(from, to);
  }
  return found;
}

/** The side that moved last has won if one of its men is on its last row. Without men a side cannot move, which loses. */
function ended(position: number): 'lost' | null {
  const last = 1 - moverOf(position);
  return (menOf(position, last) & lastRows[last]) === 0 ? null : 'lost';
}

const pawns = (position: number): Pawns => ({
  white: menOf(position, 0),
  black: menOf(position, 1),
  mover: moverOf(position),
});

export const breakthrough: KeyedGame<number, number> = {
  name: 'breakthrough',
  roots: () => [pack(FIRST_ROWS, FIRST_ROWS << (SQUARES - 2 * COLUMNS), 0)],
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

export default keyedGame(breakthrough);

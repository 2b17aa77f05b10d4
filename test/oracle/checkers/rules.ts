/**
 * The rules of English draughts on an array of 32 squares, written straight from their wording. There are no bit
 * patterns, and no tables but the neighbours of each square. Squares have their PDN numbers, 1 to 32, with 1 to 4 on
 * Black's back rank.
 */

export type Player = 'black' | 'white';

export const EMPTY = 0;
export const BLACK_MAN = 1;
export const BLACK_KING = 2;
export const WHITE_MAN = -1;
export const WHITE_KING = -2;

/** `squares[s]` is the piece on square s, for s of 1 to 32: one of the five constants above. `squares[0]` is not used. */
export interface Position {
  readonly side: Player;
  readonly squares: Int8Array;
}

/** A move: the squares that the piece stands on in turn, the squares of the pieces it jumps, and the position after it. */
export interface CheckersMove {
  readonly path: readonly number[];
  readonly captured: readonly number[];
  readonly after: Position;
}

const UP_LEFT = 0;
const UP_RIGHT = 1;
const DOWN_LEFT = 2;
const DOWN_RIGHT = 3;

/** The dark square of a row and a column of the diagram (0 to 7 from the top left), or 0 off the board. */
function squareAt(row: number, column: number): number {
  if (row < 0 || row > 7 || column < 0 || column > 7) return 0;
  return 4 * row + Math.floor(column / 2) + 1;
}

/** The next square in each direction; 0 where the board ends. */
const NEIGHBOURS = Array.from({ length: 33 }, (_, square) => {
  if (square === 0) return [0, 0, 0, 0];
  const row = Math.floor((square - 1) / 4);
  const column = 2 * ((square - 1) % 4) + (row % 2 === 0 ? 1 : 0);
  return [
    squareAt(row - 1, column - 1),
    squareAt(row - 1, column + 1),
    squareAt(row + 1, column - 1),
    squareAt(row + 1, column + 1),
  ];
});

const DIRECTIONS = new Map([
  [BLACK_MAN, [DOWN_LEFT, DOWN_RIGHT]],
  [WHITE_MAN, [UP_LEFT, UP_RIGHT]],
  [BLACK_KING, [UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT]],
  [WHITE_KING, [UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT]],
]);

function owns(side: Player, piece: number): boolean {
  return side === 'black' ? piece > 0 : piece < 0;
}

export function opponent(side: Player): Player {
  return side === 'black' ? 'white' : 'black';
}

/** Whether a man would be crowned on the square: the rank farthest from where its side began. */
export function isCrowning(piece: number, square: number): boolean {
  return (piece === BLACK_MAN && square >= 29) || (piece === WHITE_MAN && square <= 4);
}

/** The move along a path: jumped pieces leave the board, and a man that has reached the last rank becomes a king. */
function moveAlong(position: Position, path: readonly number[], captured: readonly number[]): CheckersMove {
  const squares = position.squares.slice();
  const from = path[0];
  const to = path[path.length - 1];
  const piece = squares[from];
  squares[from] = EMPTY;
  for (const square of captured) squares[square] = EMPTY;
  squares[to] = isCrowning(piece, to) ? 2 * piece : piece;
  return { path, captured, after: { side: opponent(position.side), squares } };
}

/** Adds to `found` every whole series of jumps that goes on from the end of `path`. `captured` are the jumped so far. */
function jumpOn(
  position: Position,
  path: readonly number[],
  captured: readonly number[],
  found: CheckersMove[],
): void {
  const { side, squares } = position;
  const origin = path[0];
  const piece = squares[origin];
  let further = false;
  // A man that has just reached the last rank is still a man, and finds no square in front of it: its move ends.
  for (const direction of DIRECTIONS.get(piece)!) {
    const over = NEIGHBOURS[path[path.length - 1]][direction];
    const to = NEIGHBOURS[over][direction];
    if (over === 0 || to === 0) continue;
    if (!owns(opponent(side), squares[over]) || captured.includes(over)) continue;
    // Jumped pieces stand where they are until the move is over; the piece that moves has left its first square.
    if (squares[to] !== EMPTY && to !== origin) continue;
    further = true;
    jumpOn(position, [...path, to], [...captured, over], found);
  }
  if (!further && captured.length > 0) found.push(moveAlong(position, path, captured));
}

/** All legal moves. Jumps by different paths are different moves, even when they lead to the same position. */
export function moves(position: Position): CheckersMove[] {
  const { side, squares } = position;
  const jumps: CheckersMove[] = [];
  for (let from = 1; from <= 32; from++) {
    if (owns(side, squares[from])) jumpOn(position, [from], [], jumps);
  }
  if (jumps.length > 0) return jumps;
  const steps: CheckersMove[] = [];
  for (let from = 1; from <= 32; from++) {
    if (!owns(side, squares[from])) continue;
    for (const direction of DIRECTIONS.get(squares[from])!) {
      const to = NEIGHBOURS[from][direction];
      if (to !== 0 && squares[to] === EMPTY) steps.push(moveAlong(position, [from, to], []));
    }
  }
  return steps;
}

/** Whether the game is over: the side to move has no piece or cannot move, and has lost. */
export function isLost(position: Position): boolean {
  return moves(position).length === 0;
}

/** The same position seen by the other side: colours exchanged, the board turned round. */
export function mirrored({ side, squares }: Position): Position {
  const turned = new Int8Array(33);
  for (let square = 1; square <= 32; square++) turned[33 - square] = -squares[square];
  return { side: opponent(side), squares: turned };
}

/**
 * Classes of positions by material, named by four digits "bk wk bc wc". They count black kings, white kings, black
 * men ("checkers") and white men, as in Schaeffer et al. 2003, section 3. In all of them Black is to move.
 */
import { BLACK_KING, BLACK_MAN, isCrowning, type Position, WHITE_KING, WHITE_MAN } from './rules.js';

/** The pieces in the order of the digits. */
const PIECES = [BLACK_KING, WHITE_KING, BLACK_MAN, WHITE_MAN];

function digitsOf(name: string): number[] {
  return [...name].map(Number);
}

/** The class of a position with Black to move. */
export function classOf({ squares }: Position): string {
  const counts = [0, 0, 0, 0];
  for (const piece of squares) if (piece !== 0) counts[PIECES.indexOf(piece)]++;
  return counts.join('');
}

/** The class in which these positions are met again when White is to move and the board is turned round. */
export function mirrorOf(name: string): string {
  const [bk, wk, bc, wc] = digitsOf(name);
  return `${wk}${bk}${wc}${bc}`;
}

/** All classes of a number of pieces, also those in which a side has none. */
export function classesOf(pieces: number): string[] {
  const names: string[] = [];
  for (let bk = 0; bk <= pieces; bk++) {
    for (let wk = 0; bk + wk <= pieces; wk++) {
      for (let bc = 0; bk + wk + bc <= pieces; bc++) {
        names.push(`${bk}${wk}${bc}${pieces - bk - wk - bc}`);
      }
    }
  }
  return names;
}

export function hasBothSides(name: string): boolean {
  const [bk, wk, bc, wc] = digitsOf(name);
  return bk + bc > 0 && wk + wc > 0;
}

/** The classes with both sides present that games from these classes can reach, themselves included. */
export function closureOf(names: readonly string[]): string[] {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name) || !hasBothSides(name)) return;
    reached.add(name);
    const [bk, wk, bc, wc] = digitsOf(name);
    visit(mirrorOf(name));
    if (bc > 0) visit(`${bk + 1}${wk}${bc - 1}${wc}`);
    if (wk > 0) visit(`${bk}${wk - 1}${bc}${wc}`);
    if (wc > 0) visit(`${bk}${wk}${bc}${wc - 1}`);
  };
  names.forEach(visit);
  return [...reached].sort();
}

/** Every position of a class once: like pieces are put on ascending squares. */
export function* positionsOf(name: string): IterableIterator<Position> {
  const men = digitsOf(name).flatMap((count, slot) => new Array<number>(count).fill(PIECES[slot]));
  const squares = new Int8Array(33);
  const places = new Array<number>(men.length).fill(0);
  // An odometer: `slot` is the piece that is moved on to its next square; when it has none, the one before it is.
  let slot = 0;
  while (slot >= 0) {
    if (slot === men.length) {
      yield { side: 'black', squares: squares.slice() };
      slot--;
      continue;
    }
    const piece = men[slot];
    if (places[slot] > 0) squares[places[slot]] = 0;
    else if (slot > 0 && men[slot - 1] === piece) places[slot] = places[slot - 1];
    do places[slot]++;
    while (places[slot] <= 32 && (squares[places[slot]] !== 0 || isCrowning(piece, places[slot])));
    if (places[slot] <= 32) squares[places[slot++]] = piece;
    else places[slot--] = 0;
  }
}

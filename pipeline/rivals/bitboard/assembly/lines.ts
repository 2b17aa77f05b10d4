/** The lines of an empty board that an array man's words move along. Squares are counted in entries of two words. */
import { KNIGHT } from '../../../games/chess/assembly/tables';
import { BISHOP, ROOK } from './moves';

/** Directions: those of rooks, those of bishops, the knight's. */
const FILES: usize = memory.data<i8>([1, -1, 0, 0, 1, -1, -1, 1, 1, 2, 2, 1, -1, -2, -2, -1]);
const RANKS: usize = memory.data<i8>([0, 0, 1, -1, 1, 1, -1, -1, 2, 1, -1, -2, -2, -1, 1, 2]);

/** u8, at direction * 64 + square: steps to the edge of the board; a knight makes one at most. */
const ROOM: usize = memory.data(16 * 64, 16);
/** u8, likewise: 1 where no step leads to, which is where lines begin. */
const BEGINS: usize = memory.data(16 * 64, 16);

export function firstDirection(kind: i32): i32 {
  if (kind === KNIGHT) return 8;
  return kind === BISHOP ? 4 : 0;
}

export function endDirection(kind: i32): i32 {
  if (kind === KNIGHT) return 16;
  return kind === ROOK ? 4 : 8;
}

export function room(direction: i32, square: i32): i32 {
  return load<u8>(ROOM + (((direction << 6) | square) as usize));
}

export function begins(direction: i32, square: i32): bool {
  return load<u8>(BEGINS + (((direction << 6) | square) as usize)) !== 0;
}

/** The step of a direction, in bytes of entries of 16. */
export function stepOf(direction: i32): isize {
  const files = load<i8>(FILES + (direction as usize)) as isize;
  const ranks = load<i8>(RANKS + (direction as usize)) as isize;
  return (files + 8 * ranks) * 16;
}

function stepsFrom(square: i32, files: i32, ranks: i32): i32 {
  let file = (square & 7) + files;
  let rank = (square >> 3) + ranks;
  let steps = 0;
  while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
    steps++;
    file += files;
    rank += ranks;
  }
  return steps;
}

/** Writes the tables. */
function prepare(): void {
  for (let direction = 0; direction < 16; direction++) {
    const files = load<i8>(FILES + (direction as usize)) as i32;
    const ranks = load<i8>(RANKS + (direction as usize)) as i32;
    for (let square = 0; square < 64; square++) {
      const at = ((direction << 6) | square) as usize;
      const steps = stepsFrom(square, files, ranks);
      store<u8>(ROOM + at, (direction < 8 ? steps : min(steps, 1)) as u8);
      store<u8>(BEGINS + at, stepsFrom(square, -files, -ranks) === 0 ? 1 : 0);
    }
  }
}

prepare();

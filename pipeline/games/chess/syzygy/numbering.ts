/**
 * How Syzygy numbers the men that come first in an index. Three single men or the two kings are numbered up to the
 * eight symmetries of the board. The leading pawns of a file are numbered up to left and right. Facts of the format,
 * as probing programs know them.
 */
import { SYMMETRY } from '../geometry.js';
import { binomial } from '../index-space.js';

const square = (file: number, rank: number) => rank * 8 + file;
const fileOf = (s: number) => s & 7;
const rankOf = (s: number) => s >> 3;
/** Negative below the a1-h8 diagonal, positive above it. */
const above = (s: number) => rankOf(s) - fileOf(s);
const touch = (a: number, b: number) =>
  Math.abs(fileOf(a) - fileOf(b)) <= 1 && Math.abs(rankOf(a) - rankOf(b)) <= 1;
const SQUARES = Array.from({ length: 64 }, (_, s) => s);

/** Numbers of squares below the diagonal (b1 first), and of the triangle a1-d1-d4: those below the diagonal, then it. */
const below = SQUARES.filter((s) => above(s) < 0);
const LOWER = SQUARES.map((s) => below.indexOf(s));
const corner = SQUARES.filter((s) => fileOf(s) < 4 && rankOf(s) < 4);
const triangle = [...corner.filter((s) => above(s) < 0), ...corner.filter((s) => above(s) === 0)];
const TRIANGLE = SQUARES.map((s) => triangle.indexOf(s));

export const TRIPLES = 31332;
export const KING_PAIRS = 462;

/** A number of leading men, with what {@link turnOf} says of them. */
const pack = (number: number, turn: number) => number * 16 + turn;
const symmetryIn = (packed: number) => packed & 7;
const isDiagonal = (packed: number) => (packed & 8) !== 0;

/**
 * The symmetry that brings the first of three men to the triangle and the first that is not on the diagonal below it; 8 is added
 * if all are on the diagonal, where the reflection leaves them. Of two men, the second is given twice.
 */
function turnOf(a: number, b: number, c: number): number {
  const symmetry = (fileOf(a) > 3 ? 1 : 0) + (rankOf(a) > 3 ? 2 : 0);
  const map = symmetry * 64;
  const off = above(SYMMETRY[map + a]) || above(SYMMETRY[map + b]) || above(SYMMETRY[map + c]);
  return symmetry + (off > 0 ? 4 : 0) + (off === 0 ? 8 : 0);
}

function tripleNumber(a: number, b: number, c: number): number {
  const second = b > a ? 1 : 0;
  const third = (c > a ? 1 : 0) + (c > b ? 1 : 0);
  if (above(a) !== 0) return (TRIANGLE[a] * 63 + b - second) * 62 + c - third;
  if (above(b) !== 0) return (6 * 63 + rankOf(a) * 28 + LOWER[b]) * 62 + c - third;
  const onDiagonal = (6 * 63 + 4 * 28) * 62;
  if (above(c) !== 0) return onDiagonal + (rankOf(a) * 7 + rankOf(b) - second) * 28 + LOWER[c];
  return onDiagonal + 4 * 7 * 28 + (rankOf(a) * 7 + rankOf(b) - second) * 6 + rankOf(c) - third;
}

/** At (a * 64 + b) * 64 + c: the packed number of three men; -1 where two stand on one square. */
export const TRIPLE_OF = new Int32Array(64 ** 3).fill(-1);
/** By number: the squares of the three men, six bits each, the first in the lowest. */
export const TRIPLE_SQUARES = new Int32Array(TRIPLES);

/** Every program that looks values up fills these tables first, so it is done without objects. */
function numberTriples(): void {
  for (let a = 0; a < 64; a++) {
    for (let b = 0; b < 64; b++) {
      for (let c = 0; c < 64; c++) {
        if (a === b || b === c || a === c) continue;
        const turn = turnOf(a, b, c);
        const map = symmetryIn(turn) * 64;
        const number = tripleNumber(SYMMETRY[map + a], SYMMETRY[map + b], SYMMETRY[map + c]);
        TRIPLE_OF[(a * 64 + b) * 64 + c] = pack(number, turn);
        if (map === 0) TRIPLE_SQUARES[number] = a | (b << 6) | (c << 12);
      }
    }
  }
}
numberTriples();

/** At a * 64 + b: the packed number of two kings; -1 where they touch. */
export const KINGS_OF = new Int32Array(64 ** 2).fill(-1);
export const KINGS_SQUARES = new Int32Array(KING_PAIRS);

function numberKings(): void {
  const pairs = triangle.flatMap((a) => SQUARES.filter((b) => !touch(a, b)).map((b) => [a, b]));
  const canonical = pairs.filter(([a, b]) => symmetryIn(turnOf(a, b, b)) === 0);
  const numbered = [
    ...canonical.filter(([a, b]) => !isDiagonal(turnOf(a, b, b))),
    ...canonical.filter(([a, b]) => isDiagonal(turnOf(a, b, b))),
  ];
  const numbers = new Map(numbered.map(([a, b], number) => [a * 64 + b, number]));
  for (let places = 0; places < 64 ** 2; places++) {
    const [a, b] = [places >> 6, places & 63];
    if (touch(a, b)) continue;
    const turn = turnOf(a, b, b);
    const map = symmetryIn(turn) * 64;
    const number = numbers.get(SYMMETRY[map + a] * 64 + SYMMETRY[map + b])!;
    KINGS_OF[places] = pack(number, turn);
    if (map === 0) KINGS_SQUARES[number] = a | (b << 6);
  }
}
numberKings();

/**
 * By square of ranks 2 to 7: how many squares are left for further pawns if the leading one stands there. a2 has the
 * most. The pawn on the square that has most leads.
 */
export const ROOM = new Int32Array(64);
/** The square that leaves so much room. */
export const ROOM_SQUARE = new Int32Array(48);
for (let file = 0; file < 4; file++) {
  for (let rank = 1; rank < 7; rank++) {
    const room = 47 - 12 * file - 2 * (rank - 1);
    ROOM[square(file, rank)] = room;
    ROOM[square(7 - file, rank)] = room - 1;
    ROOM_SQUARE[room] = square(file, rank);
    ROOM_SQUARE[room - 1] = square(7 - file, rank);
  }
}

/** So many pawns whose leader stands on so-numbered a file (a to d): their placements, and by rank of the leader (0 to 7) the first. */
export function leadingPawns(count: number, file: number) {
  const first = new Array<number>(8).fill(0);
  let size = 0;
  for (let rank = 1; rank < 7; rank++) {
    first[rank] = size;
    size += binomial(ROOM[square(file, rank)], count - 1);
  }
  return { size, first };
}

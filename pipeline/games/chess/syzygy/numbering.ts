/**
 * How Syzygy numbers the men that come first in an index. Three single men or the two kings are numbered up to the
 * eight symmetries of the board. The leading pawns of a file are numbered up to left and right. Facts of the format,
 * as probing programs know them.
 */
import { SYMMETRY } from '../geometry.js';
import { binomial, squareSets } from '../index-space.js';

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

/** A number of leading men with the symmetry that brings them there, and whether the reflection leaves them as they are. */
const pack = (number: number, diagonal: boolean, symmetry: number) =>
  number * 16 + (diagonal ? 8 : 0) + symmetry;
export const numberIn = (packed: number) => packed >> 4;
export const symmetryIn = (packed: number) => packed & 7;
export const isDiagonal = (packed: number) => (packed & 8) !== 0;

/** The first of the men goes to the triangle, the first that is not on the diagonal below it. */
function normalise(squares: readonly number[]): { symmetry: number; moved: number[]; diagonal: boolean } {
  let symmetry = (fileOf(squares[0]) > 3 ? 1 : 0) + (rankOf(squares[0]) > 3 ? 2 : 0);
  const off = squares.map((s) => SYMMETRY[symmetry * 64 + s]).find((s) => above(s) !== 0);
  if (off !== undefined && above(off) > 0) symmetry += 4;
  return {
    symmetry,
    moved: squares.map((s) => SYMMETRY[symmetry * 64 + s]),
    diagonal: off === undefined,
  };
}

function tripleNumber([a, b, c]: readonly number[]): number {
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
for (let places = 0; places < 64 ** 3; places++) {
  const squares = [places >> 12, (places >> 6) & 63, places & 63];
  if (new Set(squares).size < 3) continue;
  const { symmetry, moved, diagonal } = normalise(squares);
  const number = tripleNumber(moved);
  TRIPLE_OF[places] = pack(number, diagonal, symmetry);
  if (symmetry === 0) TRIPLE_SQUARES[number] = squares[0] | (squares[1] << 6) | (squares[2] << 12);
}

/** At a * 64 + b: the packed number of two kings; -1 where they touch. */
export const KINGS_OF = new Int32Array(64 ** 2).fill(-1);
export const KINGS_SQUARES = new Int32Array(KING_PAIRS);

function numberKings(): void {
  const pairs = triangle.flatMap((a) => SQUARES.filter((b) => !touch(a, b)).map((b) => [a, b]));
  const canonical = pairs.filter((pair) => normalise(pair).symmetry === 0);
  const numbered = [
    ...canonical.filter((pair) => !normalise(pair).diagonal),
    ...canonical.filter((pair) => normalise(pair).diagonal),
  ];
  const numbers = new Map(numbered.map(([a, b], number) => [a * 64 + b, number]));
  for (let places = 0; places < 64 ** 2; places++) {
    const squares = [places >> 6, places & 63];
    if (touch(squares[0], squares[1])) continue;
    const { symmetry, moved, diagonal } = normalise(squares);
    const number = numbers.get(moved[0] * 64 + moved[1])!;
    KINGS_OF[places] = pack(number, diagonal, symmetry);
    if (symmetry === 0) KINGS_SQUARES[number] = squares[0] | (squares[1] << 6);
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

/** So many pawns whose leader stands on so-numbered a file (a to d). */
export interface LeadingPawns {
  readonly size: number;
  /** By rank of the leader (0 to 7): the number of the first placement. */
  readonly first: readonly number[];
  /** Squares of the placement with this number, six bits each, the leader in the lowest. */
  squares(number: number): number;
}

export function leadingPawns(count: number, file: number): LeadingPawns {
  const first = new Array<number>(8).fill(0);
  let size = 0;
  for (let rank = 1; rank < 7; rank++) {
    first[rank] = size;
    size += binomial(ROOM[square(file, rank)], count - 1);
  }
  return {
    size,
    first,
    squares(number) {
      let rank = 6;
      while (first[rank] > number) rank--;
      const rest = number - first[rank];
      let packed = square(file, rank);
      if (count === 2) packed |= ROOM_SQUARE[rest] << 6;
      else if (count > 2) {
        const rooms = squareSets(count - 1)[rest];
        for (let i = 0; i < count - 1; i++) packed |= ROOM_SQUARE[(rooms >> (6 * i)) & 63] << (6 * (i + 1));
      }
      return packed;
    },
  };
}

/**
 * The index of a subtable. An arrangement says which men lead, in which order the other groups of like men follow,
 * and which weight each group has in the index. Writers choose the one that compresses best, and files record it.
 */
import { assert } from '../../../../operators/core/errors.js';
import { SYMMETRY } from '../geometry.js';
import { binomial } from '../index-space.js';
import type { Material } from './material.js';
import {
  KING_PAIRS,
  KINGS_OF,
  leadingPawns,
  numberIn,
  ROOM,
  symmetryIn,
  TRIPLE_OF,
  TRIPLES,
} from './numbering.js';

/** Lists of numbers of men. */
export interface Arrangement {
  /** The leading group first, then the pawns of the other side if there are any, then groups of like men. */
  readonly groups: readonly (readonly number[])[];
  /** Numbers of groups, that whose digit changes fastest first. Groups from the third (second) on stand in their order. */
  readonly weights: readonly number[];
}

export interface SubtableIndex {
  readonly size: number;
  /** The index of men on `squares`; -1 if the leading pawn stands on another file, or if the kings touch. */
  encode(squares: Uint8Array): number;
}

/** The symmetry of geometry.ts that turns the board left to right. */
export const LEFT_TO_RIGHT = 1;
/** A square XOR this is the square opposite it, left to right. */
const FILES_SWAPPED = 7;

/** Groups of like men of these numbers. */
export function likeMen(material: Material, numbers: readonly number[]): number[][] {
  const codes = [...new Set(numbers.map((man) => material.men[man]))];
  return codes.map((code) => numbers.filter((man) => material.men[man] === code));
}

/** Codes of the men, group after group, as files record them. */
export function manCodes({ men }: Material, { groups }: Arrangement): number[] {
  return groups.flat().map((man) => men[man]);
}

/** The digits of the index of an arrangement: of each group its first man, men, first square, values and weight. */
export function shapeOfIndex(material: Material, { groups, weights }: Arrangement, file: number) {
  const pawns = material.leadingPawns.length > 0;
  const leading = pawns ? leadingPawns(groups[0].length, file) : undefined;
  const starts = groups.map((_, g) => groups.slice(0, g).flat().length);
  const counts = groups.map((group) => group.length);
  /** The squares of the second group: pawns have none on the first and last rank. */
  const lowest = groups.map((_, g) => (g === 1 && material.otherPawns.length > 0 ? 8 : 0));
  const sizes = counts.map((count, g) => {
    if (g > 0) return binomial((lowest[g] > 0 ? 48 : 64) - starts[g], count);
    return leading?.size ?? (count === 3 ? TRIPLES : KING_PAIRS);
  });
  const strides = new Array<number>(groups.length);
  let size = 1;
  for (const g of weights) {
    strides[g] = size;
    size *= sizes[g];
  }
  assert(Number.isSafeInteger(size) && weights.length === groups.length, 'every group has a weight');
  return { leading, starts, counts, lowest, sizes, strides, size };
}

type IndexShape = ReturnType<typeof shapeOfIndex>;

/** The index of an arrangement; `file` (0 to 3) of the leading pawn where there are pawns. */
export function subtableIndex(material: Material, arrangement: Arrangement, file: number): SubtableIndex {
  const { groups } = arrangement;
  const leaders = groups[0];
  const order = groups.flat();
  const shape = shapeOfIndex(material, arrangement, file);
  const { leading, strides, size } = shape;
  const pawnNumber = leading === undefined ? null : newPawnNumber(leaders, leading.first, file);
  const moved = new Uint8Array(8);
  const groupNumber = newGroupNumber(shape, moved);

  return {
    size,
    encode(squares) {
      let symmetry: number;
      let index: number;
      if (pawnNumber !== null) {
        const packed = pawnNumber(squares);
        if (packed < 0) return -1;
        symmetry = packed & 1;
        index = (packed >> 1) * strides[0];
      } else {
        const packed = packedLeaders(leaders, squares);
        if (packed < 0) return -1;
        symmetry = symmetryIn(packed);
        index = numberIn(packed) * strides[0];
      }
      const map = symmetry * 64;
      for (let i = 0; i < order.length; i++) moved[i] = SYMMETRY[map + squares[order[i]]];
      for (let g = 1; g < groups.length; g++) index += groupNumber(g) * strides[g];
      return index;
    },
  };
}

function packedLeaders(leaders: readonly number[], squares: Uint8Array): number {
  if (leaders.length === 2) return KINGS_OF[squares[leaders[0]] * 64 + squares[leaders[1]]];
  return TRIPLE_OF[(squares[leaders[0]] * 64 + squares[leaders[1]]) * 64 + squares[leaders[2]]];
}

/** The square of the pawn that leads. If two pawns mirror each other, the one on the left leads. */
function leaderOf(leaders: readonly number[], squares: Uint8Array): number {
  let leader = squares[leaders[0]];
  for (const man of leaders) if (ROOM[squares[man]] > ROOM[leader]) leader = squares[man];
  return leader;
}

/** Gives the number of the leading pawns, with the symmetry in the lowest bit; -1 if their leader is on another file. */
function newPawnNumber(
  leaders: readonly number[],
  first: ArrayLike<number>,
  file: number,
): (squares: Uint8Array) => number {
  const rooms = new Uint8Array(8);
  return (squares) => {
    const leader = leaderOf(leaders, squares);
    const mirror = (leader & 7) > 3 ? FILES_SWAPPED : 0;
    if (((leader & 7) ^ mirror) !== file) return -1;
    let others = 0;
    let skipped = false;
    for (const man of leaders) {
      if (squares[man] === leader && !skipped) skipped = true;
      else {
        const room = ROOM[squares[man] ^ mirror];
        let i = others++;
        for (; i > 0 && rooms[i - 1] > room; i--) rooms[i] = rooms[i - 1];
        rooms[i] = room;
      }
    }
    let number = first[leader >> 3];
    for (let i = 0; i < others; i++) number += binomial(rooms[i], i + 1);
    return number * 2 + (mirror > 0 ? 1 : 0);
  };
}

/** Gives the number of group g among the squares that the groups before it leave free: `moved` has them, and is put in order. */
function newGroupNumber({ starts, counts, lowest }: IndexShape, moved: Uint8Array): (g: number) => number {
  return (g) => {
    const start = starts[g];
    const end = start + counts[g];
    for (let i = start + 1; i < end; i++) {
      const own = moved[i];
      let j = i;
      for (; j > start && moved[j - 1] > own; j--) moved[j] = moved[j - 1];
      moved[j] = own;
    }
    let number = 0;
    for (let i = start; i < end; i++) {
      let free = moved[i] - lowest[g];
      for (let j = 0; j < start; j++) if (moved[j] < moved[i]) free--;
      number += binomial(free, i - start + 1);
    }
    return number;
  };
}

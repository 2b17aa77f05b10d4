/**
 * How the index of a subtable is arranged. An arrangement says which men lead, in which order the other groups of like men follow,
 * and which weight each group has in the index. Writers choose the one that compresses best, and files record it.
 */
import { assert } from '../../../../operators/core/errors.js';
import { binomial } from '../index-space.js';
import type { Material } from './material.js';
import { KING_PAIRS, leadingPawns, TRIPLES } from './numbering.js';

/** Lists of numbers of men. */
export interface Arrangement {
  /** The leading group first, then the pawns of the other side if there are any, then groups of like men. */
  readonly groups: readonly (readonly number[])[];
  /** Numbers of groups, that whose digit changes fastest first. Groups from the third (second) on stand in their order. */
  readonly weights: readonly number[];
}

/** Groups of like men of these numbers. */
export function likeMen(material: Material, numbers: readonly number[]): number[][] {
  const codes = [...new Set(numbers.map((man) => material.men[man]))];
  return codes.map((code) => numbers.filter((man) => material.men[man] === code));
}

/** The men that are alone of their kind and side. */
export function singleMen({ men }: Material): number[] {
  return [...men.keys()].filter((man) => men.indexOf(men[man]) === men.lastIndexOf(men[man]));
}

/** How many men lead an index: the pawns of a side; without pawns three single men, or the kings where there are not so many. */
export function leadersIn(material: Material): number {
  return material.leadingPawns.length || (singleMen(material).length >= 3 ? 3 : 2);
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

import { assert } from '../../../operators/core/errors.js';
import { PAGE_BYTES } from '../../../operators/storage/page-folder.js';
import type { Slice } from '../../game/game.js';
import { majorsIn } from '../../game/majors.js';
import type { CodeBits } from './codes.js';

/**
 * Which page a position lies in. A slice's own positions come first (majors of sides), those of its
 * dependencies follow in their order. The game's kernels emit such majors when given `conversionBias`. Every part
 * begins on a page of its own, so that a page number is a sum and a shift in 32 bits. (The paper numbers a slice's
 * positions through and shifts that number; its slices have no parts.)
 */
export interface AddressSpace {
  /** Positions of a page, and its binary logarithm. */
  readonly perPage: number;
  readonly pageShift: number;
  readonly ownMajors: number;
  readonly majors: number;
  /** First page of each major, and the number of pages. */
  readonly firstPage: Int32Array;
  readonly pages: number;
  /** Positions of each major. */
  readonly positions: Float64Array;
  /** Major of a dependency's first part: `2 * dependency + side`. */
  readonly conversionBias: Int32Array;
}

/** @param dependencies the slices of `slice.dependencies`, in their order. */
export function layOut(slice: Slice, dependencies: readonly Slice[], bits: CodeBits): AddressSpace {
  const pageShift = Math.log2((PAGE_BYTES * 8) / bits);
  const sizes: number[] = [];
  const conversionBias = new Int32Array(2 * dependencies.length);
  for (const [number, each] of [slice, ...dependencies].entries()) {
    for (let side = 0; side < 2; side++) {
      if (number > 0) conversionBias[2 * (number - 1) + side] = sizes.length;
      for (let part = 0; part < each.parts; part++) sizes.push(each.partSize(part));
    }
  }
  const firstPage = new Int32Array(sizes.length + 1);
  let pages = 0;
  for (const [major, size] of sizes.entries()) {
    firstPage[major] = pages;
    pages += Math.ceil(size / 2 ** pageShift);
  }
  firstPage[sizes.length] = pages;
  assert(pages < 2 ** 31, 'pages are numbered with 31 bits');
  return {
    perPage: 2 ** pageShift,
    pageShift,
    ownMajors: majorsIn(slice, 2),
    majors: sizes.length,
    firstPage,
    pages,
    positions: Float64Array.from(sizes),
    conversionBias,
  };
}

import { PAIRS, SYMMETRY } from '../../games/chess/geometry.js';
import { type Space, spaceOf } from '../../games/chess/index-space.js';

/**
 * How a set of positions of an ending lies in memory (Wendroff et al. 1993, section 6). It is an array of 64-bit
 * words, one for each pair of kings and each way the *array men* stand. The bits of a word are the squares of one
 * more man, which is *in word*. A word is two 32-bit halves next to each other, ranks 1 to 4 first, so a set is an
 * Int32Array of 2 * words. Kings take the 462 canonical pairs. Men that are alike have a digit each. So a position is
 * there once for every order of them, and with both kings on the long diagonal once for either reflection.
 *
 * Words where men coincide are no positions of the ending. One use is made of them. A man of the side that has just
 * moved may stand on a man of the side to move. Then that man was captured, and the bit stands for the position after
 * the capture (section 4). Unmoving the capturer leaves the captured man behind, so captures need no kernel of their
 * own.
 */
export interface SetLayout {
  readonly space: Space;
  /** Number of the man in word; -1 if there are only kings, and then bit 0 of a word is the position. */
  readonly wordMan: number;
  /** The other men; the last has neighbouring words. */
  readonly arrayMen: readonly number[];
  /** For each array man, by number: the square is (config >> shift) & 63. -1 for the man in word. */
  readonly shift: Int32Array;
  /** Words of a pair of kings: 64 to the power of the number of array men. A config is one of them. */
  readonly configs: number;
  /** Words of a set. */
  readonly words: number;
  /**
   * Squares that array men occupy, at 2 * config (ranks 1 to 4) and 2 * config + 1; all squares if two of them coincide.
   */
  readonly occupied: Int32Array;
  /** The squares of the man in word for which like men stand in ascending order, likewise; 0 if array men do not. */
  readonly ordered: Int32Array;
  /** For each symmetry of the board: where it takes each config. */
  readonly images: readonly Int32Array[];
}

/** The man in word is of the kind with the cheapest shifts: knight, bishop, rook, queen. */
function chooseWordMan(space: Space): number {
  let best = -1;
  for (let man = 0; man < space.men; man++) {
    if (best < 0 || space.kindOf[man] >= space.kindOf[best]) best = man;
  }
  return best;
}

/** Bytes of one set of an ending with so many men besides the kings: its words, and a byte for each pair of kings. */
export function setBytes(men: number): number {
  return PAIRS * 64 ** Math.max(0, men - 1) * 8 + Math.ceil(PAIRS / 16) * 16;
}

/** Bytes of the tables of a layout. */
export function layoutBytes(men: number): number {
  return 64 ** Math.max(0, men - 1) * (2 * 8 + 8 * 4);
}

export function layoutOf(ending: string): SetLayout {
  const space = spaceOf(ending);
  const wordMan = chooseWordMan(space);
  const arrayMen = Array.from({ length: space.men }, (_, man) => man).filter((man) => man !== wordMan);
  const shift = new Int32Array(space.men).fill(-1);
  arrayMen.forEach((man, i) => {
    shift[man] = 6 * (arrayMen.length - 1 - i);
  });
  const configs = 64 ** arrayMen.length;
  const occupied = new Int32Array(2 * configs);
  const ordered = new Int32Array(2 * configs);
  for (let config = 0; config < configs; config++) {
    occupy(arrayMen, shift, config, occupied);
    order(space, wordMan, shift, config, ordered);
  }
  const images = Array.from({ length: 8 }, (_, symmetry) => imageTable(arrayMen.length, configs, symmetry));
  return { space, wordMan, arrayMen, shift, configs, words: PAIRS * configs, occupied, ordered, images };
}

function occupy(arrayMen: readonly number[], shift: Int32Array, config: number, occupied: Int32Array): void {
  for (const man of arrayMen) {
    const square = (config >> shift[man]) & 63;
    const half = 2 * config + (square >> 5);
    const bit = 1 << (square & 31);
    if (occupied[half] & bit) {
      occupied[2 * config] = occupied[2 * config + 1] = -1;
      return;
    }
    occupied[half] |= bit;
  }
}

function order(space: Space, wordMan: number, shift: Int32Array, config: number, ordered: Int32Array): void {
  let low = -1;
  let high = -1;
  for (let second = 1; second < space.men; second++) {
    const first = second - 1;
    if (space.groupOf[first] !== space.groupOf[second]) continue;
    if (first !== wordMan && second !== wordMan) {
      if (((config >> shift[first]) & 63) >= ((config >> shift[second]) & 63)) return;
      continue;
    }
    const square = (config >> shift[first === wordMan ? second : first]) & 63;
    const belowLow = square >= 32 ? -1 : (1 << square) - 1;
    const belowHigh = square < 32 ? 0 : (1 << (square - 32)) - 1;
    const bit = 1 << (square & 31);
    low &= first === wordMan ? belowLow : square < 32 ? ~(belowLow | bit) : 0;
    high &= first === wordMan ? belowHigh : square < 32 ? -1 : ~(belowHigh | bit);
  }
  ordered[2 * config] = low;
  ordered[2 * config + 1] = high;
}

function imageTable(digits: number, configs: number, symmetry: number): Int32Array {
  return Int32Array.from({ length: configs }, (_, config) => {
    let image = 0;
    for (let i = digits - 1; i >= 0; i--) {
      image = (image << 6) | SYMMETRY[(symmetry << 6) | ((config >> (6 * i)) & 63)];
    }
    return image;
  });
}

/**
 * Keys of one part that come in any order and go out ascending, each once. Few are listed and sorted. Many are marked in a
 * bitmap (an eighth of a byte a position of the part) and read off it.
 */
import { type Columns, newColumns } from '../../operators/core/columns.js';
import { dropRepeats } from '../../operators/core/drop-repeats.js';
import { radixSort } from '../../operators/sort/radix.js';

/** A bitmap is read as fast as about 1/512 as many keys are sorted. */
const LISTED_FRACTION = 512;
const MIN_LISTED = 256;
/** Keys handed out at once, from a bitmap. */
const PIECE = 1 << 13;

/** Keys minor[0..length). */
interface KeyPiece {
  readonly length: number;
  readonly minor: Uint32Array;
}

/** A set of keys below `bound`. A class, as core/keep-shape.ts explains. */
export class PartKeySet {
  private readonly list: Columns;
  private readonly spare: Columns;
  private listed = 0;
  private bitmap: Uint32Array | null = null;
  private piece: Uint32Array | null = null;
  private marked = false;
  /** The word of the bitmap that the next piece begins with. */
  private word = 0;

  constructor(private readonly bound: number) {
    const most = Math.max(MIN_LISTED, Math.floor(bound / LISTED_FRACTION));
    this.list = newColumns(most, 0);
    this.spare = newColumns(most, 0);
  }

  /** Adds keys[0..length); not while keys are taken. */
  add(keys: Uint32Array, length: number): void {
    const { minor } = this.list;
    if (!this.marked && this.listed + length <= minor.length) {
      for (let i = 0; i < length; i++) minor[this.listed + i] = keys[i];
      this.listed += length;
      return;
    }
    this.bitmap ??= new Uint32Array((this.bound + 31) >>> 5);
    if (!this.marked) mark(this.bitmap, minor, this.listed);
    this.marked = true;
    this.listed = 0;
    mark(this.bitmap, keys, length);
  }

  get isEmpty(): boolean {
    return !this.marked && this.listed === 0;
  }

  /** Takes the next keys out, ascending over all calls until the set is empty; valid until the next call. */
  take(): KeyPiece {
    if (this.marked) return this.unmark();
    const { minor } = radixSort(this.list, this.spare, 0, this.listed);
    const length = dropRepeats(minor, this.listed);
    this.listed = 0;
    return { length, minor };
  }

  /** Takes marks off the bitmap until a piece is full. */
  private unmark(): KeyPiece {
    const words = this.bitmap!;
    const keys = (this.piece ??= new Uint32Array(PIECE + 32));
    let n = 0;
    let w = this.word;
    for (; w < words.length && n < PIECE; w++) {
      let word = words[w] | 0;
      if (word === 0) continue;
      words[w] = 0;
      do {
        const bit = word & -word;
        keys[n++] = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
      } while (word !== 0);
    }
    this.marked = w < words.length;
    this.word = this.marked ? w : 0;
    return { length: n, minor: keys };
  }
}

function mark(words: Uint32Array, keys: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    words[key >>> 5] |= 1 << (key & 31);
  }
}

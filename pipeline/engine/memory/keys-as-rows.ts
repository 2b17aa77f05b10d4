/**
 * A slice without kernels by rows, as rows of one position (pipeline/game/rows.ts): a row is a key, a count is a byte. Unmoves
 * that stay in their part strike its labels at once, if the game separates them.
 */
import { type Columns, newColumns } from '../../../operators/core/columns.js';
import { dropRepeats } from '../../../operators/core/drop-repeats.js';
import { assert } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { radixSort } from '../../../operators/sort/radix.js';
import type {
  Emission,
  LabelledSets,
  MoveKernel,
  PartKernels,
  RowConversions,
  RowKernels,
  RowLabels,
  RowValues,
  SetColumns,
  SetEmission,
  Side,
  Slice,
  SliceIndex,
} from '../../game/game.js';
import type { LabelledBy } from '../../game/labelling.js';
import { bitBytes, closeWon, countDownBy } from '../../game/labels.js';
import { brokenIn, type ValueColumn } from '../../game/value.js';

/** What the rows of a slice are made of. Without unmoves, requests come from elsewhere: from edges that are written down. */
export interface KeyedSlice extends Pick<SliceIndex, 'name' | 'width'> {
  readonly unmoves?: MoveKernel | undefined;
  readonly local?: PartKernels | undefined;
}

/** @param countBytes that the out-count of any position takes. */
export function keysAsRows(slice: KeyedSlice, countBytes = 1): RowKernels {
  return {
    width: 1,
    digitBits: 0,
    numbering: null,
    countPlanes: [8 * countBytes, 8 * countBytes],
    packCounts: (_side, counts, out) => out.set(counts),
    open: () => new KeyLabels(slice, countBytes),
    openValues: () => new KeyValues(slice.width),
  };
}

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

/**
 * A set of keys below `bound`, which come in any order and go out ascending, each once. Few are listed and sorted. Many are marked in
 * a bitmap (an eighth of a byte a position of the part) and read off it. A class, as core/keep-shape.ts explains.
 */
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

/** Labels keys[0..length) and puts those that are labelled now in `out`; returns how many. */
export type Close = (labels: Uint8Array, keys: Uint32Array, length: number, out: Uint32Array) => number;

/** The words of sets that are rows of one position. */
export const NO_WORDS = new Uint32Array(0);
/** Predecessors in a part that are struck at a time. */
const WITHIN_ROWS = 1 << 14;

/** A class, as core/keep-shape.ts explains. */
export class KeyLabels implements RowLabels {
  readonly strikesWithin: boolean;
  /** How positions are lost. */
  protected readonly closeLost: Close;
  protected strike: Close = closeWon;
  protected labels: Uint8Array = new Uint8Array(0);
  private readonly labelled: PartKeySet;
  private readonly within = { length: 0, minor: new Uint32Array(WITHIN_ROWS) };
  /** Room for the keys of a batch that are labelled. */
  private out = new Uint32Array(0);

  constructor(
    private readonly slice: KeyedSlice,
    countBytes = 1,
  ) {
    this.closeLost = countDownBy(countBytes);
    this.strikesWithin = slice.local !== undefined;
    this.labelled = new PartKeySet(slice.width);
  }

  allocate(bytes: number): Uint8Array {
    return new Uint8Array(bytes);
  }

  /** Keys are not worth a look at labels outside of the cache. */
  takeUnlabelled(): void {}

  takeLeftOut(): number {
    return 0;
  }

  unmovesBeyond(
    side: Side,
    part: number,
    { minor }: SetColumns,
    { from, to }: Interval,
    bias: number,
    out: SetEmission,
  ): number {
    const { name, local, unmoves } = this.slice;
    const kernel = local?.unmovesBeyond ?? unmoves;
    assert(kernel !== undefined, `${name} has unmoves`);
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source: NO_WORDS };
    const done = kernel(side, part, minor, from, to, bias, emission);
    out.length = emission.length;
    return done;
  }

  label(by: LabelledBy, _side: Side, labels: Uint8Array, _part: number): void {
    this.labels = labels;
    this.strike = by === 'any' ? closeWon : this.closeLost;
  }

  strikeWithin(side: Side, part: number, { minor }: SetColumns, length: number): number {
    const { local } = this.slice;
    assert(local !== undefined, 'unmoves may stay in their part');
    const out = this.within;
    let struck = 0;
    for (let from = 0; from < length; ) {
      out.length = 0;
      from = local.unmovesWithin(side, part, minor, from, length, out);
      struck += out.length;
      this.strikeKeys(out.minor, out.length);
    }
    return struck;
  }

  strikeRows({ minor }: SetColumns, length: number): void {
    this.strikeKeys(minor, length);
  }

  strikeKeys(keys: Uint32Array, length: number): void {
    if (this.out.length < length) this.out = new Uint32Array(Math.ceil(length * 1.5));
    this.labelled.add(this.out, this.strike(this.labels, keys, length, this.out));
  }

  hasLabelled(): boolean {
    return !this.labelled.isEmpty;
  }

  drain(): LabelledSets {
    const { length, minor } = this.labelled.take();
    return { length, minor, low: NO_WORDS, high: NO_WORDS, positions: length };
  }

  close(): void {}
}

/** Values of parts of so many positions at most. */
class KeyValues implements RowValues {
  /** The bits of the part that is settled next. */
  private readonly unwon: Uint8Array;

  constructor(width: number) {
    this.unwon = new Uint8Array(bitBytes(width));
  }

  allocate(bytes: number) {
    return { buffer: new ArrayBuffer(bytes), byteOffset: 0 };
  }

  takeUnwon(bits: Uint8Array, first: number): void {
    this.unwon.set(bits, first);
  }

  settle(values: ValueColumn): number {
    return settleBits(this.unwon, values);
  }

  write(values: ValueColumn, { minor }: SetColumns, length: number, code: number) {
    const none = brokenIn(values);
    let broken = 0;
    for (let i = 0; i < length; i++) {
      const key = minor[i];
      broken += values[key] === none ? 1 : 0;
      values[key] = code;
    }
    return { positions: length, broken };
  }

  close(): void {}
}

/** Returns how many have a bit. There is no branch: which it is cannot be foreseen. */
function settleBits(bits: Uint8Array, values: ValueColumn): number {
  const broken = brokenIn(values);
  const bytes = bitBytes(values.length);
  let taken = 0;
  for (let i = 0, at = 0; i < bytes; i++) {
    for (let byte = bits[i] | 0x100; byte !== 1; byte >>= 1) {
      const one = byte & 1;
      values[at++] = (one - 1) & broken;
      taken += one;
    }
  }
  return taken;
}

/** Conversions taken back where kernels take keys: each key is a set of one. @param slice has `unconversions`. */
export function keyConversions({ unconversions }: Pick<Slice, 'unconversions'>): RowConversions {
  let room = new Uint32Array(0);
  return {
    emits: () => 'keys',
    decided({ codes, first, length }, from, _alike, wanted, _numbering, out) {
      const broken = brokenIn(codes);
      const most = out.minor.length;
      let n = out.length;
      let i = from;
      for (; i < length && n < most; i++) {
        const value = codes[i];
        if (value === 0 || value === broken) continue;
        const key = first + i;
        const bit = 1 << (key & 31);
        if (wanted !== null && (wanted[key >>> 5] & bit) === 0) continue;
        out.minor[n] = key >>> 6;
        out.low[n] = (key & 32) === 0 ? bit : 0;
        out.high[n] = (key & 32) === 0 ? 0 : bit;
        out.code[n++] = value;
      }
      out.length = n;
      return i;
    },
    unconversions({ side, dependency, sideThere }, part, sets, { from, to }, bias, out) {
      if (room.length < to) room = new Uint32Array(to);
      for (let i = from; i < to; i++) room[i] = keyOf(sets, i);
      const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source: NO_WORDS };
      const done = unconversions!(side, dependency, sideThere, part, room, from, to, bias, emission);
      out.length = emission.length;
      return done;
    },
  };
}

/** The key of a set of one. */
function keyOf({ minor, low, high }: SetColumns, set: number): number {
  return 64 * minor[set] + (low[set] === 0 ? 63 - Math.clz32(high[set]) : 31 - Math.clz32(low[set]));
}

/**
 * A slice without kernels by rows, as rows of one position (pipeline/game/row-kernels.ts): a row is a key, a count is a byte. Unmoves
 * that stay in their part strike its labels at once, if the game separates them.
 */
import { assert } from '../../operators/core/errors.js';
import type { Interval } from '../../operators/core/interval.js';
import type {
  Emission,
  LabelledSets,
  MoveKernel,
  PartKernels,
  RowKernels,
  RowLabels,
  RowValues,
  SetColumns,
  SetEmission,
  Side,
  SliceIndex,
} from '../game/game.js';
import { bitBytes, closeWon, countDown } from '../game/labels.js';
import { brokenIn, type ValueColumn } from '../game/value.js';
import { PartKeySet } from './key-set.js';

/** What the rows of a slice are made of. Without unmoves, requests come from elsewhere: from edges that are written down. */
export interface KeyedSlice extends Pick<SliceIndex, 'name' | 'width'> {
  readonly unmoves?: MoveKernel | undefined;
  readonly local?: PartKernels | undefined;
}

export function keysAsRows(slice: KeyedSlice): RowKernels {
  return {
    width: 1,
    countPlanes: [8, 8],
    packCounts: (_side, counts, out) => out.set(counts),
    open: () => new KeyLabels(slice),
    openValues: () => new KeyValues(slice.width),
  };
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
  protected readonly closeLost: Close = countDown;
  protected strike: Close = closeWon;
  protected labels: Uint8Array = new Uint8Array(0);
  readonly #labelled: PartKeySet;
  readonly #within = { length: 0, minor: new Uint32Array(WITHIN_ROWS) };
  /** Room for the keys of a batch that are labelled. */
  #out = new Uint32Array(0);

  constructor(private readonly slice: KeyedSlice) {
    this.strikesWithin = slice.local !== undefined;
    this.#labelled = new PartKeySet(slice.width);
  }

  allocate(bytes: number): Uint8Array {
    return new Uint8Array(bytes);
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

  label(kind: 'won' | 'lost', _side: Side, labels: Uint8Array, _part: number): void {
    this.labels = labels;
    this.strike = kind === 'won' ? closeWon : this.closeLost;
  }

  strikeWithin(side: Side, part: number, { minor }: SetColumns, length: number): number {
    const { local } = this.slice;
    assert(local !== undefined, 'unmoves may stay in their part');
    const out = this.#within;
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
    if (this.#out.length < length) this.#out = new Uint32Array(Math.ceil(length * 1.5));
    this.#labelled.add(this.#out, this.strike(this.labels, keys, length, this.#out));
  }

  hasLabelled(): boolean {
    return !this.#labelled.isEmpty;
  }

  drain(): LabelledSets {
    const { length, minor } = this.#labelled.take();
    return { length, minor, low: NO_WORDS, high: NO_WORDS, positions: length };
  }

  close(): void {}
}

/** Values of parts of so many positions at most. */
class KeyValues implements RowValues {
  /** The bits of the part that is settled next. */
  readonly #unwon: Uint8Array;

  constructor(width: number) {
    this.#unwon = new Uint8Array(bitBytes(width));
  }

  allocate(bytes: number) {
    return { buffer: new ArrayBuffer(bytes), byteOffset: 0 };
  }

  takeUnwon(bits: Uint8Array, first: number): void {
    this.#unwon.set(bits, first);
  }

  settle(values: ValueColumn): number {
    return settleBits(this.#unwon, values);
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

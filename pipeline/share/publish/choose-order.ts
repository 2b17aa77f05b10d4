/** Chooses the order in which a sample of a file's symbols compresses best. */
import type { IndexOrder } from '../../game/index-order.js';
import { estimateBits } from '../../tables/codec/rows/estimate.js';
import { placesIn, putIntoOrder } from '../../tables/published/ordered-symbols.js';

/** About so many positions are compressed in every order. */
const SAMPLE = 1 << 18;
/** So many spans of the sample follow each other, since rows are copied from one span to the next. */
const TOGETHER = 4;
/** Lookups in the order of the index take less time, so another must save this share of the bytes. */
const WORTH = 0.005;

/** Samples the symbols of a file: those in some spans, far apart. */
export interface SpanSample {
  /** The next symbols of the file. */
  add(symbols: Uint8Array): void;
  /** Whole spans; after all symbols were added. */
  readonly symbols: Uint8Array;
}

/** @param size positions of the file, a multiple of `span`. */
export function newSpanSample(size: number, span: number): SpanSample {
  const spans = size / span;
  const groups = Math.min(Math.ceil(spans / TOGETHER), Math.ceil(SAMPLE / (span * TOGETHER)));
  const each = Math.min(TOGETHER, Math.floor(spans / groups), Math.ceil(SAMPLE / span));
  const symbols = new Uint8Array(groups * each * span);
  const beginOf = (group: number) => Math.floor((group * spans) / groups) * span;
  let at = 0;
  let group = 0;
  let taken = 0;
  return {
    symbols,
    add(batch) {
      for (let from = 0; group < groups; ) {
        const begin = beginOf(group) + taken - at;
        if (begin >= batch.length) break;
        from = Math.max(from, begin);
        const length = Math.min(batch.length - from, each * span - taken);
        symbols.set(batch.subarray(from, from + length), group * each * span + taken);
        taken += length;
        from += length;
        if (taken < each * span) break;
        taken = 0;
        group++;
      }
      at += batch.length;
    },
  };
}

/**
 * The number of an order, 0 for that of the index.
 * @param sample whole spans in the order of the index.
 * @param periods those of the index.
 */
export function chooseOrder(
  sample: Uint8Array,
  periods: readonly number[],
  orders: readonly (IndexOrder | null)[],
): number {
  const ordered = new Uint8Array(sample.length);
  let best = 0;
  let least = estimateBits(sample, periods) * (1 - WORTH);
  for (const [number, order] of orders.entries()) {
    if (order === null) continue;
    putIntoOrder(sample, placesIn(order), ordered);
    const bits = estimateBits(ordered, order.periods);
    if (bits >= least) continue;
    least = bits;
    best = number;
  }
  return best;
}

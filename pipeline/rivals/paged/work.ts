import { newCensus } from '../../game/fill-census.js';
import type { Census, Emission, Slice } from '../../game/game.js';
import type { Metric } from '../../game/value.js';
import type { AddressSpace } from './address-space.js';
import type { Codec } from './codes.js';
import type { PagedCounters } from './counters.js';
import type { PagedValues } from './paged-values.js';

/** Positions, and rows of successors or predecessors, that are worked on at a time. */
export const BATCH_ROWS = 4096;
/** Positions that wait to be asked for all their moves; the more, the fewer are asked twice in a round. */
const WAITING_ROWS = 4 * BATCH_ROWS;
/** Bytes of {@link Batches}: nine u32 columns and seven narrower ones and a bit, and the positions that wait. */
export const BATCH_BYTES = BATCH_ROWS * (9 * 4 + 4 * 2 + 3 + 1 / 8) + WAITING_ROWS * 8;

/** Buffers that the passes share, allocated once. */
export interface Batches {
  readonly keys: Uint32Array;
  readonly otherKeys: Uint32Array;
  readonly rows: Emission;
  readonly moreRows: Emission;
  /** Positions as major * 2^32 + key, for putting them in order. */
  readonly positions: Float64Array;
  /** Codes of the positions `keys`, before and after; and of `otherKeys`. */
  readonly before: Uint16Array;
  readonly after: Uint16Array;
  readonly best: Uint16Array;
  readonly places: Uint16Array;
  readonly census: Census & { readonly conversions: Uint8Array };
  /** Counts positions of the census. */
  readonly status: Uint8Array;
}

export function newBatches(): Batches {
  const u32 = () => new Uint32Array(BATCH_ROWS);
  const u16 = () => new Uint16Array(BATCH_ROWS);
  const u8 = () => new Uint8Array(BATCH_ROWS);
  const emission = (): Emission => ({ length: 0, major: u32(), minor: u32(), source: u32() });
  return {
    keys: u32(),
    otherKeys: u32(),
    rows: emission(),
    moreRows: emission(),
    positions: new Float64Array(WAITING_ROWS),
    before: u16(),
    after: u16(),
    best: u16(),
    places: u16(),
    census: newCensus(BATCH_ROWS),
    status: u8(),
  };
}

/** All that a pass works on. */
export interface PassWork {
  readonly slice: Slice;
  readonly metric: Metric;
  readonly codec: Codec;
  readonly space: AddressSpace;
  /** By side: its pages in the order in which passes go over them (scan-order.ts). */
  readonly orders: readonly [Int32Array, Int32Array];
  readonly values: PagedValues;
  readonly batches: Batches;
  readonly counters: PagedCounters;
}

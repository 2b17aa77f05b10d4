/**
 * Buckets of a static function (format.ts): from mixed keys to numbers.
 *
 *   (key | number) ─ distribute / gather ─▶ a bucket at a time
 *
 * Memory: `budget.memory` to order the keys, and a bucket. I/O: 16 bytes a key spilled if they do not fit.
 */
import { newArrays } from '../../../../operators/core/arrays.js';
import { type Budget, share } from '../../../../operators/core/budget.js';
import { newCounters } from '../../../../operators/core/counters.js';
import { assert } from '../../../../operators/core/errors.js';
import { distribute, releaseSegments } from '../../../../operators/distribute/distribute.js';
import { gather } from '../../../../operators/gather.js';
import type { RowSource, Rows } from '../../../../operators/runs/types.js';
import type { Scratch } from '../../../../operators/storage/scratch.js';
import { poolOf } from '../../../graph/row-collector.js';
import { makeBucket } from './bucket.js';
import { type BucketShape, bucketOf, lookUp } from './format.js';

/** Keys of a bucket: a page reads a few kilobytes for each move. */
const MOST_KEYS = 4096;
/** Numbers have 16 bits at most. */
export const MOST_NUMBERS = 2 ** 16;
const MAJOR_BITS = 10;
const SHARES = { order: 0.3, pool: 0.5 };

/** For so many keys, and numbers below `numbers`. */
export function bucketShape(keys: number, numbers: number): BucketShape {
  return {
    bucketBits: Math.max(0, Math.ceil(Math.log2(keys / MOST_KEYS))),
    bits: Math.max(1, Math.ceil(Math.log2(numbers))),
  };
}

/** Writes a mixed key and its number to the next of the rows, which have two payload columns. */
export function putKey(rows: Rows, high: number, low: number, number: number): void {
  const at = rows.length++;
  rows.major[at] = high >>> (32 - MAJOR_BITS);
  rows.minor[at] = (high << MAJOR_BITS) | (low >>> (32 - MAJOR_BITS));
  rows.payload[0][at] = low;
  rows.payload[1][at] = number;
}

/** In order, each checked: its keys give their numbers. @param keys rows of {@link putKey}. */
export async function* bucketsOf(
  keys: RowSource,
  { bits, bucketBits }: BucketShape,
  { scratch, budget }: { readonly scratch: Scratch; readonly budget: Budget },
): AsyncGenerator<Uint8Array> {
  const arrays = newArrays();
  const env = { budget: share(budget, SHARES.order), scratch, counters: newCounters(), arrays };
  const pool = poolOf(share(budget, SHARES.pool));
  const segments = await distribute(keys, { majors: 2 ** MAJOR_BITS, payload: 2, pool }, env);
  const newKeys = () => ({ highs: [] as number[], lows: [] as number[], values: [] as number[] });
  let held = newKeys();
  let number = 0;
  const made = (): Uint8Array => {
    const bucket = makeBucket(held, bits);
    for (const [i, value] of held.values.entries()) {
      const found = lookUp(bucket, { high: held.highs[i], low: held.lows[i] }, bits);
      assert(found === value, 'the keys of a bucket give their values');
    }
    held = newKeys();
    number++;
    return bucket;
  };
  try {
    const whole = { from: 0, to: 2 ** MAJOR_BITS };
    for await (const batch of gather([{ segments, pool }], whole, 2, env)) {
      const [lows, values] = batch.payload as [Uint32Array, Uint32Array];
      for (let i = 0; i < batch.length; i++) {
        const high = ((batch.major << (32 - MAJOR_BITS)) | (batch.minor[i] >>> MAJOR_BITS)) >>> 0;
        const low = lows[i];
        for (const own = bucketOf({ high, low }, bucketBits); number < own; ) yield made();
        held.highs.push(high);
        held.lows.push(low);
        held.values.push(values[i]);
      }
    }
    while (number < 2 ** bucketBits) yield made();
  } finally {
    await releaseSegments(segments, env);
  }
}

/** Makes buckets of published keyed games (format.ts). */
import { assert } from '../../../../operators/core/errors.js';
import { BUCKET_HEAD, bucketBytes, putSlot, slotsOf } from './format.js';

/** Keys of a bucket, mixed, and the numbers of their values. */
export interface BucketKeys {
  readonly highs: readonly number[];
  readonly lows: readonly number[];
  readonly values: readonly number[];
}

/** Slots for so many keys: 1.23 a key are enough for most seeds (Majewski et al. 1996), and some more for few keys. */
const SLOTS_A_KEY = 1.23;
const MORE_SLOTS = 32;
const MOST_SEEDS = 1 << 16;

/**
 * Chooses a seed by which keys can be taken away one by one, each the only one at some slot. Values are then put in the other way round.
 * The keys differ from each other.
 */
export function makeBucket(keys: BucketKeys, bits: number): Uint8Array {
  const count = keys.values.length;
  const third = Math.ceil((SLOTS_A_KEY * count + MORE_SLOTS) / 3);
  const bytes = new Uint8Array(bucketBytes(third, bits));
  const view = new DataView(bytes.buffer);
  view.setUint16(6, third, true);
  for (let seed = 0; seed < MOST_SEEDS; seed++) {
    const order = taken(keys, seed, third);
    if (order === null) continue;
    view.setUint16(4, seed, true);
    putValues(keys, order, bytes.subarray(BUCKET_HEAD), bits);
    return bytes;
  }
  throw new Error('assertion failed: some seed lets all keys of a bucket be taken away');
}

interface Order {
  /** Keys by number, in the order in which they were taken, and the slot that was theirs alone. */
  readonly keys: Uint32Array;
  readonly slots: Uint32Array;
  /** Three slots a key. */
  readonly slotsOfKey: Uint32Array;
  readonly third: number;
}

/** Null if the seed leaves keys that share all their slots with others. */
function taken({ highs, lows, values }: BucketKeys, seed: number, third: number): Order | null {
  const count = values.length;
  const slotsOfKey = new Uint32Array(3 * count);
  /** Keys at each slot: how many, and the exclusive or of their numbers. */
  const held = new Uint32Array(3 * third);
  const mix = new Uint32Array(3 * third);
  for (let key = 0; key < count; key++) {
    const own = slotsOfKey.subarray(3 * key, 3 * key + 3);
    slotsOf(highs[key], lows[key], seed, third, own);
    for (const slot of own) {
      held[slot]++;
      mix[slot] ^= key;
    }
  }
  const order = { keys: new Uint32Array(count), slots: new Uint32Array(count), slotsOfKey, third };
  const alone: number[] = [];
  for (let slot = 0; slot < 3 * third; slot++) if (held[slot] === 1) alone.push(slot);
  let length = 0;
  for (let slot = alone.pop(); slot !== undefined; slot = alone.pop()) {
    if (held[slot] !== 1) continue;
    const key = mix[slot];
    order.keys[length] = key;
    order.slots[length++] = slot;
    for (let i = 3 * key; i < 3 * key + 3; i++) {
      const other = slotsOfKey[i];
      mix[other] ^= key;
      if (--held[other] === 1) alone.push(other);
    }
  }
  return length === count ? order : null;
}

function putValues({ values }: BucketKeys, order: Order, slots: Uint8Array, bits: number): void {
  const written = new Uint16Array(3 * order.third);
  for (let i = values.length - 1; i >= 0; i--) {
    const key = order.keys[i];
    const slot = order.slots[i];
    assert(written[slot] === 0, 'the slot of a key is put once');
    let value = values[key];
    for (let s = 3 * key; s < 3 * key + 3; s++) value ^= written[order.slotsOfKey[s]];
    written[slot] = value;
  }
  for (const [slot, value] of written.entries()) if (value !== 0) putSlot(slots, slot, bits, value);
}

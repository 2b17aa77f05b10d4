/** The positions that a layer leads to: keys by number, and numbers by key. It is an open hash table whose places ascend with the keys. */
import type { Rows } from '../../operators/runs/types.js';
import { insertSpread, newSpreadRows, SPREAD_BYTES, type SpreadRows } from './sort-spread.js';
import { readMixedRows } from './spread.js';

export interface LayerTable {
  /** How many keys it has. */
  readonly length: number;
  readonly bytes: number;
  /** Bytes for `ordered`. */
  readonly orderBytes: number;
  /** Makes room for so many keys more. False: there is none. */
  reserve(more: number, hasRoom: (bytes: number) => boolean): boolean;
  /** The number of a key, which is the next one if it was not there. There is room for it. */
  numberOf(high: number, low: number): number;
  /** Has the numbers of the keys of rows in `out`, from `at` on. */
  numbersOf(rows: Rows, out: Uint32Array, at: number): void;
  /** The keys in order, and their numbers. */
  ordered(): SpreadRows;
  /** Forgets all keys. */
  clear(): void;
}

const FIRST_BITS = 10;
/** Places behind the last: hardly ever does one begin again at the first. */
export const SLACK = 1 << 8;
const WORD_BYTES = 4;
/** Rows that are looked up together. */
const LOOKUP_ROWS = 1 << 10;

export function newLayerTable(): LayerTable {
  let bits = FIRST_BITS;
  /** Numbers of keys, and one more; 0: free. At least twice as many as keys. */
  let slots = new Uint32Array(2 ** bits + SLACK);
  /** Two words a key: the upper and the lower. */
  let keys = new Uint32Array(2 ** bits);
  let length = 0;
  const asked = new Uint32Array(2 * LOOKUP_ROWS);
  const found = new Uint32Array(1);

  function reserve(more: number, hasRoom: (bytes: number) => boolean): boolean {
    const capacity = 2 * (length + more);
    if (capacity <= 2 ** bits) return true;
    const larger = 32 - Math.clz32(capacity - 1);
    if (2 ** larger > keys.length) {
      if (!hasRoom(WORD_BYTES * (2 * 2 ** larger + SLACK))) return false;
      const before = keys.subarray(0, 2 * length);
      keys = new Uint32Array(2 ** larger);
      keys.set(before);
      slots = new Uint32Array(2 ** larger + SLACK);
    } else slots.fill(0, 0, 2 ** bits + SLACK);
    bits = larger;
    enter(keys, length, slots, bits);
    return true;
  }

  return {
    get length() {
      return length;
    },
    get bytes() {
      return WORD_BYTES * (keys.length + slots.length);
    },
    get orderBytes() {
      return SPREAD_BYTES * length;
    },
    reserve,
    numberOf(high, low) {
      asked[0] = high;
      asked[1] = low;
      length = number(asked, 1, { keys, slots, length, bits }, found, 0);
      return found[0];
    },
    numbersOf(rows, out, at) {
      for (let from = 0; from < rows.length; from += LOOKUP_ROWS) {
        const count = Math.min(LOOKUP_ROWS, rows.length - from);
        readMixedRows(rows, from, count, asked);
        length = number(asked, count, { keys, slots, length, bits }, out, at + from);
      }
    },
    ordered() {
      const rows = newSpreadRows(length);
      collect(slots, 2 ** bits + SLACK, keys, rows);
      insertSpread(rows, length);
      return rows;
    },
    clear() {
      slots.fill(0, 0, 2 ** bits + SLACK);
      // A table for half of the keys: the next layer may be smaller, and to clear a table takes time.
      bits = Math.max(FIRST_BITS, 32 - Math.clz32(length));
      length = 0;
    },
  };
}

interface Table {
  readonly keys: Uint32Array;
  readonly slots: Uint32Array;
  readonly length: number;
  readonly bits: number;
}

/** Has the numbers of keys in `out`, from `at` on; returns how many keys there are then. */
function number(
  asked: Uint32Array,
  count: number,
  { keys, slots, length, bits }: Table,
  out: Uint32Array,
  at: number,
): number {
  const shift = 32 - bits;
  const end = 2 ** bits + SLACK;
  let next = length;
  for (let i = 0; i < count; i++) {
    const high = asked[2 * i];
    const low = asked[2 * i + 1];
    let place = high >>> shift;
    let known = slots[place];
    while (known !== 0 && ((keys[2 * known - 1] ^ low) | (keys[2 * known - 2] ^ high)) !== 0) {
      if (++place === end) place = 0;
      known = slots[place];
    }
    if (known === 0) {
      keys[2 * next] = high;
      keys[2 * next + 1] = low;
      known = ++next;
      slots[place] = known;
    }
    out[at + i] = known - 1;
  }
  return next;
}

/** Enters keys in a table that has none. */
function enter(keys: Uint32Array, length: number, slots: Uint32Array, bits: number): void {
  const end = 2 ** bits + SLACK;
  for (let number = 0; number < length; number++) {
    let place = keys[2 * number] >>> (32 - bits);
    while (slots[place] !== 0) if (++place === end) place = 0;
    slots[place] = number + 1;
  }
}

/** The keys and numbers in the order of their places, which is almost that of the keys. */
function collect(
  slots: Uint32Array,
  end: number,
  keys: Uint32Array,
  { first, second, number }: SpreadRows,
): void {
  let at = 0;
  for (let place = 0; place < end; place++) {
    const known = slots[place];
    if (known === 0) continue;
    first[at] = keys[2 * known - 2];
    second[at] = keys[2 * known - 1];
    number[at++] = known - 1;
  }
}

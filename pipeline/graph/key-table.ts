/**
 * Keys by number, and numbers by key: an open hash table whose places ascend with the keys, so that going through it puts
 * the keys in order (a monotone hash: Knuth 1998, section 6.4). Keys are mixed (ids.ts), so places fill evenly. Their order is that of the
 * lowest two words. Wide keys that have these in common are different keys, but the table cannot order them ({@link KeyTable.isAmbiguous}).
 *
 * Memory: the words of the keys, and at least two places of a word each; while the table grows, the old columns are there as well.
 */
import type { Rows } from '../../operators/runs/types.js';
import type { KeyWords } from '../games/yours/keyed/key-words.js';
import { type HeldKeys, readMixedRows } from './spread.js';

const FIRST_BITS = 10;
/** Spare places after the last, so that probing hardly ever wraps around to the first. */
const SLACK = 1 << 8;
const WORD_BYTES = 4;
/** Rows that are looked up together. */
const LOOKUP_ROWS = 1 << 10;
/** Keys whose places are read before they are looked up. */
const AHEAD = 1 << 7;

/** Keys, by columns of two words, and their numbers. */
interface NumberedKeys {
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly number: Uint32Array;
}
/** Bytes of one of them. */
const NUMBERED_BYTES = 12;

/** Whether there is room for so many bytes more. */
export type HasRoom = (bytes: number) => boolean;

export class KeyTable implements HeldKeys {
  keys = new Uint32Array(2 ** FIRST_BITS);
  upper: Uint32Array;
  length = 0;
  /** Whether two keys were entered that differ in their upper words alone. */
  isAmbiguous = false;
  private bits = FIRST_BITS;
  /** Numbers of keys, and one more; 0: free. At least twice as many as keys. */
  private slots = new Uint32Array(2 ** FIRST_BITS + SLACK);
  private readonly high = new Uint32Array(LOOKUP_ROWS);
  private readonly low = new Uint32Array(LOOKUP_ROWS);
  private readonly lookedUp: Uint32Array;
  private readonly found = new Uint32Array(LOOKUP_ROWS);
  private touched = 0;

  /** @param width upper words of each key. */
  constructor(readonly width: number) {
    this.upper = new Uint32Array(width * 2 ** (FIRST_BITS - 1));
    this.lookedUp = new Uint32Array(width * LOOKUP_ROWS);
  }

  get bytes(): number {
    return WORD_BYTES * (this.keys.length + this.upper.length + this.slots.length);
  }

  /** Bytes to enter its keys in another table. */
  get orderBytes(): number {
    return NUMBERED_BYTES * this.length;
  }

  /** Makes room for so many keys more. False: there is none. */
  reserve(more: number, hasRoom: HasRoom): boolean {
    const { length, keys, upper, width } = this;
    const places = 2 * (length + more);
    if (places <= 2 ** this.bits) return true;
    const bits = 32 - Math.clz32(places - 1);
    if (2 ** bits > keys.length) {
      const wider = width * 2 ** (bits - 1);
      if (!hasRoom(WORD_BYTES * (2 * 2 ** bits + SLACK + wider))) return false;
      this.keys = new Uint32Array(2 ** bits);
      this.keys.set(keys.subarray(0, 2 * length));
      this.upper = new Uint32Array(wider);
      this.upper.set(upper.subarray(0, width * length));
      this.slots = new Uint32Array(2 ** bits + SLACK);
    } else this.slots.fill(0, 0, 2 ** this.bits + SLACK);
    this.bits = bits;
    place(this.keys, length, this.slots, bits);
    return true;
  }

  /** Enters a key, for which there is room, unless it is there. */
  add({ high, low, upper }: Readonly<KeyWords>): void {
    this.high[0] = high;
    this.low[0] = low;
    this.lookedUp.set(upper);
    this.number(this.high, this.low, this.lookedUp, null, 1, this.found, 0);
  }

  /** Writes the numbers of the keys of rows to `out`, from `at` on. New keys, for which there is room, get the next ones. */
  numbersOf(rows: Rows, out: Uint32Array, at: number): void {
    const { high, low, lookedUp } = this;
    for (let from = 0; from < rows.length; from += LOOKUP_ROWS) {
      const count = Math.min(LOOKUP_ROWS, rows.length - from);
      readMixedRows(rows, from, count, high, low, lookedUp);
      this.number(high, low, lookedUp, null, count, out, at + from);
    }
  }

  /** As {@link numbersOf}, of the keys of another table in order. @returns the numbers here by those there. */
  enter(table: KeyTable): Uint32Array {
    const { first, second, number } = table.ordered();
    const { length } = number;
    const numbers = new Uint32Array(length);
    this.number(first, second, table.upper, number, length, second, 0);
    for (let i = 0; i < length; i++) numbers[number[i]] = second[i];
    return numbers;
  }

  /** The keys with numbers below `most`, in order. Takes {@link orderBytes} and the words of those keys. */
  orderedBelow(most: number): HeldKeys & { readonly length: number } {
    const { first, second, number } = this.ordered();
    const { width } = this;
    const keys = new Uint32Array(2 * most);
    const upper = new Uint32Array(width * most);
    let length = 0;
    for (let i = 0; i < number.length; i++) {
      if (number[i] >= most) continue;
      keys[2 * length] = first[i];
      keys[2 * length + 1] = second[i];
      for (let c = 0; c < width; c++) upper[width * length + c] = this.upper[width * number[i] + c];
      length++;
    }
    return { keys, upper, width, length };
  }

  /** The keys in order, and their numbers. */
  private ordered(): NumberedKeys {
    const column = () => new Uint32Array(this.length);
    const rows = { first: column(), second: column(), number: column() };
    collect(this.slots, 2 ** this.bits + SLACK, this.keys, rows);
    insert(rows);
    return rows;
  }

  /** Removes all keys. */
  clear(): void {
    this.slots.fill(0, 0, 2 ** this.bits + SLACK);
    // A table for half of the keys: the next layer may be smaller, and to clear a table takes time.
    this.bits = Math.max(FIRST_BITS, 32 - Math.clz32(this.length));
    this.length = 0;
  }

  /** `out` may be one of the columns. @param places the key whose words `upper` has first, second, …; null: they are in order. */
  private number(
    high: Uint32Array,
    low: Uint32Array,
    upper: Uint32Array,
    places: Uint32Array | null,
    count: number,
    out: Uint32Array,
    at: number,
  ): void {
    const { keys, slots, bits, width } = this;
    const shift = 32 - bits;
    const end = 2 ** bits + SLACK;
    let next = this.length;
    let ahead = 0;
    for (let i = 0; i < count; i++) {
      if (i === ahead) {
        ahead = Math.min(count, i + AHEAD);
        this.touched ^= touch(keys, slots, shift, high, i, ahead);
      }
      const a = high[i];
      const b = low[i];
      let slot = a >>> shift;
      let known = slots[slot];
      const place = width === 0 ? 0 : width * (places === null ? i : places[i]);
      while (
        known !== 0 &&
        (((keys[2 * known - 1] ^ b) | (keys[2 * known - 2] ^ a)) !== 0 ||
          (width > 0 && !this.hasUpper(known - 1, upper, place)))
      ) {
        if (++slot === end) slot = 0;
        known = slots[slot];
      }
      if (known === 0) {
        keys[2 * next] = a;
        keys[2 * next + 1] = b;
        for (let c = 0; c < width; c++) this.upper[width * next + c] = upper[place + c];
        known = ++next;
        slots[slot] = known;
      }
      out[at + i] = known - 1;
    }
    this.length = next;
  }

  /** Whether a key has these upper words; its lowest two are those that are looked up. */
  private hasUpper(number: number, words: Uint32Array, at: number): boolean {
    const { upper, width } = this;
    for (let c = 0; c < width; c++)
      if (upper[width * number + c] !== words[at + c]) {
        this.isAmbiguous = true;
        return false;
      }
    return true;
  }
}

/**
 * Reads the places of keys and the keys there, so that the processor waits for many at once, not for one after the other (group
 * prefetching: Chen, Ailamaki, Gibbons and Mowry 2004, section 4). @returns something of all of them, or the compiler would leave it out.
 */
function touch(
  keys: Uint32Array,
  slots: Uint32Array,
  shift: number,
  high: Uint32Array,
  from: number,
  to: number,
): number {
  let touched = 0;
  const last = keys.length - 1;
  for (let i = from; i < to; i++) touched ^= keys[(2 * slots[high[i] >>> shift] - 1) & last];
  return touched;
}

/** Enters keys in a table that has none. */
function place(keys: Uint32Array, length: number, slots: Uint32Array, bits: number): void {
  const end = 2 ** bits + SLACK;
  for (let number = 0; number < length; number++) {
    let slot = keys[2 * number] >>> (32 - bits);
    while (slots[slot] !== 0) if (++slot === end) slot = 0;
    slots[slot] = number + 1;
  }
}

/** The keys and numbers in the order of their places, which is almost that of the keys. */
function collect(
  slots: Uint32Array,
  end: number,
  keys: Uint32Array,
  { first, second, number }: NumberedKeys,
): void {
  let at = 0;
  for (let slot = 0; slot < end; slot++) {
    const known = slots[slot];
    if (known === 0) continue;
    first[at] = keys[2 * known - 2];
    second[at] = keys[2 * known - 1];
    number[at++] = known - 1;
  }
}

/** Puts keys in order that are near their places. */
function insert({ first, second, number }: NumberedKeys): void {
  for (let i = 1; i < number.length; i++) {
    const a = first[i];
    const b = second[i];
    let at = i;
    while (at > 0 && (first[at - 1] > a || (first[at - 1] === a && second[at - 1] > b))) at--;
    if (at === i) continue;
    const own = number[i];
    for (let to = i; to > at; to--) {
      first[to] = first[to - 1];
      second[to] = second[to - 1];
      number[to] = number[to - 1];
    }
    first[at] = a;
    second[at] = b;
    number[at] = own;
  }
}

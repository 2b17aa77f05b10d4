/** The keys of all positions that were found, by number, and an open hash table of them whose places ascend with the keys. */
import { SLACK } from './layer-table.js';
import type { SpreadRows } from './sort-spread.js';

export interface VisitedKeys {
  /** Two words a node: the upper and the lower. */
  readonly keys: Uint32Array;
  readonly nodes: number;
  readonly bytes: number;
  /** Makes room for so many nodes. False: there is none. */
  reserve(length: number, hasRoom: (bytes: number) => boolean): boolean;
  /**
   * Numbers keys that ascend: those that are new follow each other. There is room for them. @returns the numbers, by those that the keys
   * have there.
   */
  enter(rows: SpreadRows): Uint32Array;
}

const FIRST_BITS = 11;
const WORD_BYTES = 4;

export function newVisitedKeys(): VisitedKeys {
  let keys = new Uint32Array(2 ** FIRST_BITS);
  let bits = FIRST_BITS;
  /**
   * In the lower `bits` bits the number of a node, and one more; in the upper those of the lower word of its key. 0: free. At least
   * twice as many as nodes.
   */
  let slots = new Uint32Array(2 ** bits + SLACK);
  let nodes = 0;

  return {
    get keys() {
      return keys;
    },
    get nodes() {
      return nodes;
    },
    get bytes() {
      return WORD_BYTES * (keys.length + slots.length);
    },
    reserve(length, hasRoom) {
      if (2 * length > keys.length) {
        const capacity = Math.max(2 * length, 2 * keys.length);
        if (!hasRoom(capacity * WORD_BYTES)) return false;
        const larger = new Uint32Array(capacity);
        larger.set(keys);
        keys = larger;
      }
      if (2 * length <= 2 ** bits) return true;
      const larger = 32 - Math.clz32(2 * length - 1);
      if (!hasRoom((2 ** larger + SLACK) * WORD_BYTES)) return false;
      const before = slots;
      slots = new Uint32Array(2 ** larger + SLACK);
      move({ keys, slots: before, bits }, { keys, slots, bits: larger });
      bits = larger;
      return true;
    },
    enter(rows) {
      const numbers = new Uint32Array(rows.number.length);
      nodes = enter(rows, { keys, slots, bits }, nodes, numbers);
      return numbers;
    },
  };
}

interface Table {
  readonly keys: Uint32Array;
  readonly slots: Uint32Array;
  readonly bits: number;
}

/** Enters the nodes of a table in another that has none. */
function move(from: Table, { keys, slots, bits }: Table): void {
  const mask = 2 ** from.bits - 1;
  for (let at = 0; at < from.slots.length; at++) {
    if (from.slots[at] === 0) continue;
    const node = (from.slots[at] & mask) - 1;
    let place = keys[2 * node] >>> (32 - bits);
    while (slots[place] !== 0) if (++place === slots.length) place = 0;
    slots[place] = markOf(keys[2 * node + 1], node, bits);
  }
}

function markOf(low: number, node: number, bits: number): number {
  return ((low >>> bits) << bits) | (node + 1);
}

/** Has the numbers of the keys of `rows` in `numbers`; returns how many nodes there are then. */
function enter(
  { first, second, number }: SpreadRows,
  { keys, slots, bits }: Table,
  nodes: number,
  numbers: Uint32Array,
): number {
  const shift = 32 - bits;
  const mask = 2 ** bits - 1;
  let next = nodes;
  for (let i = 0; i < number.length; i++) {
    const high = first[i];
    const low = second[i];
    let place = high >>> shift;
    let found = -1;
    for (let mark = slots[place]; mark !== 0; mark = slots[place]) {
      const node = (mark & mask) - 1;
      // Most others are told apart by the mark alone.
      if ((mark ^ low) >>> bits === 0 && keys[2 * node + 1] === low && keys[2 * node] === high) {
        found = node;
        break;
      }
      if (++place === slots.length) place = 0;
    }
    if (found < 0) {
      keys[2 * next] = high;
      keys[2 * next + 1] = low;
      slots[place] = markOf(low, next, bits);
      found = next++;
    }
    numbers[number[i]] = found;
  }
  return next;
}

/**
 * The graph of a keyed game while it is found, in memory. It has the keys of its positions in the order of their
 * numbers. An open hash table leads from keys to numbers (Knuth 1998, section 6.4, algorithm L). Numbers are those
 * that sorting gives: layer by layer, in each by the mixed keys. So a layer is put in order when it is complete, and
 * edges that lead to it are numbered again.
 */
import type { Cursor, Rows } from '../../../operators/runs/types.js';
import type { KeyWords } from '../../games/keyed/key-words.js';
import { batchesOfKeys, readMixedRows } from '../reachable/spread.js';
import type { HeldGraph, HeldRoom, PackedNodes } from '../source.js';
import { newSpreadRows, SPREAD_BYTES, type SpreadRows, sortSpread } from './sort-spread.js';

export interface GrowingGraph {
  /** Takes a position of the first layer, which may be there already. False: there is no room for it. */
  addRoot(mixed: Readonly<KeyWords>): boolean;
  /** Takes the next nodes of the last layer, in order. False: there is no room for them, and the graph cannot be held. */
  add(nodes: PackedNodes): boolean;
  /** Ends the layer that was added to: the next has so many positions. 0: all are found; null: there is no room to put them in order. */
  endLayer(): number | null;
  /** The keys of the last layer, in order. */
  layer(): Cursor;
  graph(): HeldGraph;
}

const FIRST = 1 << 10;
const WORD_BYTES = 4;
/** For a node that is expanded: where its edges end, its status. */
const END_BYTES = 5;
/** For a position of a layer while it is put in order: twice as a row. */
const LAYER_BYTES = 2 * SPREAD_BYTES;

/** Whether there is room for so many bytes more. While an array grows, it is there twice. */
type HasRoom = (more: number) => boolean;

/** Keys by number, and numbers by key. */
interface KeyTable {
  /** Two words a node: the upper and the lower. */
  readonly keys: Uint32Array;
  readonly nodes: number;
  readonly bytes: number;
  /** Makes room for so many nodes. False: there is none. */
  reserve(length: number, hasRoom: HasRoom): boolean;
  /** The number of a key, which is a new one if it was not there. There is room for it. */
  numberOf(high: number, low: number): number;
  /** Has the numbers of the keys of rows in `out`, from `at` on. */
  numbersOf(rows: Rows, out: Uint32Array, at: number): void;
  /** Has the nodes since the last call ascend by their keys. @returns the new number of each. */
  order(): Uint32Array;
}

function newKeyTable(): KeyTable {
  let keys = new Uint32Array(2 * FIRST);
  /** Numbers of nodes, and one more; 0: free. At least twice as many as nodes. */
  let slots = new Uint32Array(2 * FIRST);
  /** The slots of the nodes of the layer that is being found. */
  let places = new Uint32Array(FIRST);
  let nodes = 0;
  let first = 0;
  const asked = new Uint32Array(2 * AT_ONCE);

  function growTable(least: number, hasRoom: HasRoom): boolean {
    let capacity = slots.length;
    while (capacity < least) capacity *= 2;
    if (!hasRoom(capacity * WORD_BYTES)) return false;
    slots = new Uint32Array(capacity);
    enter(keys, nodes, slots, { places, first });
    return true;
  }

  function numberOf(high: number, low: number): number {
    const mask = slots.length - 1;
    let at = low & mask;
    for (let number = slots[at]; number !== 0; number = slots[at]) {
      if ((keys[2 * number - 1] ^ low) === 0 && (keys[2 * number - 2] ^ high) === 0) return number - 1;
      at = (at + 1) & mask;
    }
    keys[2 * nodes] = high;
    keys[2 * nodes + 1] = low;
    places[nodes - first] = at;
    slots[at] = nodes + 1;
    return nodes++;
  }

  return {
    get keys() {
      return keys;
    },
    get nodes() {
      return nodes;
    },
    get bytes() {
      return WORD_BYTES * (keys.length + slots.length + places.length);
    },
    reserve(length, hasRoom) {
      if (2 * length > keys.length) {
        const capacity = Math.max(2 * length, 2 * keys.length);
        if (!hasRoom(capacity * WORD_BYTES)) return false;
        keys = grown(keys, new Uint32Array(capacity));
      }
      if (length - first > places.length) {
        const capacity = Math.max(length - first, 2 * places.length);
        if (!hasRoom(capacity * WORD_BYTES)) return false;
        places = grown(places, new Uint32Array(capacity));
      }
      return 2 * length <= slots.length || growTable(2 * length, hasRoom);
    },
    numberOf,
    numbersOf(rows, out, at) {
      for (let from = 0; from < rows.length; from += AT_ONCE) {
        const length = Math.min(AT_ONCE, rows.length - from);
        readMixedRows(rows, from, length, asked);
        const to = out.subarray(at + from, at + from + length);
        lookUp(asked, length, slots, keys, to);
        for (let i = 0; i < length; i++)
          if (to[i] === NONE) to[i] = numberOf(asked[2 * i] | 0, asked[2 * i + 1] | 0);
      }
    },
    order() {
      const length = nodes - first;
      const rows = rowsOfKeys(keys, first, length);
      const ordered = newSpreadRows(length);
      sortSpread(rows, ordered, length);
      const { number: numbers } = rows;
      putInOrder(ordered, length, first, { keys, slots, places, numbers });
      first = nodes;
      return numbers;
    },
  };
}

export function newGrowingGraph({ memory, rows: mostRows }: HeldRoom): GrowingGraph {
  const table = newKeyTable();
  let ends = new Uint32Array(FIRST);
  let status = new Uint8Array(FIRST);
  let targets = new Uint32Array(FIRST);
  let expanded = 0;
  let edges = 0;
  /** The first node, and the first edge, that belong to the layer that is being found, or lead there. */
  let first = 0;
  let firstEdge = 0;
  let boards = 0;
  let compared = 0;

  const bytes = () => table.bytes + ends.length * END_BYTES + targets.length * WORD_BYTES;
  const hasRoom: HasRoom = (more) => bytes() + more <= memory;

  /** For so many nodes that are expanded, and so many edges. */
  function reserve(length: number, edgesToo: number): boolean {
    if (length > ends.length) {
      const capacity = Math.max(length, 2 * ends.length);
      if (!hasRoom(capacity * END_BYTES)) return false;
      ends = grown(ends, new Uint32Array(capacity));
      status = grown(status, new Uint8Array(capacity));
    }
    if (edgesToo <= targets.length) return true;
    const capacity = Math.max(edgesToo, 2 * targets.length);
    if (!hasRoom(capacity * WORD_BYTES)) return false;
    targets = grown(targets, new Uint32Array(capacity));
    return true;
  }

  return {
    addRoot({ high, low }) {
      if (table.nodes >= mostRows || !table.reserve(table.nodes + 1, hasRoom)) return false;
      table.numberOf(high, low);
      return true;
    },
    add({ length, status: what, ends: endsOf, targets: rows, ...counts }) {
      const more = rows.length;
      if (expanded + length + edges + more > mostRows) return false;
      if (!table.reserve(table.nodes + more, hasRoom) || !reserve(expanded + length, edges + more))
        return false;
      table.numbersOf(rows, targets, edges);
      addTo(endsOf, length, edges, ends, expanded);
      status.set(what.subarray(0, length), expanded);
      expanded += length;
      edges += more;
      boards += counts.boards;
      compared += counts.compared;
      return true;
    },
    endLayer() {
      const length = table.nodes - first;
      if (!hasRoom(length * LAYER_BYTES)) return null;
      const numbers = table.order();
      renumber(targets, firstEdge, edges, first, numbers);
      first = table.nodes;
      firstEdge = edges;
      return length;
    },
    layer: () => batchesOfKeys(() => table.keys, expanded, table.nodes),
    graph: () => ({ nodes: table.nodes, edges, keys: table.keys, status, ends, targets, boards, compared }),
  };
}

// Loops are functions of their own. V8 compiles what is around a long loop with it, and once more when the loop ends.

/** Enters nodes in a table that has none; `places` has the slots of those from `first` on. */
function enter(
  keys: Uint32Array,
  nodes: number,
  slots: Uint32Array,
  { places, first }: { readonly places: Uint32Array; readonly first: number },
): void {
  const mask = slots.length - 1;
  for (let node = 0; node < nodes; node++) {
    let at = keys[2 * node + 1] & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = node + 1;
    if (node >= first) places[node - first] = at;
  }
}

/** The keys of nodes from `first` on, numbered from 0. */
function rowsOfKeys(keys: Uint32Array, first: number, length: number): SpreadRows {
  const rows = newSpreadRows(length);
  const { first: high, second: low, number } = rows;
  for (let i = 0; i < length; i++) {
    high[i] = keys[2 * (first + i)];
    low[i] = keys[2 * (first + i) + 1];
    number[i] = i;
  }
  return rows;
}

/** Numbers the nodes from `from` on as their keys are ordered. */
function putInOrder(
  { first, second, number }: SpreadRows,
  length: number,
  from: number,
  { keys, slots, places, numbers }: Readonly<Record<'keys' | 'slots' | 'places' | 'numbers', Uint32Array>>,
): void {
  for (let i = 0; i < length; i++) {
    const node = from + i;
    keys[2 * node] = first[i];
    keys[2 * node + 1] = second[i];
    slots[places[number[i]]] = node + 1;
    numbers[number[i]] = node;
  }
}

function addTo(values: Uint32Array, length: number, more: number, out: Uint32Array, at: number): void {
  for (let i = 0; i < length; i++) out[at + i] = values[i] + more;
}

function renumber(targets: Uint32Array, from: number, to: number, first: number, numbers: Uint32Array): void {
  for (let edge = from; edge < to; edge++)
    if (targets[edge] >= first) targets[edge] = numbers[targets[edge] - first];
}

/**
 * The numbers of keys that are in the first place where they can be; {@link NONE} for others. All places are read first, and then all keys
 * that are there, so that the processor waits for many at a time.
 */
function lookUp(
  asked: Uint32Array,
  length: number,
  slots: Uint32Array,
  keys: Uint32Array,
  out: Uint32Array,
): void {
  const mask = slots.length - 1;
  for (let i = 0; i < length; i++) out[i] = slots[asked[2 * i + 1] & mask];
  for (let i = 0; i < length; i++) {
    const at = 2 * Math.max(0, out[i] - 1);
    const differs = (keys[at] ^ asked[2 * i]) | (keys[at + 1] ^ asked[2 * i + 1]);
    out[i] = differs === 0 ? out[i] - 1 : NONE;
  }
}

/** Rows that are looked up together; no number of a node. */
const AT_ONCE = 1 << 10;
const NONE = 2 ** 32 - 1;

function grown<Column extends Uint32Array | Uint8Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}

/**
 * The graph of a keyed game while it is found, in memory. It has the keys of its positions in the order of their numbers. Numbers
 * are those that sorting gives: layer by layer, in each by the mixed keys.
 *
 * The positions that the moves of a layer lead to have a small hash table of their own. When the layer is complete, its keys are
 * looked up in the table of all keys. New ones are entered, as finder.ts does by sorting. Going through its table puts the layer in
 * order (key-table.ts), so the table of all keys is gone through from its beginning to its end, too.
 */
import type { Cursor } from '../../operators/runs/types.js';
import type { KeyWords } from '../games/keyed/key-words.js';
import { guessNodes } from './guess-nodes.js';
import { KeyTable } from './key-table.js';
import type { HeldGraph, HeldRoom, PackedNodes } from './source.js';
import { batchesOfKeys } from './spread.js';

export interface GrowingGraph {
  /** Takes a position of the first layer, which may be there already. False: there is no room for it. */
  addRoot(mixed: Readonly<KeyWords>): boolean;
  /** Takes the next nodes of the last layer, in order. False: there is no room for them, and the graph cannot be held. */
  add(nodes: PackedNodes): boolean;
  /**
   * Ends the layer that was added to: the next has so many positions. 0: all are found. Null: there is no room to put them in order.
   * Or there will be none for the layer after them, if layers go on growing as they do.
   */
  endLayer(): number | null;
  /** The keys of the last layer, in order. */
  layer(): Cursor;
  graph(): HeldGraph;
}

const FIRST = 1 << 10;
const WORD_BYTES = 4;
/** For a node that is expanded: where its edges end, its status. */
const END_BYTES = 5;
/** For each node at least: its key, its place in a table half full, and what it is expanded to. */
const NODE_BYTES = 4 * WORD_BYTES + END_BYTES;
/** So many nodes are found in a moment, and none of them is given up. */
const MANY_NODES = 1 << 16;
/** Guesses are up to four times too large. Those of graphs that fit were at most 1.7 times the room. */
const GUESSED_TOO_MUCH = 3;

export function newGrowingGraph({ memory, rows: mostRows, large }: HeldRoom): GrowingGraph {
  const layer = new KeyTable();
  const visited = new KeyTable();
  let ends = new Uint32Array(FIRST);
  let status = new Uint8Array(FIRST);
  let targets = new Uint32Array(FIRST);
  let expanded = 0;
  /** Positions of the last few layers. */
  let layers: readonly number[] = [0];
  let edges = 0;
  /** The first edge that leads to the layer that is being found: it has a number within the layer's table. */
  let firstEdge = 0;
  let boards = 0;
  let compared = 0;

  const bytes = () => layer.bytes + visited.bytes + ends.length * END_BYTES + targets.length * WORD_BYTES;
  /** Whether there is room for so many bytes more. While an array grows, it is there twice. */
  const hasRoom = (more: number) => bytes() + more <= memory;

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

  /**
   * Whether the next layer, of so many positions, and the one after it will not fit. While layers grow, most of the graph is
   * still to come. So a graph that is given up by mistake is one that would just have fitted.
   */
  function willOutgrow(): boolean {
    const [last, next] = layers.slice(-2);
    return next > last && share(visited.length + (next * next) / last) > 1;
  }

  /** The share of the room that so many nodes take with their edges. */
  function share(nodes: number): number {
    const edgesToo = (edges / expanded) * nodes;
    return Math.max((nodes + edgesToo) / mostRows, (nodes * NODE_BYTES + edgesToo * WORD_BYTES) / memory);
  }

  /** As {@link willOutgrow}, by a guess. */
  function isGuessedTooLarge(): boolean {
    return share(guessNodes(layers, visited.length)) > GUESSED_TOO_MUCH;
  }

  return {
    addRoot({ high, low }) {
      if (layer.length >= mostRows || !layer.reserve(1, hasRoom)) return false;
      layer.add(high, low);
      return true;
    },
    add({ length, status: what, ends: endsOf, targets: rows, ...counts }) {
      const more = rows.length;
      if (expanded + length + edges + more > mostRows) return false;
      if (!layer.reserve(more, hasRoom) || !reserve(expanded + length, edges + more)) return false;
      layer.numbersOf(rows, targets, edges);
      addTo(endsOf, length, edges, ends, expanded);
      status.set(what.subarray(0, length), expanded);
      expanded += length;
      edges += more;
      boards += counts.boards;
      compared += counts.compared;
      return true;
    },
    endLayer() {
      const before = visited.length;
      if (!hasRoom(layer.orderBytes) || !visited.reserve(layer.length, hasRoom)) return null;
      const numbers = visited.enter(layer.ordered());
      renumber(targets, firstEdge, edges, numbers);
      firstEdge = edges;
      layer.clear();
      const next = visited.length - before;
      layers = [...layers.slice(-3), next];
      const isGivenUp = isGuessedTooLarge() && large?.() === true;
      if (expanded > MANY_NODES && (isGivenUp || willOutgrow())) return null;
      return next;
    },
    layer: () => batchesOfKeys(() => visited.keys, expanded, visited.length),
    graph: () => ({
      nodes: visited.length,
      edges,
      keys: visited.keys,
      status,
      ends,
      targets,
      boards,
      compared,
    }),
  };
}

// Loops are functions of their own. V8 compiles what is around a long loop with it, and once more when the loop ends.

function addTo(values: Uint32Array, length: number, more: number, out: Uint32Array, at: number): void {
  for (let i = 0; i < length; i++) out[at + i] = values[i] + more;
}

function renumber(targets: Uint32Array, from: number, to: number, numbers: Uint32Array): void {
  for (let edge = from; edge < to; edge++) targets[edge] = numbers[targets[edge]];
}

function grown<Column extends Uint32Array | Uint8Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}

/**
 * The graph of a keyed game while it is found, in memory. It has the keys of its positions in the order of their numbers. Numbers
 * are those that sorting gives: layer by layer, in each by the mixed keys.
 *
 * The positions that the moves of a layer lead to have a small hash table of their own. When the layer is complete, its keys are
 * looked up in the table of all keys. New ones are entered, as finder.ts does by sorting. Going through its table puts the layer in
 * order (key-table.ts), so the table of all keys is gone through from its beginning to its end, too.
 */
import type { Budget } from '../../operators/core/budget.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Cursor } from '../../operators/runs/types.js';
import { type KeyWords, upperWords } from '../games/yours/keyed/key-words.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { guessNodes } from './guess-nodes.js';
import { KeyTable } from './key-table.js';
import { importMemory } from './memory.js';
import type { PackedNodes, SourceCounts } from './source.js';
import { BATCH_ROWS, batchesOfKeys, columnsOfKeys, type HeldKeys, writeHeldKeys } from './spread.js';
import { TooLarge } from './too-large.js';

/** A graph in memory. */
export interface HeldGraph {
  readonly nodes: number;
  /** By which keys are mixed (ids.ts): the first seed by which no two have the same lowest words. */
  readonly seed: number;
  /** Keys by node. */
  readonly keys: HeldKeys;
  /** As those of PackedNodes. */
  readonly status: Uint32Array;
  /** The edges of node i are those from ends[i - 1] to ends[i]; where they lead, with repeats. */
  readonly ends: Uint32Array;
  readonly targets: Uint32Array;
  /** As those of PackedNodes. */
  readonly exchanged: Uint8Array | null;
}

/** The room there is. */
export interface RoomOfGraph {
  /** A share of its memory is for the graph. */
  readonly budget: Budget;
  /** Nodes and edges together are fewer than this. */
  readonly rows: number;
  /** Returns true to abandon the graph. Called after each layer once it will probably not fit (guess-nodes.ts). */
  readonly large?: (() => boolean) | undefined;
}

/** What is told of nodes beside their words. */
type Told = Pick<PackedNodes, 'boards' | 'exchanging' | 'compared'>;

const NOTHING_TOLD: Told = { boards: 0, exchanging: 0, compared: 0 };

const FIRST = 1 << 10;
const WORD_BYTES = 4;
/** For a node that is expanded: where its edges end, its status. */
const END_BYTES = 8;
/** For each node at least: the lowest words of its key, its place in a table half full, and what it is expanded to. */
const NODE_BYTES = 4 * WORD_BYTES + END_BYTES;
/** So many nodes are found in a moment, and none of them is given up. */
const MANY_NODES = 1 << 16;
/** Guesses are up to four times too large. Those of graphs that fit were at most 1.7 times the room. */
const GUESSED_TOO_MUCH = 3;

/** Every method that takes something in throws TooLarge if there is no room for it. */
export class GrowingGraph {
  private readonly layer: KeyTable;
  private readonly visited: KeyTable;
  private ends = new Uint32Array(FIRST);
  private status = new Uint32Array(FIRST);
  private targets = new Uint32Array(FIRST);
  private exchanged: Uint8Array | null;
  private readonly nodeBytes: number;
  private readonly edgeBytes: number;
  private expanded = 0;
  /** How many nodes are in the layers before the last one. */
  private firstOfLayer = 0;
  /** Positions of the last few layers. */
  private layers: readonly number[] = [0];
  private edges = 0;
  /** The first edge that leads to the layer that is being found: it has a number within the layer's table. */
  private firstEdge = 0;
  private told: Told = NOTHING_TOLD;
  /** That of the layers before the last one. */
  private toldBefore: Told = NOTHING_TOLD;
  private readonly memory: number;

  constructor(
    private readonly room: RoomOfGraph,
    { symmetries, keyBits }: Pick<KeyedRules, 'symmetries' | 'keyBits'>,
    private readonly seed: number,
  ) {
    const width = upperWords(keyBits);
    this.layer = new KeyTable(width);
    this.visited = new KeyTable(width);
    this.nodeBytes = NODE_BYTES + width * WORD_BYTES;
    const exchanges = symmetries !== null;
    this.exchanged = exchanges ? new Uint8Array(FIRST) : null;
    this.edgeBytes = exchanges ? WORD_BYTES + 1 : WORD_BYTES;
    this.memory = importMemory('find in memory', room.budget).graph.memory;
  }

  /** Takes a position of the first layer, which may be there already. */
  addRoot(key: Readonly<KeyWords>): void {
    const { layer, room, hasRoom } = this;
    if (layer.length >= room.rows || !layer.reserve(1, hasRoom)) throw new TooLarge();
    layer.add(key);
  }

  /** Takes the next nodes of the last layer, in order. */
  add(nodes: PackedNodes): void {
    const { length, status, ends, targets, exchanged } = nodes;
    const { layer, expanded, edges, hasRoom } = this;
    const more = targets.length;
    if (expanded + length + edges + more >= this.room.rows) throw new TooLarge();
    if (!layer.reserve(more, hasRoom) || !this.reserve(expanded + length, edges + more)) throw new TooLarge();
    layer.numbersOf(targets, this.targets, edges);
    addTo(ends, length, edges, this.ends, expanded);
    this.status.set(status.subarray(0, length), expanded);
    if (exchanged !== null) this.exchanged!.set(exchanged.subarray(0, more), edges);
    this.expanded += length;
    this.edges += more;
    this.told = {
      boards: this.told.boards + nodes.boards,
      exchanging: this.told.exchanging + nodes.exchanging,
      compared: this.told.compared + nodes.compared,
    };
  }

  /**
   * Ends the layer that was added to. If there are no more positions then, all are found. Also gives up if there will be no room for the layer
   * after them, should layers go on growing as they do.
   */
  endLayer(): void {
    const { layer, visited, hasRoom } = this;
    const before = visited.length;
    if (!hasRoom(layer.orderBytes) || !visited.reserve(layer.length, hasRoom)) throw new TooLarge();
    renumber(this.targets, this.firstEdge, this.edges, visited.enter(layer));
    this.firstEdge = this.edges;
    this.firstOfLayer = before;
    this.toldBefore = this.told;
    layer.clear();
    const next = visited.length - before;
    this.layers = [...this.layers.slice(-3), next];
    const isGivenUp = this.isGuessedTooLarge() && this.room.large?.() === true;
    if (this.expanded > MANY_NODES && (isGivenUp || this.willOutgrow())) throw new TooLarge();
  }

  /** Whether two keys differ in their upper words alone, so that they have no order. */
  get isAmbiguous(): boolean {
    return this.visited.isAmbiguous;
  }

  /** The keys of the last layer, in order. */
  lastLayer(): Cursor {
    return batchesOfKeys(this.visited, this.expanded, this.visited.length);
  }

  /** Positions of all layers that are ended. */
  get positions(): number {
    return this.visited.length;
  }

  /** Nodes that are expanded, and their edges. */
  get rows(): number {
    return this.expanded + this.edges;
  }

  get counts(): SourceCounts {
    return { nodes: this.expanded, edges: this.edges, apart: 0, texts: 0, ...this.told };
  }

  /** Takes back what was added of the last layer: it is not expanded then, and the layers before it are whole. */
  dropAdded(): void {
    this.expanded = this.firstOfLayer;
    this.edges = this.firstEdge;
    this.told = this.toldBefore;
  }

  /** The nodes that are expanded, as they were added; the layers that they are in are ended. Batches are used again. */
  *added(): Generator<PackedNodes> {
    const { visited, ends, status, exchanged, expanded, told } = this;
    const endsOfBatch = new Uint32Array(BATCH_ROWS);
    const payload = 1 + visited.width;
    let targets = newRows(0, payload);
    for (const { first, ...keys } of columnsOfKeys(visited, expanded)) {
      const { length } = keys;
      const start = first === 0 ? 0 : ends[first - 1];
      const end = ends[first + length - 1];
      for (let i = 0; i < length; i++) endsOfBatch[i] = ends[first + i] - start;
      if (end - start > targets.minor.length) targets = newRows(2 * (end - start), payload);
      writeHeldKeys(visited, this.targets, start, end, targets);
      yield {
        ...keys,
        status: status.subarray(first, first + length),
        ends: endsOfBatch,
        targets,
        exchanged: exchanged?.subarray(start, end) ?? null,
        ...(first === 0 ? told : NOTHING_TOLD),
      };
    }
  }

  /** The keys of the nodes that are expanded, in order. Nothing but keys is there afterwards. */
  expandedKeys(): Cursor {
    this.ends = this.status = this.targets = new Uint32Array(0);
    this.exchanged = null;
    const keys = this.visited.orderedBelow(this.expanded);
    return batchesOfKeys(keys, 0, keys.length);
  }

  graph(): HeldGraph {
    const { seed, visited: keys, status, ends, targets, exchanged } = this;
    return { nodes: keys.length, seed, keys, status, ends, targets, exchanged };
  }

  /** Whether there is room for so many bytes more. While an array grows, it is there twice. */
  private readonly hasRoom = (more: number): boolean => {
    const columns = this.ends.length * END_BYTES + this.targets.length * this.edgeBytes;
    return this.layer.bytes + this.visited.bytes + columns + more <= this.memory;
  };

  /** For so many nodes that are expanded, and so many edges. */
  private reserve(length: number, edges: number): boolean {
    if (length > this.ends.length) {
      const capacity = Math.max(length, 2 * this.ends.length);
      if (!this.hasRoom(capacity * END_BYTES)) return false;
      this.ends = grown(this.ends, new Uint32Array(capacity));
      this.status = grown(this.status, new Uint32Array(capacity));
    }
    if (edges <= this.targets.length) return true;
    const capacity = Math.max(edges, 2 * this.targets.length);
    if (!this.hasRoom(capacity * this.edgeBytes)) return false;
    this.targets = grown(this.targets, new Uint32Array(capacity));
    if (this.exchanged !== null) this.exchanged = grown(this.exchanged, new Uint8Array(capacity));
    return true;
  }

  /**
   * Whether the next layer, of so many positions, and the one after it will not fit. While layers grow, most of the graph is
   * still to come. So a graph that is given up by mistake is one that would just have fitted.
   */
  private willOutgrow(): boolean {
    const [last, next] = this.layers.slice(-2);
    return next > last && this.share(this.visited.length + (next * next) / last) > 1;
  }

  /** The share of the room that so many nodes take with their edges. */
  private share(nodes: number): number {
    const edges = (this.edges / this.expanded) * nodes;
    const bytes = nodes * this.nodeBytes + edges * this.edgeBytes;
    return Math.max((nodes + edges) / this.room.rows, bytes / this.memory);
  }

  /** As {@link willOutgrow}, by a guess. */
  private isGuessedTooLarge(): boolean {
    return this.share(guessNodes(this.layers, this.visited.length)) > GUESSED_TOO_MUCH;
  }
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

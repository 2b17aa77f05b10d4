/**
 * The graph of a keyed game while it is found, in memory. It has the keys of its positions in the order of their numbers. Numbers
 * are those that sorting gives: layer by layer, in each by the mixed keys.
 *
 * The positions that the moves of a layer lead to have a small hash table of their own. When the layer is complete, its keys are
 * looked up in the table of all keys. New ones are entered, as finder.ts does by sorting. Going through its table puts the layer in
 * order (key-table.ts), so the table of all keys is gone through from its beginning to its end, too.
 */
import type { Budget } from '../../operators/core/budget.js';
import type { Cursor } from '../../operators/runs/types.js';
import { Examiner } from '../games/yours/examiner/examiner.js';
import { type KeyWords, upperWords } from '../games/yours/keyed/key-words.js';
import type { KeyedRules } from '../games/yours/keyed/keyed-rules.js';
import { newExpansion } from './expansion.js';
import { expanded, rootsOf } from './finder.js';
import { guessNodes } from './guess-nodes.js';
import { KeyTable } from './key-table.js';
import { importMemory } from './memory.js';
import type { Layer, PackedNodes } from './source.js';
import { batchesOfKeys, type HeldKeys } from './spread.js';

/** A graph in memory. */
export interface HeldGraph {
  readonly nodes: number;
  readonly edges: number;
  /** By which keys are mixed (ids.ts): the first seed by which no two have the same lowest words. */
  readonly seed: number;
  /** Keys by node. */
  readonly keys: HeldKeys;
  /** As those of PackedNodes. */
  readonly status: Uint32Array;
  /** As that of WrittenNodes. */
  readonly hasWeights: boolean;
  /** The edges of node i are those from ends[i - 1] to ends[i]; where they lead, with repeats. */
  readonly ends: Uint32Array;
  readonly targets: Uint32Array;
  /** As those of PackedNodes. */
  readonly exchanged: Uint8Array | null;
  readonly boards: number;
  readonly exchanging: number;
  readonly compared: number;
}

/** The room there is, and listeners. */
export interface HoldOptions {
  /** A share of its memory is for the graph. */
  readonly budget: Budget;
  /** The most nodes and edges together. */
  readonly rows: number;
  /** The most nodes; any, if left out. */
  readonly atMost?: number | undefined;
  /** Called now and then with the number of nodes that were done since. */
  readonly report: (done: number) => void;
  /** Called with each layer, and again with all if keys have to be mixed by another seed. */
  readonly found: (layer: Layer) => void;
  /** Called now and then: what it returns is waited for. */
  readonly turn?: (() => Promise<void> | undefined) | undefined;
  /** Called after each layer once the graph will probably not fit (guess-nodes.ts). Returns true to abandon it. */
  readonly large?: (() => boolean) | undefined;
}

/** All positions of a game in memory; null if there is no room for them. @throws UserError for what is wrong with the game. */
export async function holdGraph(game: KeyedRules, options: HoldOptions, seed = 0): Promise<HeldGraph | null> {
  const { budget, report, found, turn, atMost = Number.POSITIVE_INFINITY } = options;
  const held = new GrowingGraph(options, game, seed);
  const examiner = new Examiner(game);
  const expansion = newExpansion(game, seed, examiner, importMemory('read', budget).expanded.memory);
  let total = 0;
  for (const key of rootsOf(game, seed, examiner)) if (!held.addRoot(key)) return null;
  examiner.play();
  for (let moves = 0; ; moves++) {
    const positions = held.endLayer();
    if (positions === null) return null;
    if (held.isAmbiguous) return holdGraph(game, options, seed + 1);
    if (positions === 0) return held.graph();
    total += positions;
    found({ moves, positions, total });
    if (total > atMost) return null;
    for await (const packed of expanded(held.lastLayer(), expansion)) {
      if (!held.add(packed)) return null;
      report(packed.length);
      await turn?.();
    }
  }
}

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

class GrowingGraph {
  private readonly layer: KeyTable;
  private readonly visited: KeyTable;
  private ends = new Uint32Array(FIRST);
  private status = new Uint32Array(FIRST);
  private targets = new Uint32Array(FIRST);
  private exchanged: Uint8Array | null;
  private readonly nodeBytes: number;
  private readonly edgeBytes: number;
  private expanded = 0;
  /** Positions of the last few layers. */
  private layers: readonly number[] = [0];
  private edges = 0;
  /** The first edge that leads to the layer that is being found: it has a number within the layer's table. */
  private firstEdge = 0;
  private boards = 0;
  private exchanging = 0;
  private compared = 0;
  private readonly memory: number;

  constructor(
    private readonly options: Pick<HoldOptions, 'budget' | 'rows' | 'large'>,
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
    this.memory = importMemory('find in memory', options.budget).graph.memory;
  }

  /** Takes a position of the first layer, which may be there already. False: there is no room for it. */
  addRoot(key: Readonly<KeyWords>): boolean {
    const { layer, options, hasRoom } = this;
    if (layer.length >= options.rows || !layer.reserve(1, hasRoom)) return false;
    layer.add(key);
    return true;
  }

  /** Takes the next nodes of the last layer, in order. False: there is no room for them, and the graph cannot be held. */
  add(nodes: PackedNodes): boolean {
    const { length, status, ends, targets, exchanged } = nodes;
    const { layer, expanded, edges, hasRoom } = this;
    const more = targets.length;
    if (expanded + length + edges + more > this.options.rows) return false;
    if (!layer.reserve(more, hasRoom) || !this.reserve(expanded + length, edges + more)) return false;
    layer.numbersOf(targets, this.targets, edges);
    addTo(ends, length, edges, this.ends, expanded);
    this.status.set(status.subarray(0, length), expanded);
    if (exchanged !== null) this.exchanged!.set(exchanged.subarray(0, more), edges);
    this.expanded += length;
    this.edges += more;
    this.boards += nodes.boards;
    this.exchanging += nodes.exchanging;
    this.compared += nodes.compared;
    return true;
  }

  /**
   * Ends the layer that was added to: the next has so many positions. 0: all are found. Null: there is no room to put them in order.
   * Or there will be none for the layer after them, if layers go on growing as they do.
   */
  endLayer(): number | null {
    const { layer, visited, hasRoom } = this;
    const before = visited.length;
    if (!hasRoom(layer.orderBytes) || !visited.reserve(layer.length, hasRoom)) return null;
    renumber(this.targets, this.firstEdge, this.edges, visited.enter(layer));
    this.firstEdge = this.edges;
    layer.clear();
    const next = visited.length - before;
    this.layers = [...this.layers.slice(-3), next];
    const isGivenUp = this.isGuessedTooLarge() && this.options.large?.() === true;
    if (this.expanded > MANY_NODES && (isGivenUp || this.willOutgrow())) return null;
    return next;
  }

  /** Whether two keys differ in their upper words alone, so that they have no order. */
  get isAmbiguous(): boolean {
    return this.visited.isAmbiguous;
  }

  /** The keys of the last layer, in order. */
  lastLayer(): Cursor {
    return batchesOfKeys(this.visited, this.expanded, this.visited.length);
  }

  graph(): HeldGraph {
    const { seed, visited: keys, edges, status, ends, targets, exchanged } = this;
    const { boards, exchanging, compared } = this;
    const hasWeights = exchanged !== null;
    return {
      ...{ nodes: keys.length, edges, seed, keys, status, hasWeights, ends, targets, exchanged },
      ...{ boards, exchanging, compared },
    };
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
    return Math.max((nodes + edges) / this.options.rows, bytes / this.memory);
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

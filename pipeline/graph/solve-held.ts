/**
 * Graphs whose edges fit the budget are solved in memory. The edges are read once and turned around by counting. Every node
 * is taken once when it is decided, ply by ply, in the order in which the rounds of other graphs decide (engine/phases/rounds.ts): the
 * same kernels change the same labels, and the same rule brings in ends by fewer points. Tables are the same.
 */

import type { Context } from '../engine/memory/context.js';
import { memoryOf } from '../engine/memory/phase-memory.js';
import { SAME_SIDE } from '../engine/phases/edges.js';
import { type DoneRound, doResidentRounds, type ResidentRounds } from '../engine/phases/resident-rounds.js';
import { Kind } from '../game/events.js';
import type { Side } from '../game/game.js';
import { bitBytes, closeWon, countDownBy } from '../game/labels.js';
import type { ResidentPart } from '../game/step-manifests.js';
import { stipulations } from '../game/stipulation.js';
import { brokenIn, newValueColumn, type ValueColumn } from '../game/value.js';
import { keepsSide, NODE_MASK, PART_NODES, SIDE_OF_NODE } from './graph-layout.js';
import { openGraphRuns } from './joined-runs.js';
import { countBytesOf, type GraphManifest } from './manifest.js';
import {
  type EventsOfEnds,
  emptyLabels,
  eventsOfEnds,
  NodeLabeller,
  type NodeLabels,
} from './node-labels.js';
import { partOrderOf } from './part-order.js';

/** Bytes that the graph takes while it is solved. */
export function heldBytes(graph: Pick<GraphManifest, 'nodes' | 'edges' | 'hubs' | 'mostEdges'>): number {
  return graph.nodes * (NODE_BYTES + countBytesOf(graph)) + 4 * graph.edges;
}

/** Word, value, the bit of the node, place in the order of decisions, and where the edges to a node begin. */
const NODE_BYTES = 2 + 2 + 1 / 8 + 4 + 4;

/** Whether the graph is solved in memory. */
export function fitsMemory(graph: GraphManifest, memory: number): boolean {
  return heldBytes(graph) <= memoryOf('resident', { memory, fanIn: 2, batchRows: 1 }).slice.memory;
}

/** Whether one worker solves and verifies the graph, however many there are: it is in memory, or has one part. */
export function isForOne(graph: GraphManifest, memory: number): boolean {
  return graph.nodes <= PART_NODES || fitsMemory(graph, memory);
}

/** The graph turned around. */
interface TurnedGraph {
  /** The words of the nodes (graph-layout.ts). */
  readonly words: Uint16Array;
  readonly labels: NodeLabels;
  /** The edges to node i come from from[starts[i]] to from[starts[i + 1]]: nodes, and in {@link SAME_SIDE} whether their value is for the same side. */
  readonly starts: Uint32Array;
  readonly from: Uint32Array;
}

/** All parts are the context's. */
export async function solveHeld(context: Context, graph: GraphManifest): Promise<ResidentPart> {
  return doResidentRounds(context, new HeldRounds(context, graph, await turnAround(context, graph)));
}

async function turnAround(context: Context, graph: GraphManifest): Promise<TurnedGraph> {
  const { slice, tableStore, counters, report } = context;
  const { nodes, edges } = graph;
  const words = new Uint16Array(nodes);
  const labels = emptyLabels(graph, nodes, {
    counts: new Uint8Array(nodes * countBytesOf(graph)),
    unwon: new Uint8Array(bitBytes(nodes)),
    frontier: new Uint32Array(nodes),
  });
  const labeller = await NodeLabeller.open(context, graph);
  await labeller.label({ from: 0, to: slice.parts }, null, labels, (some, first) => words.set(some, first));
  const starts = new Uint32Array(nodes + 1);
  const from = new Uint32Array(edges);
  const successors = await openGraphRuns(tableStore, graph, 'successors', counters);
  for await (const { length, payload } of successors.cursor())
    count(payload[0] as Uint32Array, length, starts);
  report(slice.size);
  sumUp(starts);
  for await (const { length, minor, payload } of successors.cursor())
    fill(payload[0] as Uint32Array, minor, length, words, { starts, from });
  report(slice.size);
  return { words, labels, starts, from };
}

/** Each is the sum of all until it. The last is 0 before. */
function sumUp(counts: Uint32Array): void {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += counts[i];
    counts[i] = sum;
  }
}

function count(targets: Uint32Array, length: number, starts: Uint32Array): void {
  for (let i = 0; i < length; i++) starts[targets[i] & NODE_MASK]++;
}

/** `starts` are ends before, and begin when all is filled. */
function fill(
  targets: Uint32Array,
  sources: Uint32Array,
  length: number,
  words: Uint16Array,
  { starts, from }: Pick<TurnedGraph, 'starts' | 'from'>,
): void {
  for (let i = 0; i < length; i++) {
    const word = targets[i];
    const source = sources[i];
    from[--starts[word & NODE_MASK]] = source | (keepsSide(word, words[source] & SIDE_OF_NODE) << SAME_SIDE);
  }
}

/** Puts the ends that join later behind all other nodes, by their events. @returns where they begin, and the numbers of these events. */
function putEnds(words: Uint16Array, events: EventsOfEnds, order: Uint32Array) {
  if (events.last === 0) return { first: order.length, numbers: [] };
  const starts = new Uint32Array(events.last + 1);
  for (let node = 0; node < words.length; node++) {
    const event = events.of(words[node]);
    if (event > 0) starts[event]++;
  }
  const numbers = [...starts.keys()].filter((event) => starts[event] > 0);
  let first = order.length;
  for (let event = events.last; event > 0; event--) starts[event] = first -= starts[event];
  for (let node = 0; node < words.length; node++) {
    const event = events.of(words[node]);
    if (event > 0) order[starts[event]++] = node;
  }
  return { first, numbers };
}

/** Requests that strike the labels together: they stay in the inner cache. */
const BATCH = 1 << 12;

/** Every node is taken once, in the order in which nodes are decided. */
class HeldRounds implements ResidentRounds {
  readonly events: readonly number[];
  private readonly ends: EventsOfEnds;
  private readonly isWdl: boolean;
  private readonly nodePart: Uint32Array;
  private readonly width: number;
  /** Codes of game/value.ts. */
  private readonly codes: Int16Array;
  /** Nodes that are decided; those of the round before begin at `first`. Behind them, up to the end, the ends that join later, by events. */
  private readonly order: Uint32Array;
  private decided = 0;
  private first = 0;
  /** The first end that has not joined. */
  private waiting: number;
  /** How positions are labelled, by kind. */
  private readonly close: readonly [typeof closeWon, typeof closeWon];
  private readonly closed: readonly [Uint8Array, Uint8Array];
  private readonly labelled = new Uint32Array(BATCH);

  constructor(
    { metric, slice: { width } }: Context,
    graph: GraphManifest,
    private readonly turnedGraph: TurnedGraph,
  ) {
    const { labels } = turnedGraph;
    this.ends = eventsOfEnds(graph, metric);
    this.isWdl = !stipulations[metric].plies;
    this.nodePart = partOrderOf(graph).nodePart;
    this.width = width;
    this.codes = new Int16Array(graph.nodes);
    this.order = labels.frontier;
    this.decided = labels.lost;
    for (let i = 0; i < this.decided; i++) this.codes[this.order[i]] = -1;
    const { first, numbers } = putEnds(turnedGraph.words, this.ends, this.order);
    this.waiting = first;
    this.events = numbers;
    this.close = [closeWon, countDownBy(countBytesOf(graph))];
    this.closed = [labels.unwon, labels.counts];
  }

  round(ply: number, event: number | null): DoneRound {
    const { first, decided } = this;
    this.first = decided;
    const { won, requests } = this.strike(ply, first, decided);
    if (event !== null) this.join(ply, event);
    return { won, lost: this.decided - decided - won, requests };
  }

  openColumn(type: 'i8' | 'i16', positions: number): ValueColumn {
    return newValueColumn(type, positions);
  }

  /** Nodes of the other side have no value of this one. */
  fill(column: ValueColumn, side: Side, part: number, size: number): void {
    const { codes, nodePart, width } = this;
    const { words } = this.turnedGraph;
    const first = nodePart[part] * width;
    const broken = brokenIn(column);
    for (let i = 0; i < size; i++)
      column[i] = (words[first + i] & SIDE_OF_NODE) === side ? codes[first + i] : broken;
  }

  /** Has the ends of an event lost. */
  private join(ply: number, event: number): void {
    const { ends, order } = this;
    const { words } = this.turnedGraph;
    for (let from = this.waiting; from === this.waiting; from = this.waiting) {
      while (this.waiting < Math.min(order.length, from + BATCH)) {
        if (ends.of(words[order[this.waiting]]) !== event) break;
        this.waiting++;
      }
      if (this.waiting === from) return;
      this.label(Kind.loss, ply, order.subarray(from, this.waiting), this.waiting - from);
    }
  }

  /** Takes the edges to the nodes [first, last) of the order. */
  private strike(ply: number, first: number, last: number): { won: number; requests: number } {
    const { codes, order } = this;
    const { starts, from } = this.turnedGraph;
    const wins = new Uint32Array(BATCH);
    const losses = new Uint32Array(BATCH);
    let [toWin, toLose, won, requests] = [0, 0, 0, 0];
    for (let i = first; i < last; i++) {
      const node = order[i];
      const isWon = codes[node] > 0 ? 1 : 0;
      requests += starts[node + 1] - starts[node];
      for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
        const word = from[edge];
        if (word >>> SAME_SIDE === isWon) {
          wins[toWin++] = word & NODE_MASK;
          if (toWin < BATCH) continue;
          won += this.label(Kind.win, ply, wins, toWin);
          toWin = 0;
        } else {
          losses[toLose++] = word & NODE_MASK;
          if (toLose < BATCH) continue;
          this.label(Kind.loss, ply, losses, toLose);
          toLose = 0;
        }
      }
    }
    won += this.label(Kind.win, ply, wins, toWin);
    this.label(Kind.loss, ply, losses, toLose);
    return { won, requests };
  }

  /** Strikes the labels of nodes. Returns how many are decided by it, which go to the order. */
  private label(kind: Kind, ply: number, nodes: Uint32Array, length: number): number {
    const { codes, order, labelled, isWdl } = this;
    const code = kind === Kind.win ? (isWdl ? 1 : ply) : isWdl ? -1 : -ply - 1;
    const found = this.close[kind](this.closed[kind], nodes, length, labelled);
    for (let i = 0; i < found; i++) {
      codes[labelled[i]] = code;
      order[this.decided++] = labelled[i];
    }
    return found;
  }
}

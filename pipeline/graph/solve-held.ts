/**
 * Graphs whose edges fit the budget are solved in memory. The edges are read once and turned around by counting. Every node
 * is taken once when it is decided, ply by ply, in the order in which the rounds of other graphs decide (engine/rounds.ts).
 * Tables are the same.
 */

import type { Context } from '../engine/context.js';
import { memoryOf } from '../engine/memory.js';
import { type MemoryRound, type MemoryRounds, solveByMemory } from '../engine/memory-rounds.js';
import type { Side } from '../game/game.js';
import type { ResidentPart } from '../game/step-manifests.js';
import { brokenIn, newValueColumn, type ValueColumn } from '../game/value.js';
import {
  isLost,
  NODE_MASK,
  PART_NODES,
  pointsOf,
  SAME_BIT,
  SIDE_OF_NODE,
  sideOfWord,
} from './graph-layout.js';
import { openJoined } from './joined-runs.js';
import type { GraphManifest } from './manifest.js';
import { NODES, SUCCESSORS } from './node-writer.js';
import { partOrderOf } from './part-order.js';

/** Bytes that the graph takes while it is solved. */
export function heldBytes({ nodes, edges, hubs }: GraphManifest): number {
  return nodes * (NODE_BYTES + (hubs === 0 ? 1 : 4)) + 4 * edges;
}

/** Status, value, place in the order of decisions, and where the edges to a node begin. */
const NODE_BYTES = 1 + 2 + 4 + 4;

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
  readonly nodes: number;
  readonly status: Uint8Array;
  /** Edges of a node that are not known to be bad for it. */
  readonly left: Uint8Array | Uint32Array;
  /** The edges to node i come from from[starts[i]] to from[starts[i + 1]]: nodes, and in {@link SAME_BIT} whether the side is the same. */
  readonly starts: Uint32Array;
  readonly from: Uint32Array;
}

/** All parts are the context's. */
export async function solveHeld(context: Context, graph: GraphManifest): Promise<ResidentPart> {
  const rounds = new HeldRounds(context, graph, await turnAround(context, graph));
  const solved = await solveByMemory(context, rounds);
  return context.metric === 'score' ? { ...solved, turned: rounds.turned } : solved;
}

async function turnAround(
  { slice, tableStore, counters, report }: Context,
  { nodes, edges, hubs, runs }: GraphManifest,
): Promise<TurnedGraph> {
  const status = new Uint8Array(nodes);
  const nodeRun = await openJoined(tableStore, runs.nodes, { counters, expect: { kind: NODES } });
  for await (const { major, first, length, columns } of nodeRun.denseCursor())
    status.set((columns[0] as Uint8Array).subarray(0, length), major * slice.width + first);
  const left = hubs === 0 ? new Uint8Array(nodes) : new Uint32Array(nodes);
  const starts = new Uint32Array(nodes + 1);
  const from = new Uint32Array(edges);
  const successors = await openJoined(tableStore, runs.successors, {
    counters,
    expect: { kind: SUCCESSORS },
  });
  for await (const { length, minor, payload } of successors.cursor()) {
    count(payload[0] as Uint32Array, minor, length, starts, left);
  }
  report(slice.size);
  sumUp(starts);
  for await (const { length, minor, payload } of successors.cursor())
    fill(payload[0] as Uint32Array, minor, length, status, { starts, from });
  report(slice.size);
  return { nodes, status, left, starts, from };
}

/** Each is the sum of all until it. The last is 0 before. */
function sumUp(counts: Uint32Array): void {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += counts[i];
    counts[i] = sum;
  }
}

function count(
  targets: Uint32Array,
  sources: Uint32Array,
  length: number,
  starts: Uint32Array,
  left: Uint8Array | Uint32Array,
): void {
  for (let i = 0; i < length; i++) {
    starts[targets[i] & NODE_MASK]++;
    left[sources[i]]++;
  }
}

/** `starts` are ends before, and begin when all is filled. */
function fill(
  targets: Uint32Array,
  sources: Uint32Array,
  length: number,
  status: Uint8Array,
  { starts, from }: Pick<TurnedGraph, 'starts' | 'from'>,
): void {
  for (let i = 0; i < length; i++) {
    const word = targets[i];
    const source = sources[i];
    const differs = (status[source] ^ sideOfWord(word)) & SIDE_OF_NODE;
    from[--starts[word & NODE_MASK]] = source | ((1 - differs) << SAME_BIT);
  }
}

/** Every node is taken once, in the order in which nodes are decided. */
class HeldRounds implements MemoryRounds {
  /** The plies at which turns were taken: the ends by fewer points come in later turns. */
  readonly turned: number[] = [];
  private readonly scores: readonly number[];
  private readonly isWdl: boolean;
  private readonly nodePart: Uint32Array;
  private readonly width: number;
  /** Codes of game/value.ts. */
  private readonly codes: Int16Array;
  /** Nodes that are decided; those of the round before begin at `first`. */
  private readonly order: Uint32Array;
  private decided = 0;
  private first = 0;

  constructor(
    { metric, slice: { width } }: Context,
    graph: GraphManifest,
    private readonly turnedGraph: TurnedGraph,
  ) {
    this.scores = metric === 'score' ? graph.scores! : [];
    this.isWdl = metric === 'wdl';
    this.nodePart = partOrderOf(graph).nodePart;
    this.width = width;
    this.codes = new Int16Array(graph.nodes);
    this.order = new Uint32Array(graph.nodes);
    this.begin(0, this.scores[0]);
  }

  round(ply: number, wasIdle: boolean): MemoryRound {
    const { first, decided } = this;
    const requests = this.requestsOf(first, decided);
    this.first = decided;
    let won = 0;
    if (wasIdle && this.isAwaited()) {
      this.turned.push(ply);
      this.begin(ply, this.scores[this.turned.length]);
    } else won = this.strike(ply, first, decided);
    return { won, lost: this.decided - decided - won, requests };
  }

  isAwaited(): boolean {
    return this.turned.length + 1 < this.scores.length;
  }

  openColumn(type: 'i8' | 'i16', positions: number): ValueColumn {
    return newValueColumn(type, positions);
  }

  /** Nodes of the other side have no value of this one. */
  fill(column: ValueColumn, side: Side, part: number, size: number): void {
    const { codes, nodePart, width } = this;
    const { status } = this.turnedGraph;
    const first = nodePart[part] * width;
    const broken = brokenIn(column);
    for (let i = 0; i < size; i++)
      column[i] = (status[first + i] & SIDE_OF_NODE) === side ? codes[first + i] : broken;
  }

  /** Decides the ends that are lost, or those by so many points. */
  private begin(ply: number, points: number | undefined): void {
    const { codes, order } = this;
    const { nodes, status } = this.turnedGraph;
    let { decided } = this;
    for (let node = 0; node < nodes; node++) {
      if (!isLost(status[node]) || (points !== undefined && pointsOf(status[node]) !== points)) continue;
      codes[node] = -ply - 1;
      order[decided++] = node;
    }
    this.decided = decided;
  }

  /** Takes the edges to the nodes [first, last) of the order; returns how many nodes are won. */
  private strike(ply: number, first: number, last: number): number {
    const { codes, order } = this;
    const { left, starts, from } = this.turnedGraph;
    const [win, loss] = this.isWdl ? [1, -1] : [ply, -ply - 1];
    let { decided } = this;
    let won = 0;
    for (let i = first; i < last; i++) {
      const node = order[i];
      const isWon = codes[node] > 0 ? 1 : 0;
      for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
        const source = from[edge] & NODE_MASK;
        if (codes[source] !== 0) continue;
        if (from[edge] >>> SAME_BIT === isWon) {
          codes[source] = win;
          won++;
        } else if (--left[source] === 0) codes[source] = loss;
        else continue;
        order[decided++] = source;
      }
    }
    this.decided = decided;
    return won;
  }

  private requestsOf(first: number, last: number): number {
    const { order } = this;
    const { starts } = this.turnedGraph;
    let sum = 0;
    for (let i = first; i < last; i++) sum += starts[order[i] + 1] - starts[order[i]];
    return sum;
  }
}

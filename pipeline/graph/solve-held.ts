/**
 * Graphs whose edges fit the budget are solved in memory. The edges are read once and turned around by counting. Every node
 * is taken once when it is decided, ply by ply, in the order in which the rounds of other graphs decide (engine/rounds.ts).
 * Tables are the same.
 */

import type { Context } from '../engine/context.js';
import { memoryOf } from '../engine/memory.js';
import type { Side } from '../game/game.js';
import type { RoundDone } from '../game/manifest.js';
import type { ResidentPart } from '../game/step-manifests.js';
import { brokenCode, newValueColumn, type ValueColumn } from '../game/value.js';
import { countCodes, countsOf, newTableCounts } from '../tables/counted.js';
import { requirePlies, valueTypeFor, writeSides } from '../tables/writer.js';
import {
  isLost,
  NODE_MASK,
  PART_NODES,
  PART_SHIFT,
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
  const turned = await turnAround(context, graph);
  const solved = decide(context, graph, turned);
  return writeTable(context, graph, turned.status, solved);
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

/** Codes of game/value.ts. */
interface Decided {
  readonly codes: Int16Array;
  readonly rounds: RoundDone[];
  readonly longest: number;
  readonly turned: number[];
}

function decide({ slice, metric }: Context, graph: GraphManifest, turned: TurnedGraph): Decided {
  const { nodes, status, left, starts, from } = turned;
  const codes = new Int16Array(nodes);
  const order = new Uint32Array(nodes);
  const rounds: RoundDone[] = [];
  const turns: number[] = [];
  const scores = metric === 'score' ? graph.scores! : [];
  let decided = 0;
  let longest = 0;

  /** Decides the ends that are lost, or those by so many points. */
  function begin(ply: number, points: number | undefined): void {
    for (let node = 0; node < nodes; node++) {
      if (!isLost(status[node]) || (points !== undefined && pointsOf(status[node]) !== points)) continue;
      codes[node] = -ply - 1;
      order[decided++] = node;
    }
  }

  /** Takes the edges to the nodes [first, last) of the order; returns how many nodes are won. */
  function round(ply: number, first: number, last: number): number {
    const [win, loss] = metric === 'wdl' ? [1, -1] : [ply, -ply - 1];
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
    return won;
  }

  function requestsOf(first: number, last: number): number {
    let sum = 0;
    for (let i = first; i < last; i++) sum += starts[order[i] + 1] - starts[order[i]];
    return sum;
  }

  begin(0, scores[0]);
  let first = 0;
  let isIdle = false;
  for (let ply = 1; ; ply++) {
    const before = decided;
    const isTurn = isIdle && turns.length + 1 < scores.length;
    const requests = requestsOf(first, before);
    if (isTurn) {
      turns.push(ply);
      begin(ply, scores[turns.length]);
    }
    const won = isTurn ? 0 : round(ply, first, before);
    rounds.push({ ply, won, lost: decided - before - won, requests });
    first = before;
    isIdle = decided === before;
    if (!isIdle) {
      requirePlies(slice.name, metric, ply);
      longest = ply;
    }
    if (isIdle && turns.length + 1 >= scores.length) break;
  }
  return { codes, rounds, longest, turned: turns };
}

async function writeTable(
  context: Context,
  graph: GraphManifest,
  status: Uint8Array,
  { codes, ...solved }: Decided,
): Promise<ResidentPart> {
  const { slice, parts, metric, tableStore, budget, report } = context;
  const { nodePart } = partOrderOf(graph);
  const type = valueTypeFor(metric, solved.longest);
  const values = newValueColumn(type, slice.width);
  const counts = [newTableCounts(), newTableCounts()] as const;
  const env = { ...context, store: tableStore, batchRows: budget.batchRows };
  const written = await writeSides(env, type, async (writer, side) => {
    for (let part = parts.from; part < parts.to; part++) {
      const first = nodePart[part] << PART_SHIFT;
      const size = slice.partSize(part);
      const column = values.subarray(0, size);
      takeValues(column, side, brokenCode(type), {
        status: status.subarray(first, first + size),
        codes: codes.subarray(first, first + size),
      });
      countCodes(counts[side], column);
      await writer.append(part, column);
    }
    report(slice.size);
  });
  const { longestWin, ...counted } = countsOf(counts, metric);
  // Plies of scores are turns: they are nothing that a player waits for.
  const longest: ResidentPart['longestWin'] = metric === 'score' ? [null, null] : longestWin;
  return { ...written, ...counted, longestWin: longest, ...solved };
}

/** Has the values of nodes of a side in `values`, and `broken` for nodes of the other. */
function takeValues(
  values: ValueColumn,
  side: Side,
  broken: number,
  { status, codes }: { readonly status: Uint8Array; readonly codes: Int16Array },
): void {
  for (let i = 0; i < codes.length; i++) values[i] = (status[i] & SIDE_OF_NODE) === side ? codes[i] : broken;
}

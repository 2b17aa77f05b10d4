/**
 * Successors: the edges in the order of the nodes that they come from, each once. With them goes, for every node,
 * what it is and how many successors it has.
 */

import type { Budget } from '../../operators/core/budget.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { Batch, Cursor, RunRef } from '../../operators/runs/types.js';
import { PART_NODES, PART_SHIFT, unitShift } from './graph-layout.js';
import { importMemory } from './memory.js';
import {
  type NameOfRun,
  type NodeWriter,
  openNodeWriter,
  putInOrder,
  type WrittenNodes,
  type WrittenSuccessors,
} from './node-writer.js';
import { STATUSES } from './statuses.js';
import type { ImportEnv } from './stride.js';

/** Bytes of memory that a row costs while it is put in order. */
const ORDER_BYTES = 24;
/** Majors that are put in order together, at least. */
const TOGETHER = 4;

/**
 * Edges are distributed by 2^shift nodes that they come from: units, or as many of them as can be put in order together.
 * Every spill has a directory of its majors, so many of them would take more memory than what is spilled.
 */
export function orderShift(
  { nodes, edges }: { readonly nodes: number; readonly edges: number },
  budget: Budget,
): number {
  const rows = importMemory('successors', budget).received.memory / ORDER_BYTES / TOGETHER;
  let shift = unitShift(nodes);
  while (shift < PART_SHIFT && (edges / nodes) * 2 ** (shift + 1) <= rows) shift++;
  return shift;
}

/** The nodes of some parts. */
export interface NodesToWrite extends WrittenNodes {
  readonly statuses: readonly RunRef[];
  readonly parts: Interval;
}

/** The edges from nodes [from, to), rows (node | successor and its side) in the order of the nodes. */
type EdgesFrom = (nodes: Interval) => Promise<Cursor>;

export async function writeSuccessors(
  read: NodesToWrite,
  edges: EdgesFrom,
  nameOf: NameOfRun,
  env: ImportEnv,
): Promise<WrittenSuccessors> {
  const writer = await openNodeWriter(read, nameOf, env);
  return orAbort(writer, () => writeParts(read, edges, writer, env));
}

async function writeParts(
  read: NodesToWrite,
  edges: EdgesFrom,
  writer: NodeWriter,
  { store, counters, report }: ImportEnv,
): Promise<WrittenSuccessors> {
  const statuses: RunReader[] = [];
  for (const run of read.statuses)
    statuses.push(await openRun(store, run, { counters, expect: { kind: STATUSES } }));
  const group = new NodeTargets();
  for (let part = read.parts.from; part < read.parts.to; part++) {
    const first = part * PART_NODES;
    const known = await readStatuses(statuses, part, writer.begin(part));
    for await (const batch of await edges({ from: first, to: first + known })) {
      for (let from = 0; from < batch.length; ) {
        from = putNodes(batch, from, group, writer);
        if (group.waiting !== undefined) await group.waiting;
      }
      report(batch.length);
    }
    await leave(group, writer);
    await writer.end();
  }
  return writer.close();
}

/** Reads the statuses of a part's nodes; returns how many nodes there are. */
async function readStatuses(
  statuses: readonly RunReader[],
  part: number,
  into: Uint32Array,
): Promise<number> {
  let known = 0;
  for (const run of statuses)
    for await (const { length, columns } of run.denseCursor({ from: part, to: part + 1 })) {
      into.set(columns[0].subarray(0, length), known);
      known += length;
    }
  return known;
}

/** Puts nodes whose edges begin at row `from` or behind, until one has to be waited for; returns the next row. */
function putNodes(batch: Batch, from: number, group: NodeTargets, writer: NodeWriter): number {
  group.waiting = undefined;
  let at = from;
  while (at < batch.length) {
    if (batch.minor[at] !== group.node) {
      group.waiting = leave(group, writer);
      if (group.waiting !== undefined) return at;
    }
    at = group.take(batch, at);
  }
  return at;
}

/** Puts a node, whose edges are all there. The result has to be awaited. */
function leave(group: NodeTargets, writer: NodeWriter): Promise<void> | undefined {
  const written = group.node < 0 ? undefined : writer.put(group.node, group.targets, group.length);
  group.clear();
  return written;
}

/** The targets of one node, which may come in several batches. */
class NodeTargets {
  /** -1: none. */
  node = -1;
  targets = new Uint32Array(1 << 10);
  length = 0;
  /** The writing of the node before, if it has to be awaited. */
  waiting: Promise<void> | undefined = undefined;

  clear(): void {
    this.length = 0;
    this.node = -1;
  }

  /** Takes the rows of its node from row `from` on; returns the first that is another's. */
  take({ minor, payload, length: rows }: Batch, from: number): number {
    const node = minor[from];
    const words = payload[0];
    this.node = node;
    let { targets, length } = this;
    let at = from;
    for (; at < rows && minor[at] === node; at++) {
      if (length === targets.length) {
        // Edges that a file lists again and again take no room.
        length = putInOrder(targets, length);
        if (2 * length > targets.length) {
          const larger = new Uint32Array(2 * targets.length);
          larger.set(targets);
          this.targets = targets = larger;
        }
      }
      targets[length++] = words[at];
    }
    this.length = length;
    return at;
  }
}

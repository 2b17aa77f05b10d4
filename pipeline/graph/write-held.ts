/** Writes a graph that is in memory: the runs that importing by sorting writes. */
import { type Columns, newColumns } from '../../operators/core/columns.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunRef } from '../../operators/runs/types.js';
import { radixSort } from '../../operators/sort/radix.js';
import { bitBytes, hasBit, setBit } from '../game/labels.js';
import { EXCHANGED_BIT, PART_NODES, SIDE_BIT, SIDE_OF_NODE } from './graph-layout.js';
import type { HeldGraph } from './held-graph.js';
import { KEY_MAJORS, majorOfMixed, restOfMixed } from './ids.js';
import { createIndex } from './index-run.js';
import { importMemory } from './memory.js';
import { columnsOfKey, createKeyWriter } from './node-names.js';
import {
  type NameOfRun,
  type NodeWriter,
  openNodeWriter,
  type WrittenNodes,
  type WrittenSuccessors,
} from './node-writer.js';
import { columnsOfKeys } from './spread.js';
import type { ImportEnv } from './stride.js';

/** Bytes of a row of the index in one set of columns: the lower word of its key, the rest of the key, the node. */
const ROW_BYTES = 12;

export async function writeHeldNames(
  { nodes, seed, keys }: HeldGraph,
  name: string,
  env: ImportEnv,
): Promise<RunRef> {
  const writer = await createKeyWriter(env.store, name, 0, { upper: keys.width, seed }, env.counters);
  return orAbort(writer, async () => {
    for (const columns of columnsOfKeys(keys, nodes))
      await writer.append(columnsOfKey(columns), columns.length);
    return writer.close();
  });
}

/** The keys of an interval of majors at a time, as many as can be put in order together. */
export async function writeHeldIndex(graph: HeldGraph, name: string, env: ImportEnv): Promise<RunRef> {
  const most = Math.floor(importMemory('find in memory', env.budget).rows.memory / (2 * ROW_BYTES));
  const counts = countMajors(graph);
  const run = await createIndex(env.store, name, env.counters);
  return orAbort(run, async () => {
    for (let from = 0; from < KEY_MAJORS; ) {
      const places: number[] = [];
      let length = 0;
      // At least one: its rows are a thousandth of all.
      for (let to = from; to < KEY_MAJORS && (to === from || length + counts[to] <= most); to++) {
        places.push(length);
        length += counts[to];
      }
      const [rows, spare] = [newColumns(length, 2), newColumns(length, 2)];
      const ends = Uint32Array.from(places);
      putRows(graph, from, ends, rows);
      for (const [i, end] of ends.entries()) {
        const { minor, payload } = radixSort(rows, spare, places[i], end);
        await run.append(from + i, end - places[i], minor, payload, places[i]);
      }
      env.report(length);
      from += places.length;
    }
    return run.close();
  });
}

function countMajors({ nodes, keys: { keys } }: HeldGraph): Uint32Array {
  const counts = new Uint32Array(KEY_MAJORS);
  for (let node = 0; node < nodes; node++) counts[majorOfMixed(keys[2 * node])]++;
  return counts;
}

/** Puts the rows of the majors from `from` on to their places, which are where the rows of each major end afterwards. */
function putRows(
  { nodes, keys: { keys }, status }: HeldGraph,
  from: number,
  places: Uint32Array,
  { minor, payload: [rest, number] }: Columns,
): void {
  for (let node = 0; node < nodes; node++) {
    const high = keys[2 * node];
    const major = majorOfMixed(high) - from;
    if (major < 0 || major >= places.length) continue;
    const at = places[major]++;
    minor[at] = keys[2 * node + 1];
    rest[at] = restOfMixed(high) | ((status[node] & SIDE_OF_NODE) << SIDE_BIT);
    number[at] = node;
  }
}

/** The sides of all nodes, a bit each: edges lead anywhere in the graph, and a processor's cache holds the bits of more nodes than statuses. */
function sidesOf({ nodes, status }: HeldGraph): Uint8Array {
  const sides = new Uint8Array(bitBytes(nodes));
  for (let node = 0; node < nodes; node++) if ((status[node] & SIDE_OF_NODE) !== 0) setBit(sides, node);
  return sides;
}

/** Puts nodes that have edges, one by one: their words are nodes and their sides, and whether colours are exchanged. */
function newNodePutter(graph: HeldGraph, writer: NodeWriter) {
  const { ends, targets, exchanged } = graph;
  const sides = sidesOf(graph);
  let words = new Uint32Array(1 << 10);
  const self = {
    /** The write that the last `put` began. */
    written: undefined as Promise<void> | undefined,
    /** Puts the nodes of an interval until it has to wait. @returns the first that is left. */
    put(from: number, to: number): number {
      for (let node = from; node < to; node++) {
        const start = node === 0 ? 0 : ends[node - 1];
        const length = ends[node] - start;
        if (length === 0) continue;
        if (length > words.length) words = new Uint32Array(2 * length);
        for (let i = 0; i < length; i++) {
          const target = targets[start + i];
          words[i] = target | (Number(hasBit(sides, target)) << SIDE_BIT);
          if (exchanged !== null) words[i] |= exchanged[start + i] << EXCHANGED_BIT;
        }
        self.written = writer.put(node, words, length);
        if (self.written !== undefined) return node + 1;
      }
      return to;
    },
  };
  return self;
}

/** Nodes and the edges from them. Each edge is reported twice, as where edges are matched and then ordered. */
export async function writeHeldNodes(
  graph: HeldGraph,
  read: WrittenNodes,
  nameOf: NameOfRun,
  env: ImportEnv,
): Promise<WrittenSuccessors> {
  const { nodes, status, ends } = graph;
  const writer = await openNodeWriter(read, nameOf, env);
  const putter = newNodePutter(graph, writer);
  return orAbort(writer, async () => {
    for (let part = 0; part * PART_NODES < nodes; part++) {
      const first = part * PART_NODES;
      const end = Math.min(nodes, first + PART_NODES);
      writer.begin(part).set(status.subarray(first, end));
      for (let node = first; node < end; ) {
        node = putter.put(node, end);
        await putter.written;
      }
      await writer.end();
      env.report(2 * (ends[end - 1] - (first === 0 ? 0 : ends[first - 1])));
    }
    return writer.close();
  });
}

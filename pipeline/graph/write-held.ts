/** Writes a graph that is in memory: the runs that importing by sorting writes. */
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunRef } from '../../operators/runs/types.js';
import { EXCHANGED_BIT, PART_NODES, SIDE_BIT, SIDE_OF_NODE } from './graph-layout.js';
import type { HeldGraph } from './held-graph.js';
import { KEY_MAJORS, majorOfMixed, REST_MASK } from './ids.js';
import { createIndex } from './index-run.js';
import { importMemory } from './memory.js';
import { createKeyWriter } from './node-names.js';
import {
  type NameOfRun,
  type NodeWriter,
  openNodeWriter,
  type WrittenNodes,
  type WrittenSuccessors,
} from './node-writer.js';
import { newSpreadRows, SPREAD_BYTES, type SpreadRows, sortSpread } from './sort-spread.js';
import { takeWords } from './spread.js';
import type { ImportEnv } from './stride.js';

/** Keys that go to the run at once. */
const KEY_ROWS = 1 << 14;

export async function writeHeldNames(
  { nodes, seed, keys: held }: HeldGraph,
  name: string,
  env: ImportEnv,
): Promise<RunRef> {
  const { keys, upper: others, width } = held;
  const writer = await createKeyWriter(env.store, name, 0, { upper: width, seed }, env.counters);
  const [high, low] = [new Uint32Array(KEY_ROWS), new Uint32Array(KEY_ROWS)];
  const upper = Array.from({ length: width }, () => new Uint32Array(KEY_ROWS));
  return orAbort(writer, async () => {
    for (let first = 0; first < nodes; first += KEY_ROWS) {
      const length = Math.min(KEY_ROWS, nodes - first);
      takeWords(keys, 2, 2 * first, length, high);
      takeWords(keys, 2, 2 * first + 1, length, low);
      for (const [c, column] of upper.entries()) takeWords(others, width, width * first + c, length, column);
      await writer.append({ high, low, upper }, length);
    }
    return writer.close();
  });
}

/** The keys of an interval of majors at a time, as many as can be put in order together. */
export async function writeHeldIndex(graph: HeldGraph, name: string, env: ImportEnv): Promise<RunRef> {
  const most = Math.floor(importMemory('find in memory', env.budget).rows.memory / (2 * SPREAD_BYTES));
  const counts = countMajors(graph);
  const run = await createIndex(env.store, name, env.counters);
  return orAbort(run, async () => {
    for (let from = 0; from < KEY_MAJORS; ) {
      let to = from;
      let length = 0;
      // At least one: its rows are a thousandth of all.
      while (to < KEY_MAJORS && (to === from || length + counts[to] <= most)) length += counts[to++];
      const rows = rowsOf(graph, from, to, length);
      const ordered = newSpreadRows(length);
      sortSpread(rows, ordered, length);
      makeIndexRows(graph, ordered, length);
      const payload = [ordered.second, ordered.number];
      for (let major = from, at = 0; major < to; at += counts[major++])
        await run.append(major, counts[major], ordered.first, payload, at);
      env.report(length);
      from = to;
    }
    return run.close();
  });
}

function countMajors({ nodes, keys: { keys } }: HeldGraph): Uint32Array {
  const counts = new Uint32Array(KEY_MAJORS);
  for (let node = 0; node < nodes; node++) counts[majorOfMixed(keys[2 * node])]++;
  return counts;
}

/** Puts the words of the index in the place of those by which its rows were put in order. */
function makeIndexRows(
  { keys: { keys }, status }: HeldGraph,
  { first, second, number }: SpreadRows,
  length: number,
): void {
  for (let i = 0; i < length; i++) {
    const node = number[i];
    first[i] = keys[2 * node + 1];
    second[i] = (keys[2 * node] & REST_MASK) | ((status[node] & SIDE_OF_NODE) << SIDE_BIT);
  }
}

/** Rows of the keys of some majors, by (major, lower word, rest), with as many leading bits taken away as they have in common. */
function rowsOf({ nodes, keys: { keys } }: HeldGraph, from: number, to: number, length: number) {
  const rows = newSpreadRows(length);
  const majorBits = 32 - Math.clz32(to - from - 1);
  let at = 0;
  for (let node = 0; node < nodes; node++) {
    const high = keys[2 * node];
    const major = majorOfMixed(high);
    if (major < from || major >= to) continue;
    const low = keys[2 * node + 1];
    rows.first[at] = majorBits === 0 ? low : ((major - from) << (32 - majorBits)) | (low >>> majorBits);
    rows.second[at] = majorBits === 0 ? high : (low << (32 - majorBits)) | (high & REST_MASK);
    rows.number[at++] = node;
  }
  return rows;
}

/** Puts nodes that have edges, one by one: their words are nodes and their sides, and whether colours are exchanged. */
function newNodePutter({ status, ends, targets, exchanged }: HeldGraph, writer: NodeWriter) {
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
          words[i] = target | ((status[target] & SIDE_OF_NODE) << SIDE_BIT);
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

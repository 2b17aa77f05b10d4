/**
 * Successors: the edges in the order of the nodes that they come from, each once. With them goes, for every node,
 * what it is and how many successors it has.
 */

import { newArrays } from '../../operators/core/arrays.js';
import type { Budget } from '../../operators/core/budget.js';
import type { Interval } from '../../operators/core/interval.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { gather } from '../../operators/gather.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import type { Batch, RunRef } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { DRAWN, MAX_COUNT } from '../formats/labels.js';
import {
  isDrawn,
  NodeStatus,
  PART_NODES,
  PART_SHIFT,
  pointsOf,
  SIDE_OF_NODE,
  unitShift,
} from './graph-layout.js';
import type { ReadGraph } from './read-graph.js';
import type { Gatherable } from './row-collector.js';
import { STATUSES } from './statuses.js';
import type { ImportEnv } from './stride.js';

export const SUCCESSORS = 'graph-successors';
export const NODES = 'graph-nodes';
export const HUBS = 'graph-hubs';

const successorSpec: RunSpec = {
  kind: SUCCESSORS,
  dense: false,
  columns: [{ name: 'successor', type: 'u32' }],
  strict: false,
  meta: {},
};

/** Columns: the status (graph-layout.ts), and the label that the rounds begin with: the out-count, at most MAX_COUNT (pipeline/formats/labels.ts). */
const nodeSpec: RunSpec = {
  kind: NODES,
  dense: true,
  columns: [
    { name: 'status', type: 'u8' },
    { name: 'count', type: 'u8' },
  ],
  strict: true,
  meta: {},
};

/** Major: the part. Minor: the node. */
export const hubSpec: RunSpec = {
  kind: HUBS,
  dense: false,
  columns: [{ name: 'out-count', type: 'u32' }],
  strict: true,
  meta: {},
};

/** Shares of the memory. */
const ORDER_SHARE = 0.5;
/** Bytes of memory that a row costs while it is put in order. */
const ORDER_BYTES = 24;
/** Majors that are put in order together, at least. */
const TOGETHER = 4;
/** Rows that go to the run at once. */
const UNIT_ROWS = 1 << 12;
/** Rows of a record batch: small enough to be read for one node. */
const BATCH_ROWS = 1 << 12;

export interface WrittenSuccessors {
  readonly edges: number;
  /** The edges of each part that was written. */
  readonly partEdges: readonly number[];
  readonly hubs: number;
  /** The points by which anybody loses, most first; none if the source states none. */
  readonly scores: readonly number[];
  readonly runs: Readonly<Record<'nodes' | 'successors' | 'hubs', RunRef>>;
}

/**
 * Edges are distributed by 2^shift nodes that they come from: units, or as many of them as can be put in order together.
 * Every spill has a directory of its majors, so many of them would take more memory than what is spilled.
 */
export function orderShift({ nodes, edges }: Pick<ReadGraph, 'nodes' | 'edges'>, { memory }: Budget): number {
  const rows = (memory * ORDER_SHARE) / ORDER_BYTES / TOGETHER;
  let shift = unitShift(nodes);
  while (shift < PART_SHIFT && (edges / nodes) * 2 ** (shift + 1) <= rows) shift++;
  return shift;
}

/** The nodes of a graph, or those of some parts. */
export interface NodesToWrite extends Pick<ReadGraph, 'nodes' | 'edges' | 'statuses'> {
  readonly parts: Interval;
  /** The result, for its owner, of a node without edges. */
  readonly stuck: 'lost' | 'drawn';
}

/** @param edges (node | successor and its side), majors 2^{@link orderShift} nodes. */
export async function writeSuccessors(
  read: NodesToWrite,
  edges: Pick<Gatherable, 'sources'>,
  nameOf: NameOfRun,
  env: ImportEnv,
): Promise<WrittenSuccessors> {
  const { store, scratch, budget, counters } = env;
  const writer = await openNodeWriter(read, nameOf, env);
  return orAbort(writer, async () => {
    const statuses: RunReader[] = [];
    for (const run of read.statuses)
      statuses.push(await openRun(store, run, { counters, expect: { kind: STATUSES } }));
    const inOrder = 2 ** orderShift(read, budget);
    const memory = Math.floor(budget.memory * ORDER_SHARE);
    const order = { budget: { ...budget, memory }, scratch, counters, arrays: newArrays() };
    const group = newTargets();
    /** The edges of a node are all there. What it returns has to be awaited. */
    const leave = (): Promise<void> | undefined => {
      const written = group.node < 0 ? undefined : writer.put(group.node, group.targets, group.length);
      group.clear();
      return written;
    };

    for (let part = read.parts.from; part < read.parts.to; part++) {
      const first = part * PART_NODES;
      const status = writer.begin(part);
      let known = 0;
      for (const run of statuses) {
        for await (const { length, columns } of run.denseCursor({ from: part, to: part + 1 })) {
          status.set((columns[0] as Uint8Array).subarray(0, length), known);
          known += length;
        }
      }
      const majors = { from: first / inOrder, to: Math.ceil((first + known) / inOrder) };
      for await (const batch of gather(edges.sources, majors, 1, order)) {
        for (let from = 0; from < batch.length; ) {
          if (batch.minor[from] !== group.node) {
            const left = leave();
            if (left !== undefined) await left;
          }
          from = group.take(batch, from);
        }
        env.report(batch.length);
      }
      await leave();
      await writer.end();
    }
    return writer.close();
  });
}

export type NameOfRun = (what: keyof WrittenSuccessors['runs']) => string;

/** Writes nodes and their edges, part by part. */
export interface NodeWriter {
  /** Begins the next part. @returns room for the statuses of its nodes, to be filled before `put`. */
  begin(part: number): Uint8Array;
  /**
   * The edges of the next node that has any, `length` words (successor and its side) with repeats, which are put in
   * order. Once what it returns was awaited, they are free again.
   */
  put(node: number, targets: Uint32Array, length: number): Promise<void> | undefined;
  end(): Promise<void>;
  close(): Promise<WrittenSuccessors>;
  abort(): Promise<void>;
}

/** `read.parts.from` is the part that begins. */
export async function openNodeWriter(
  { nodes, stuck }: Pick<NodesToWrite, 'nodes' | 'stuck'>,
  nameOf: NameOfRun,
  { store, budget, counters }: Pick<ImportEnv, 'store' | 'budget' | 'counters'>,
): Promise<NodeWriter> {
  const opened: RunWriter[] = [];
  const abort = async () => {
    for (const run of opened) await run.abort();
  };
  const create = async (name: string, spec: RunSpec, batchRows: number) => {
    const run = await createRun(store, name, spec, { batchRows, counters });
    opened.push(run);
    return run;
  };
  const openAll = async () => [
    await create(nameOf('successors'), successorSpec, BATCH_ROWS),
    await create(nameOf('nodes'), nodeSpec, Math.min(1 << 16, budget.batchRows)),
    await create(nameOf('hubs'), hubSpec, BATCH_ROWS),
  ];
  const [successors, nodeRun, hubRun] = await orAbort({ abort }, openAll);
  const shift = unitShift(nodes);
  const status = new Uint8Array(Math.min(PART_NODES, nodes));
  const counts = new Uint8Array(status.length);
  const scores = new Set<number>();
  const rows = newUnitRows(successors);
  let part = 0;
  let kept = 0;
  const partEdges: number[] = [];
  let hubs = 0;

  return {
    begin(next) {
      part = next;
      kept = 0;
      counts.fill(0);
      return status;
    },
    put(node, targets, all) {
      const at = node - part * PART_NODES;
      if ((status[at] & ~SIDE_OF_NODE) !== NodeStatus.open) return undefined;
      const length = distinct(targets, all);
      counts[at] = Math.min(length, MAX_COUNT);
      kept += length;
      const written = rows.put(node >>> shift, node, targets, length);
      if (length <= MAX_COUNT) return written;
      hubs++;
      const hub = hubRun.append(node >>> PART_SHIFT, 1, Uint32Array.of(node), [Uint32Array.of(length)]);
      return Promise.all([written, hub]).then(() => {});
    },
    async end() {
      await rows.flush();
      partEdges.push(kept);
      const size = Math.min(PART_NODES, nodes - part * PART_NODES);
      endPlay(status, counts, size, stuck === 'lost' ? NodeStatus.lost : NodeStatus.drawn);
      addScores(status, size, scores);
      await nodeRun.append(part, size, null, [status.subarray(0, size), counts.subarray(0, size)]);
    },
    async close() {
      const runs = {
        successors: await successors.close(),
        nodes: await nodeRun.close(),
        hubs: await hubRun.close(),
      };
      const edges = partEdges.reduce((sum, each) => sum + each, 0);
      return { edges, partEdges, hubs, scores: [...scores].sort((a, b) => b - a), runs };
    },
    abort,
  };
}

/** Ends the play at nodes without edges, and counts those that are drawn as such. */
function endPlay(status: Uint8Array, counts: Uint8Array, length: number, stuck: number): void {
  for (let i = 0; i < length; i++) {
    if ((status[i] & ~SIDE_OF_NODE) === NodeStatus.open && counts[i] === 0) status[i] |= stuck;
    if (isDrawn(status[i])) counts[i] = DRAWN;
  }
}

/** Adds the points by which nodes are lost. */
function addScores(status: Uint8Array, length: number, scores: Set<number>): void {
  for (let i = 0; i < length; i++)
    if (!isDrawn(status[i]) && pointsOf(status[i]) > 0) scores.add(pointsOf(status[i]));
}

/** Rows (node | successor) of one unit on their way to the run: most nodes have a few. A call for each would cost more than they do. */
function newUnitRows(run: RunWriter) {
  const froms = new Uint32Array(UNIT_ROWS);
  const targets = new Uint32Array(UNIT_ROWS);
  let unit = -1;
  let length = 0;

  async function flush(): Promise<void> {
    const held = length;
    length = 0;
    if (held > 0) await run.append(unit, held, froms, [targets]);
  }

  async function putLater(own: number, node: number, found: Uint32Array, count: number): Promise<void> {
    await flush();
    unit = own;
    for (let from = 0; from < count; from += UNIT_ROWS) {
      const to = Math.min(count, from + UNIT_ROWS);
      targets.set(found.subarray(from, to));
      froms.fill(node, 0, to - from);
      length = to - from;
      if (to < count) await flush();
    }
  }

  return {
    flush,
    /** The first `count` of `found`, which are not changed until what it returns was awaited. */
    put(own: number, node: number, found: Uint32Array, count: number): Promise<void> | undefined {
      if (own !== unit || length + count > UNIT_ROWS) return putLater(own, node, found, count);
      for (let i = 0; i < count; i++) {
        targets[length] = found[i];
        froms[length++] = node;
      }
      return undefined;
    },
  };
}

/** The targets of one node, which may come in several batches. */
function newTargets() {
  const self = {
    /** -1: none. */
    node: -1,
    targets: new Uint32Array(1 << 10),
    length: 0,
    clear(): void {
      self.length = 0;
      self.node = -1;
    },
    /** Takes the rows of its node from row `from` on; returns the first that is another's. */
    take({ minor, payload, length: rows }: Batch, from: number): number {
      const node = minor[from];
      const words = payload[0];
      self.node = node;
      let at = from;
      for (; at < rows && minor[at] === node; at++) {
        if (self.length === self.targets.length) {
          const larger = new Uint32Array(2 * self.length);
          larger.set(self.targets);
          self.targets = larger;
        }
        self.targets[self.length++] = words[at];
      }
      return at;
    },
  };
  return self;
}

/** Has values ascend, each once; returns how many there are. */
function distinct(values: Uint32Array, length: number): number {
  order(values, length);
  let n = 0;
  for (let i = 0; i < length; i++) if (i === 0 || values[i] !== values[i - 1]) values[n++] = values[i];
  return n;
}

const FEW = 24;

/** Most nodes have a few edges: those are put in order by insertion, without a call. */
function order(values: Uint32Array, length: number): void {
  if (length > FEW) {
    values.subarray(0, length).sort();
    return;
  }
  for (let i = 1; i < length; i++) {
    const value = values[i];
    let at = i;
    for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
}

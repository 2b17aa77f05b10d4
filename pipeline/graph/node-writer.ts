/** Writes the nodes of a graph and their edges, part by part. A node has its status and how many successors it has. */
import { z } from 'zod';
import { allOf } from '../../operators/core/all-of.js';
import { dropRepeats } from '../../operators/core/drop-repeats.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { RunSpec } from '../../operators/runs/schema.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { DRAWN, MAX_COUNT } from '../game/labels.js';
import { NamedRun } from '../game/manifest.js';
import {
  isDrawn,
  isLost,
  isOpen,
  NodeStatus,
  PART_NODES,
  PART_SHIFT,
  pliesOf,
  pointsOf,
  unitShift,
  WEIGHT_SHIFT,
} from './graph-layout.js';
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

/**
 * Columns: the status (graph-layout.ts), the out-count, at most MAX_COUNT, and the weight, if the game has symmetries. Where somebody has lost
 * the count is the upper byte of the node's word. Where the play is drawn it is DRAWN (pipeline/game/labels.ts), or DRAWN - 1, by who owns the
 * node (`ownerOf`).
 */
function nodeSpec(hasWeights: boolean): RunSpec {
  return {
    kind: NODES,
    dense: true,
    columns: [
      { name: 'status', type: 'u8' },
      { name: 'count', type: 'u8' },
      ...(hasWeights ? [{ name: 'weight', type: 'u16' } as const] : []),
    ],
    strict: true,
    meta: {},
  };
}

/** Major: the part. Minor: the node. */
const hubSpec: RunSpec = {
  kind: HUBS,
  dense: false,
  columns: [{ name: 'out-count', type: 'u32' }],
  strict: true,
  meta: {},
};

const count = z.int().nonnegative();

/** Rows that go to the run at once. */
const UNIT_ROWS = 1 << 12;
/** Rows of a record batch: small enough to be read for one node. */
const BATCH_ROWS = 1 << 12;

/** What was written of some parts. */
export const WrittenSuccessors = z.object({
  edges: count,
  /** The edges of each part that was written. */
  partEdges: z.array(count),
  hubs: count,
  /** The most edges that a node has. */
  mostEdges: count,
  /** The points by which anybody loses, most first; none if the source states none. */
  scores: z.array(z.number()),
  /** The first node where somebody has lost by no points; null if there is none. */
  unscored: count.nullable(),
  /** The most plies after which anybody loses at an end of the play. */
  mostPlies: count.default(0),
  runs: z.object({ nodes: NamedRun, successors: NamedRun, hubs: NamedRun }),
});
export type WrittenSuccessors = z.infer<typeof WrittenSuccessors>;

/** The nodes of a graph that are written. */
export interface WrittenNodes {
  readonly nodes: number;
  /** The result, for its owner, of a node without edges. */
  readonly stuck: 'lost' | 'drawn';
  /** Whether all statuses have the weights of their nodes, which are written then. */
  readonly hasWeights: boolean;
}

export type NameOfRun = (what: keyof WrittenSuccessors['runs']) => string;

export async function openNodeWriter(
  read: WrittenNodes,
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
  return orAbort({ abort }, async () => {
    const successors = await create(nameOf('successors'), successorSpec, BATCH_ROWS);
    const nodes = await create(
      nameOf('nodes'),
      nodeSpec(read.hasWeights),
      Math.min(1 << 16, budget.batchRows),
    );
    const hubs = await create(nameOf('hubs'), hubSpec, BATCH_ROWS);
    return new NodeWriter(read, { successors, nodes, hubs });
  });
}

/** Writes nodes and their edges, part by part. A class, as core/keep-shape.ts explains. */
export class NodeWriter {
  private readonly shift: number;
  private readonly statusRead: Uint32Array;
  private readonly status: Uint8Array;
  private readonly counts: Uint8Array;
  private readonly weights: Uint16Array | null;
  private readonly scores = new Set<number>();
  private unscored: number | null = null;
  private mostPlies = 0;
  private readonly rows: UnitRows;
  private part = 0;
  private kept = 0;
  private readonly partEdges: number[] = [];
  private hubs = 0;
  private mostEdges = 0;

  constructor(
    private readonly read: WrittenNodes,
    private readonly runs: Readonly<Record<keyof WrittenSuccessors['runs'], RunWriter>>,
  ) {
    this.shift = unitShift(read.nodes);
    this.statusRead = new Uint32Array(Math.min(PART_NODES, read.nodes));
    this.status = new Uint8Array(this.statusRead.length);
    this.counts = new Uint8Array(this.status.length);
    this.weights = read.hasWeights ? new Uint16Array(this.status.length) : null;
    this.rows = new UnitRows(runs.successors);
  }

  /** Begins the next part. @returns room for the statuses of its nodes, to be filled before `put`. */
  begin(next: number): Uint32Array {
    this.part = next;
    this.kept = 0;
    this.counts.fill(0);
    return this.statusRead;
  }

  /**
   * The edges of the next node that has any, `length` words (graph-layout.ts: successor, its side, whether colours are exchanged) with repeats, which are put in
   * order. Once the result was awaited, they are free again.
   */
  put(node: number, targets: Uint32Array, all: number): Promise<void> | undefined {
    const at = node - this.part * PART_NODES;
    if (!isOpen(this.statusRead[at])) return undefined;
    const length = putInOrder(targets, all);
    this.counts[at] = Math.min(length, MAX_COUNT);
    this.kept += length;
    if (length > this.mostEdges) this.mostEdges = length;
    const written = this.rows.put(node >>> this.shift, node, targets, length);
    return length <= MAX_COUNT ? written : this.putHub(node, length, written);
  }

  async end(): Promise<void> {
    const { part, status, counts, weights, read } = this;
    await this.rows.flush();
    this.partEdges.push(this.kept);
    const size = Math.min(PART_NODES, read.nodes - part * PART_NODES);
    takeStatuses(this.statusRead, size, status, counts);
    endPlay(status, counts, size, read.stuck === 'lost' ? NodeStatus.lost : NodeStatus.drawn);
    this.takeLost(part * PART_NODES, size);
    if (weights !== null) takeWeights(this.statusRead, size, weights);
    const columns = weights === null ? [status, counts] : [status, counts, weights];
    const rows = columns.map((column) => column.subarray(0, size));
    await this.runs.nodes.append(part, size, null, rows);
  }

  /** Takes the points and plies of the nodes of a part at which somebody has lost. */
  private takeLost(first: number, length: number): void {
    const { status, counts, scores } = this;
    for (let i = 0; i < length; i++) {
      if (!isLost(status[i])) continue;
      const word = status[i] | (counts[i] << 8);
      const points = pointsOf(word);
      if (points > 0) scores.add(points);
      else this.unscored ??= first + i;
      this.mostPlies = Math.max(this.mostPlies, pliesOf(word));
    }
  }

  async close(): Promise<WrittenSuccessors> {
    const { runs, partEdges, hubs, mostEdges, scores, unscored, mostPlies } = this;
    const closing = [runs.successors, runs.nodes, runs.hubs].map((run) => run.close());
    const [successors, nodes, hubRun] = await allOf(closing);
    const edges = partEdges.reduce((sum, each) => sum + each, 0);
    return {
      edges,
      partEdges,
      hubs,
      mostEdges,
      scores: [...scores].sort((a, b) => b - a),
      unscored,
      mostPlies,
      runs: { successors, nodes, hubs: hubRun },
    };
  }

  async abort(): Promise<void> {
    for (const run of Object.values(this.runs)) await run.abort();
  }

  private async putHub(node: number, length: number, written: Promise<void> | undefined): Promise<void> {
    this.hubs++;
    await Promise.all([
      written,
      this.runs.hubs.append(node >>> PART_SHIFT, 1, Uint32Array.of(node), [Uint32Array.of(length)]),
    ]);
  }
}

/** Writes the lower bytes of words to the statuses, and the next ones of nodes where the play is over to their counts. */
function takeStatuses(read: Uint32Array, length: number, status: Uint8Array, counts: Uint8Array): void {
  for (let i = 0; i < length; i++) {
    status[i] = read[i];
    if (!isOpen(read[i])) counts[i] = read[i] >>> 8;
  }
}

function takeWeights(read: Uint32Array, length: number, weights: Uint16Array): void {
  for (let i = 0; i < length; i++) weights[i] = read[i] >>> WEIGHT_SHIFT;
}

/** Ends the play at nodes without edges, and counts those that are drawn as such. */
function endPlay(status: Uint8Array, counts: Uint8Array, length: number, stuck: number): void {
  for (let i = 0; i < length; i++) {
    if (isOpen(status[i]) && counts[i] === 0) status[i] |= stuck;
    if (isDrawn(status[i])) counts[i] = DRAWN - counts[i];
  }
}

/** Rows (node | successor) of one unit on their way to the run: most nodes have a few. A call for each would cost more than they do. */
class UnitRows {
  private readonly froms = new Uint32Array(UNIT_ROWS);
  private readonly targets = new Uint32Array(UNIT_ROWS);
  private unit = -1;
  private length = 0;

  constructor(private readonly run: RunWriter) {}

  async flush(): Promise<void> {
    const held = this.length;
    this.length = 0;
    if (held > 0) await this.run.append(this.unit, held, this.froms, [this.targets]);
  }

  /** The first `count` of `found`, which are not changed until the result was awaited. */
  put(own: number, node: number, found: Uint32Array, count: number): Promise<void> | undefined {
    if (own !== this.unit || this.length + count > UNIT_ROWS) return this.putLater(own, node, found, count);
    const { froms, targets, length } = this;
    for (let i = 0; i < count; i++) {
      targets[length + i] = found[i];
      froms[length + i] = node;
    }
    this.length = length + count;
    return undefined;
  }

  private async putLater(own: number, node: number, found: Uint32Array, count: number): Promise<void> {
    await this.flush();
    this.unit = own;
    for (let from = 0; from < count; from += UNIT_ROWS) {
      const to = Math.min(count, from + UNIT_ROWS);
      this.targets.set(found.subarray(from, to));
      this.froms.fill(node, 0, to - from);
      this.length = to - from;
      if (to < count) await this.flush();
    }
  }
}

const FEW = 24;

/** Puts the first `length` targets in order, without repeats; returns how many are left. */
export function putInOrder(targets: Uint32Array, length: number): number {
  order(targets, length);
  return dropRepeats(targets, length);
}

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

/**
 * A stride of reading: what was read of a source since the last commit. The facts of each node go where they can be kept in
 * order. Every name that an edge leads to becomes a row (key of the name | rest of the key, node it comes from). These rows
 * are joined with the nodes when both are ordered by key. Edges listed separately from their nodes are two rows each, under their
 * number.
 */

import type { Budget } from '../../operators/core/budget.js';
import type { Counters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import type { Pool } from '../../operators/distribute/pool.js';
import type { Source } from '../../operators/gather.js';
import type { RunRef } from '../../operators/runs/types.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { upperWords } from '../games/yours/keyed/key-words.js';
import { addPacked, type PackedRows } from './add-packed.js';
import { EdgeNameWriter } from './edge-names.js';
import { lostBy, lostIn, MOST_NODES, NodeStatus, OTHER_OWNER, SIDE_BIT } from './graph-layout.js';
import { type IdKey, idText, KEY_MAJORS, keyOf } from './ids.js';
import { importMemory } from './memory.js';
import { createKeyWriter, createNameWriter, type KeyForm, type NameWriter } from './node-names.js';
import { newRowCollector, poolOf, type RowCollector } from './row-collector.js';
import type { GraphBatch, GraphNode, GraphSource, NodeId, PackedNodes, SourceCounts } from './source.js';
import { createStatusWriter } from './statuses.js';
import type { StrideRuns } from './steps.js';
import type { ColumnWriter } from './stride-columns.js';

export interface ImportEnv {
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  readonly counters: Counters;
  /** Other threads may read what is in memory. */
  readonly shared?: boolean;
  /** Called now and then with the number of nodes or rows done since the last call. */
  readonly report: (done: number) => void;
}

/** By what they are of: keys of nodes, of the targets of edges, and of either end of separate edges. */
export const ROW_KINDS = ['keys', 'targets', 'from', 'to'] as const;
export type RowKind = (typeof ROW_KINDS)[number];
export type PerKind<T> = Partial<Record<RowKind, T>>;

export interface Stride {
  /** Nodes and edges. */
  readonly rows: number;
  add(batch: Pick<GraphBatch, 'nodes' | 'edges'>): Promise<void>;
  /** The same for positions that were found. */
  addFound(nodes: PackedNodes): Promise<void>;
  /** The next nodes have numbers from this one on. Their rows follow those of the nodes before, as a separate piece. */
  goOn(next: number): void;
  /** Whether all of its rows are in memory. */
  isHeld(): Promise<boolean>;
  /** Ends it. @param holds whether rows stay in memory, where they are; else all of them are in the store then. */
  end(holds: boolean): Promise<EndedStride>;
  abort(): Promise<void>;
}

/** The runs of a stride, and the rows that are in memory. */
export interface EndedStride extends StrideRuns {
  readonly held: PerKind<Source>;
}

export interface StrideOptions {
  readonly source: Pick<GraphSource, 'name' | 'game'>;
  readonly seed: number;
  /** The prefix of the names of its runs; the rest of a name is the kind of rows. */
  readonly prefix: string;
  /** The facts of earlier strides; those of this stride are added. Its first node has the number of nodes read, unless it goes on elsewhere. */
  readonly counts: SourceCounts;
  /** Used from stride to stride. */
  readonly pools: PerKind<Pool>;
}

/** The collectors that a stride writes to. */
interface StrideRows extends PackedRows {
  readonly name: string;
  readonly names: NameWriter | ColumnWriter;
  readonly edgeNames: EdgeNameWriter;
  readonly collectors: PerKind<KeyRows>;
  /** Made when first asked for. */
  of(kind: RowKind): KeyRows;
}

export async function newStride(options: StrideOptions, env: ImportEnv): Promise<Stride> {
  const rows = await openRows(options, env);
  const { collectors, names, statuses, edgeNames } = rows;

  return {
    get rows() {
      return rows.count;
    },
    async addFound(nodes) {
      requireRoom(rows, nodes.length);
      await addPacked(rows, names as ColumnWriter, nodes);
    },
    async add(batch) {
      await addNodes(rows, batch.nodes);
      await addApart(rows, batch.edges);
    },
    goOn(next) {
      rows.next = next;
      rows.pieces.push(0);
    },
    async isHeld() {
      for (const each of Object.values(collectors)) await each.passOn();
      return Object.values(collectors).every((each) => each.isHeld);
    },
    async end(holds) {
      const runs: PerKind<RunRef> = {};
      const held: PerKind<Source> = {};
      for (const kind of ROW_KINDS) {
        const collector = collectors[kind];
        if (collector === undefined) continue;
        if (!holds) await collector.spill();
        const { kept, sources } = await collector.finish();
        if (holds) held[kind] = sources[0];
        else if (kept.length > 0) runs[kind] = kept[0];
      }
      const { pieces } = rows;
      const columns = { statuses: await statuses.close(), names: await names.close() };
      const moves = await edgeNames.close();
      return {
        ...columns,
        ...(moves !== undefined && { moves }),
        ...runs,
        ...(pieces.length > 0 && { pieces }),
        held,
      };
    },
    async abort() {
      await names.abort();
      await statuses.abort();
      await edgeNames.abort();
      for (const each of Object.values(collectors)) await each.abort();
    },
  };
}

async function openRows(
  { source, seed, prefix, counts, pools }: StrideOptions,
  env: ImportEnv,
): Promise<StrideRows> {
  const { store, counters, budget } = env;
  const shares = importMemory('read', budget);
  const nameOf = (what: string) => `${prefix}-${what}.arrow`;
  const { nodes: first } = counts;
  const keys = keyFormOf(source, seed);
  const names =
    keys === null
      ? await createNameWriter(store, nameOf('names'), first, counters)
      : await createKeyWriter(store, nameOf('names'), first, keys, counters);
  const statuses = await createStatusWriter(store, nameOf('statuses'), counts.nodes, { ...budget, counters });
  const collectors: PerKind<KeyRows> = {};
  return {
    name: source.name,
    counts,
    names,
    statuses,
    edgeNames: new EdgeNameWriter({ store, name: nameOf('moves'), first: counts.nodes }, counters),
    collectors,
    of(kind) {
      const pool = (pools[kind] ??= poolOf(shares[kind], env.shared));
      return (collectors[kind] ??= newKeyRows(seed, pool, { store, name: nameOf(kind) }, env));
    },
    count: 0,
    next: counts.nodes,
    pieces: [],
  };
}

function requireRoom({ name, next }: StrideRows, more: number): void {
  if (next + more > MOST_NODES)
    throw new UserError(`${name}: more than ${MOST_NODES} nodes, which is the most there can be`);
}

async function addNodes(rows: StrideRows, nodes: GraphBatch['nodes']): Promise<void> {
  const { counts, names, statuses, edgeNames } = rows;
  const keys = rows.of('keys');
  const targets = rows.of('targets');
  const status = new Uint32Array(nodes.length);
  requireRoom(rows, nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const what = statusOf(node);
    status[i] = what;
    if (typeof node.id === 'string') counts.texts++;
    const number = rows.next++;
    counts.nodes++;
    const named = (names as NameWriter).append(idText(node.id));
    if (named !== undefined) await named;
    const kept = keys.add(node.id, (what & 1) << SIDE_BIT, number);
    if (kept !== undefined) await kept;
    if (node.winner === null) {
      for (const target of node.edges) {
        const sent = targets.add(target, 0, number);
        if (sent !== undefined) await sent;
      }
    }
    if (edgeNames.isNeeded(node)) await edgeNames.put(node, number);
    rows.count += 1 + node.edges.length;
    counts.edges += node.edges.length;
  }
  await statuses.append([status], status.length);
}

async function addApart(rows: StrideRows, edges: GraphBatch['edges']): Promise<void> {
  const { counts, name } = rows;
  for (const edge of edges) {
    await rows.of('from').add(edge.from, 0, counts.apart);
    await rows.of('to').add(edge.to, 0, counts.apart);
    rows.count++;
    if (++counts.apart === 2 ** 32)
      throw new UserError(`${name}: more than ${2 ** 32 - 1} edges are listed separately from their nodes`);
  }
}

/** At a node without edges the play is over, too; whether it has any is known when all are read (successors.ts). */
function statusOf({ owner, winner, score, plies = 0 }: GraphNode): number {
  if (winner === null) return owner | NodeStatus.open;
  if (winner === 'nobody') return owner | NodeStatus.drawn;
  const lost = score === undefined ? lostIn(plies) : lostBy(score);
  return (1 - winner) | lost | (owner === winner ? OTHER_OWNER : 0);
}

/** How the names of a source are written if they are the keys of a game; null if they are texts. */
export function keyFormOf({ game }: Pick<GraphSource, 'game'>, seed: number): KeyForm | null {
  return game === undefined ? null : { upper: upperWords(game.keyBits), seed };
}

interface KeyRows extends RowCollector {
  /** `beside`: bits that do not belong to the key. */
  add(id: NodeId, beside: number, number: number): Promise<void> | undefined;
}

function newKeyRows(
  seed: number,
  pool: Pool,
  keeping: { readonly store: Store; readonly name: string },
  env: ImportEnv,
): KeyRows {
  const collector = newRowCollector({ majors: KEY_MAJORS, payload: 2, pool, keeping }, env);
  const key: IdKey = { major: 0, minor: 0, rest: 0 };
  return {
    ...collector,
    get isHeld() {
      return collector.isHeld;
    },
    add(id, beside, number) {
      keyOf(id, seed, key);
      return collector.put(key.major, key.minor, key.rest | beside, number);
    },
  };
}

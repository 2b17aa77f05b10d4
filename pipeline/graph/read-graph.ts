/**
 * Reading a source, once: what is told of each node goes where it can be kept in order, and every name that an edge leads
 * to becomes a row (key of the name | rest of the key, node it comes from), to be joined with the nodes when both are
 * ordered by key. Edges told apart from their nodes are two rows each, under their number.
 */
import type { Budget } from '../../operators/core/budget.js';
import type { Counters } from '../../operators/core/counters.js';
import { UserError } from '../../operators/core/errors.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Scratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { type IdKey, idText, KEY_MAJORS, keyOf } from './ids.js';
import { MOST_NODES, NodeStatus, PART_SHIFT, SIDE_BIT } from './layout.js';
import { createNameWriter } from './names.js';
import { type Gatherable, newRowCollector, type RowCollector } from './row-collector.js';
import type { GraphNode, GraphSource, NodeId } from './source.js';

export interface ImportEnv {
  readonly store: Store;
  readonly scratch: Scratch;
  readonly budget: Budget;
  readonly counters: Counters;
  /** Called now and then with the number of nodes or rows done since the last call. */
  readonly report: (done: number) => void;
}

export interface ReadGraph {
  readonly nodes: number;
  /** Edges told of. */
  readonly edges: number;
  /** (key | rest and side, node), two payload columns. */
  readonly keys: Gatherable;
  /** (key of the target | rest, source node). */
  readonly targets: Gatherable;
  /** Edges told apart: (key of either end | rest, number of the edge). */
  readonly apart: { readonly count: number; readonly from: Gatherable; readonly to: Gatherable } | null;
  readonly idKind: 'text' | 'integer' | 'mixed';
  /** A scratch run of the status of every node. */
  readonly statuses: string;
}

/** Of the memory. */
const SHARES = { keys: 0.15, targets: 0.3, apart: 0.06 };
export const STATUSES = 'graph-statuses';

/** @param names the name of the run that the nodes' names are written to. @throws UserError as the source does, and if there are no nodes, or too many. */
export async function readGraph(
  source: GraphSource,
  seed: number,
  names: string,
  env: ImportEnv,
): Promise<ReadGraph> {
  const { scratch, budget, counters } = env;
  const nameWriter = await createNameWriter(env.store, names, counters);
  const statuses = scratch.name();
  const statusRun = await createRun(
    scratch.store,
    statuses,
    { kind: STATUSES, dense: true, columns: [{ name: 'status', type: 'u8' }], strict: true, meta: {} },
    { batchRows: budget.batchRows, counters },
  );
  const made: KeyRows[] = [];
  const rowsFor = (fraction: number) => {
    const rows = newKeyRows(fraction, seed, env);
    made.push(rows);
    return rows;
  };
  const keys = rowsFor(SHARES.keys);
  const targets = rowsFor(SHARES.targets);
  let from: KeyRows | undefined;
  let to: KeyRows | undefined;
  const status = new Uint8Array(1 << 16);
  let nodes = 0;
  let edges = 0;
  let apart = 0;
  let texts = 0;

  async function flushStatus(end: number): Promise<void> {
    const held = end % status.length || status.length;
    await statusRun.append((end - 1) >>> PART_SHIFT, held, null, [status.subarray(0, held)]);
  }

  try {
    for await (const batch of source.read()) {
      for (const node of batch.nodes) {
        if (nodes === MOST_NODES)
          throw new UserError(
            `${source.name}: more than ${MOST_NODES} nodes, which is the most there can be`,
          );
        if (typeof node.id === 'string') texts++;
        const what = statusOf(node);
        const written = nameWriter.append(idText(node.id));
        if (written !== undefined) await written;
        const kept = keys.add(node.id, (what & 1) << SIDE_BIT, nodes);
        if (kept !== undefined) await kept;
        if (node.winner === null) {
          for (const target of node.edges) {
            const sent = targets.add(target, 0, nodes);
            if (sent !== undefined) await sent;
          }
        }
        edges += node.edges.length;
        status[nodes % status.length] = what;
        nodes++;
        if (nodes % status.length === 0) await flushStatus(nodes);
      }
      for (const edge of batch.edges) {
        from ??= rowsFor(SHARES.apart);
        to ??= rowsFor(SHARES.apart);
        await from.add(edge.from, 0, apart);
        await to.add(edge.to, 0, apart);
        if (++apart === 2 ** 32)
          throw new UserError(
            `${source.name}: more than ${2 ** 32 - 1} edges are told apart from their nodes`,
          );
      }
      env.report(batch.nodes.length + batch.edges.length);
    }
    if (nodes === 0) throw new UserError(`${source.name}: there are no nodes`);
    if (nodes % status.length > 0) await flushStatus(nodes);
    await statusRun.close();
    await nameWriter.close();
    return {
      nodes,
      edges: edges + apart,
      keys: await keys.finish(),
      targets: await targets.finish(),
      apart: from === undefined ? null : { count: apart, from: await from.finish(), to: await to!.finish() },
      idKind: texts === nodes ? 'text' : texts === 0 ? 'integer' : 'mixed',
      statuses,
    };
  } catch (error) {
    await nameWriter.abort();
    await statusRun.abort();
    for (const rows of made) await rows.abort();
    throw error;
  }
}

/** At a node without edges the play is over, too; whether it has any is known when all are read (successors.ts). */
function statusOf({ owner, winner }: GraphNode): number {
  if (winner === null) return owner | NodeStatus.open;
  return winner === 'nobody' ? owner | NodeStatus.drawn : (1 - winner) | NodeStatus.lost;
}

interface KeyRows extends Pick<RowCollector, 'finish' | 'abort'> {
  /** `beside`: bits that do not belong to the key. */
  add(id: NodeId, beside: number, number: number): Promise<void> | undefined;
}

function newKeyRows(fraction: number, seed: number, env: ImportEnv): KeyRows {
  const { put, finish, abort } = newRowCollector(KEY_MAJORS, 2, fraction, env);
  const key: IdKey = { major: 0, minor: 0, rest: 0 };
  return {
    add(id, beside, number) {
      keyOf(id, seed, key);
      return put(key.major, key.minor, key.rest | beside, number);
    },
    finish,
    abort,
  };
}

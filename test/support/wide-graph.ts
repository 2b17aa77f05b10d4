/** A graph of several parts, and the rows that its import writes. */
import { newCounters } from '../../operators/core/counters.js';
import { openRun } from '../../operators/runs/reader.js';
import type { Store } from '../../operators/storage/store.js';
import { openJoined } from '../../pipeline/graph/joined-runs.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import type { GraphNode, ListedGraph } from '../../pipeline/graph/source.js';

const HUB = 12_346;
const HUB_EDGES = 700;

/** Each fifth node is an end of the play, and one node is a hub. */
export function wideGraph(nodes: number): ListedGraph {
  const node = (id: number) => ({
    id,
    owner: (id & 1) as 0 | 1,
    winner: id % 5 === 0 ? (((id >> 3) & 1) as 0 | 1) : null,
    edges:
      id === HUB
        ? Array.from({ length: HUB_EDGES }, (_, e) => (e * 701) % nodes)
        : [(id * 7) % nodes, (id * 7919 + 3) % nodes].slice(0, id % 3),
  });
  return graphOf('a wide graph', nodes, node);
}

/** A graph whose nodes are made as they are read. */
export function graphOf(name: string, nodes: number, node: (id: number) => GraphNode): ListedGraph {
  return {
    name,
    head: { players: ['zero', 'one'] },
    stuck: 'drawn',
    async *read() {
      for (let from = 0; from < nodes; from += 8192) {
        const length = Math.min(8192, nodes - from);
        yield { nodes: Array.from({ length }, (_, i) => node(from + i)), edges: [] };
      }
    },
    whereNode: async (number) => `node ${number}`,
    whereEdge: async (number) => `edge ${number}`,
    nameAtNode: async () => null,
    nameAtEdge: async () => null,
  };
}

/** With one more node, whose edge leads to a node that is not there. */
export function withoutNode(source: ListedGraph): ListedGraph {
  return {
    ...source,
    async *read(going) {
      for await (const batch of source.read(going)) yield batch;
      yield { nodes: [{ id: 'last', owner: 0, winner: null, edges: ['nowhere'] }], edges: [] };
    },
    nameAtNode: async (_, wrong) => (wrong('nowhere') ? 'nowhere' : null),
  };
}

/** All rows of the runs that pieces write: how many, and a sum that depends on their order. */
export async function rowsOf({
  graph,
  store,
}: {
  readonly graph: GraphManifest;
  readonly store: Store;
}): Promise<Record<string, readonly [rows: number, sum: number]>> {
  const found: Record<string, readonly [number, number]> = {};
  const counters = newCounters();
  for (const what of ['index', 'successors', 'hubs', 'nodes'] as const) {
    const refs = graph.runs[what];
    const { dense } = (await openRun(store, refs[0], { counters })).spec;
    const joined = await openJoined(store, refs, { counters });
    let rows = 0;
    let sum = 0;
    const take = (length: number, columns: readonly ArrayLike<number>[]) => {
      for (let i = 0; i < length; i++)
        for (const column of columns) sum = (Math.imul(sum, 31) + column[i]) | 0;
      rows += length;
    };
    if (dense) for await (const { length, columns } of joined.denseCursor()) take(length, columns as never);
    else
      for await (const { length, minor, payload } of joined.cursor())
        take(length, [minor, ...payload] as never);
    found[what] = [rows, sum];
  }
  return found;
}

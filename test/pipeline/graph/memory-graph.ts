/** Graphs held in memory: as a source, made at random, and solved naively. */
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { SolveGraphOptions } from '../../../pipeline/graph/solve-graph.js';
import type {
  GraphBatch,
  GraphEdge,
  GraphNode,
  ListedGraph,
  NodeId,
} from '../../../pipeline/graph/source.js';
import { randomFrom } from '../../support/graph-game.js';
import { budgetOf, MiB } from '../../support/solving.js';

export interface MemoryGraph {
  readonly nodes: readonly GraphNode[];
  /** Edges that are given apart from their nodes. */
  readonly edges: readonly GraphEdge[];
  readonly stuck: 'lost' | 'drawn';
}

export function memorySource(graph: MemoryGraph, batch = 7): ListedGraph {
  const { nodes, edges, stuck } = graph;
  return {
    name: 'a graph',
    head: { players: ['zero', 'one'] },
    stuck,
    async *read(): AsyncIterable<GraphBatch> {
      // Edges come before, between and behind the nodes.
      const rounds = Math.ceil(Math.max(nodes.length, edges.length) / batch);
      for (let i = 0; i < rounds; i++) {
        const range = [i * batch, (i + 1) * batch] as const;
        yield { nodes: nodes.slice(...range), edges: edges.slice(...range) };
      }
    },
    whereNode: async (number) => `node ${number}`,
    whereEdge: async (number) => `edge ${number}`,
    nameAtNode: async (number, wrong) => nodes[number].edges.find(wrong) ?? null,
    nameAtEdge: async (number, wrong) => [edges[number].from, edges[number].to].find(wrong) ?? null,
  };
}

export interface GraphShape {
  readonly nodes: number;
  readonly edges: number;
  readonly seed: number;
  /** Edges lead at most so far down, mostly: so that wins are long. */
  readonly reach?: number;
  /** Number of edges of each hub among the nodes. */
  readonly hub?: number;
}

/** Names are text and integers, some edges are given apart, some nodes are stuck, some have edges behind the end. */
export function randomGraph({ nodes, edges, seed, reach, hub }: GraphShape): MemoryGraph {
  const random = randomFrom(seed);
  const name = (i: number): NodeId => (i % 3 === 0 ? i * 7919 : i % 3 === 1 ? `node "${i}"` : -i - 1);
  const lists = Array.from({ length: nodes }, () => [] as NodeId[]);
  const separate: GraphEdge[] = [];
  for (let e = 0; e < edges; e++) {
    const from = random(nodes);
    if (from % 17 === 5) continue;
    const near = reach !== undefined && random(10) > 0;
    const to = near ? Math.max(0, from - 1 - random(reach)) : random(nodes);
    if (random(4) === 0) separate.push({ from: name(from), to: name(to) });
    else lists[from].push(name(to));
  }
  if (hub !== undefined) {
    for (let h = 0; h < 3; h++) {
      const at = random(nodes);
      for (let e = 0; e < hub - h; e++) lists[at].push(name((at + e * 3 + 1) % nodes));
    }
  }
  return {
    nodes: lists.map((list, i) => ({
      id: name(i),
      owner: random(2) as 0 | 1,
      winner: i < 2 || random(40) === 0 ? ([0, 1, 'nobody'] as const)[random(3)] : null,
      edges: list,
    })),
    edges: separate,
    stuck: seed % 2 === 0 ? 'lost' : 'drawn',
  };
}

export interface NaiveValue {
  readonly winner: 0 | 1 | null;
  readonly plies: number | null;
}

/** Solves by rounds over all nodes, until nothing changes. */
export function solveNaively({ nodes, edges, stuck }: MemoryGraph): Map<NodeId, NaiveValue> {
  const successors = new Map<NodeId, Set<NodeId>>(nodes.map(({ id, edges }) => [id, new Set(edges)]));
  for (const { from, to } of edges) successors.get(from)!.add(to);
  const values = new Map<NodeId, NaiveValue>();
  const over = (id: NodeId, winner: 0 | 1 | null) =>
    values.set(id, { winner, plies: winner === null ? null : 0 });
  for (const { id, owner, winner } of nodes) {
    if (winner !== null) over(id, winner === 'nobody' ? null : winner);
    else if (successors.get(id)!.size === 0) over(id, stuck === 'drawn' ? null : ((1 - owner) as 0 | 1));
  }
  for (let ply = 1; ; ply++) {
    const found: [NodeId, 0 | 1][] = [];
    for (const { id, owner } of nodes) {
      if (values.has(id)) continue;
      const after = [...successors.get(id)!].map((to) => values.get(to)?.winner ?? null);
      if (after.includes(owner)) found.push([id, owner]);
      else if (after.every((winner) => winner === 1 - owner)) found.push([id, (1 - owner) as 0 | 1]);
    }
    if (found.length === 0) break;
    for (const [id, winner] of found) values.set(id, { winner, plies: ply });
  }
  for (const { id } of nodes) if (!values.has(id)) values.set(id, { winner: null, plies: null });
  return values;
}

/** Solves the graph by the name `test`, in memory and in 4 MiB, unless `more` says otherwise. */
export function solving(graph: MemoryGraph, more: Partial<SolveGraphOptions> = {}): SolveGraphOptions {
  return {
    source: memorySource(graph),
    name: 'test',
    fingerprint: '1',
    metric: 'dtw',
    verify: true,
    store: memoryStore(),
    scratch: newScratch(memoryStore(), 'scratch'),
    budget: budgetOf(4 * MiB),
    progress: () => {},
    meter: { wall: () => 0, cpu: () => 0, peakRss: () => 0 },
    ...more,
  };
}

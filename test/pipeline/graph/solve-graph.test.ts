/** Graphs solved by sorting have a naive solver's values, in any memory. */
import { describe, expect, it } from 'vitest';
import { openGraphProber } from '../../../pipeline/graph/graph-prober.js';
import { type SolveGraphOptions, solveGraph } from '../../../pipeline/graph/solve-graph.js';
import { LONG } from '../../support/long.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { type GraphShape, type MemoryGraph, randomGraph, solveNaively, solving } from './memory-graph.js';

/** All nodes, in the short tests each fifth, have the values of the naive solver; and where somebody wins, the best edge brings that nearer. */
async function expectSolved(graph: MemoryGraph, asked: SolveGraphOptions): Promise<void> {
  const expected = solveNaively(graph);
  const prober = await openGraphProber(asked.store, asked.name, asked.metric);
  const plies = (value: { plies: number | null }) => (asked.metric === 'wdl' ? null : value.plies);
  for (const { id, owner } of graph.nodes.filter((_, i) => LONG || i % 5 === 0)) {
    const found = await prober.node(id);
    const { winner, plies: distance } = expected.get(id)!;
    expect({ id, owner: found!.owner, winner: found!.winner, plies: found!.plies }).toEqual({
      id,
      owner,
      winner,
      plies: plies({ plies: distance }),
    });
    if (winner === null || distance === 0) continue;
    const [best] = await prober.edges(found!.number);
    expect({ id, winner: best.winner, plies: best.plies }).toEqual({
      id,
      winner,
      plies: plies({ plies: distance! - 1 }),
    });
  }
}

const shapes: Record<string, GraphShape> = {
  'a few nodes': { nodes: 12, edges: 30, seed: 1 },
  sparse: { nodes: 400, edges: 700, seed: 2 },
  'long wins': { nodes: 700, edges: 2100, seed: 3, reach: 4 },
  'stuck is drawn': { nodes: 500, edges: 900, seed: 5, reach: 9 },
  dense: { nodes: 120, edges: 5000, seed: 6 },
  hubs: { nodes: 1500, edges: 3000, seed: 8, reach: 40, hub: 700 },
  'hubs with as many edges as a label counts': { nodes: 600, edges: 1200, seed: 9, hub: 256 },
};

describe('a graph', () => {
  it.each(Object.entries(shapes))('%s', async (_, shape) => {
    const graph = randomGraph(shape);
    const asked = solving(graph);
    const { graph: made, summary } = await solveGraph(asked);
    expect(made.nodes).toBe(graph.nodes.length);
    expect(summary.verified).toBe(graph.nodes.length);
    await expectSolved(graph, asked);
  });

  it('is not imported twice at once by one process', async () => {
    const asked = solving(randomGraph(shapes.sparse));
    const first = solveGraph(asked);
    const refused = `graph ${asked.name} is being imported by this process: wait for it`;
    await expect(
      solveGraph({ ...asked, scratch: solving(randomGraph(shapes.sparse)).scratch }),
    ).rejects.toThrow(refused);
    // The import that was first, and one into another store, go on.
    await Promise.all([first, solveGraph(solving(randomGraph(shapes.sparse)))]);
    const { summary } = await solveGraph(asked);
    expect(summary.found).toBe(true);
  });

  it('is the same under wdl', async () => {
    const graph = randomGraph(shapes['long wins']);
    const asked = solving(graph, { metric: 'wdl' });
    await solveGraph(asked);
    await expectSolved(graph, asked);
  });

  it('is the same for many random graphs', async () => {
    for (let seed = 100; seed < (LONG ? 200 : 115); seed++) {
      const graph = randomGraph({
        nodes: 3 + (seed % 40),
        edges: (seed * 7) % 120,
        seed,
        reach: 1 + (seed % 5),
      });
      const asked = solving(graph, { budget: budgetOf(MiB) });
      await solveGraph(asked);
      await expectSolved(graph, asked);
    }
  });
});

/** Published graphs: every node and edge as in the store; damage. */
import { memoryStore, newScratch, openGraphProber, openPublishedGraph, publishGraph } from 'mergemate';
import { expect, test } from 'vitest';
import { solveGraph } from '../../../../../pipeline/graph/solve-graph.js';
import { namesFileName, nodesFileName } from '../../../../../pipeline/share/publish/graph/format.js';
import { LONG, sweep } from '../../../../support/long.js';
import { randomGraph, solving } from '../../../graph/memory-graph.js';

const budget = { memory: 2 ** 21, fanIn: 16, batchRows: 2 ** 12 };

async function published(metric: 'dtw' | 'wdl', shape: { nodes: number; edges: number; hub?: number }) {
  const [store, to] = [memoryStore(), memoryStore()];
  const graph = randomGraph({ ...shape, seed: 3, reach: 9 });
  await solveGraph({ ...solving(graph, { store }), metric, name: 'drawn' });
  const scratch = newScratch(memoryStore(), 'publish');
  const made = await publishGraph({ store, name: 'drawn', metric, to, scratch, budget, verify: true });
  return { graph, store, to, made };
}

type Case = [metric: 'dtw' | 'wdl', shape: { nodes: number; edges: number; hub?: number }];
const few: Case[] = [
  ['dtw', { nodes: 900, edges: 2000, hub: 400 }],
  ['wdl', { nodes: 300, edges: 900 }],
  ['dtw', { nodes: 1, edges: 0 }],
];
test.each(sweep<Case>(few, [['dtw', { nodes: 20_000, edges: 60_000 }]]))(
  'all nodes and edges are those of the store: %s, %o',
  async (metric, shape) => {
    const { graph, store, to, made } = await published(metric, shape);
    expect(made.header.nodes).toBe(graph.nodes.length);
    const stored = await openGraphProber(store, 'drawn', metric);
    const small = await openPublishedGraph(to, 'drawn', metric);
    const step = Math.max(1, Math.floor(graph.nodes.length / (LONG ? 900 : 225)));
    for (let i = 0; i < graph.nodes.length; i += step) {
      const { id } = graph.nodes[i];
      const node = await stored.node(id);
      expect(await small.node(id)).toEqual(node);
      expect(await small.edges(i)).toEqual(node!.isOver ? [] : await stored.edges(i));
      expect(await small.degree(i)).toBe(await stored.degree(i));
    }
    for (const id of ['nowhere', 10 ** 12, `node "${graph.nodes.length * 3 + 1}"`])
      expect(await small.node(id)).toBe(null);
  },
);

test('a changed byte is found', async () => {
  const { graph, to } = await published('dtw', { nodes: 300, edges: 900 });
  for (const name of [nodesFileName('drawn', 'dtw'), namesFileName('drawn', 'dtw')]) {
    const bytes = new Uint8Array((await to.size(name))!);
    await to.read(name, 0, bytes);
    for (let at = 0; at < bytes.length; at += 61) {
      const damaged = memoryStore();
      for (const each of await to.list('')) {
        const copy = new Uint8Array((await to.size(each))!);
        await to.read(each, 0, copy);
        if (each === name) copy[at] ^= 4;
        const sink = await damaged.create(each);
        await sink.write([copy]);
        await sink.close();
      }
      const all = async () => {
        const prober = await openPublishedGraph(damaged, 'drawn', 'dtw');
        for (const { id } of graph.nodes) await prober.node(id);
      };
      await expect(all()).rejects.toThrow(/damaged|too short|is not a|impossible/);
    }
  }
});

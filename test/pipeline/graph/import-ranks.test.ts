/** A listed graph that ranks import, which share the store alone: the graph is that of one process, whoever is lost and whenever. */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { contested } from '../../../pipeline/engine/crew/crew.js';
import { PART_NODES } from '../../../pipeline/graph/graph-layout.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { rankCrews } from '../../../pipeline/graph/import-ranks.js';
import { readGraphManifest } from '../../../pipeline/graph/manifest.js';
import type { ListedGraph } from '../../../pipeline/graph/source.js';
import { killed } from '../../support/killed-store.js';
import { LONG, LONGEST, sweep } from '../../support/long.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { rowsOf, wideGraph, withoutNode } from '../../support/wide-graph.js';

/** Two parts; the second is short. */
const NODES = PART_NODES + 1000;
const source = wideGraph(NODES);
const place = { name: 'wide', fingerprint: '1' };

const waiting = {
  pause: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
  async reportMissing(step: string, times: number) {
    if (times > 30_000) throw new Error(`waits for ever for ${step}`);
  },
};

const takeProcessRecord = () => ({ host: 'test', rank: 0, started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 });
let attempts = 0;

/** One rank, from its start to its end. */
async function rankOf(store: Store, self: number, of: number, read: ListedGraph = source): Promise<void> {
  const crews = rankCrews({ self, of, attempt: `-a${attempts++}`, waiting, takeProcessRecord });
  const world = { store, scratch: newScratch(memoryStore(), 'scratch') };
  const means = { budget: budgetOf(8 * MiB), report: () => {}, phase: () => {}, commitRows: 100_000 };
  await contested(
    () => importGraph({ ...place, ...world, ...means, ...(of > 1 && { crews }), source: read }),
    () => {},
  );
}

const byRanks = (store: Store, of: number) =>
  Promise.all(Array.from({ length: of }, (_, self) => rankOf(store, self, of)));

async function graphIn(store: Store) {
  const graph = (await readGraphManifest(store, 'wide'))!;
  return { graph, rows: await rowsOf({ graph, store }) };
}

/** A store in which the graph was read and nothing else, and the graph that one process makes of it. */
const begun = (async () => {
  const store = memoryStore();
  await expect(rankOf(killed(store, 'stride-00000.json'), 0, 1)).rejects.toThrow('killed');
  expect(await store.list('')).toContain('graph/import/wide/steps/stride-00000.json');
  const whole = await copyOf(store);
  await rankOf(whole, 0, 1);
  return { store, alone: await graphIn(whole) };
})();

async function copyOf(store: Store): Promise<Store> {
  const copy = memoryStore();
  for (const name of await store.list('')) await copy.putIfAbsent(name, (await readAll(store, name))!);
  return copy;
}

test.each(sweep([2], [3]))('%i ranks make the rows that one process makes', async (of) => {
  const { alone } = await begun;
  const store = memoryStore();
  await byRanks(store, of);
  const { graph, rows } = await graphIn(store);
  expect(rows).toEqual(alone.rows);
  // There are two parts of nodes, so a third rank has none of these.
  expect([graph.runs.index.length, graph.runs.nodes.length]).toEqual([of, 2]);
  const { nodes, edges, hubs } = alone.graph;
  expect(graph).toMatchObject({ nodes, edges, hubs });
  const named = JSON.stringify(graph);
  for (const name of await store.list('')) if (name.endsWith('.arrow')) expect(named).toContain(name);
});

test('an edge to a missing node is reported as by one process', async () => {
  const store = memoryStore();
  const other = rankOf(store, 1, 2);
  await expect(rankOf(store, 0, 2, withoutNode(source))).rejects.toThrow(
    `a wide graph: node ${NODES}: there is no node "nowhere"`,
  );
  // The other rank goes on when the graph is imported after all.
  await rankOf(store, 0, 2);
  await other;
  expect((await graphIn(store)).rows).toEqual((await begun).alone.rows);
});

/** Kills one of two ranks before each so many things that it does to the store, and starts it again. @returns how often. */
async function killing(victim: 0 | 1, every: number): Promise<number> {
  const { store: first, alone } = await begun;
  for (let after = 0, losses = 0; ; after += every) {
    const store = await copyOf(first);
    let isLost = false;
    const victims = rankOf(killed(store, after), victim, 2).catch(async (error: Error) => {
      expect(error.message).toBe('killed');
      isLost = true;
      await rankOf(store, victim, 2);
    });
    await Promise.all([victims, rankOf(store, 1 - victim, 2)]);
    expect((await graphIn(store)).rows).toEqual(alone.rows);
    if (!isLost) return losses;
    losses++;
  }
}

test('a rank that is lost is started again, and the rows are the same', async () => {
  expect(await killing(1, LONGEST ? 1 : LONG ? 2 : 6)).toBeGreaterThan(1);
  expect(await killing(0, LONGEST ? 2 : LONG ? 5 : 20)).toBeGreaterThan(1);
}, 600_000);

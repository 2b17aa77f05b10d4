/** An import by several partitions makes the graph that one makes. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { PART_NODES } from '../../../pipeline/graph/graph-layout.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import type { ImportOptions } from '../../../pipeline/graph/import-options.js';
import { openJoined } from '../../../pipeline/graph/joined-runs.js';
import type { GraphManifest } from '../../../pipeline/graph/manifest.js';
import { testFolder } from '../../support/folders.js';
import { crewsHere } from '../../support/import-crews.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { ifUnlisted, LISTS_OPEN_FILES, openFiles } from '../../support/open-files.js';
import { budgetOf, MiB } from '../../support/solving.js';
import { rowsOf, wideGraph, withoutNode } from '../../support/wide-graph.js';
import { memorySource, randomGraph } from './memory-graph.js';

/** Three parts; the last is short. */
const NODES = 2 * PART_NODES + 1000;
const source = wideGraph(NODES);

interface Imported {
  readonly graph: GraphManifest;
  readonly store: Store;
}

async function importedBy(workers: number, options: Partial<ImportOptions> = {}): Promise<Imported> {
  const store = memoryStore();
  const graph = await importGraph({
    name: 'wide',
    fingerprint: '1',
    source,
    store,
    scratch: newScratch(memoryStore(), 'scratch'),
    budget: budgetOf(64 * MiB),
    report: () => {},
    phase: () => {},
    crews: crewsHere(workers),
    ...options,
  });
  return { graph, store };
}

let inThree: Promise<Imported> | undefined;
/** The graph as three partitions import it: once for all tests. */
function importedByThree(): Promise<Imported> {
  inThree ??= importedBy(3);
  return inThree;
}

test.skipIf(!LONG)(
  `partitions make the rows that one thread makes${ifShort}`,
  async () => {
    const whole = await importedBy(1);
    const expected = await rowsOf(whole);
    expect(expected.nodes[0]).toBe(NODES);
    expect(whole.graph.hubs).toBe(1);
    // In the long tests one is committed when it was read, with spills in little memory.
    const inTwo = () => importedBy(2, { commitRows: 300_000, budget: budgetOf(4 * MiB) });
    for (const [workers, imported] of sweep([[3, importedByThree]] as const, [[2, inTwo]] as const)) {
      const cut = await imported();
      expect(cut.graph.runs.index).toHaveLength(workers);
      expect(cut.graph.runs.successors).toHaveLength(workers);
      expect(await rowsOf(cut)).toEqual(expected);
      const { edges, hubs, nodes, partEdges } = whole.graph;
      expect(cut.graph).toMatchObject({ edges, hubs, nodes, partEdges });
      expect(partEdges!.reduce((sum, each) => sum + each, 0)).toBe(edges);
    }
  },
  120_000,
);

test('edges that are listed separately lead where they do in one thread', async () => {
  const random = randomGraph({ nodes: 400, edges: 3000, seed: 6 });
  const apart = { source: memorySource(random), budget: budgetOf(MiB) };
  const expected = await rowsOf(await importedBy(1, apart));
  for (const workers of [2, 5]) expect(await rowsOf(await importedBy(workers, apart))).toEqual(expected);
});

test.runIf(LISTS_OPEN_FILES)(
  `files that partitions have read can be freed by another thread${ifUnlisted}`,
  async () => {
    const folder = testFolder();
    const open = (name: string) => localStore(join(folder, name), { durable: false });
    // In so little memory, rows are spilled, and those that were read are in runs.
    const little = { budget: budgetOf(4 * MiB), commitRows: 300_000 };
    await importedBy(2, { store: open('store'), crews: crewsHere(2, open('scratch')), ...little });
    expect(openFiles(folder).filter(({ path }) => path.endsWith(' (deleted)'))).toEqual([]);
  },
  120_000,
);

test('an edge to a missing node is reported as by one thread', async () => {
  const broken = withoutNode(source);
  await expect(importedBy(2, { source: broken })).rejects.toThrow(
    `a wide graph: node ${NODES}: there is no node "nowhere"`,
  );
}, 120_000);

test('a row of several joined runs is read from the run of its major', async () => {
  const { graph, store } = await importedByThree();
  const nodes = await openJoined(store, graph.runs.nodes, { counters: newCounters() });
  const { first, columns } = await nodes.denseBlock(2, 999);
  // Who loses there, or who chooses.
  expect(columns[0][999 - first] & 1).toBe((2 * PART_NODES + 999) % 5 === 0 ? 1 : (2 * PART_NODES + 999) & 1);
  const parts: number[] = [];
  for await (const { major } of nodes.denseCursor({ from: 1, to: 3 })) parts.push(major);
  expect([...new Set(parts)]).toEqual([1, 2]);
}, 120_000);

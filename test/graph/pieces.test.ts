/** An import that is cut in pieces makes the graph that one thread makes. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Store } from '../../operators/storage/store.js';
import { PART_NODES } from '../../pipeline/graph/graph-layout.js';
import { type ImportOptions, importGraph } from '../../pipeline/graph/import.js';
import { openJoined } from '../../pipeline/graph/joined-runs.js';
import type { GraphManifest } from '../../pipeline/graph/manifest.js';
import {
  type DonePiece,
  doPiece,
  doPieces,
  type ImportCrew,
  type ImportPiece,
} from '../../pipeline/graph/pieces.js';
import { testFolder } from '../support/cli.js';
import { sweep } from '../support/long.js';
import { ifUnlisted, LISTS_OPEN_FILES, openFiles } from '../support/open-files.js';
import { budgetOf, MiB } from '../support/solving.js';
import { rowsOf, wideGraph, withoutNode } from '../support/wide-graph.js';

/** Three parts; the last is short. */
const NODES = 2 * PART_NODES + 1000;
const source = wideGraph(NODES);

/** Does pieces here, of what can be posted. */
function crewOf(
  world: Parameters<typeof doPiece>[1],
  workers: number,
): ImportCrew & { readonly kinds: string[] } {
  const kinds: string[] = [];
  return {
    workers,
    sharing: 'memory',
    kinds,
    pieces: async <Kind extends ImportPiece['kind']>(
      pieces: readonly (ImportPiece & { readonly kind: Kind })[],
    ) => {
      kinds.push(...pieces.map(({ kind }) => kind));
      return (await Promise.all(
        pieces.map(async (piece) => structuredClone(await doPiece(structuredClone(piece), world))),
      )) as DonePiece<Kind>[];
    },
  };
}

/** Two who share the pieces, as threads do. */
function sharingCrew(world: Parameters<typeof doPiece>[1]): ImportCrew & { readonly taken: number[] } {
  const taken: number[] = [];
  return {
    workers: 2,
    sharing: 'memory',
    taken,
    pieces: async <Kind extends ImportPiece['kind']>(
      pieces: readonly (ImportPiece & { readonly kind: Kind })[],
    ) => {
      const next = new Int32Array(new SharedArrayBuffer(4));
      const both = await Promise.all([doPieces(pieces, next, world), doPieces(pieces, next, world)]);
      taken.push(...both.map(({ length }) => length));
      return both.flat().sort((a, b) => a.number - b.number) as unknown as DonePiece<Kind>[];
    },
  };
}

interface Imported {
  readonly graph: GraphManifest;
  readonly store: Store;
  readonly kinds: readonly string[];
}

async function importedBy(workers: number, options: Partial<ImportOptions> = {}): Promise<Imported> {
  const store = memoryStore();
  const scratch = newScratch(memoryStore(), 'scratch');
  const crew = crewOf({ store, scratch, report: () => {} }, workers);
  const graph = await importGraph({
    name: 'wide',
    fingerprint: '1',
    source,
    store,
    scratch,
    budget: budgetOf(64 * MiB),
    report: () => {},
    phase: () => {},
    ...(workers > 1 && { crew: () => crew }),
    ...options,
  });
  return { graph, store, kinds: crew.kinds };
}

let inThree: Promise<Imported> | undefined;
/** The graph as three pieces import it: once for all tests. */
function importedByThree(): Promise<Imported> {
  inThree ??= importedBy(3);
  return inThree;
}

test('pieces make the rows that one thread makes', async () => {
  const whole = await importedBy(1);
  const expected = await rowsOf(whole);
  expect(expected.nodes[0]).toBe(NODES);
  expect(whole.graph.hubs).toBe(1);
  // In the long tests one is committed when it was read, with spills in little memory.
  const inTwo = () => importedBy(2, { commitRows: 300_000, budget: budgetOf(4 * MiB) });
  for (const [workers, imported] of sweep([[3, importedByThree]] as const, [[2, inTwo]] as const)) {
    const cut = await imported();
    // A large piece for each worker, and small ones; there are three parts of nodes.
    expect(cut.kinds.filter((kind) => kind === 'edges')).toHaveLength(4 * workers);
    expect(cut.graph.runs.index).toHaveLength(5 * workers);
    expect(cut.graph.runs.successors).toHaveLength(3);
    expect(await rowsOf(cut)).toEqual(expected);
    const { edges, hubs, nodes, partEdges } = whole.graph;
    expect(cut.graph).toMatchObject({ edges, hubs, nodes, partEdges });
    expect(partEdges!.reduce((sum, each) => sum + each, 0)).toBe(edges);
  }
}, 120_000);

test('two who share the pieces do each of them once', async () => {
  const store = memoryStore();
  const world = { store, scratch: newScratch(memoryStore(), 'scratch'), report: () => {} };
  const crew = sharingCrew(world);
  const { graph } = await importedBy(2, { store, scratch: world.scratch, crew: () => crew });
  expect(await rowsOf({ graph, store })).toEqual(await rowsOf(await importedByThree()));
  expect(crew.taken.every((count) => count > 0)).toBe(true);
  expect(crew.taken.reduce((sum, count) => sum + count, 0)).toBe(10 + 8 + 3);
}, 120_000);

test('a piece begins while the one before is published', async () => {
  const store = memoryStore();
  const begun: string[] = [];
  let begins: () => void = () => {};
  const second = new Promise<void>((resolve) => {
    begins = resolve;
  });
  const waiting: Store = {
    ...store,
    async create(name) {
      begun.push(name);
      if (begun.length === 2) begins();
      const sink = await store.create(name);
      return { ...sink, close: () => second.then(() => sink.close()) };
    },
  };
  const world = { store: waiting, scratch: newScratch(memoryStore(), 'scratch'), report: () => {} };
  const pieces = ['a', 'b', 'c'].map((name, i): ImportPiece => {
    const keys = { sources: [], kept: [] };
    return { kind: 'index', budget: budgetOf(MiB), keys, majors: { from: i, to: i + 1 }, name };
  });
  const done = await doPieces(pieces, new Int32Array(new SharedArrayBuffer(4)), world);
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(done.map(({ number, value }) => [number, value])).toEqual(
    ['a', 'b', 'c'].map((name, i) => [i, expect.objectContaining({ name })]),
  );
});

test('nobody begins a piece when another has failed', async () => {
  const store = memoryStore();
  const world = { store, scratch: newScratch(memoryStore(), 'scratch'), report: () => {} };
  const next = new Int32Array(new SharedArrayBuffer(4));
  const keys = { sources: [], kept: [{ name: 'gone', crc: '00000000' }] };
  const piece: ImportPiece = {
    kind: 'index',
    budget: budgetOf(MiB),
    keys,
    majors: { from: 0, to: 1 },
    name: 'index',
  };
  await expect(doPieces([piece, piece, piece], next, world)).rejects.toThrow('gone');
  expect(await doPieces([piece, piece, piece], next, world)).toEqual([]);
}, 120_000);

test.runIf(LISTS_OPEN_FILES)(
  `files that pieces have read can be freed by another thread${ifUnlisted}`,
  async () => {
    const folder = testFolder();
    /** A thread has stores of its own, in the same folders. */
    const openWorld = () => ({
      store: localStore(join(folder, 'store'), { durable: false }),
      scratch: newScratch(localStore(join(folder, 'scratch'), { durable: false }), 'worker'),
      report: () => {},
    });
    const { store, scratch } = openWorld();
    const crew = sharingCrew(openWorld());
    // In so little memory, rows are spilled, and those that were read are in runs.
    const little = { budget: budgetOf(4 * MiB), commitRows: 300_000 };
    await importedBy(2, { store, scratch, crew: () => crew, ...little });
    expect(crew.taken.length).toBeGreaterThan(0);
    expect(openFiles(folder).filter(({ path }) => path.endsWith(' (deleted)'))).toEqual([]);
  },
  120_000,
);

test('a node that is not there is told as by one thread', async () => {
  const broken = withoutNode(source);
  await expect(importedBy(2, { source: broken })).rejects.toThrow(
    `a wide graph: node ${NODES}: there is no node "nowhere"`,
  );
}, 120_000);

test('a row of joined runs is read from the run that has its major', async () => {
  const { graph, store } = await importedByThree();
  const nodes = await openJoined(store, graph.runs.nodes, { counters: newCounters() });
  const { first, columns } = await nodes.denseBlock(2, 999);
  // Who loses there, or who chooses.
  expect(columns[0][999 - first] & 1).toBe((2 * PART_NODES + 999) % 5 === 0 ? 1 : (2 * PART_NODES + 999) & 1);
  const parts: number[] = [];
  for await (const { major } of nodes.denseCursor({ from: 1, to: 3 })) parts.push(major);
  expect([...new Set(parts)]).toEqual([1, 2]);
}, 120_000);

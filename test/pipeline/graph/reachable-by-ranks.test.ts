/** Positions found by ranks that share the store alone: the graph is that of one, whoever is lost and whenever. */
import { expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { contested } from '../../../pipeline/engine/crew/crew.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { rankCrews } from '../../../pipeline/graph/import-ranks.js';
import { findImportGarbage, importsAmong } from '../../../pipeline/graph/imports.js';
import { readGraphManifest } from '../../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import { removeImport } from '../../../pipeline/graph/steps.js';
import { environment } from '../../operators/model.js';
import { drawnGame } from '../../support/keyed-graph.js';
import { keysOfOneHash } from '../../support/keyed-rows.js';
import { killed } from '../../support/killed-store.js';
import { LONG, LONGEST } from '../../support/long.js';
import { budgetOf } from '../../support/solving.js';
import { rowsOf } from '../../support/wide-graph.js';

const KiB = 1024;
const MEMORY = 24 * KiB;

let attempts = 0;
const waitingUnless = (isLost: () => boolean) => ({
  async pause(times: number) {
    if (isLost()) throw new Error('killed');
    // What other threads do for a rank may take a moment on a machine that has much else to do.
    await new Promise<void>((resolve) => {
      if (times < 200) setImmediate(resolve);
      else setTimeout(resolve, 1);
    });
  },
  // Nobody is slow here: who waits so often waits for something that does not come.
  async reportMissing(step: string, times: number) {
    if (times > 3000) throw new Error(`waits for ever for ${step}`);
  },
});
const takeProcessRecord = () => ({ host: 'test', rank: 0, started: 0, wallMs: 0, cpuMs: 0, peakRss: 0 });

interface Asked {
  readonly game: KeyedRules;
  readonly commitRows: number;
}

/** One rank, from its start to its end. */
async function rankOf(
  { game, commitRows }: Asked,
  store: Store,
  self: number,
  of: number,
  isLost = () => false,
): Promise<void> {
  const scratch = memoryStore();
  const crews = rankCrews({
    self,
    of,
    attempt: `-a${attempts++}`,
    waiting: waitingUnless(isLost),
    takeProcessRecord,
  });
  const options = {
    name: 'g',
    fingerprint: '1',
    store,
    commitRows,
    source: reachableGraph(game, environment(MEMORY, 3, 1000)),
    scratch: newScratch(scratch, 'scratch'),
    budget: budgetOf(256 * KiB),
    report: () => {},
    phase: () => {},
    inMemory: 'never',
    ...(of > 1 && { crews }),
  } as const;
  await contested(
    () => importGraph(options),
    () => {},
  );
  expect(await scratch.list('')).toEqual([]);
}

async function byRanks(asked: Asked, of: number, store = memoryStore()) {
  await Promise.all(Array.from({ length: of }, (_, self) => rankOf(asked, store, self, of)));
  return graphIn(store);
}

/** Without what it took and where it lies; and the rows of its runs. */
async function graphIn(store: Store) {
  const graph = (await readGraphManifest(store, 'g'))!;
  // How many moves are compared beyond the first depends on the order in which positions are found.
  const { counters, runs, movesCompared, ...facts } = graph;
  return { facts, rows: await rowsOf({ graph, store }) };
}

/** The objects of a store that its graph does not name. */
async function unnamedIn(store: Store): Promise<string[]> {
  const graph = JSON.stringify(await readGraphManifest(store, 'g'));
  return (await store.list('')).filter(
    (name) => !name.endsWith('graph.json') && !graph.includes(`"${name}"`),
  );
}

const games: [string, Asked][] = [
  ['wide layers', { game: drawnGame(LONGEST ? 2000 : 1200, 1 << 20, 8), commitRows: 400 }],
  ['layers of some ten positions', { game: drawnGame(600, 30, 5), commitRows: 400 }],
  [
    'wide keys, two of each hash',
    { game: drawnGame(700, 60, 5, keysOfOneHash(700, 160, 2)), commitRows: 400 },
  ],
];

test.each(games)('two to five ranks find the positions of one: %s', async (_, asked) => {
  const alone = await byRanks(asked, 1);
  expect(alone.facts.nodes).toBeGreaterThan(500);
  for (const of of LONG ? [2, 3, 5] : [2, 5]) {
    const store = memoryStore();
    expect(await byRanks(asked, of, store)).toEqual(alone);
    expect(await unnamedIn(store)).toEqual([]);
  }
});

test('a rank that is lost at any operation is started again, and the graph is the same', async () => {
  const asked = { game: drawnGame(150, 30, 8), commitRows: 120 };
  const alone = await byRanks(asked, 1);
  let losses = 0;
  for (const victim of [0, 1, 2]) {
    for (let after = 0, ended = false; !ended; after += LONGEST ? 3 : LONG ? 31 : 61) {
      const store = memoryStore();
      const runs = [0, 1, 2].map(async (self) => {
        if (self !== victim) return rankOf(asked, store, self, 3);
        try {
          await rankOf(asked, killed(store, after), self, 3);
          ended = true;
        } catch (error) {
          expect((error as Error).message).toBe('killed');
          losses++;
          await rankOf(asked, store, self, 3);
        }
      });
      await Promise.all(runs);
      expect(await graphIn(store)).toEqual(alone);
      for (const left of await unnamedIn(store)) expect(left).toMatch(/steps\//);
    }
  }
  expect(losses).toBeGreaterThan(LONG ? 5 : 2);
}, 600_000);

test('ranks that wait while the first one begins anew find the same graph', async () => {
  const asked = { game: drawnGame(150, 30, 8), commitRows: 120 };
  const alone = await byRanks(asked, 1);
  let begunAnew = 0;
  for (let after = 3; after < 200; after += LONGEST ? 4 : LONG ? 23 : 60) {
    const store = memoryStore();
    const others = [1, 2].map((self) => rankOf(asked, store, self, 3));
    const first = rankOf(asked, killed(store, after), 0, 3).catch(async (error: Error) => {
      expect(error.message).toBe('killed');
      // As where a fault of the game ends it: nobody goes on with what is wrong.
      await removeImport(store, 'g');
      begunAnew++;
      // The others look at the store meanwhile.
      for (let i = 0; i < 100; i++) await new Promise((resolve) => setImmediate(resolve));
      await rankOf(asked, store, 0, 3);
    });
    await Promise.all([first, ...others]);
    expect(await graphIn(store)).toEqual(alone);
  }
  expect(begunAnew).toBeGreaterThan(LONG ? 3 : 2);
}, 600_000);

test('other ranks continue after all were lost, also in another number', async () => {
  const asked = { game: drawnGame(150, 30, 8), commitRows: 120 };
  const alone = await byRanks(asked, 1);
  let goneOn = 0;
  for (const [first, next] of [
    [2, 2],
    [2, 3],
    [3, 1],
    [1, 2],
  ]) {
    for (let after = 5; after < 400; after += LONGEST ? 7 : LONG ? 71 : 150) {
      const store = memoryStore();
      // One store for all: they are lost together, those that only wait, too.
      let isLost = false;
      const lost = killed(store, after);
      const runs = Array.from({ length: first }, (_, self) =>
        rankOf(asked, lost, self, first, () => isLost).catch((error: Error) => {
          expect(error.message).toBe('killed');
          isLost = true;
        }),
      );
      await Promise.all(runs);
      if (isLost) goneOn++;
      // As long as an import is under way, what no manifest names is garbage when it is old, and no manifest is.
      for (const objects of importsAmong(await store.list('')).filter(({ complete }) => !complete))
        for (const { name } of await findImportGarbage(store, objects)) expect(name).not.toMatch(/\.json$/);
      expect(await byRanks(asked, next, store)).toEqual(alone);
    }
  }
  expect(goneOn).toBeGreaterThan(5);
}, 600_000);

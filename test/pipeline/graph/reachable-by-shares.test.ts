/** Positions found by several, each those of its keys: the graph is that of one, whoever is killed and whoever goes on. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { importGraph } from '../../../pipeline/graph/import.js';
import { readGraphManifest } from '../../../pipeline/graph/manifest.js';
import { reachableGraph } from '../../../pipeline/graph/reachable.js';
import { environment } from '../../operators/model.js';
import { crewsHere } from '../../support/import-crews.js';
import { drawnGame } from '../../support/keyed-graph.js';
import { keysOfOneHash } from '../../support/keyed-rows.js';
import { killed } from '../../support/killed-store.js';
import { LONG, LONGEST } from '../../support/long.js';
import { budgetOf } from '../../support/solving.js';
import { rowsOf } from '../../support/wide-graph.js';

const KiB = 1024;

interface Asked {
  readonly game: KeyedRules;
  readonly store: Store;
  readonly workers: number;
  readonly memory?: number;
  readonly commitRows?: number;
}

/** Reports layers as the first share finds them. */
async function imported({ game, store, workers, memory, commitRows = 400 }: Asked) {
  const layers: number[] = [];
  const env = environment(24 * KiB, 3, 1000);
  const scratch = memoryStore();
  const graph = await importGraph({
    name: 'g',
    fingerprint: '1',
    commitRows,
    report: () => {},
    phase: () => {},
    inMemory: 'never',
    found: ({ positions }) => layers.push(positions),
    source: reachableGraph(game, env),
    store,
    scratch: newScratch(scratch, 'scratch'),
    budget: { ...budgetOf(256 * KiB), ...(memory !== undefined && { memory }) },
    crews: crewsHere(workers, scratch),
  });
  expect(await scratch.list('')).toEqual([]);
  return { graph, layers };
}

/** The graph without what it took and where it lies, and the rows of its runs. */
async function contents(store: Store) {
  const graph = (await readGraphManifest(store, 'g'))!;
  // How many moves are compared beyond the first depends on the order in which positions are found.
  const { counters, runs, movesCompared, ...facts } = graph;
  const named = new Set(JSON.stringify(runs).match(/[^"]*\.arrow/g));
  for (const name of await store.list('')) if (!name.endsWith('graph.json')) expect(named).toContain(name);
  return { facts, rows: await rowsOf({ graph, store }) };
}

async function whole(asked: Omit<Asked, 'store'>) {
  const store = memoryStore();
  const found = await imported({ ...asked, store });
  return { ...found, contents: await contents(store) };
}

describe.each([
  ['wide layers', drawnGame(LONGEST ? 3000 : 1200, 1 << 20, 8)],
  ['layers of some ten positions', drawnGame(600, 30, 5)],
  ['wide keys, two of each hash', drawnGame(700, 60, 5, keysOfOneHash(700, 160, 2))],
])('%s', (_, game) => {
  test('are found by two to five as by one', async () => {
    const alone = await whole({ game, workers: 1 });
    expect(alone.graph.nodes).toBeGreaterThan(500);
    expect(alone.layers.length).toBeGreaterThan(4);
    for (const workers of LONGEST ? [2, 3, 4, 5] : [2, 5]) {
      const together = await whole({ game, workers });
      expect(together.contents).toEqual(alone.contents);
      expect(together.layers).toEqual(alone.layers);
      const one = await whole({ game, workers, commitRows: 1 << 20 });
      expect(one.contents).toEqual(alone.contents);
    }
  });
});

test('workers continue after others were killed at any operation, also in another number', async () => {
  const game = drawnGame(150, 30, 8);
  const asked = { game, memory: 12 * KiB, commitRows: 120 };
  const alone = await whole({ ...asked, workers: 1 });
  let kills = 0;
  for (const [first, next] of [
    [2, 2],
    [2, 1],
    [1, 2],
    [3, 2],
    [2, 4],
  ]) {
    for (let after = 0, ended = false; !ended; after += LONGEST ? 1 : LONG ? 23 : 41) {
      const store = memoryStore();
      ended = await imported({ ...asked, store: killed(store, after), workers: first }).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('killed');
          kills++;
          return false;
        },
      );
      const again = await imported({ ...asked, store, workers: next });
      expect(again.graph.movesCompared).toBe(alone.graph.movesCompared);
      expect(await contents(store)).toEqual(alone.contents);
    }
  }
  expect(kills).toBeGreaterThan(LONG ? 10 : 7);
});

test('positions that were found are not found again', async () => {
  const game = drawnGame(600, 30, 5);
  let calls = 0;
  const counting: KeyedRules = {
    ...game,
    listMoves: (position, out) => {
      calls++;
      return game.listMoves(position, out);
    },
  };
  await imported({ game: counting, store: memoryStore(), workers: 2 });
  const all = calls;
  for (const next of [1, 2, 3]) {
    const store = memoryStore();
    await expect(imported({ game, store: killed(store, 'stride-00002.json'), workers: 2 })).rejects.toThrow(
      'killed',
    );
    calls = 0;
    await imported({ game: counting, store, workers: next });
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThan(0.8 * all);
  }
});

test('of several faults of a layer any number of workers report the one that a single worker meets', async () => {
  const game = drawnGame(3000, 1 << 20, 8) as KeyedRules<number>;
  for (const [every, at] of [
    [7, 3],
    [50, 11],
    [301, 300],
  ]) {
    const broken: KeyedRules<number> = {
      ...game,
      mover: (i) => {
        if (i % every === at) throw game.wrong(i, 'is broken');
        return game.mover(i);
      },
    };
    const messageOf = (workers: number) =>
      imported({ game: broken as KeyedRules, store: memoryStore(), workers }).then(
        () => 'none',
        ({ message }: Error) => message,
      );
    const said = await messageOf(1);
    expect(said).toMatch(/^drawn: #\d+: is broken(; the move "[^"]+" of #\d+ leads there)?$/);
    for (const workers of [2, 3, 4]) expect(await messageOf(workers)).toBe(said);
  }
});

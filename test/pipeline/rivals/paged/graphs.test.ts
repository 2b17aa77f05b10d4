/** The paged solver on games of random graphs, with cases that chess does not have: long plies, crashes at every write. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Metric } from '../../../../pipeline/game/value.js';
import { verifyPagedSlice } from '../../../../pipeline/rivals/paged/verify-slice.js';
import { directMetrics } from '../../../support/direct-metrics.js';
import { graphGame, naiveValues, randomGraph, type SmallGraph } from '../../../support/graph-game.js';
import { ifNotLongest, LONGEST, sweep } from '../../../support/long.js';
import { memoryPageFolder } from '../../../support/memory-page-folder.js';
import { Crash, killedFolder, solvePaged, valuesOf } from '../../../support/paged.js';
import { budgetOf, MiB } from '../../../support/solving.js';

/** A graph and the one it converts to. */
function pair(seed: number, ladder: boolean): SmallGraph {
  const below = randomGraph(seed + 1000, { name: 'below', size: ladder ? 150 : 90, width: 40, ladder });
  return randomGraph(seed, { name: 'above', size: ladder ? 150 : 300, width: 17, ladder, dependency: below });
}

/** A crash comes to all metrics alike: only the longest tests crash with others than these, with and without distances. */
const CRASHING: readonly Metric[] = ['wdl', 'dtc'];

describe.each(directMetrics)('%s', (metric) => {
  test.each(sweep([1, 2], [], [3, 4, 5, 6]))(
    'random graph %i: every value is that of a naive solver',
    async (seed) => {
      const graph = pair(seed, false);
      const game = graphGame(graph.dependency!, graph);
      const store = memoryStore();
      await solvePaged(game, 'below', metric, store, { buffers: 3 });
      const { counters } = await solvePaged(game, 'above', metric, store, { buffers: 3 + (seed % 3) });
      expect(counters.pages).toBe(2 * 18 + 2 * 3);
      expect(counters.faults).toBeGreaterThan(0);
      expect(await valuesOf(game, 'above', metric, store)).toEqual(naiveValues(graph, metric));
    },
  );

  test('plies that need two bytes, in the slice and in its dependency', async () => {
    const graph = pair(7, true);
    const game = graphGame(graph.dependency!, graph);
    const store = memoryStore();
    for (const each of [graph.dependency!, graph]) {
      const expected = naiveValues(each, metric);
      const { table } = await solvePaged(game, each.name, metric, store, { buffers: 4 });
      expect(await valuesOf(game, each.name, metric, store)).toEqual(expected);
      const longest = Math.max(...expected.flat().map((value) => Math.abs(value ?? 0)));
      // Under DTC the graph above restarts where it is left.
      if (each === graph.dependency || metric === 'dtm') expect(longest > 127).toBe(metric !== 'wdl');
      expect(table.valueType).toBe(longest > 127 ? 'i16' : 'i8');
    }
  });

  test.skipIf(!LONGEST && !CRASHING.includes(metric)).each(['write', 'before', 'after'] as const)(
    `a solve killed at every %s ends in the same table with the next call${CRASHING.includes(metric) ? '' : ifNotLongest}`,
    async (what) => {
      for (const ladder of [false, true]) {
        const graph = pair(ladder ? 9 : 8, ladder);
        const game = graphGame(graph.dependency!, graph);
        const expected = naiveValues(graph, metric);
        const solved = memoryStore();
        await solvePaged(game, 'below', metric, solved);
        let crashed = 0;
        const stride = what === 'write' ? (LONGEST ? 28 : 56) : (ladder ? 5 : 1) * (LONGEST ? 1 : 4);
        for (let at = 1; ; at += stride) {
          const store = solved.list('').then(async (names) => copyOf(solved, names));
          const folder = memoryPageFolder();
          const options = { buffers: 5, checkpointRows: 5000 };
          const first = solvePaged(game, 'above', metric, await store, {
            ...options,
            pages: killedFolder(folder, what, at),
          });
          const died = await first
            .then(() => false)
            .catch((error) => {
              if (!(error instanceof Crash)) throw error;
              return true;
            });
          if (!died) break;
          crashed++;
          await solvePaged(game, 'above', metric, await store, { ...options, pages: folder });
          expect(await valuesOf(game, 'above', metric, await store)).toEqual(expected);
          expect(folder.list()).toEqual([]);
        }
        expect(crashed).toBeGreaterThan(2);
      }
    },
  );

  test('verify finds nothing in a right table, and finds a value that the moves contradict', async () => {
    const graph = pair(10, false);
    const game = graphGame(graph.dependency!, graph);
    const store = memoryStore();
    await solvePaged(game, 'below', metric, store);
    await solvePaged(game, 'above', metric, store);
    const options = {
      game,
      slice: 'above',
      metric,
      store,
      budget: budgetOf(MiB),
      buffers: 4,
      progress: () => {},
    };
    const verified = await verifyPagedSlice({ ...options, pages: memoryPageFolder() });
    const legal = naiveValues(graph, metric)
      .flat()
      .filter((value) => value !== null).length;
    expect(verified).toMatchObject({ positions: legal, wrong: 0, mismatches: [] });

    // The same moves but for one: the table of the one graph is not that of the other.
    const values = naiveValues(graph, metric);
    const changed = values[0].findIndex((value, i) => value === 0 && graph.sides[0].moves[i].length > 0);
    const lost = values[1].findIndex((value) => value !== null && value < 0);
    graph.sides[0].moves[changed].push(lost);
    const other = graphGame(graph.dependency!, graph);
    const found = await verifyPagedSlice({ ...options, game: other, pages: memoryPageFolder() });
    expect(found.wrong).toBeGreaterThan(0);
    const { part, key, side, stored, derived } = found.mismatches[0];
    expect([side, part * 17 + key, stored]).toEqual([0, changed, 0]);
    expect(derived).toBeGreaterThan(0);
  });
});

async function copyOf(store: ReturnType<typeof memoryStore>, names: string[]) {
  const copy = memoryStore();
  for (const name of names) {
    const bytes = new Uint8Array((await store.size(name))!);
    await store.read(name, 0, bytes);
    await copy.putIfAbsent(name, bytes);
  }
  return copy;
}

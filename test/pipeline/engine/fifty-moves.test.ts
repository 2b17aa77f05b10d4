/**
 * The 50-move rule on random graphs with long wins, which small chess endings do not have. Values are cursed in the slice, or
 * become so by conversions. Some moves out of the slices restart the count, others do not.
 */

import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { NO_METER, solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { verifySlice } from '../../../pipeline/engine/crew/verify-slice.js';
import type { Game } from '../../../pipeline/game/game.js';
import { strategies } from '../../../pipeline/game/strategy.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { verifyPagedSlice } from '../../../pipeline/rivals/paged/verify-slice.js';
import {
  graphGame,
  naiveValues,
  randomGraph,
  type SmallGraph,
  withoutUnconversions,
} from '../../support/graph-game.js';
import { LONGEST, sweep } from '../../support/long.js';
import { memoryPageFolder } from '../../support/memory-page-folder.js';
import { solvePaged, valuesOf } from '../../support/paged.js';
import { budgetOf, MiB } from '../../support/solving.js';

/** A graph that converts to two with wins of about 150 plies. */
function graphs(seed: number, ladder: boolean): [SmallGraph, SmallGraph, SmallGraph] {
  const below = (name: string, more: number, width: number) =>
    randomGraph(seed + more, { name, size: 150, width, ladder: true });
  const zeroed = below('zeroed', 100, 40);
  const quiet = below('quiet', 200, 23);
  const size = ladder ? 150 : 300;
  return [
    zeroed,
    quiet,
    randomGraph(seed, { name: 'above', size, width: 17, ladder, dependency: zeroed, quiet }),
  ];
}

/** Graphs to compare with the naive solver, by seed: a slice of many wins, and one of long ones. */
const SEEDS = [
  [1, false],
  [2, true],
] as const;
const cases = [
  ...SEEDS.map(([seed, ladder]) => ['dtz', seed, ladder] as const),
  ...sweep<Metric>([], ['dtc', 'dtm', 'wdl']).map((metric) => [metric, ...SEEDS[1]] as const),
];
const engineOf = (game: Game, store: ReturnType<typeof memoryStore>, workers = 1) => ({
  ...inlineEngine(game, store, newScratch(memoryStore(), 'scratch')),
  workers,
});

test('the graphs have every case: zeroing moves to cursed positions, and plies that go on counting', () => {
  const seen = new Set<number>();
  for (const [seed, ladder] of SEEDS) {
    for (const code of naiveValues(graphs(seed, ladder)[2], 'dtz').flat()) if (code !== null) seen.add(code);
  }
  // Won and lost at once and later, cursed at once and later, and in between by moves that count on.
  for (const code of [1, -1, 5, -6, 101, -102, 105]) expect(seen).toContain(code);
  expect([...seen].some((code) => code > 30 && code < 95)).toBe(true);
  expect(Math.max(...seen)).toBeGreaterThan(120);
  expect(Math.min(...seen)).toBeLessThan(-120);
});

describe.each(cases)('%s, seed %i, ladder %s', (metric, seed, ladder) => {
  test('values by sorting are those of a naive solver', async () => {
    const all = graphs(seed, ladder);
    const wanted = naiveValues(all[2], metric);
    const taking = graphGame(...all);
    for (const strategy of strategies) {
      for (const [game, workers] of [
        [taking, 1],
        [taking, 3],
        [withoutUnconversions(taking), 2],
      ] as const) {
        // The longest tests combine each strategy with each of these.
        if (!LONGEST && workers !== (strategy === 'count' ? 3 : 2)) continue;
        const store = memoryStore();
        const engine = engineOf(game, store, workers);
        const how = { game, metric, strategy, store, engine, budget: budgetOf(MiB), progress: () => {} };
        for (const { name } of all) await solveOne({ ...how, slice: name, verify: false, meter: NO_METER });
        expect(await valuesOf(game, 'above', metric, store)).toEqual(wanted);
        expect(await verifySlice({ ...how, slice: 'above' })).toMatchObject({ wrong: 0 });
      }
    }
  });

  test('values by paging are those of a naive solver', async () => {
    const all = graphs(seed, ladder);
    const game = graphGame(...all);
    const store = memoryStore();
    for (const { name } of all) await solvePaged(game, name, metric, store, { buffers: 4 });
    expect(await valuesOf(game, 'above', metric, store)).toEqual(naiveValues(all[2], metric));
    const verified = await verifyPagedSlice({
      game,
      slice: 'above',
      metric,
      store,
      budget: budgetOf(MiB),
      buffers: 4,
      pages: memoryPageFolder(),
      progress: () => {},
    });
    expect(verified).toMatchObject({ wrong: 0, mismatches: [] });
  });
});

/** Conversions asked for and joined, and conversions taken back: the same events, and the same tables. */

import { describe, expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { cutEvenly } from '../../../operators/core/interval.js';
import { openRun } from '../../../operators/runs/reader.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { NO_METER, solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { type Engine, inlineEngine, partitionBudget } from '../../../pipeline/engine/crew/engine.js';
import { areSets, setsOf } from '../../../pipeline/engine/memory/rows.js';
import type { Converted } from '../../../pipeline/engine/phases/convert.js';
import type { Game } from '../../../pipeline/game/game.js';
import { planSlices } from '../../../pipeline/game/plan.js';
import { strategies } from '../../../pipeline/game/strategy.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { graphGame, naiveValues, randomGraph, withoutUnconversions } from '../../support/graph-game.js';
import { keysOfSets } from '../../support/keys-of-sets.js';
import { sweep } from '../../support/long.js';
import { valuesOf } from '../../support/paged.js';
import { budgetOf, MiB, solveChess } from '../../support/solving.js';

/** A crew of `workers` members, in this thread. */
function crew(game: Game, store: Store, workers: number): Engine {
  return { ...inlineEngine(game, store, newScratch(memoryStore(), 'scratch')), workers };
}

/** A store with the tables that `slice` converts to. */
async function solvedBelow(slice: string, metric: Metric): Promise<Store> {
  const below = planSlices(chess, [slice]).map((planned) => planned.slice);
  const { store } = await solveChess(
    below.filter((name) => name !== slice),
    { metric },
  );
  return store;
}

/** Converts, and before that enumerates where it must; the events are `major: keys`, ordered. */
async function eventsOf(game: Game, slice: string, metric: Metric, store: Store, workers: number) {
  const engine = crew(game, store, workers);
  const intervals = cutEvenly(game.slice(slice).parts, workers);
  const budget = partitionBudget(budgetOf(8 * MiB), workers, game.slice(slice));
  const setups = intervals.map(
    (parts) =>
      ({
        slice,
        metric,
        strategy: 'count',
        parts,
        budget,
        shared: false,
        attempt: '',
        durable: true,
        mode: 'streaming',
      }) as const,
  );
  const members = await engine.open(setups, () => {});
  const converted: Converted[] = [];
  for (const member of members) {
    const asks = game.slice(slice).unconversions === undefined;
    const { converting } = asks ? await member.enumerate() : { converting: [] };
    converted.push(await member.convert(converting));
  }
  const keys = new Map<number, number[]>();
  for (const run of converted.flatMap((each) => each.events)) {
    const reader = await openRun(store, run, { counters: newCounters(), expect: { kind: 'events' } });
    expect(reader.rows).toBe(run.rows);
    for await (const batch of reader.cursor()) {
      const { major } = batch;
      const event = Math.floor(major / game.slice(slice).parts);
      expect(event >> 2).toBeLessThanOrEqual(run.last);
      const list = keys.get(major) ?? [];
      list.push(
        ...(areSets(batch) ? keysOfSets(setsOf(batch), batch.length) : batch.minor.subarray(0, batch.length)),
      );
      keys.set(major, list);
    }
  }
  return {
    requests: converted.reduce((sum, { requests }) => sum + requests, 0),
    answers: converted.reduce((sum, { answers }) => sum + answers, 0),
    events: [...keys]
      .sort(([a], [b]) => a - b)
      .map(([major, list]) => `${major}: ${Uint32Array.from(list).sort().join(' ')}`),
  };
}

test.each(
  sweep<[string, Metric]>(
    [
      ['KRRK', 'wdl'],
      ['KRBK', 'dtm'],
    ],
    [['KRKR', 'dtm']],
  ),
)('%s %s: the same events, by any number of members', async (slice, metric) => {
  const store = await solvedBelow(slice, metric);
  const asked = await eventsOf(withoutUnconversions(chess), slice, metric, store, 1);
  expect(asked.requests).toBeGreaterThanOrEqual(asked.answers);
  expect(asked.answers).toBeGreaterThan(1000);
  for (const workers of sweep([3], [1])) {
    const taken = await eventsOf(chess, slice, metric, store, workers);
    // Chess takes no conversion back to a position that is illegal, so even the numbers are equal.
    expect(taken.answers).toBe(asked.answers);
    expect(taken.events).toEqual(asked.events);
    expect(taken.requests).toBe(0);
  }
});

/** In graph 22 a position has a move that mates and another that loses, both at ply 1; in 2 a move that stalemates saves. */
describe.each(strategies)('%s', (strategy) => {
  test.each([2, 22])('random graph %i: every value is that of a naive solver', async (seed) => {
    const below = randomGraph(seed + 50, { name: 'below', size: 90, width: 40, ladder: false });
    const graph = randomGraph(seed, {
      name: 'above',
      size: 300,
      width: 17,
      ladder: false,
      dependency: below,
    });
    const taking = graphGame(below, graph);
    for (const metric of ['dtm', 'dtc'] as const) {
      const wanted = naiveValues(graph, metric);
      for (const [game, workers] of [
        [taking, 1],
        [taking, 3],
        [withoutUnconversions(taking), 2],
      ] as const) {
        const store = memoryStore();
        const engine = crew(game, store, workers);
        const solving = { game, metric, strategy, store, engine, budget: budgetOf(MiB), progress: () => {} };
        for (const slice of ['below', 'above'])
          await solveOne({ ...solving, slice, verify: false, meter: NO_METER });
        expect(await valuesOf(game, 'above', metric, store)).toEqual(wanted);
      }
    }
  });
});

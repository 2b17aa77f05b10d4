/** Conversions that are looked up, and conversions taken back: the same best events, and the same tables. */

import { describe, expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { cutEvenly } from '../../../operators/core/interval.js';
import { openRun } from '../../../operators/runs/reader.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Converted } from '../../../pipeline/engine/convert.js';
import { NO_METER, solveOne } from '../../../pipeline/engine/do-slice.js';
import { type Engine, inlineEngine, partitionBudget } from '../../../pipeline/engine/engine.js';
import { areSets, setsOf } from '../../../pipeline/engine/rows.js';
import { Kind, kindOf, plyOf, sideOf } from '../../../pipeline/game/events.js';
import { newCensus } from '../../../pipeline/game/fill-census.js';
import type { Game } from '../../../pipeline/game/game.js';
import { Enumerated } from '../../../pipeline/game/manifest.js';
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

/** The events, each as [event, side, index]. */
async function eventsOf(
  game: Game,
  slice: string,
  metric: Metric,
  store: Store,
  workers: number,
  memory: number,
) {
  const engine = crew(game, store, workers);
  const index = game.slice(slice);
  const intervals = cutEvenly(index.parts, workers);
  const budget = partitionBudget(budgetOf(memory), workers, index);
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
  for (const member of members) converted.push(await member.convert());
  const events: Found[] = [];
  for (const run of converted.flatMap((each) => each.events)) {
    const reader = await openRun(store, run, { counters: newCounters(), expect: { kind: 'events' } });
    expect(reader.rows).toBe(run.rows);
    for await (const batch of reader.cursor()) {
      const group = Math.floor(batch.major / index.parts);
      expect(plyOf(group)).toBeLessThanOrEqual(run.last);
      const keys = areSets(batch)
        ? keysOfSets(setsOf(batch), batch.length)
        : batch.minor.subarray(0, batch.length);
      const code = kindOf(group) === Kind.win ? plyOf(group) : -plyOf(group) - 1;
      const part = batch.major % index.parts;
      for (const key of keys) events.push({ code, side: sideOf(group), index: part * index.width + key });
    }
  }
  return {
    requests: converted.reduce((sum, { requests }) => sum + requests, 0),
    answers: converted.reduce((sum, { answers }) => sum + answers, 0),
    events,
  };
}

/** What a conversion gives a position: a code of pipeline/game/value.ts. */
interface Found {
  readonly code: number;
  readonly side: number;
  readonly index: number;
}

/**
 * By side and index: the code of the best conversion of each position that has one which does not draw. A loss stands only where no
 * conversion of the position draws or wins.
 */
function bestOf(game: Game, slice: string, events: readonly Found[]): Map<string, number> {
  const { parts, width, ...index } = game.slice(slice);
  const best = new Map<string, { code: number; times: number }>();
  for (const { code, ...at } of events) {
    const known = best.get(`${at.side} ${at.index}`);
    const isBetter =
      known === undefined ||
      (code > 0 ? known.code < 0 || code < known.code : known.code < 0 && code < known.code);
    best.set(`${at.side} ${at.index}`, {
      code: isBetter ? code : known.code,
      times: 1 + (known?.times ?? 0),
    });
  }
  const found = new Map<string, number>();
  for (const side of [0, 1] as const) {
    for (let part = 0; part < parts; part++) {
      const size = index.partSize(part);
      const census = newCensus(size);
      index.census(side, part, 0, size, census);
      for (let key = 0; key < size; key++) {
        const at = `${side} ${part * width + key}`;
        const known = best.get(at);
        if (known === undefined) continue;
        // Draws are no events: a position that has fewer events than conversions has a conversion that draws.
        if (known.code > 0 || known.times === census.conversions[key]) found.set(at, known.code);
      }
    }
  }
  return found;
}

test.each(
  sweep<[string, Metric]>(
    [
      ['KRRK', 'wdl'],
      ['KRBK', 'dtm'],
    ],
    [['KRKR', 'dtm']],
  ),
)('%s %s: the best of the events that are taken back, by any number of members', async (slice, metric) => {
  const store = await solvedBelow(slice, metric);
  const { events: taken, requests } = await eventsOf(chess, slice, metric, store, 1, 8 * MiB);
  expect(requests).toBe(0);
  const best = bestOf(chess, slice, taken);
  expect(best.size).toBeGreaterThan(1000);
  // With little memory a part is worked on in several stretches, and its requests are answered in several turns.
  for (const [workers, memory] of sweep([[3, 8 * MiB]], [[1, MiB / 2]]) as [number, number][]) {
    const looked = await eventsOf(withoutUnconversions(chess), slice, metric, store, workers, memory);
    expect(looked.answers).toBe(looked.events.length);
    expect(looked.requests).toBeGreaterThanOrEqual(taken.length);
    expect(new Map(looked.events.map(({ code, side, index }) => [`${side} ${index}`, code]))).toEqual(best);
    expect(looked.events.length).toBe(best.size);
  }
});

test('labels in which an older version counted each conversion are refused', () => {
  const perSide = [0, 0];
  const labels = { counts: [[], []], unwon: [[], []] };
  const enumerated = { labels, mates: [], legal: perSide, lost: perSide, drawn: perSide };
  expect(Enumerated.safeParse(enumerated).error?.issues ?? []).toEqual([]);
  expect(Enumerated.safeParse({ ...enumerated, converting: [] }).success).toBe(true);
  const run = { name: 'converting-0-1.arrow', crc: 0, from: 0, to: 1 };
  const { error } = Enumerated.safeParse({ ...enumerated, converting: [run] });
  expect(error?.issues[0].message).toContain('begin again');
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

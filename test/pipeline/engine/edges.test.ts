/** Slices without unmoves: their edges, written once, lead to the tables that unmoves lead to. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { cutSlices } from '../../../pipeline/engine/crew/cut.js';
import { NO_METER, solveOne } from '../../../pipeline/engine/crew/do-slice.js';
import { type Engine, inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import {
  callMember,
  LocalPartition,
  memberCalledBy,
  type Partition,
} from '../../../pipeline/engine/crew/partition.js';
import { type SliceSummary, solve } from '../../../pipeline/engine/crew/solve.js';
import type { Game } from '../../../pipeline/game/game.js';
import { EdgesManifest, readManifest } from '../../../pipeline/game/manifest.js';
import { strategies } from '../../../pipeline/game/strategy.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { findGarbage } from '../../../pipeline/tables/records/garbage.js';
import { ManifestReader, slicesAmong } from '../../../pipeline/tables/records/slices.js';
import { surveyStore } from '../../../pipeline/tables/records/survey.js';
import { directMetrics } from '../../support/direct-metrics.js';
import { withoutUnmoves } from '../../support/forward-only.js';
import { graphGame, naiveValues, randomGraph } from '../../support/graph-game.js';
import { ifNotLongest, LONG, LONGEST } from '../../support/long.js';
import { memoryPageFolder } from '../../support/memory-page-folder.js';
import { solvePaged, valuesOf } from '../../support/paged.js';
import { budgetOf, digestsOf, MiB, type Solving, solveGame } from '../../support/solving.js';

const tight = { memory: MiB, fanIn: 2, batchRows: 5000 };
async function expectSame(game: Game, slice: string, ...solvings: Solving[]) {
  const expected = digestsOf((await solveGame(game, [slice])).summaries);
  let found: SliceSummary[] = [];
  for (const solving of solvings) {
    found = (await solveGame(withoutUnmoves(game), [slice], solving)).summaries;
    expect(digestsOf(found)).toEqual(expected);
  }
  return found;
}

const lookup = { strategy: 'lookup', budget: tight } as const;

test.each([
  ['chess', chess as Game, 'KRK', lookup],
  ...(LONG
    ? [
        [
          'chess with pawns, and all that they lead to',
          chess as Game,
          'KPK.4',
          { budget: budgetOf(64 * MiB) },
        ] as const,
      ]
    : []),
  ['checkers', checkers as Game, '2100', lookup],
] as const)('%s: edges give the tables of unmoves', async (_name, game, slice, solving) => {
  await expectSame(game, slice, solving);
});

test('edges that do not fit are spilled; the table is verified by moves', async () => {
  const summaries = await expectSame(chess as Game, 'KRK', { budget: tight, verify: true });
  const { table, verified } = summaries.at(-1)!;
  expect(table.counters.spills).toBeGreaterThan(2);
  expect(verified).toBe(table.positions[0] + table.positions[1]);
});

test.skipIf(!LONGEST).each([
  ['KQKR', chess as Game, { budget: budgetOf(16 * MiB) }],
  ['4100', checkers as Game, { budget: budgetOf(8 * MiB), strategy: 'lookup' }],
] as const)(`%s, one member and two, edges spilled${ifNotLongest}`, async (slice, game, solving) => {
  await expectSame(game, slice, solving, { ...solving, workers: 2 });
});

/** A slice of 18 parts; with a dependency. */
const graphOf = (seed: number, ladder: boolean) => {
  const below = randomGraph(seed + 1000, { name: 'below', size: ladder ? 150 : 90, width: 40, ladder });
  return randomGraph(seed, { name: 'above', size: ladder ? 150 : 300, width: 17, ladder, dependency: below });
};

// Under dtm50 games without unmoves are refused; scores are of keyed games.
const all = directMetrics.filter((metric) => metric !== 'dtm50' && metric !== 'score');

describe.each(LONG ? all : (['dtm', 'dtz'] as const))('random graphs, %s', (metric) => {
  // The second one takes long.
  test.each(LONGEST || (LONG && metric === 'dtm') ? [1, 2] : [1])(
    'graph %i: every value is that of a naive solver',
    async (seed) => {
      const graph = graphOf(seed, seed === 2);
      const game = withoutUnmoves(graphGame(graph.dependency!, graph));
      for (const strategy of strategies) {
        const { store } = await solveGame(game, ['above'], {
          metric,
          strategy,
          workers: 2 * seed - 1,
          budget: tight,
        });
        expect(await valuesOf(game, 'above', metric, store)).toEqual(naiveValues(graph, metric));
      }
    },
  );
});

/** Copies all arguments and results of partitions, as between threads. */
function cloning(engine: Engine): Engine {
  const copied = (partition: Partition): Partition =>
    memberCalledBy(
      LocalPartition,
      async (method, args) =>
        structuredClone(await callMember(partition, method, structuredClone([...args]))),
      // Counters are kept on this side.
      () => partition.takeCounters(),
    );
  return {
    ...engine,
    workers: 2,
    open: async (setups, report) => (await engine.open(setups, report)).map(copied),
  };
}

function solveIn(store: Store, game: Game, slice: string, engine?: (of: Engine) => Engine) {
  const inline = inlineEngine(game, store, newScratch(memoryStore(), 'scratch'));
  return solveOne({
    game,
    slice,
    metric: 'dtm',
    strategy: 'count',
    store,
    budget: tight,
    engine: engine === undefined ? inline : engine(inline),
    progress: () => {},
    verify: false,
    meter: NO_METER,
  });
}

test('progress of writing edges comes to its total', async () => {
  const game = withoutUnmoves(chess as Game);
  const store = memoryStore();
  let phase = '';
  const total = new Map<string, number | null>();
  const done = new Map<string, number>();
  await solve({
    game,
    slices: ['KRK'],
    store,
    budget: tight,
    engine: { ...inlineEngine(game, store, newScratch(memoryStore(), 'scratch')), workers: 2 },
    progress(event) {
      if (event.slice !== 'KRK') return;
      if (event.type === 'phase') total.set((phase = event.phase), event.total);
      if (event.type === 'work') done.set(phase, (done.get(phase) ?? 0) + event.done);
    },
  });
  expect(total.get('edges')).toBe(4 * game.slice('KRK').size);
  for (const phase of ['enumerate', 'edges', 'finish', 'verify'])
    expect(done.get(phase)).toBe(total.get(phase));
});

test('partitions exchange edges by structured clones', async () => {
  const graph = randomGraph(5, { name: 'alone', size: 300, width: 17, ladder: false });
  const store = memoryStore();
  const game = withoutUnmoves(graphGame(graph));
  await solveIn(store, game, 'alone', cloning);
  expect(await valuesOf(game, 'alone', 'dtm', store)).toEqual(naiveValues(graph, 'dtm'));
});

/** The store as a process sees it that is killed at its `at`-th write of anything. */
function killedAt(store: Store, at: number): Store {
  let left = at;
  const alive = (): void => {
    if (--left < 0) throw new Error('killed');
  };
  return {
    ...store,
    create: async (name) => {
      alive();
      return store.create(name);
    },
    putIfAbsent: async (name, bytes) => {
      alive();
      return store.putIfAbsent(name, bytes);
    },
    delete: async (name) => {
      alive();
      return store.delete(name);
    },
  };
}

test('a solve killed at any write continues: committed edges are not made again, and are no garbage', async () => {
  const graph = randomGraph(6, { name: 'alone', size: 300, width: 17, ladder: false });
  const expected = naiveValues(graph, 'dtm');
  const game = withoutUnmoves(graphGame(graph));
  const ending = { ...game, ending: () => ({ slices: ['alone'] }) } as unknown as Game;
  let after = 0;
  const phases: unknown[] = [];
  for (let at = 0; ; at += LONGEST ? 1 : 2) {
    const store = memoryStore();
    const killed = await solveIn(killedAt(store, at), game, 'alone').then(
      () => false,
      () => true,
    );
    const step = 'graph/dtm/alone/steps/count/edges';
    const [edges, rounds] = await Promise.all([
      readManifest(store, `${step}.json`, EdgesManifest),
      store.list('graph/dtm/alone/steps/count/rounds-'),
    ]);
    const games = new Map([['graph', { ...ending, slice: game.slice } as Game]]);
    for (const found of await surveyStore({ store, games, reader: new ManifestReader(store) }, 0))
      if (found.at === 'process' && found.process.phase !== phases.at(-1)) phases.push(found.process.phase);
    const begun = edges !== null && rounds.length === 0;
    if (begun) {
      after++;
      const [objects] = slicesAmong(await store.list(''), new Map([['graph', ending]]));
      const garbage = await findGarbage(new ManifestReader(store), objects);
      expect(garbage.filter(({ name }) => name.startsWith(step))).toEqual([]);
    }
    const created: string[] = [];
    const noting: Store = {
      ...store,
      create: (name) => store.create(name).finally(() => created.push(name)),
    };
    await solveIn(noting, game, 'alone', (engine) => ({ ...engine, workers: 3 }));
    expect(await valuesOf(game, 'alone', 'dtm', store)).toEqual(expected);
    if (edges !== null) expect(created.filter((name) => name.startsWith(step))).toEqual([]);
    expect((await store.list('')).filter((name) => !/(table\.json|values-.*)$/.test(name))).toEqual([]);
    if (!killed) break;
  }
  expect(after).toBeGreaterThan(1);
  expect(phases).toEqual(['enumerate', 'convert', 'edges', 'rounds', 'finish']);
});

test('ranks share a slice without unmoves as any other, and the paged solver refuses it', async () => {
  const options = { memory: MiB, partitions: 4, wholeBelow: 0 };
  const partitions = (game: Game) => cutSlices(game, ['4100'], options).map((cut) => cut.partitions);
  expect(Math.max(...partitions(checkers as Game))).toBeGreaterThan(1);
  expect(partitions(withoutUnmoves(checkers as Game))).toEqual(partitions(checkers as Game));
  const game = withoutUnmoves(chess as Game);
  await expect(solvePaged(game, 'KK', 'dtm', memoryStore(), { pages: memoryPageFolder() })).rejects.toThrow(
    'the paged solver solves slices with unmoves only, not KK',
  );
});

test('more positions than fit the bits of a predecessor are refused before any work', async () => {
  const game = withoutUnmoves(chess as Game);
  const huge = { ...game, slice: (name: string) => ({ ...game.slice(name), size: 2 ** 33 }) } as Game;
  await expect(solveIn(memoryStore(), huge, 'KQK')).rejects.toThrow(
    'KQK has 8589934592 positions with each side to move: more than 4294967296 need unmoves',
  );
});

/** The monitor and `status` show graphs and keyed games: while they are imported, solved, and afterwards. */
import { expect, test } from 'vitest';
import { FollowedSlice } from '../../../jobs/progress/follow.js';
import { newLookout } from '../../../jobs/progress/look.js';
import { newRecorder, type Recorder } from '../../../jobs/progress/recorder.js';
import { statusText } from '../../../jobs/progress/status-text.js';
import { storedGames } from '../../../jobs/registry.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import { GRAPH, graphs } from '../../../pipeline/graph/graph-game.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import { solveKeyed } from '../../../pipeline/graph/solve-keyed.js';
import { surveyGraphs } from '../../../pipeline/graph/survey.js';
import { randomGraph, solving } from '../../pipeline/graph/memory-graph.js';
import { randomFrom } from '../../support/graph-game.js';
import { drawGraph, graphGame, reachedNaively } from '../../support/keyed-graph.js';
import { seen } from '../../support/recording.js';
import { MiB } from '../../support/solving.js';

const GRAPH_SHAPE = { nodes: 700, edges: 2100, seed: 3, reach: 4 };

function recorderOf(store: Store, name: string): Recorder {
  return newRecorder({
    store,
    game: { name: GRAPH },
    metric: 'dtw',
    endings: [graphs.ending(name)],
    kind: 'solve',
    engine: 'local',
    memory: 4 * MiB,
    workers: 1,
    verify: true,
    solves: true,
    intervalMs: 1000,
  });
}

async function lookAt(store: Store, now = Date.now()) {
  return seen(await newLookout({ store, games: await storedGames(), withGraphs: true })(now));
}

const imports = async (store: Store) => surveyGraphs(store, await store.list(''));

test('a graph that is solved has a record: import and edges are among its phases', async () => {
  const store = memoryStore();
  const recorder = recorderOf(store, 'test');
  const { summary, graph } = await solveGraph(
    solving(randomGraph(GRAPH_SHAPE), { store, progress: recorder.listen }),
  );
  await recorder.close('done');
  const { snapshot, slice } = await lookAt(store);
  expect(snapshot.runs).toMatchObject([{ game: 'graph', state: 'done', endings: ['test'], memory: 4 * MiB }]);
  expect(snapshot.slices).toHaveLength(1);
  const { phases, rounds, ...detail } = slice('test');
  expect(detail).toMatchObject({ state: 'verified', dependencies: [], positions: 700, by: 'process' });
  const names = phases.map(({ phase }) => phase);
  expect(names[0]).toBe('import');
  // It fits memory, so that all rounds are one phase.
  expect(names.slice(names.indexOf('resident'))).toEqual(['resident', 'verify']);
  const { table } = summary;
  expect(rounds.reduce((sum, { requests }) => sum + requests, 0)).toBe(table.requests);
  // Positions where the game is over are in no round.
  const decided = table.wins[0] + table.wins[1] + table.losses[0] + table.losses[1];
  const labelled = rounds.reduce((sum, { won, lost }) => sum + won + lost, 0);
  expect(labelled).toBeGreaterThan(100);
  expect(labelled).toBeLessThan(decided);
  expect(detail.bytesRead).toBeGreaterThan(graph.counters.bytesRead + table.counters.bytesRead);

  // Solving it again writes nothing.
  const before = await store.list('');
  const again = recorderOf(store, 'test');
  await solveGraph(solving(randomGraph(GRAPH_SHAPE), { store, progress: again.listen }));
  await again.close('done');
  expect(await store.list('')).toEqual(before);
});

test('an interrupted import is shown with its progress and with the process that continues it', async () => {
  const store = memoryStore();
  const recorder = recorderOf(store, 'test');
  recorder.listen({ type: 'phase', slice: 'test', phase: 'import', total: null });
  recorder.listen({ type: 'work', slice: 'test', done: 250 });
  await recorder.close('failed', 'disk full');
  const now = Date.now();
  const { snapshot, slice } = await lookAt(store, now);
  expect(snapshot.runs).toMatchObject([{ state: 'failed', problem: 'disk full' }]);
  expect(slice('test')).toMatchObject({
    state: 'begun',
    phase: 'import',
    current: { done: 250, total: null },
  });
  const look = newLookout({ store, games: await storedGames(), withGraphs: true });
  expect(await statusText(await look(now))).toMatch(
    /^in one process\n {2}test dtw\n {4}import, 250 done, last sign of life .* ago\n {4}disk full\n$/m,
  );

  const next = recorderOf(store, 'test');
  await solveGraph(solving(randomGraph(GRAPH_SHAPE), { store, progress: next.listen }));
  await next.close('done');
  const done = (await lookAt(store)).slice('test');
  expect(done.phases.slice(0, 2).map(({ phase }) => phase)).toEqual(['import', 'import']);
  expect(await imports(store)).toMatchObject([{ graph: 'test', imported: { nodes: 700 } }]);
});

test('layers of a keyed game are phases', async () => {
  const random = randomFrom(5);
  const drawn = drawGraph(
    Array.from({ length: 900 }, (_, i) => BigInt(i * 7 + 1)),
    3,
    12,
    random,
  );
  const store = memoryStore();
  const recorder = recorderOf(store, 'drawn');
  const { source: _, ...options } = solving(
    { nodes: [], edges: [], stuck: 'lost' },
    { store, name: 'drawn' },
  );
  const { reached } = await solveKeyed({ ...options, game: graphGame(drawn), progress: recorder.listen });
  await recorder.close('done');
  const { phases, bytesRead, state } = (await lookAt(store)).slice('drawn');
  expect(state).toBe('verified');
  const layers = phases.map(({ phase }) => phase).filter((phase) => phase.startsWith('layer '));
  expect(layers).toEqual(reachedNaively(drawn).map((_, moves) => `layer ${moves}`));
  expect(bytesRead!).toBeGreaterThan(0);
  expect(reached!.layers).toHaveLength(layers.length);
});

test('of thousands of phases only the last are listed, with the time of all', () => {
  const followed = new FollowedSlice('thin');
  for (let i = 0; i < 2000; i++)
    followed.follow({ type: 'phase', slice: 'thin', phase: `layer ${i}`, total: 1 }, 10 * i);
  const { phases, startedAt } = followed.end(20_000)!;
  expect(phases).toHaveLength(128);
  expect(phases[0]).toEqual({ phase: 'layer 0 … layer 1872', startedAt: 0, wallMs: 18_730 });
  expect(phases[1]).toEqual({ phase: 'layer 1873', startedAt: 18_730, wallMs: 10 });
  expect(startedAt).toBe(0);
});

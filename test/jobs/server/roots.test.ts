/** Positions of chess that only the tables of a root have, over HTTP. */
import { rmSync } from 'node:fs';
import { z } from '@hono/zod-openapi';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PositionAnswer, PositionsAnswer, SolutionsAnswer } from '../../../jobs/positions/shapes.js';
import { EndingAnswer, GameAnswer, PlanAnswer, RootAnswer } from '../../../jobs/server/api-answers.js';
import { openSolved } from '../../../jobs/solved/open.js';
import { answerJson } from '../../../jobs/solved/solved.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { type App, answerOf, query } from '../../support/asking.js';
import { newFolder } from '../../support/folders.js';
import { LOCKED, putRoot, SHORT } from '../../support/roots.js';
import { served } from '../../support/serving.js';
import { putSolved } from '../../support/solving.js';

const NINE = '8/k7/3p4/p2P3p/P2P3P/8/8/K7 w - - 0 1';
const ask = (position: string, more: Record<string, string> = {}) =>
  query('/probe', { game: 'chess', position, ...more });

afterEach(() => void vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let folder: string;
let app: App;
let root: string;
beforeAll(async () => {
  folder = newFolder();
  const store = localStore(folder, { durable: false });
  root = await putRoot(store, LOCKED, SHORT);
  await putRoot(store, LOCKED, SHORT, 'wdl');
  await putRoot(store, NINE, { stopAt: 8, mostPieces: 0 }, 'wdl');
  ({ app } = served(store));
}, 120_000);

/** What `probe --json` prints. */
async function printed(position: string, metric?: Metric, store = folder): Promise<object> {
  const solved = await openSolved('chess', { store, cache: 1 << 20, ...(metric && { metric }) });
  const read = solved.parse(position);
  const answer = answerJson(solved, read, await solved.probe(read));
  return { game: 'chess', ...answer, diagram: solved.diagram(read) };
}

async function batchOf(app: App, positions: string[], more: object = {}): Promise<unknown> {
  const response = await app.request('/probe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ game: 'chess', positions, ...more }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

test('a position that only a root has is answered as probe --json answers it', async () => {
  const answer = await answerOf(app, ask(LOCKED), PositionAnswer);
  expect(answer).toEqual(await printed(LOCKED));
  expect(answer).toMatchObject({
    metric: 'dtm',
    root,
    known: 'at least a draw',
    outcome: 'draw',
    most: { outcome: 'win', plies: 21 },
  });
  expect(Object.keys(answer.metrics ?? {})).toEqual(['dtm', 'wdl']);
  expect(await answerOf(app, ask(LOCKED, { metric: 'wdl' }), PositionAnswer)).toEqual(
    await printed(LOCKED, 'wdl'),
  );
});

test('a batch answers positions of roots, with more men than any ending has, among others', async () => {
  const [locked, nine, ending, wrong] = (await batchOf(app, [
    LOCKED,
    NINE,
    '8/8/8/2k5/8/8/8/K6Q w',
    'x',
  ])) as object[];
  expect(locked).toEqual(await printed(LOCKED));
  expect(nine).toEqual(await printed(NINE));
  expect(ending).toMatchObject({ status: 404, error: 'there is no dtm table of KQK here' });
  expect(wrong).toMatchObject({ status: 400 });
});

test('under a metric that the root is not solved for, the missing table is that of the ending', async () => {
  const response = await app.request(ask(NINE, { metric: 'dtm' }));
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: expect.stringContaining('no table has 9 men'),
  });
});

test('best play from a position with bounds is refused with what is known', async () => {
  const response = await app.request(query('/api/mainline', { game: 'chess', position: LOCKED }));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: 'there is no best play: White to move: at least a draw',
  });
});

test('roots are listed, not as endings, and give the example where nothing else is', async () => {
  const roots = await answerOf(app, '/api/roots', z.array(RootAnswer));
  expect(roots).toContainEqual({
    root,
    position: LOCKED,
    pieces: 7,
    metrics: ['dtm', 'wdl'],
    stopAt: 6,
    mostPieces: 0,
    promotions: 'QRBN',
  });
  expect(roots.map(({ metrics }) => metrics)).toContainEqual(['wdl']);
  expect(await answerOf(app, query('/api/endings', { game: 'chess' }), z.array(EndingAnswer))).toEqual([]);
  const [{ example, metrics }] = await answerOf(app, '/api/games', z.array(GameAnswer));
  expect({ example, metrics }).toEqual({ example: LOCKED, metrics: ['dtm', 'wdl'] });
  expect(await answerOf(served(memoryStore()).app, '/api/roots', z.array(RootAnswer))).toEqual([]);
});

test('positions of a root are found by one of their two values', async () => {
  const find = (ending: string) =>
    query('/api/positions', { game: 'chess', ending, longest: 'true', limit: '1' });
  for (const path of [find(root), query('/api/histogram', { game: 'chess', ending: root })]) {
    const response = await app.request(path);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: `positions of ${root} have two values: name ${root}.hi or ${root}.lo` },
    ]);
  }
  const { positions } = await answerOf(app, find(`${root}.lo`), PositionsAnswer);
  expect(positions[0].slice).toMatch(new RegExp(`^${root}\\.K\\w+\\.\\d+\\.lo$`));
});

test('the plan of a position has the command and its forecast, within limits', async () => {
  const plan = (more: Record<string, string>) => query('/api/plan', { from: NINE, ...more });
  const given = await answerOf(app, plan({ stopAt: '8', mostPieces: '0', metric: 'wdl' }), PlanAnswer);
  expect(given).toMatchObject({
    command: `npx mergemate solve chess --from "${NINE}" --stop-at 8 --most-pieces 0 --metric wdl`,
    metric: 'wdl',
    isWhole: false,
    // It is solved.
    slices: 0,
    unknown: expect.arrayContaining([expect.stringMatching(/^KP+KP+$/)]),
  });
  expect((await app.request(plan({ from: 'x' }))).status).toBe(400);
  const { app: small } = served(memoryStore(), { limits: { structures: 10 } });
  expect((await small.request(plan({ mostPieces: '3' }))).status).toBe(413);
  // Without limits, the widest that fit are chosen.
  const chosen = await answerOf(small, plan({}), PlanAnswer);
  expect(chosen).toMatchObject({
    isWhole: false,
    command: expect.stringMatching(/ --stop-at 8 --most-pieces 0$/),
  });
  expect(chosen.forecast).toMatch(/^2 slices, /);
});

test('problems that only a root has are answered, beside the tables of play of the ending', async () => {
  const PAIR = '8/8/8/3k4/4p3/4P3/8/3K4 b - - 0 1';
  const TAKEN = '8/8/8/8/4K3/4P3/8/k7 b - - 0 1';
  const store = newFolder();
  try {
    const tables = localStore(store, { durable: false });
    const root = await putRoot(tables, PAIR, {}, 'help');
    const { app } = served(tables);
    expect(await answerOf(app, ask(PAIR), PositionAnswer)).toEqual(await printed(PAIR, undefined, store));
    const answer = await answerOf(app, ask(TAKEN, { metric: 'help' }), PositionAnswer);
    expect(answer).toMatchObject({ root, metric: 'help', outcome: 'solved' });
    const { lines } = await answerOf(
      app,
      query('/api/solutions', { game: 'chess', position: TAKEN, metric: 'help' }),
      SolutionsAnswer,
    );
    expect(lines.map(({ length }) => length)).toContain(answer.plies);
    await putSolved(tables, chess, chess.ending('KPK').slices);
    later(60_000);
    const both = await answerOf(app, ask(TAKEN), PositionAnswer);
    expect(both.root).toBeUndefined();
    expect(both.metrics).toMatchObject({ dtm: { metric: 'dtm' }, help: { root, plies: answer.plies } });
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
});

/** Lets listings become old. */
function later(ms: number): void {
  vi.restoreAllMocks();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

test('roots that are solved, and removed, while the server runs are seen', async () => {
  const store = memoryStore();
  await putSolved(store, chess, ['KQK']);
  const { app } = served(store);
  const statusOf = async () => (await app.request(ask(LOCKED))).status;
  expect(await statusOf()).toBe(404);
  await putRoot(store, LOCKED, SHORT);
  later(60_000);
  expect(await statusOf()).toBe(200);
  await remove(store, 'chess/dtm/KPPP');
  later(120_000);
  expect(await statusOf()).toBe(404);
  expect(await answerOf(app, '/api/roots', z.array(RootAnswer))).toEqual([]);
});

async function remove(store: Store, prefix: string): Promise<void> {
  for (const name of await store.list(prefix)) await store.delete(name);
}

test('the tables of an ending answer before a root does', async () => {
  const store = memoryStore();
  const position = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
  await putRoot(store, position, { stopAt: 2, mostPieces: 0 });
  const { app } = served(store);
  await answerOf(app, ask(position), PositionAnswer);
  await putSolved(store, chess, chess.ending('KPK').slices);
  later(60_000);
  await answerOf(app, ask(position), PositionAnswer);
});

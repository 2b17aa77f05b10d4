/** Keyed games over HTTP: values, best play, pages. */
import { type KeyedRules, memoryStore, solveKeyed } from 'mergemate';
import { beforeAll, expect, test } from 'vitest';
import { LineAnswer, PositionAnswer } from '../../../jobs/positions/shapes.js';
import dodgem from '../../../samples/dodgem/three.js';
import boxes from '../../../samples/dots-and-boxes/game.js';
import { type App, answerOf, query } from '../../support/asking.js';
import { served } from '../../support/serving.js';

let app: App;
const ask = (asked: Record<string, string>) => query('/probe', asked);
beforeAll(async () => {
  const store = memoryStore();
  await solveKeyed({ game: boxes, store });
  await solveKeyed({ game: boxes, store, metric: 'wdl' });
  const keyed = [boxes, dodgem] as unknown as KeyedRules[];
  const page = { name: boxes.name, script: async () => 'globalThis.mergemateGame = {};' };
  ({ app } = served(store, { keyed, gamePages: { folder: 'jobs/web/game', games: [page] } }));
});

test('a position has its value and its moves', async () => {
  const [root] = boxes.roots();
  const position = boxes.format(root);
  const answer = await answerOf(app, ask({ game: boxes.name, position }), PositionAnswer);
  expect(answer).toMatchObject({
    metric: 'score',
    mover: 'white',
    over: false,
    outcome: 'win',
    plies: 12,
    score: 2,
  });
  expect(answer.moves).toHaveLength(12);
  const [best] = answer.moves;
  expect(best).toMatchObject({ outcome: 'win', plies: 12, score: 2 });
  const next = await answerOf(app, ask({ game: boxes.name, position: best.position }), PositionAnswer);
  expect(next).toMatchObject({ mover: 'black', outcome: 'loss', plies: 11, score: -2 });
  const wdl = await answerOf(app, ask({ game: boxes.name, metric: 'wdl', position }), PositionAnswer);
  expect(wdl).toMatchObject({ outcome: 'win', plies: null });
  expect(wdl.score).toBeUndefined();
});

test('many positions are answered at once', async () => {
  const response = await app.request('/probe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ game: boxes.name, positions: ['0', 'none'] }),
  });
  expect(await response.json()).toMatchObject([{ score: 2 }, { error: expect.stringContaining('none') }]);
});

test('the main line goes to the end of the game', async () => {
  const path = query('/api/mainline', { game: boxes.name, position: '0' });
  const { line, score } = await answerOf(app, path, LineAnswer);
  expect(score).toBe(2);
  expect(line).toHaveLength(12);
  expect(boxes.score!(boxes.parse(line.at(-1)!.position))).toBe(2);
});

const start = dodgem.format([...dodgem.roots()][0]);
test.each<[string, number, Record<string, string>, RegExp]>([
  ['no position', 400, { game: boxes.name, position: 'x' }, /is not a position/],
  ['one that no game comes to', 400, { game: boxes.name, position: '8' }, /no game comes to this position/],
  [
    'no such metric',
    400,
    { game: boxes.name, position: '0', metric: 'dtm' },
    /has no dtm .it has: score, dtw, wdl/,
  ],
  ['no such table', 404, { game: boxes.name, position: '0', metric: 'dtw' }, /is not solved for dtw here/],
  ['a game that is not solved', 404, { game: dodgem.name, position: start }, /is not solved here/],
])('%s', async (_, status, asked, said) => {
  const response = await app.request(ask(asked));
  expect(((await response.json()) as { error: string }).error).toMatch(said);
  expect(response.status).toBe(status);
});

test('the page lies below the name of the game', async () => {
  const moved = await app.request(`/game/${boxes.name}`);
  expect(moved.status).toBe(301);
  expect(moved.headers.get('location')).toBe(`/game/${boxes.name}/`);
  const page = await app.request(`/game/${boxes.name}/`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await (await app.request(`/game/${boxes.name}/game.js`)).text()).toContain('mergemateGame');
  expect((await app.request('/game/other/')).status).toBe(404);
});

/** Nodes of graphs over HTTP: they are positions as those of games are. */
import { z } from '@hono/zod-openapi';
import { beforeAll, expect, test } from 'vitest';
import { ErrorAnswer, LineAnswer, PositionAnswer } from '../../../jobs/positions/shapes.js';
import { GraphAnswer } from '../../../jobs/server/api-answers.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import type { GraphNode, NodeId } from '../../../pipeline/graph/source.js';
import { solving } from '../../pipeline/graph/memory-graph.js';
import { type App, answerOf, query } from '../../support/asking.js';
import { served } from '../../support/serving.js';

let app: App;
let own: Store;
const ask = (asked: Record<string, string>) => query('/probe', { game: 'town', ...asked });
beforeAll(async () => {
  own = memoryStore();
  const edges = ['caught', 7];
  const haven = (id: NodeId): GraphNode => ({ id, owner: 0, winner: 'nobody', edges: [] });
  const nodes: GraphNode[] = [
    { id: 'cop', owner: 1, winner: null, edges },
    { id: 7, owner: 0, winner: null, edges: ['cop', 'haven'] },
    haven('haven'),
    { id: 'caught', owner: 0, winner: 1, edges: [] },
    // More edges than an answer lists.
    { id: 'hub', owner: 0, winner: null, edges: Array.from({ length: 5000 }, (_, i) => i + 100) },
    ...Array.from({ length: 5000 }, (_, i) => haven(i + 100)),
  ];
  await solveGraph(solving({ nodes, edges: [], stuck: 'lost' }, { store: own, name: 'town' }));
  await own.putIfAbsent('graph/import/begun/names.arrow', new Uint8Array(1));
  ({ app } = served(own));
});

test('solved graphs are listed', async () => {
  expect(await answerOf(app, '/api/graphs', z.array(GraphAnswer))).toEqual([
    { graph: 'town', players: ['zero', 'one'], nodes: 5005, edges: 5004, metrics: ['dtw'] },
  ]);
  const { app: empty } = served(memoryStore());
  expect(await answerOf(empty, '/api/graphs', z.array(GraphAnswer))).toEqual([]);
});

test('a node has its value and its edges, best first', async () => {
  expect(await answerOf(app, ask({ position: '7' }), PositionAnswer)).toEqual({
    game: 'town',
    metric: 'dtw',
    position: '7',
    id: 7,
    mover: 'zero',
    over: false,
    winner: null,
    outcome: 'draw',
    plies: null,
    diagram: 'node 7\n',
    moves: [
      { move: 'haven', position: 'haven', outcome: 'draw', plies: null },
      { move: 'cop', position: 'cop', outcome: 'loss', plies: 2 },
    ],
  });
  const over = await answerOf(app, ask({ position: 'caught', metric: 'dtw' }), PositionAnswer);
  expect(over).toMatchObject({ over: true, winner: 'one', plies: 0, moves: [] });
});

test('a batch of nodes is answered in order', async () => {
  const response = await app.request('/probe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ game: 'town', positions: ['cop', 'nowhere'] }),
  });
  expect(await response.json()).toMatchObject([
    { mover: 'one', outcome: 'win', plies: 1 },
    { error: 'graph town has no node "nowhere"', status: 400 },
  ]);
});

test('a batch whose answer would be very long is refused', async () => {
  const { app: small } = served(own, { limits: { batchAnswer: 500 } });
  const ask = (positions: string[]) =>
    small.request('/probe', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ game: 'town', positions }),
    });
  expect((await ask(['cop'])).status).toBe(200);
  const refused = await ask(Array(10).fill('cop'));
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { error: 'the answer is longer than 500 characters: ask for fewer positions' },
  ]);
});

test('best play is followed to the end', async () => {
  const path = query('/api/mainline', { game: 'town', position: 'cop' });
  expect(await answerOf(app, path, LineAnswer)).toMatchObject({
    winner: 'one',
    line: [{ move: 'caught', mover: 'one', position: 'caught' }],
  });
});

test.each<[string, number, Record<string, string>, RegExp]>([
  [
    'no such graph',
    404,
    { game: 'twon', position: '7' },
    /^there is no game "twon" \(games: chess, checkers, counters\)$/,
  ],
  ['one not imported', 404, { game: 'begun', position: '7' }, /^there is no game "begun"/],
  ['no such node', 400, { position: '"7"' }, /^graph town has no node "7"$/],
  ['no table', 404, { position: '7', metric: 'wdl' }, /^town is not solved for wdl here$/],
  ['no metric', 400, { position: '7', metric: 'depth' }, /^metric: /],
  ['quotes', 400, { position: '"7' }, /the quotes do not close/],
  ['too many edges', 413, { position: 'hub' }, /has 5000 moves, more than 4096/],
])('%s', async (_, status, asked, message) => {
  const response = await app.request(ask(asked));
  expect(response.status).toBe(status);
  expect(ErrorAnswer.parse(await response.json()).error).toMatch(message);
});

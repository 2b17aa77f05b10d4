/** Nodes of graphs over HTTP. */
import { z } from '@hono/zod-openapi';
import { beforeAll, expect, test } from 'vitest';
import { ErrorAnswer, GraphAnswer, NodeAnswer } from '../../../jobs/server/api-answers.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import type { GraphNode, NodeId } from '../../../pipeline/graph/source.js';
import { solving } from '../../pipeline/graph/memory-graph.js';
import { type App, answerOf, query } from '../../support/asking.js';
import { served } from '../../support/serving.js';

let app: App;
const ask = (asked: Record<string, string>) => query('/probe/node', asked);
beforeAll(async () => {
  const own = memoryStore();
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
  expect(await answerOf(app, ask({ graph: 'town', node: '7' }), NodeAnswer)).toEqual({
    graph: 'town',
    metric: 'dtw',
    id: 7,
    owner: 'zero',
    winner: null,
    plies: null,
    edges: [
      { id: 'haven', owner: null, winner: null, plies: null },
      { id: 'cop', owner: 'one', winner: 'one', plies: 1 },
    ],
  });
  const over = await answerOf(app, ask({ graph: 'town', node: 'caught', metric: 'dtw' }), NodeAnswer);
  expect(over).toMatchObject({ owner: null, winner: 'one', plies: 0, edges: [] });
});

test.each<[string, number, Record<string, string>, RegExp]>([
  ['no such graph', 404, { graph: 'twon', node: '7' }, /^there is no graph "twon" here$/],
  ['one not imported', 404, { graph: 'begun', node: '7' }, /^there is no graph "begun" here$/],
  ['no such node', 404, { graph: 'town', node: '"7"' }, /^graph town has no node "7"$/],
  [
    'no table',
    404,
    { graph: 'town', node: '7', metric: 'wdl' },
    /^there is no wdl table of graph town here$/,
  ],
  ['no metric', 400, { graph: 'town', node: '7', metric: 'depth' }, /^metric: /],
  ['quotes', 400, { graph: 'town', node: '"7' }, /the quotes do not close/],
  ['too many edges', 413, { graph: 'town', node: 'hub' }, /has 5000 edges, more than 4096/],
])('%s', async (_, status, asked, message) => {
  const response = await app.request(ask(asked));
  expect(response.status).toBe(status);
  expect(ErrorAnswer.parse(await response.json()).error).toMatch(message);
});

test('/probe refuses a graph and names the route for nodes', async () => {
  const response = await app.request(query('/probe', { game: 'graph', position: '7' }));
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: 'nodes of graphs are asked for at /probe/node' });
});

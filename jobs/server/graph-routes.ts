/** Routes for nodes of graphs, and of keyed games by their keys: the winner there, and the values behind its edges. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { readNodeId } from '../graph/node-id.js';
import { probedNodeJson } from '../ui/graph-text.js';
import { GraphAnswer, NodeAnswer } from './api-answers.js';
import { HttpProblem } from './problems.js';
import { reply } from './replies.js';
import { AskedMetric, answers, Text } from './route.js';
import type { Service } from './service.js';

/** Longer answers are for programs that read the store. */
const MOST_EDGES = 4096;

const graphsRoute = createRoute({
  method: 'get',
  path: '/api/graphs',
  summary: 'Graphs and keyed games that were imported',
  responses: answers(z.array(GraphAnswer)),
});

const nodeRoute = createRoute({
  method: 'get',
  path: '/probe/node',
  summary: 'Who wins from a node of a graph, and from the nodes that its edges lead to, best first',
  request: { query: z.object({ graph: Text, node: Text, metric: AskedMetric }) },
  responses: answers(NodeAnswer),
});

export function graphRoutes(service: Service, app: OpenAPIHono): void {
  const { graphs } = service;

  app.openapi(graphsRoute, async (context) =>
    reply(context, await service.inTurn(context, () => graphs.list()), 'listing'),
  );

  app.openapi(nodeRoute, async (context) => {
    const asked = context.req.valid('query');
    const id = readNodeId(asked.node);
    const answer = await service.inTurn(context, () =>
      graphs.probing(asked.graph, asked.metric, async (prober) => {
        const { graph, metric } = prober;
        const node = await prober.node(id);
        if (node === null) throw new HttpProblem(404, `graph ${graph.name} has no node ${asked.node}`);
        const edges = await prober.degree(node.number);
        if (edges > MOST_EDGES)
          throw new HttpProblem(413, `node ${asked.node} has ${edges} edges, more than ${MOST_EDGES}`);
        const after = await prober.edges(node.number);
        return { graph: graph.name, metric, ...probedNodeJson(node, after, graph.players) };
      }),
    );
    return reply(context, answer, 'table');
  });
}

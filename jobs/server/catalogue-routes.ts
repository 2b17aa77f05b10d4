/** Routes of the API for games, endings, histograms and graphs in the store. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { EndingAnswer, FiledAnswer, GameAnswer, GraphAnswer, HistogramAnswer } from './api-answers.js';
import { reply } from './replies.js';
import { AskedMetric, answers, Text } from './route.js';
import type { Service } from './service.js';

const gamesRoute = createRoute({
  method: 'get',
  path: '/api/games',
  summary: 'Games that the store has tables of',
  responses: answers(z.array(GameAnswer)),
});

const endingsRoute = createRoute({
  method: 'get',
  path: '/api/endings',
  summary: 'Endings that are solved, the smaller ones first',
  request: { query: z.object({ game: Text, metric: AskedMetric }) },
  responses: answers(z.array(EndingAnswer)),
});

const filesRoute = createRoute({
  method: 'get',
  path: '/api/files',
  summary: "Endings that Syzygy's files have, the smaller ones first",
  request: { query: z.object({ game: Text, metric: AskedMetric }) },
  responses: answers(z.array(FiledAnswer)),
});

const histogramRoute = createRoute({
  method: 'get',
  path: '/api/histogram',
  summary:
    'How many positions of an ending are won and lost in how many plies. A scan of its tables the first time',
  request: { query: z.object({ game: Text, metric: AskedMetric, ending: Text }) },
  responses: answers(HistogramAnswer),
});

const graphsRoute = createRoute({
  method: 'get',
  path: '/api/graphs',
  summary: 'Graphs and keyed games that were imported',
  responses: answers(z.array(GraphAnswer)),
});

export function catalogueRoutes(service: Service, app: OpenAPIHono): void {
  const { catalogue } = service;

  app.openapi(gamesRoute, async (context) => {
    return reply(context, await service.inTurn(context, () => catalogue.games()), 'listing');
  });

  app.openapi(endingsRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    const answer = await service.inTurn(context, async () =>
      catalogue.endings(game, await service.metric(game, asked.metric)),
    );
    return reply(context, answer, 'listing');
  });

  app.openapi(filesRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    const answer = await service.inTurn(context, async () => [
      ...(await catalogue.files(game, await service.metric(game, asked.metric))),
    ]);
    return reply(context, answer, 'listing');
  });

  app.openapi(histogramRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    // Scans wait for each other in the catalogue, so that lookups need not wait for them.
    const answer = await service.inTime(context, async () =>
      catalogue.histogram(game, await service.metric(game, asked.metric), asked.ending),
    );
    return reply(context, answer, 'table');
  });

  app.openapi(graphsRoute, async (context) =>
    reply(context, await service.inTurn(context, () => service.graphs.list()), 'listing'),
  );
}

/** Routes of the API for games, endings, histograms and graphs in the store. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import {
  EndingAnswer,
  FiledAnswer,
  GameAnswer,
  GraphAnswer,
  HistogramAnswer,
  RootAnswer,
} from './api-answers.js';
import { reply } from './replies.js';
import { AskedMetric, getRoute, Text } from './route.js';
import type { Service } from './service.js';

const gamesRoute = getRoute(
  '/api/games',
  'Games that the store has tables of',
  z.object({}),
  z.array(GameAnswer),
);

const endingsRoute = getRoute(
  '/api/endings',
  'Endings that are solved, the smaller ones first',
  z.object({ game: Text, metric: AskedMetric }),
  z.array(EndingAnswer),
);

const filesRoute = getRoute(
  '/api/files',
  "Endings that Syzygy's files have, the smaller ones first",
  z.object({ game: Text, metric: AskedMetric }),
  z.array(FiledAnswer),
);

const rootsRoute = getRoute(
  '/api/roots',
  'Positions of chess that tables were made for alone, in the order in which positions are looked up in them',
  z.object({}),
  z.array(RootAnswer),
);

const histogramRoute = getRoute(
  '/api/histogram',
  'How many positions of an ending are won and lost in how many plies. A scan of its tables the first time',
  z.object({ game: Text, metric: AskedMetric, ending: Text }),
  HistogramAnswer,
);

const graphsRoute = getRoute(
  '/api/graphs',
  'Graphs and keyed games that were imported',
  z.object({}),
  z.array(GraphAnswer),
);

export function catalogueRoutes(service: Service, app: OpenAPIHono): void {
  const { catalogue } = service;

  app.openapi(gamesRoute, async (context) => {
    return reply(context, await service.inTurn(context, () => catalogue.games()), 'listing');
  });

  app.openapi(endingsRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    const answer = await service.inTurn(context, async (asker) =>
      catalogue.endings(game, await service.metric(game, asked.metric), asker),
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

  app.openapi(rootsRoute, async (context) =>
    reply(context, await service.inTurn(context, async () => [...(await catalogue.roots())]), 'listing'),
  );

  app.openapi(histogramRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    // The catalogue takes the turn: those who ask for the same histogram share one.
    const answer = await service.inTime(context, async (asker) =>
      catalogue.histogram(game, await service.metric(game, asked.metric), asked.ending, asker),
    );
    return reply(context, answer, 'table');
  });

  app.openapi(graphsRoute, async (context) =>
    reply(context, await service.inTurn(context, () => service.graphs.list()), 'listing'),
  );
}

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
import { AskedEnding, AskedGame, AskedMetric, getRoute } from './route.js';
import type { Service } from './service.js';

const gamesRoute = getRoute(
  '/api/games',
  {
    operationId: 'listGames',
    tag: 'catalogue',
    summary: 'Games that the store has tables of',
    description: 'Each has its metrics, the default first, and a position to begin with.',
  },
  z.object({}),
  z.array(GameAnswer),
);

const endingsRoute = getRoute(
  '/api/endings',
  {
    operationId: 'listEndings',
    tag: 'catalogue',
    summary: 'Endings that are solved, the smaller ones first',
    description:
      'Each has its counts by side to move, its longest wins, and whether it was verified. Under `dtz`, cursed wins and blessed losses are counted apart, by a scan of the tables the first time. Of problems: how many have a solution, and the longest.',
  },
  z.object({ game: AskedGame, metric: AskedMetric }),
  z.array(EndingAnswer),
);

const filesRoute = getRoute(
  '/api/files',
  {
    operationId: 'listFiles',
    tag: 'catalogue',
    summary: "Endings that Syzygy's files have, the smaller ones first",
    description: 'Those of which both files are there, each with a position to begin with.',
  },
  z.object({ game: AskedGame, metric: AskedMetric }),
  z.array(FiledAnswer),
);

const rootsRoute = getRoute(
  '/api/roots',
  {
    operationId: 'listRoots',
    tag: 'catalogue',
    summary: 'Positions of chess that have tables of their own',
    description: 'In the order in which positions are looked up in them, with the options of their solves.',
  },
  z.object({}),
  z.array(RootAnswer),
);

const histogramRoute = getRoute(
  '/api/histogram',
  {
    operationId: 'countByPlies',
    tag: 'catalogue',
    summary: 'How many positions of an ending are won and lost, or have a solution, in how many plies',
    description: 'A scan of its tables the first time; kept from then on.',
  },
  z.object({ game: AskedGame, metric: AskedMetric, ending: AskedEnding }),
  HistogramAnswer,
);

const graphsRoute = getRoute(
  '/api/graphs',
  {
    operationId: 'listGraphs',
    tag: 'catalogue',
    summary: 'Graphs and keyed games that were imported',
    description: 'Each has its players, its size and the metrics of its tables.',
  },
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

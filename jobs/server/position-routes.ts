/** Routes of the API for values of positions: of one, of many, and of a line of best play. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Game } from '../../pipeline/game.js';
import { decodeValue } from '../../pipeline/value.js';
import { mainLineAnswer, positionAnswer } from './answers.js';
import { HttpProblem, problemOf } from './problems.js';
import { reply } from './replies.js';
import { AskedMetric, answers, Batch, Text } from './route.js';
import { pausing, readPosition, type Service } from './service.js';
import { ErrorAnswer, MainLineAnswer, PositionAnswer } from './shapes.js';

const Query = z.object({ game: Text, position: Text, metric: AskedMetric });

const probeRoute = createRoute({
  method: 'get',
  path: '/probe',
  summary: 'The value of a position and of all its moves, best first',
  request: { query: Query },
  responses: answers(PositionAnswer),
});

const batchRoute = createRoute({
  method: 'post',
  path: '/probe',
  summary: 'Many positions: each is answered, in order, with its value or with what is wrong with it',
  request: {
    body: {
      required: true,
      content: {
        'application/json': { schema: z.object({ game: Text, metric: AskedMetric, positions: Batch }) },
      },
    },
  },
  responses: answers(z.array(z.union([PositionAnswer, ErrorAnswer]))),
});

const mainLineRoute = createRoute({
  method: 'get',
  path: '/api/mainline',
  summary: 'Best play by both sides to the end of the game',
  request: { query: Query },
  responses: answers(MainLineAnswer),
});

export function positionRoutes(service: Service, app: OpenAPIHono): void {
  const { probers, catalogue } = service;

  /** By all metrics that there are tables of. */
  async function valuesOf(game: Game, board: unknown): Promise<NonNullable<PositionAnswer['metrics']>> {
    const values: NonNullable<PositionAnswer['metrics']> = {};
    const clock = game.clock?.(board) ?? 0;
    const { slice } = game.locate(board);
    for (const metric of await catalogue.metrics(game)) {
      if (!(await catalogue.has(game, metric, slice))) continue;
      const code = await probers.probing(game, metric, (prober) => prober.code(board));
      values[metric] = decodeValue(code, metric, clock);
    }
    return values;
  }

  app.openapi(probeRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    const board = readPosition(game, asked.position);
    const answer = await service.inTurn(context, async () => {
      const metric = await service.metric(game, asked.metric);
      const answer = await probers.probing(game, metric, (prober) => positionAnswer(game, prober, board));
      return asked.metric === undefined ? { ...answer, metrics: await valuesOf(game, board) } : answer;
    });
    return reply(context, answer, 'table');
  });

  app.openapi(batchRoute, async (context) => {
    const asked = context.req.valid('json');
    const game = service.game(asked.game);
    const answers = await service.inTurn(context, async (signal) => {
      const metric = await service.metric(game, asked.metric);
      const answers: (PositionAnswer | ErrorAnswer)[] = [];
      for (const position of asked.positions) {
        try {
          const board = readPosition(game, position);
          const answer = await probers.probing(game, metric, (prober) =>
            positionAnswer(game, pausing(prober, signal), board),
          );
          answers.push(answer);
        } catch (error) {
          const problem = problemOf(error);
          // These problems would meet the other positions too.
          if (signal.aborted || problem.status === 500 || problem.status === 503) throw error;
          if (problem !== error) service.report(error);
          answers.push({ error: problem.message });
        }
      }
      return answers;
    });
    return context.json(answers, 200, { 'Cache-Control': 'no-store' });
  });

  app.openapi(mainLineRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = service.game(asked.game);
    const board = readPosition(game, asked.position);
    const answer = await service.inTurn(context, async (signal) => {
      const metric = await service.metric(game, asked.metric);
      if (metric === 'wdl')
        throw new HttpProblem(400, 'metric wdl holds no distances, so it has no main line');
      return probers.probing(game, metric, (prober) => mainLineAnswer(game, pausing(prober, signal), board));
    });
    return reply(context, answer, 'table');
  });
}

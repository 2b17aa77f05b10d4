/** Routes of the API for values of positions: of one, of many, and of a line of best play. */

import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { isUnsure } from '../../pipeline/tables/probe/verdict.js';
import { answering } from './answering.js';
import {
  ErrorAnswer,
  KeyedAnswer,
  KeyedLineAnswer,
  MainLineAnswer,
  PositionAnswer,
  RootedAnswer,
  RootedLineAnswer,
  SolutionsAnswer,
} from './api-answers.js';
import { HttpProblem, problemOf } from './problems.js';
import { reply } from './replies.js';
import { AskedMetric, answers, Batch, getRoute, Text } from './route.js';
import type { Service } from './service.js';

const Query = z.object({ game: Text, position: Text, metric: AskedMetric });

const probeRoute = getRoute(
  '/probe',
  'The value of a position and of all its moves, best first',
  Query,
  z.union([PositionAnswer, RootedAnswer, KeyedAnswer]),
);

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
  responses: answers(z.array(z.union([PositionAnswer, RootedAnswer, KeyedAnswer, ErrorAnswer]))),
});

const mainLineRoute = getRoute(
  '/api/mainline',
  'Best play by both sides to the end of the game',
  Query,
  z.union([MainLineAnswer, RootedLineAnswer, KeyedLineAnswer]),
);

/** Solutions that an answer has at most. */
const MOST_SOLUTIONS = 1000;

const solutionsRoute = getRoute(
  '/api/solutions',
  'The solutions of a problem, under metrics that have numbers of them',
  Query.extend({ limit: z.coerce.number().int().min(1).max(MOST_SOLUTIONS).default(20) }),
  SolutionsAnswer,
);

export function positionRoutes(service: Service, app: OpenAPIHono): void {
  const { limits } = service;

  app.openapi(probeRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = answering(service, asked.game, asked.metric);
    const position = game.read(asked.position);
    const answer = await service.inTurn(context, async () => {
      const metric = await game.metric();
      return asked.metric === undefined ? game.probeAll(position, metric) : game.probe(position, metric);
    });
    // Other metrics, tables that know the 50-move rule, and endings of which only a root's positions are known, may be solved later.
    const isOpen =
      'fen' in answer ||
      ('category' in answer && [answer, ...answer.moves].some(({ category }) => isUnsure(category)));
    const isLasting = asked.metric !== undefined && !isOpen;
    return reply(context, answer, isLasting ? 'table' : 'listing');
  });

  app.openapi(batchRoute, async (context) => {
    const asked = context.req.valid('json');
    const text = await service.inTurn(
      context,
      async ({ signal }) => {
        const game = answering(service, asked.game, asked.metric);
        const metric = await game.metric();
        // As text at once: the objects of a thousand answers take several times as much memory.
        const answers: string[] = [];
        let characters = 0;
        for (const position of asked.positions) {
          try {
            answers.push(JSON.stringify(await game.probe(game.read(position), metric, signal)));
          } catch (error) {
            const { status } = problemOf(error);
            // The other positions would fail in the same way.
            if (signal.aborted || status === 500 || status === 503) throw error;
            answers.push(JSON.stringify({ error: service.problem(error).message, status }));
          }
          characters += answers.at(-1)!.length;
          if (characters > limits.batchAnswer)
            throw new HttpProblem(
              413,
              `the answer is longer than ${limits.batchAnswer} characters: ask for fewer positions`,
            );
        }
        return `[${answers.join()}]`;
      },
      { kind: 'batch', weight: asked.positions.length },
    );
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    // The routes know answers by their type, which text does not have.
    return context.body(text, 200, headers) as never;
  });

  app.openapi(mainLineRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = answering(service, asked.game, asked.metric);
    const position = game.read(asked.position);
    const answer = await service.inTurn(context, async ({ signal }) => {
      const metric = await game.metric();
      if (!stipulations[metric].plies)
        throw new HttpProblem(400, `metric ${metric} holds no distances, so it has no main line`);
      return game.line(position, metric, signal);
    });
    return reply(context, answer, 'fen' in answer ? 'listing' : 'table');
  });

  app.openapi(solutionsRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = answering(service, asked.game, asked.metric);
    const position = game.read(asked.position);
    const answer = await service.inTurn(context, async ({ signal }) => {
      const metric = await game.metric();
      if (game.solutions === undefined || !stipulations[metric].numbers)
        throw new HttpProblem(400, `metric ${metric} holds no solutions: ask for its main line`);
      return game.solutions(position, metric, asked.limit, signal);
    });
    return reply(context, answer, 'table');
  });
}

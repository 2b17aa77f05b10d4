/** Routes of the API for values of positions: of one, of many, and of a line of best play. */

import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stipulations } from '../../pipeline/game/stipulation.js';
import { ErrorAnswer, LineAnswer, PositionAnswer, SolutionsAnswer } from '../positions/shapes.js';
import { answering } from './answering.js';
import { HttpProblem, problemOf } from './problems.js';
import { reply } from './replies.js';
import { AskedGraph, AskedMetric, AskedPosition, answers, Batch, described, getRoute } from './route.js';
import type { Service } from './service.js';

const Query = z.object({ game: AskedGraph, position: AskedPosition, metric: AskedMetric });

const probeRoute = getRoute(
  '/probe',
  {
    operationId: 'probe',
    tag: 'positions',
    summary: 'The value of a position and of all its moves, best first',
    description:
      'What `mergemate probe --json` prints. If no metric is named, `metrics` has the answer under each metric that the position is solved for, if there are several.',
  },
  Query,
  PositionAnswer,
);

const batchRoute = createRoute({
  method: 'post',
  path: '/probe',
  ...described({
    operationId: 'probeMany',
    tag: 'positions',
    summary: 'The values of up to 1,000 positions',
    description: 'Each position is answered, in order, with its value or with what is wrong with it.',
  }),
  request: {
    body: {
      required: true,
      content: {
        'application/json': { schema: z.object({ game: AskedGraph, metric: AskedMetric, positions: Batch }) },
      },
    },
  },
  responses: answers(z.array(z.union([PositionAnswer, ErrorAnswer]))),
});

const mainLineRoute = getRoute(
  '/api/mainline',
  {
    operationId: 'followBestPlay',
    tag: 'positions',
    summary: 'Best play by both sides to the end of the game',
    description: 'What `mergemate probe --line --json` prints. The metric must have distances.',
  },
  Query,
  LineAnswer,
);

/** Solutions that an answer has at most. */
const MOST_SOLUTIONS = 1000;

const solutionsRoute = getRoute(
  '/api/solutions',
  {
    operationId: 'listSolutions',
    tag: 'positions',
    summary: 'The solutions of a problem',
    description:
      'What `mergemate probe --line --json` prints of helpmates and selfmates. The metric must have numbers of solutions.',
  },
  Query.extend({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_SOLUTIONS)
      .default(20)
      .describe('Solutions that are listed at most'),
  }),
  SolutionsAnswer,
);

export function positionRoutes(service: Service, app: OpenAPIHono): void {
  const { limits } = service;

  app.openapi(probeRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = answering(service, asked.game, asked.metric);
    const position = game.read(asked.position);
    const { answer, lasting } = await service.inTurn(context, async () => {
      const metric = await game.metric();
      return asked.metric === undefined ? game.probeAll(position, metric) : game.probe(position, metric);
    });
    // Other metrics may be solved later.
    return reply(context, answer, asked.metric === undefined ? 'listing' : lasting);
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
            const { answer } = await game.probe(game.read(position), metric, signal);
            answers.push(JSON.stringify(answer));
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
    const { answer, lasting } = await service.inTurn(context, async ({ signal }) => {
      const metric = await game.metric();
      if (!stipulations[metric].plies)
        throw new HttpProblem(400, `metric ${metric} holds no distances, so it has no main line`);
      return game.line(position, metric, signal);
    });
    return reply(context, answer, lasting);
  });

  app.openapi(solutionsRoute, async (context) => {
    const asked = context.req.valid('query');
    const game = answering(service, asked.game, asked.metric);
    const position = game.read(asked.position);
    const { answer, lasting } = await service.inTurn(context, async ({ signal }) => {
      const metric = await game.metric();
      if (game.solutions === undefined || !stipulations[metric].numbers)
        throw new HttpProblem(400, `metric ${metric} holds no solutions: ask for its main line`);
      return game.solutions(position, metric, asked.limit, signal);
    });
    return reply(context, answer, lasting);
  });
}

/** Routes of the API for values of positions: of one, of many, and of a line of best play. */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { studiesOf } from '../notation/read-game.js';
import { ErrorAnswer, LineAnswer, PositionAnswer, SolutionsAnswer } from '../positions/shapes.js';
import { answeredLookup } from '../study/answered-lookup.js';
import { type CheckedStudy, checkStudy } from '../study/check-study.js';
import { type Answering, answering } from './answering.js';
import { HttpProblem, problemOf } from './problems.js';
import { reply, replyText } from './replies.js';
import { AskedGraph, AskedMetric, AskedPosition, Batch, getRoute, postRoute } from './route.js';
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

const batchRoute = postRoute(
  '/probe',
  {
    operationId: 'probeMany',
    tag: 'positions',
    summary: 'The values of up to 1,000 positions',
    description: 'Each position is answered, in order, with its value or with what is wrong with it.',
  },
  {
    what: 'The positions of one game',
    shape: z.object({
      game: AskedGraph,
      metric: AskedMetric,
      positions: Batch.describe('The positions, each as the game writes it'),
    }),
  },
  z.array(z.union([PositionAnswer, ErrorAnswer])),
);

const valuesRoute = getRoute(
  '/api/values',
  {
    operationId: 'probeTogether',
    tag: 'positions',
    summary: 'The values of several positions, under every metric that they are solved for',
    description:
      'What `/probe` answers of each, in order, or what is wrong with it. The answer has an `ETag`, so caches can keep it.',
  },
  z.object({
    game: AskedGraph,
    position: z
      .preprocess((asked) => (typeof asked === 'string' ? [asked] : asked), Batch.min(1))
      .openapi({ type: 'array', items: { type: 'string' } })
      .describe('The positions: the parameter is repeated'),
  }),
  z.array(z.union([PositionAnswer, ErrorAnswer])),
);

const studyRoute = postRoute(
  '/api/study',
  {
    operationId: 'checkStudy',
    tag: 'positions',
    summary: 'The moves of a game or study of chess, held against the tables',
    description: 'What `mergemate study --json` prints of it.',
  },
  { what: 'The games or studies', shape: z.object({ text: z.string().describe('PGN, or a FEN') }) },
  z.array(z.looseObject({ title: z.string(), fen: z.string() })),
);

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

/** A study counts as so many positions of a batch. */
const STUDY_WEIGHT = 100;

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

  /** As text at once: the objects of a thousand answers take several times as much memory. */
  const textOfAll = (
    context: Context,
    positions: readonly string[],
    answer: (
      game: Answering,
      text: string,
      metric: Metric,
      signal: AbortSignal,
    ) => Promise<{ readonly answer: PositionAnswer }>,
    name: string,
    named?: Metric,
  ): Promise<string> =>
    service.inTurn(
      context,
      async ({ signal }) => {
        const game = answering(service, name, named);
        const metric = await game.metric();
        const texts: string[] = [];
        let characters = 0;
        for (const position of positions) {
          try {
            const { answer: found } = await answer(game, position, metric, signal);
            texts.push(JSON.stringify(found));
          } catch (error) {
            const { status } = problemOf(error);
            // The other positions would fail in the same way.
            if (signal.aborted || status === 500 || status === 503) throw error;
            texts.push(JSON.stringify({ error: service.problem(error).message, status }));
          }
          characters += texts.at(-1)!.length;
          if (characters > limits.batchAnswer)
            throw new HttpProblem(
              413,
              `the answer is longer than ${limits.batchAnswer} characters: ask for fewer positions`,
            );
        }
        return `[${texts.join()}]`;
      },
      { kind: 'batch', weight: positions.length },
    );

  app.openapi(batchRoute, async (context) => {
    const { game, metric, positions } = context.req.valid('json');
    const text = await textOfAll(
      context,
      positions,
      (asked, each, under, signal) => asked.probe(asked.read(each), under, signal),
      game,
      metric,
    );
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    // The routes know answers by their type, which text does not have.
    return context.body(text, 200, headers) as never;
  });

  app.openapi(valuesRoute, async (context) => {
    const { game, position } = context.req.valid('query');
    const text = await textOfAll(
      context,
      position,
      (asked, each, under, signal) => asked.probeAll(asked.read(each), under, signal),
      game,
    );
    return replyText(context, text, 'listing') as never;
  });

  app.openapi(studyRoute, async (context) => {
    const { text } = context.req.valid('json');
    const found = await service.inTurn(
      context,
      async ({ signal }) => {
        const game = answering(service, 'chess', undefined);
        const metric = await game.metric();
        const lookup = answeredLookup(async (fen) => {
          try {
            const { answer } = await game.probeAll(game.read(fen), metric, signal);
            return Object.values(answer.metrics ?? { [answer.metric]: answer });
          } catch (error) {
            if (signal.aborted || problemOf(error).status >= 500) throw error;
            return [];
          }
        });
        const checked: CheckedStudy[] = [];
        for await (const read of studiesOf(text.split(/\r\n|\n|\r/), 'this text'))
          if ('study' in read) checked.push(await checkStudy(read.study, lookup));
        return checked;
      },
      { kind: 'batch', weight: STUDY_WEIGHT },
    );
    return reply(context, found as never, 'listing');
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
      if (!stipulations[metric].numbers)
        throw new HttpProblem(400, `metric ${metric} holds no solutions: ask for its main line`);
      return game.solutions(position, metric, asked.limit, signal);
    });
    return reply(context, answer, lasting);
  });
}

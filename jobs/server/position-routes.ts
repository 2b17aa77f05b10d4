/** Routes of the API for values of positions: of one, of many, and of a line of best play. */
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { categoryOf, judgedAs, verdictOf, withBest } from '../../pipeline/tables/probe/verdict.js';
import { mainLineAnswer, positionAnswer } from './answers.js';
import { ErrorAnswer, KeyedAnswer, KeyedLineAnswer, MainLineAnswer, PositionAnswer } from './api-answers.js';
import { keyedMainLine, keyedPosition, keyedPositionAnswer } from './keyed-answers.js';
import { readKeyedPosition } from './keyed-games.js';
import { HttpProblem, problemOf } from './problems.js';
import { reply } from './replies.js';
import { AskedMetric, answers, Batch, Text } from './route.js';
import { pausing, readPosition, type Service } from './service.js';

const Query = z.object({ game: Text, position: Text, metric: AskedMetric });

const probeRoute = createRoute({
  method: 'get',
  path: '/probe',
  summary: 'The value of a position and of all its moves, best first',
  request: { query: Query },
  responses: answers(z.union([PositionAnswer, KeyedAnswer])),
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
  responses: answers(z.array(z.union([PositionAnswer, KeyedAnswer, ErrorAnswer]))),
});

const mainLineRoute = createRoute({
  method: 'get',
  path: '/api/mainline',
  summary: 'Best play by both sides to the end of the game',
  request: { query: Query },
  responses: answers(z.union([MainLineAnswer, KeyedLineAnswer])),
});

export function positionRoutes(service: Service, app: OpenAPIHono): void {
  const { probers, catalogue } = service;

  /** By all metrics that there are tables of. */
  async function valuesOf(
    game: Game,
    board: unknown,
    { category }: PositionAnswer,
  ): Promise<NonNullable<PositionAnswer['metrics']>> {
    const values: NonNullable<PositionAnswer['metrics']> = {};
    const clock = game.clock?.(board) ?? null;
    const { slice } = game.locate(board);
    for (const metric of await catalogue.metrics(game)) {
      if (!(await catalogue.has(game, metric, slice))) continue;
      const code = await probers.probing(game, metric, (prober) => prober.code(board));
      const coded = { code, precise: true };
      const own = categoryOf({ [metric]: coded }, clock);
      values[metric] = judgedAs(withBest(own, category), coded, metric);
    }
    return values;
  }

  app.openapi(probeRoute, async (context) => {
    const asked = context.req.valid('query');
    if (service.keyed.find(asked.game) !== null)
      return reply(context, await keyedPosition(service, context, asked), 'table');
    const game = service.game(asked.game);
    const board = readPosition(game, asked.position);
    const answer = await service.inTurn(context, async () => {
      const metric = await service.metric(game, asked.metric);
      const answer = await probers.probing(game, metric, (prober) => positionAnswer(game, prober, board));
      if (asked.metric !== undefined) return answer;
      // Files may have values of a metric that there are no tables of.
      const own = { [metric]: verdictOf(answer) };
      return { ...answer, metrics: { ...own, ...(await valuesOf(game, board, answer)), ...own } };
    });
    return reply(context, answer, 'table');
  });

  app.openapi(batchRoute, async (context) => {
    const asked = context.req.valid('json');
    const answers = await service.inTurn(context, async (signal) => {
      const probe = await batchProbe(service, asked, signal);
      const answers: (PositionAnswer | KeyedAnswer | ErrorAnswer)[] = [];
      for (const position of asked.positions) {
        try {
          answers.push(await probe(position));
        } catch (error) {
          const problem = problemOf(error);
          // These problems would meet the other positions too.
          if (signal.aborted || problem.status === 500 || problem.status === 503) throw error;
          if (problem !== error) service.report(error);
          answers.push({ error: problem.message, status: problem.status });
        }
      }
      return answers;
    });
    return context.json(answers, 200, { 'Cache-Control': 'no-store' });
  });

  app.openapi(mainLineRoute, async (context) => {
    const asked = context.req.valid('query');
    if (service.keyed.find(asked.game) !== null)
      return reply(context, await keyedMainLine(service, context, asked), 'table');
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

/** Answers one position of a batch after the other. */
async function batchProbe(
  service: Service,
  asked: { readonly game: string; readonly metric?: Metric | undefined },
  signal: AbortSignal,
): Promise<(position: string) => Promise<PositionAnswer | KeyedAnswer>> {
  const keyed = service.keyed.find(asked.game);
  if (keyed !== null)
    return (text) => {
      const position = readKeyedPosition(keyed, text);
      return service.keyed.probing(keyed, asked.metric, (prober) =>
        keyedPositionAnswer(keyed, pausing(prober, signal), position),
      );
    };
  const game = service.game(asked.game);
  const metric = await service.metric(game, asked.metric);
  return (text) => {
    const board = readPosition(game, text);
    return service.probers.probing(game, metric, (prober) =>
      positionAnswer(game, pausing(prober, signal), board),
    );
  };
}

/** The route of the API for what a solve from a position would take. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { StorageError, UserError } from '../../operators/core/errors.js';
import type { Game } from '../../pipeline/game/game.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { parseManyMen } from '../../pipeline/games/chess/fen.js';
import { slicesOfRoot } from '../../pipeline/games/chess/root-slices.js';
import { ManyStructuresError } from '../../pipeline/games/chess/root-structures.js';
import { metricOf } from '../cli/options.js';
import { costOf, costText, solvedIn } from '../plan/cost.js';
import { askedRoot, endingsOf } from '../roots/asked-root.js';
import { limitOptions, menOf } from '../roots/stops.js';
import { PlanAnswer } from './api-answers.js';
import { HttpProblem } from './problems.js';
import { reply } from './replies.js';
import { AskedMetric, getRoute, text } from './route.js';
import type { Service } from './service.js';

const limit = z.coerce.number().int().min(0).max(32).optional();

const planRoute = getRoute(
  '/api/plan',
  {
    operationId: 'planPosition',
    tag: 'catalogue',
    summary: 'What tables of one position of chess would take',
    description:
      'The command that makes them, and its forecast. Without stopAt and mostPieces, the server chooses the widest limits that it can plan.',
  },
  z.object({
    from: text('The position, as a FEN'),
    metric: AskedMetric,
    stopAt: limit.describe('Solving stops at positions with so many men or fewer'),
    mostPieces: limit.describe('Solving stops at positions with more pieces, kings and pawns not counted'),
    promote: z
      .string()
      .min(1)
      .max(4)
      .optional()
      .describe('Letters of the pieces that pawns may become; by default QRBN'),
  }),
  PlanAnswer,
);

export function planRoutes(service: Service, app: OpenAPIHono): void {
  app.openapi(planRoute, async (context) => {
    const asked = context.req.valid('query');
    const answer = await service.inTurn(context, () => planned(service, asked), { kind: 'plan' });
    return reply(context, answer, 'listing');
  });
}

type Asked = z.infer<typeof planRoute.request.query>;

/** Without limits, all that can be reached, or as much of it as the server can plan. */
async function planned(service: Service, asked: Asked): Promise<PlanAnswer> {
  const tried = asked.stopAt === undefined && asked.mostPieces === undefined ? limitsOf(asked.from) : [{}];
  let refusal: UserError | undefined;
  for (const limits of tried) {
    try {
      return await planOf(service, { ...asked, ...limits });
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof StorageError) throw error;
      refusal = error;
    }
  }
  throw refusal instanceof ManyStructuresError ? new HttpProblem(413, refusal.message) : refusal;
}

/** From the widest to the narrowest. */
function limitsOf(fen: string): Partial<Asked>[] {
  const { men, pieces: mostPieces } = menOf(fen);
  const stops = [3, 2, 1].map((fewer) => ({ stopAt: men - fewer, mostPieces }));
  return [{}, { mostPieces: mostPieces + 1 }, { mostPieces }, ...stops.filter(({ stopAt }) => stopAt > 2)];
}

async function planOf({ store, limits }: Service, asked: Asked): Promise<PlanAnswer> {
  const { from, stopAt, mostPieces, promote } = asked;
  if (/\.pgn$/i.test(from)) throw new HttpProblem(400, 'from: a FEN is expected');
  const metric = metricOf(chess as Game, asked.metric);
  const flags = {
    from,
    ...(stopAt !== undefined && { stopAt }),
    ...(mostPieces !== undefined && { mostPieces }),
    ...(promote !== undefined && { promote }),
  };
  const { name, fen, structures } = await askedRoot(chess.name, flags, store, metric, {
    most: limits.structures,
  });
  const slices = slicesOfRoot(name, structures);
  const solved = await solvedIn(store, chess.name, metric);
  const cost = await costOf(chess as Game, slices, { metric, solved, cpuMs: limits.forecastMs });
  return {
    root: name,
    isWhole: stopAt === undefined && mostPieces === undefined,
    command: commandOf(chess.format(parseManyMen(fen)), asked),
    metric,
    slices: cost?.slices ?? slices.filter((slice) => !solved.has(slice)).length,
    cpuSeconds: cost?.cpuSeconds ?? null,
    bytes: cost === null ? null : Math.round(cost.mostBytes),
    forecast: cost === null ? null : costText(cost),
    unknown: endingsOf(structures).unknown,
  };
}

function commandOf(fen: string, asked: Asked): string {
  const { metric, promote } = asked;
  const options = [
    ...limitOptions(asked),
    ...(promote === undefined ? [] : [`--promote ${promote}`]),
    ...(metric === undefined ? [] : [`--metric ${metric}`]),
  ];
  return [`npx mergemate solve chess --from "${fen}"`, ...options].join(' ');
}

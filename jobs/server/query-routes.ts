/** Positions of an ending by what is known of them: what `mergemate export --where` finds. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { breathe } from '../cli/output.js';
import { answerText, MOST_POSITIONS } from '../positions/lines.js';
import { isChessFormat, type LineFormat, lineFormats } from '../positions/names.js';
import { readPlies } from '../positions/ply-range.js';
import { PositionsAnswer, Wdl } from '../positions/shapes.js';
import { hasMates } from '../ui/verdict.js';
import { Colour } from './api-answers.js';
import { asked, HttpProblem } from './problems.js';
import { reply } from './replies.js';
import { AskedEnding, AskedGame, AskedMetric, getRoute, text } from './route.js';
import type { Service } from './service.js';

const USUAL_LIMIT = 100;
const Flag = z.enum(['true', 'false']).optional();

const Query = z.object({
  game: AskedGame,
  metric: AskedMetric,
  ending: AskedEnding,
  result: Wdl.optional().describe('The outcome for the side to move'),
  plies: text('Of the value: a number, or a range such as 10..19').optional(),
  solutions: text('Of problems: the number of solutions, or a range such as 2..5').optional(),
  starts: text('Of problems: with how many different moves solutions begin, or a range').optional(),
  ends: text('Of problems: with how many different moves solutions end, or a range').optional(),
  side: Colour.optional().describe('The side to move'),
  on: text('Where men stand: "Kg1 pa" has a king on g1 and a black pawn on the file a').optional(),
  longest: Flag.describe('Only positions that take longest: wins, unless another result is asked for'),
  zugzwang: Flag.describe('Only mutual zugzwangs'),
  skip: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('Positions that are passed over'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_POSITIONS)
    .default(USUAL_LIMIT)
    .describe('Positions of the answer at most'),
  format: z
    .enum(['json', ...lineFormats])
    .default('json')
    .describe('`json`, or a file to save: lines of JSON, CSV, and in chess EPD or PGN'),
});

const TYPES: Readonly<Record<LineFormat, string>> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8',
  epd: 'text/plain; charset=utf-8',
  pgn: 'application/vnd.chess-pgn; charset=utf-8',
};

const positionsRoute = getRoute(
  '/api/positions',
  {
    operationId: 'findPositions',
    tag: 'queries',
    summary: 'Positions of an ending by query',
    description:
      'By result, plies, side to move and where men stand; longest wins, mutual zugzwangs: what `mergemate export --where` finds. A scan of the tables of the ending.',
  },
  Query,
  PositionsAnswer,
  lineFormats.map((format) => TYPES[format].split(';')[0]),
);

export function queryRoutes(service: Service, app: OpenAPIHono): void {
  app.openapi(positionsRoute, async (context) => {
    const given = context.req.valid('query');
    const { ending, result, side, on, longest, zugzwang, skip, limit, format, ...named } = given;
    const game = service.game(named.game);
    if (isChessFormat(format) && !hasMates(game)) throw new HttpProblem(400, `format ${format} is for chess`);
    const span = (name: 'plies' | 'solutions' | 'starts' | 'ends') => {
      const text = given[name];
      return text === undefined ? undefined : asked(() => readPlies(text, name));
    };
    const query = {
      result,
      plies: span('plies'),
      solutions: span('solutions'),
      starts: span('starts'),
      ends: span('ends'),
      side,
      on,
      longest: longest === 'true',
      zugzwang: zugzwang === 'true',
    };
    const found = await service.inTurn(
      context,
      async ({ signal }) => {
        const report = async () => {
          await breathe();
          if (signal.aborted) throw new HttpProblem(503, 'the request was given up', { 'Retry-After': '5' });
        };
        await report();
        const metric = await service.metric(game, named.metric);
        const page = { skip, limit };
        const answer = await service.catalogue.positions({ game, metric, ending, query, page, report });
        const text = format === 'json' ? null : await answerText(format, answer, report);
        return { answer, text };
      },
      { kind: 'scan' },
    );
    const { answer, text } = found;
    if (format === 'json' || text === null) return reply(context, answer, 'table');
    const name = `${answer.ending}.${format}`.replace(/[^\w.-]/g, '_');
    const headers = {
      'Content-Type': TYPES[format],
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'public, max-age=86400',
    };
    // The routes know answers by what is in them; text has nothing to check.
    return context.body(text, 200, headers) as never;
  });
}

/** Positions of an ending by what is known of them: the queries of `mergemate positions`. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { breathe } from '../cli/output.js';
import {
  answerText,
  CHESS_FORMATS,
  type LineFormat,
  lineFormats,
  MOST_POSITIONS,
} from '../positions/lines.js';
import { readPlies } from '../positions/ply-range.js';
import { hasMates } from '../ui/verdict.js';
import { Colour, PositionsAnswer, Wdl } from './api-answers.js';
import { asked, HttpProblem } from './problems.js';
import { reply } from './replies.js';
import { AskedMetric, getRoute, Text } from './route.js';
import type { Service } from './service.js';

const USUAL_LIMIT = 100;
const Flag = z.enum(['true', 'false']).optional();

const Query = z.object({
  game: Text,
  metric: AskedMetric,
  ending: Text,
  result: Wdl.optional(),
  /** "19" or "10..19" */
  plies: Text.optional(),
  /** "1" or "2..5", under metrics that have numbers: of solutions, of their different first and last moves. */
  solutions: Text.optional(),
  starts: Text.optional(),
  ends: Text.optional(),
  side: Colour.optional(),
  /** Where men stand: "Kg1 pa". */
  on: Text.optional(),
  longest: Flag,
  zugzwang: Flag,
  skip: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(MOST_POSITIONS).default(USUAL_LIMIT),
  format: z.enum(['json', ...lineFormats]).default('json'),
});

const positionsRoute = getRoute(
  '/api/positions',
  'Positions of an ending by result, plies, side to move and where men stand; longest wins, mutual zugzwangs. A scan of its tables',
  Query,
  PositionsAnswer,
);

const TYPES: Readonly<Record<LineFormat, string>> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8',
  epd: 'text/plain; charset=utf-8',
  pgn: 'application/vnd.chess-pgn; charset=utf-8',
};

export function queryRoutes(service: Service, app: OpenAPIHono): void {
  app.openapi(positionsRoute, async (context) => {
    const given = context.req.valid('query');
    const { ending, result, side, on, longest, zugzwang, skip, limit, format, ...named } = given;
    const game = service.game(named.game);
    if (format !== 'json' && CHESS_FORMATS.includes(format) && !hasMates(game))
      throw new HttpProblem(400, `format ${format} is for chess`);
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

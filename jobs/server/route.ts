/** Parts that the routes of the API share, as its OpenAPI document describes them. */
import { createRoute, z } from '@hono/zod-openapi';
import { metrics } from '../../pipeline/game/value.js';
import { ErrorAnswer } from '../positions/shapes.js';
import { LIMITS } from './limits.js';

/** Longer than any position of any game that could be typed. */
const LONGEST_TEXT = 1024;

const Text = z.string().min(1).max(LONGEST_TEXT);
/** A text that a request must have. */
export const text = (description: string) => Text.describe(description);

export const AskedGame = text('The name of the game, as `/api/games` lists it');
export const AskedGraph = text('The name of the game or graph, as `/api/games` and `/api/graphs` list them');
export const AskedPosition = text(
  'As the game writes it: a FEN in chess and checkers, a name of a node in graphs. Underscores may stand for spaces in a FEN',
);
export const AskedEnding = text('The name of an ending, as `/api/endings` lists it: KQKR');
export const AskedMetric = z
  .enum(metrics)
  .optional()
  .describe('What values count; by default the first that there are tables of');
/** Each text is answered by itself, also what is no position. */
export const Batch = z.array(z.string().max(LONGEST_TEXT)).max(LIMITS.batch);

/** The operations of the API by subject, as its document groups them. */
export const TAGS = {
  positions: 'Values of positions, lines of best play, solutions of problems',
  catalogue: 'The games, endings and graphs that there are tables of',
  queries: 'Positions of an ending by what is known of them: scans of its tables',
  lichess: 'Chess in the shape of the public Lichess tablebase API',
  runs: 'Solves that are running, or have run, on the store',
  upkeep: 'The state of the server',
} as const;

const WHY = {
  400: 'The request is malformed, or the position is malformed or illegal',
  403: 'A host name that is not allowed, or a page of another site',
  404: 'There is no such game or ending, or no table of it here',
  405: 'Another method',
  408: 'The headers or the body came too slowly',
  409: 'The rules of the game have changed since its tables were solved',
  413: 'The body, or a text in it, is too large, or the positions are too many',
  414: 'The URL is too long',
  431: 'The headers are too large',
  500: 'A bug',
  502: 'A table that is damaged, or of another version',
  503: 'Too many requests, an answer that took too long, or a store that cannot be reached; `Retry-After` has seconds',
} as const;

const header = (type: 'string' | 'integer', description: string) => ({ schema: { type }, description });

/** Headers that an answer of a status has. */
const HEADERS: Readonly<Record<number, Record<string, ReturnType<typeof header>>>> = {
  405: { Allow: header('string', 'The methods of this path') },
  503: { 'Retry-After': header('integer', 'Seconds after which another try makes sense, if there is one') },
};

const problem = (status: keyof typeof WHY) => ({
  description: WHY[status],
  ...(HEADERS[status] !== undefined && { headers: HEADERS[status] }),
  content: { 'application/json': { schema: ErrorAnswer } },
});

/** What every route may answer with in place of its answer. */
const PROBLEMS = {
  400: problem(400),
  404: problem(404),
  405: problem(405),
  408: problem(408),
  409: problem(409),
  413: problem(413),
  414: problem(414),
  431: problem(431),
  500: problem(500),
  502: problem(502),
  503: problem(503),
};

/** Of answers that clients may keep. */
const KEPT_HEADERS = {
  ETag: header('string', 'Names this answer: in `If-None-Match` it asks whether there is another by now'),
  'Cache-Control': header('string', 'How long the answer can be kept'),
};

/** To a client that names the ETag of the answer. */
const UNCHANGED = {
  304: {
    description: 'The client has this answer: `If-None-Match` names its `ETag`',
    headers: KEPT_HEADERS,
  },
};

/** The problems of routes that are for the server's own pages. */
export const OWN_PROBLEMS = { ...PROBLEMS, 403: problem(403) };

/** How the document describes an operation. */
export interface Described {
  /** The name of the function that generated clients have for it. */
  readonly operationId: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
}

/** An operation as `createRoute` takes it. */
export const described = ({ operationId, tag, summary, description }: Described) => ({
  operationId,
  tags: [tag],
  summary,
  description,
});

/** The answer of a route that has JSON of one shape. */
export const jsonAnswer = <Answer extends z.ZodType>(schema: Answer) => ({
  200: { description: 'The answer', content: { 'application/json': { schema } } },
});

/** The responses of a route: JSON of one shape, the same as text of other types, or an error. */
function answers<Answer extends z.ZodType>(shape: Answer, others: readonly string[] = []) {
  const asText = { schema: z.string() };
  return {
    200: {
      description: 'The answer',
      headers: KEPT_HEADERS,
      content: {
        ...Object.fromEntries(others.map((type) => [type, asText])),
        'application/json': { schema: shape },
      } as { 'application/json': { schema: Answer } },
    },
    ...UNCHANGED,
    ...PROBLEMS,
  };
}

/** A route that takes a body of JSON, and answers with JSON of one shape that nobody keeps. */
export const postRoute = <Path extends string, Body extends z.ZodType, Answer extends z.ZodType>(
  path: Path,
  about: Described,
  body: { readonly what: string; readonly shape: Body },
  shape: Answer,
) =>
  createRoute({
    method: 'post',
    path,
    ...described(about),
    request: {
      body: {
        required: true,
        description: body.what,
        content: { 'application/json': { schema: body.shape } },
      },
    },
    responses: { ...jsonAnswer(shape), ...PROBLEMS },
  });

/** A route that answers with JSON of one shape, or with text of other types. */
export const getRoute = <Path extends string, Query extends z.ZodObject, Answer extends z.ZodType>(
  path: Path,
  about: Described,
  query: Query,
  shape: Answer,
  others: readonly string[] = [],
) =>
  createRoute({
    method: 'get',
    path,
    ...described(about),
    request: { query },
    responses: answers(shape, others),
  });

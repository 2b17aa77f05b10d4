/** Parts that the routes of the API share, as its OpenAPI document describes them. */
import { createRoute, z } from '@hono/zod-openapi';
import { metrics } from '../../pipeline/game/value.js';
import { ErrorAnswer } from './api-answers.js';
import { LIMITS } from './limits.js';

/** Longer than any position of any game that could be typed. */
const LONGEST_TEXT = 1024;

export const Text = z.string().min(1).max(LONGEST_TEXT);
export const AskedMetric = z.enum(metrics).optional();
/** Each text is answered by itself, also what is no position. */
export const Batch = z.array(z.string().max(LONGEST_TEXT)).max(LIMITS.batch);

const WHY = {
  400: 'What was asked is malformed, or no legal position',
  404: 'There is no such game or ending, or no table of it here',
  405: 'Another method',
  413: 'The body, or a text in it, is too large, or the positions are too many',
  414: 'The URL is too long',
  500: 'A bug',
  502: 'A table that is damaged',
  503: 'Too many requests, an answer that took too long, or a store that cannot be reached',
} as const;

const problem = (status: keyof typeof WHY) => ({
  description: WHY[status],
  content: { 'application/json': { schema: ErrorAnswer } },
});

/** The responses of a route: JSON of one shape, or an error. */
export function answers<Answer extends z.ZodType>(shape: Answer) {
  return {
    200: { description: 'The answer', content: { 'application/json': { schema: shape } } },
    400: problem(400),
    404: problem(404),
    405: problem(405),
    413: problem(413),
    414: problem(414),
    500: problem(500),
    502: problem(502),
    503: problem(503),
  };
}

/** A route that answers with JSON of one shape. */
export const getRoute = <Path extends string, Query extends z.ZodObject, Answer extends z.ZodType>(
  path: Path,
  summary: string,
  query: Query,
  shape: Answer,
) => createRoute({ method: 'get', path, summary, request: { query }, responses: answers(shape) });

/** Asking a server in the process, and holding its answers to their shapes. */
import type { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import type { served } from './serving.js';

export type App = ReturnType<typeof served>['app'];

/** The answer to a GET, which has to be 200 and of this shape. */
export async function answerOf<T>(app: App, path: string, shape: z.ZodType<T>): Promise<T> {
  const response = await app.request(path);
  const body = await response.json();
  expect(response.status, `${path}: ${JSON.stringify(body)}`).toBe(200);
  // Strict: nothing that the shape does not have.
  const parsed = shape.parse(body);
  expect(parsed).toEqual(body);
  return parsed;
}

export const query = (path: string, asked: Record<string, string>) => `${path}?${new URLSearchParams(asked)}`;

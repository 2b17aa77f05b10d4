/** Routes for operators of the server. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { HttpProblem } from './problems.js';
import { getRoute, TAGS } from './route.js';
import { type Service, within } from './service.js';

const HealthAnswer = z
  .object({ status: z.literal('ok').describe('The store can be reached') })
  .openapi('HealthAnswer');

const healthRoute = getRoute(
  '/health',
  {
    operationId: 'checkHealth',
    tag: 'upkeep',
    summary: 'Whether the store can be reached',
    description: '200 if it can, else 503.',
  },
  z.object({}),
  HealthAnswer,
);

const NO_STORE = { 'Cache-Control': 'no-store' };

/** A store that takes longer to say that it is there counts as gone. */
const REACH_MS = 5_000;

export function upkeepRoutes(service: Service, app: OpenAPIHono, version: string): void {
  app.openapi(healthRoute, async (context) => {
    try {
      await within(REACH_MS, context, service.reach, 'the store does not answer');
    } catch (error) {
      service.report(error);
      throw error instanceof HttpProblem ? error : new HttpProblem(503, 'the store cannot be reached');
    }
    return context.json({ status: 'ok' as const }, 200, NO_STORE);
  });

  app.get('/metrics', async (context) =>
    context.body(await service.metrics.text(), 200, {
      'Content-Type': service.metrics.contentType,
      ...NO_STORE,
    }),
  );

  let description: object | undefined;
  app.get('/openapi.json', (context) => {
    description ??= app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'mergemate',
        version,
        description: 'Perfect-play values of positions, looked up in finished tables.',
      },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    });
    return context.json(description, 200, { 'Cache-Control': 'no-cache' });
  });
}

/** The server as a function of requests: checks that every request passes, and routes. */
import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Logger } from '../cli/logs.js';
import { catalogueRoutes } from './catalogue-routes.js';
import { lichessRoutes } from './lichess-routes.js';
import { isPublic, ownPagesOnly } from './origins.js';
import { type GamePage, gamePageRoutes, pageRoutes } from './pages.js';
import { planRoutes } from './plan-routes.js';
import { positionRoutes } from './position-routes.js';
import { HttpProblem } from './problems.js';
import { queryRoutes } from './query-routes.js';
import type { Service } from './service.js';
import { upkeepRoutes } from './upkeep-routes.js';

/** Pages of any origin may read, and ask for batches. */
const preflight = cors({
  allowMethods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
  allowHeaders: ['Content-Type'],
  maxAge: 86_400,
});

const KEPT_HEADERS = [
  ...RETAINED_304_HEADERS,
  'Access-Control-Allow-Origin',
  'Cross-Origin-Resource-Policy',
  'X-Content-Type-Options',
];

/** Routes that tell of the machine, of its runs, or of a user's game. */
const OWN = ['/metrics', '/api/run', '/api/run/*', '/game/*'];

export interface AppOptions {
  /** The folder of the built page; null: there is none. */
  readonly pages: string | null;
  /** The folder of the built page of keyed games, and the games that have one. */
  readonly gamePages?: { readonly folder: string; readonly games: readonly GamePage[] } | undefined;
  /** The version of mergemate, for the description of the API. */
  readonly version: string;
  /** Routes below /api/run; undefined: runs cannot be watched. */
  readonly monitor?: OpenAPIHono | undefined;
  /** Names by which the server is reached, beside its addresses and the name of the machine. */
  readonly hosts?: readonly string[] | undefined;
  /** Gets a line for every request. */
  readonly log?: Logger | undefined;
}

export function newApp(
  service: Service,
  { pages, gamePages, version, monitor, hosts = [], log }: AppOptions,
): OpenAPIHono {
  const app = new OpenAPIHono({
    strict: true,
    defaultHook: (result) => {
      if (!result.success) throw malformed(result.error.issues[0]);
    },
  });

  checkRequests(service, app, log);
  const ownPages = ownPagesOnly(hosts);
  for (const path of OWN) app.use(path, ownPages);

  if (monitor !== undefined) app.route('/api/run', monitor);
  // Not for the routes above: it would gather a stream of events, which never ends.
  const tagged = etag({ retainedHeaders: KEPT_HEADERS });
  app.use((context, next) => (context.req.method === 'POST' ? next() : tagged(context, next)));
  positionRoutes(service, app);
  catalogueRoutes(service, app);
  queryRoutes(service, app);
  planRoutes(service, app);
  lichessRoutes(service, app);
  upkeepRoutes(service, app, version);
  pageRoutes(pages, app, (context) => service.inTurn(context, () => service.catalogue.games()));
  if (gamePages !== undefined && gamePages.games.length > 0)
    gamePageRoutes(gamePages.folder, gamePages.games, app);

  app.notFound((context) => problem(context, new HttpProblem(404, 'there is nothing here')));
  app.onError((error, context) => {
    const known = error instanceof HTTPException ? new HttpProblem(error.status, error.message) : error;
    return problem(context, service.problem(known));
  });
  return app;
}

/** Checks each request before a route gets it, and counts its answer. */
function checkRequests({ limits, metrics }: Service, app: OpenAPIHono, log: Logger | undefined): void {
  let paths: ReadonlySet<string> | undefined;
  app.use(async (context, next) => {
    const began = performance.now();
    // Set here, before there is a response: hono's cors and secure-headers copy the response to change its headers. For cors alone that
    // was measured at 85 µs, more than the 60 µs of a whole request.
    context.header('X-Content-Type-Options', 'nosniff');
    const isForAll = isPublic(context.req.path);
    if (isForAll) context.header('Access-Control-Allow-Origin', '*');
    if (context.req.method === 'OPTIONS' && isForAll) return preflight(context, next);
    await next();
    if (neverCame(context)) return;
    const milliseconds = performance.now() - began;
    const { method } = context.req;
    const { status } = context.res;
    // All routes are there when the first request comes.
    paths ??= new Set(app.routes.map(({ path }) => path).filter((path) => !path.includes('*')));
    const route = routeOf(context, paths);
    metrics.answered(route, method, status, milliseconds / 1000);
    log?.info('request', { route, method, status, milliseconds: Math.round(milliseconds * 1000) / 1000 });
  });
  app.use(async (context, next) => {
    if (context.req.url.length > limits.url + new URL(context.req.url).origin.length)
      throw new HttpProblem(414, `the URL is longer than ${limits.url} characters`);
    await next();
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (_, allowed) => {
        throw new HttpProblem(405, 'this method is not allowed here', { Allow: allowed.join(', ') });
      },
    }),
  );
  // Only for routes with bodies: elsewhere the limit would gather each request whole.
  const isSmall = bodyLimit({
    maxSize: limits.body,
    onError: () => {
      throw new HttpProblem(413, `the body is larger than ${limits.body} bytes`);
    },
  });
  for (const path of ['/probe', '/api/study']) app.post(path, isSmall);
}

/** Whether the connection ended before its body did: listen.ts has ended and counted it, or the client gave up. */
function neverCame({ env }: Context): boolean {
  const incoming = env?.incoming as { readonly complete: boolean; readonly destroyed: boolean } | undefined;
  return incoming !== undefined && !incoming.complete && incoming.destroyed;
}

function problem(context: Context, { status, message, headers }: HttpProblem): Response {
  return context.json({ error: message }, status, { 'Cache-Control': 'no-store', ...headers });
}

/** Problem of a request that does not have the shape asked for. */
function malformed(issue: z.core.$ZodIssue): HttpProblem {
  const { code, path, message } = issue;
  const where = path.length === 0 ? 'the request' : path.join('.');
  if (code === 'too_big') {
    if (issue.origin === 'number') return new HttpProblem(413, `${where} is more than ${issue.maximum}`);
    const what = issue.origin === 'string' ? 'characters' : 'of them';
    return new HttpProblem(413, `${where}: there are more than ${issue.maximum} ${what}`);
  }
  if (code === 'invalid_type' && issue.input === undefined && message.endsWith('undefined'))
    return new HttpProblem(400, `${where} is missing`);
  return new HttpProblem(400, `${where}: ${message}`);
}

/** A path of the API or of a page; clients make up all others. */
function routeOf({ req }: Context, paths: ReadonlySet<string>): string {
  return paths.has(req.path) ? req.path : 'other';
}

/**
 * The monitor's part of the API. `GET /` answers with everything at once, `GET /slice/GAME/METRIC/SLICE` all that is known
 * of one slice. `GET /events` sends events: first `snapshot`, a `change` whenever something has changed, `ended` when a run ends, and a
 * `heartbeat` when nothing happens.
 */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import type { Store } from '../../../operators/storage/store.js';
import type { StoredGames } from '../../../pipeline/tables/records/slices.js';
import { keyOf, newLookout } from '../../progress/look.js';
import { type Heartbeat, type Progress, RunSnapshot, SliceDetail } from '../../progress/model.js';
import { sliceStatus } from '../../progress/slice.js';
import { nameOf, withoutPlaces } from '../places.js';
import { described, jsonAnswer, OWN_PROBLEMS } from '../route.js';
import { newPoller, type Poller } from './poller.js';

export interface MonitorOptions {
  readonly store: Store;
  readonly games: StoredGames;
  /** Where Syzygy's files are made. */
  readonly files?: Store | undefined;
  /** How often the store is looked at while somebody watches; by default one that is far away less often. */
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  /** Watchers at once, at most. */
  readonly clients?: number;
  /** Ends the streams of events: the server is about to stop. */
  readonly ending?: AbortSignal;
  /** For tests. */
  readonly poller?: Poller;
}

const FOLDER_MS = 1000;
const OBJECTS_MS = 5000;
const HEARTBEAT_MS = 10_000;
const CLIENTS = 64;
/** A browser that lost the connection comes back after so long. */
const RETRY_MS = 2000;

const snapshotRoute = createRoute({
  method: 'get',
  path: '/',
  ...described({
    operationId: 'watchRuns',
    tag: 'runs',
    summary: 'Everything that is known of the runs on the store, and of its slices',
    description: 'Times are milliseconds since 1970; `at` is the time of the server.',
  }),
  responses: { ...jsonAnswer(RunSnapshot), ...OWN_PROBLEMS },
});

const sliceRoute = createRoute({
  method: 'get',
  path: '/slice/{game}/{metric}/{slice}',
  ...described({
    operationId: 'watchSlice',
    tag: 'runs',
    summary: 'All that is known of one slice',
    description: 'Its phases, rounds, memory and ranks.',
  }),
  request: {
    params: z.object({
      game: z.string().describe('The name of the game'),
      metric: z.string().describe('The metric of its tables'),
      slice: z.string().describe('The name of the slice'),
    }),
  },
  responses: { ...jsonAnswer(SliceDetail), ...OWN_PROBLEMS },
});

const eventsRoute = createRoute({
  method: 'get',
  path: '/events',
  ...described({
    operationId: 'followRuns',
    tag: 'runs',
    summary: 'Events of the runs on the store, as they come',
    description:
      'Server-sent events: first `snapshot`, a `change` whenever something has changed, `ended` when a run ends, and a `heartbeat` when nothing happens.',
  }),
  responses: {
    200: {
      description: 'A stream that does not end',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...OWN_PROBLEMS,
  },
});

export function monitorRoutes(options: MonitorOptions): OpenAPIHono {
  const { store, heartbeatMs = HEARTBEAT_MS, clients = CLIENTS } = options;
  const { pollMs = store.uri.startsWith('file:') ? FOLDER_MS : OBJECTS_MS } = options;
  const poller = options.poller ?? newPoller(placelessLook(options), pollMs);
  const placeless = placelessOf(options);
  const app = new OpenAPIHono();

  app.use(async (context, next) => {
    await next();
    context.header('cache-control', 'no-store');
  });

  app.openapi(snapshotRoute, async (context) => context.json(snapshotOf((await poller.now()).progress), 200));

  app.openapi(sliceRoute, async (context) => {
    const { game, metric, slice } = context.req.valid('param');
    const key = keyOf(game, metric, slice);
    const { slices } = (await poller.now()).progress;
    const detail = slices.find((each) => keyOf(each.game, each.metric, each.slice) === key);
    if (detail !== undefined) return context.json(detail, 200);
    return context.json({ error: `nothing is known of ${slice} of ${game} under ${metric}` }, 404);
  });

  app.openapi(eventsRoute, (context) => {
    if (poller.watchers >= clients) {
      context.header('retry-after', '10');
      return context.json({ error: `limit of ${clients} viewers reached` }, 503);
    }
    const leave = poller.watch();
    // Proxies that gather answers would keep the news.
    context.header('x-accel-buffering', 'no');
    return streamSSE(context, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const signal =
        options.ending === undefined ? gone.signal : AbortSignal.any([gone.signal, options.ending]);
      const send = (event: string, what: object) => stream.writeSSE({ event, data: JSON.stringify(what) });
      try {
        await stream.writeSSE({ event: 'hello', data: '{}', retry: RETRY_MS });
        let revision = -1;
        while (!signal.aborted) {
          const seen = await poller.beyond(revision, heartbeatMs, signal);
          if (signal.aborted) break;
          if (seen === null) {
            const problem = poller.problem();
            const beat: Heartbeat = { at: Date.now(), problem: problem && placeless(problem) };
            await send('heartbeat', beat);
            continue;
          }
          if (revision < 0) await send('snapshot', snapshotOf(seen.progress));
          else {
            const { change, ended } = seen.since(revision);
            await send('change', change);
            for (const each of ended) await send('ended', each);
          }
          ({ revision } = seen);
        }
      } finally {
        leave();
      }
    });
  });

  return app;
}

/** Progress in short. */
export function snapshotOf({ store, at, runs, slices, set }: Progress): RunSnapshot {
  return { store, at, runs, slices: slices.map(sliceStatus), set };
}

type Places = Pick<MonitorOptions, 'store' | 'games' | 'files'>;

const placelessOf = ({ store, files }: Places) =>
  withoutPlaces(files === undefined ? [store] : [store, files]);

/** Looks at the store for clients, who do not see where it is. */
export function placelessLook(options: Places): (now: number) => Promise<Progress> {
  const look = newLookout(options);
  const placeless = placelessOf(options);
  const clean = <T extends { readonly problem: string | null }>(known: T): T =>
    known.problem === null ? known : { ...known, problem: placeless(known.problem) };
  return async (now) => {
    const { runs, slices, ...progress } = await look(now);
    return { ...progress, store: nameOf(options.store), runs: runs.map(clean), slices: slices.map(clean) };
  };
}

/** The server with the built pages on a port of this machine. */
import { afterAll, beforeAll } from 'vitest';
import { pageScript } from '../../jobs/game-module/page-script.js';
import { storedGames } from '../../jobs/registry.js';
import { type Listening, listen } from '../../jobs/server/listen.js';
import { monitorRoutes } from '../../jobs/server/monitor/routes.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import type { KeyedRules } from '../../pipeline/games/yours/keyed/keyed-rules.js';
import { metricsOf } from '../../pipeline/graph/keyed-value.js';
import { CHROMIUM, closePages, type PageVisit, type VisitOptions, visit } from './browser.js';
import { served } from './serving.js';

/** A keyed game that has a page of its own, and the path of its module. */
export interface ServedKeyed {
  readonly game: KeyedRules;
  readonly path: string;
}

/** With the monitor, as `mergemate serve` serves them. `port`: 0 is one that is free. */
export async function servePages(
  store: Store,
  games: readonly Pick<Game, 'name'>[],
  port = 0,
  keyed: readonly ServedKeyed[] = [],
): Promise<Listening> {
  const ending = new AbortController();
  const { app, service } = served(store, {
    games: games as readonly Game[],
    keyed: keyed.map(({ game }) => game),
    pages: 'dist/web',
    gamePages: {
      folder: 'dist/game-page',
      games: keyed.map(({ game, path }) => ({
        name: game.name,
        script: async () => pageScript(path, { metric: metricsOf(game)[0], served: true }),
      })),
    },
    monitor: monitorRoutes({ store, games: await storedGames(), ending: ending.signal }),
  });
  const listening = await listen(app, { host: '127.0.0.1', port, limits: service.limits });
  return {
    ...listening,
    stop() {
      ending.abort();
      return listening.stop();
    },
  };
}

/** The server that the tests of a file share. */
export interface SharedServer {
  readonly store: Store;
  /** Known as soon as tests run. */
  readonly url: string;
  /** Opens the page at the place that the parts of a link name. */
  open(place: Readonly<Record<string, string>>, options?: VisitOptions): Promise<PageVisit>;
}

/**
 * Starts a server before the tests of a file, over a store that `fill` puts tables into, and closes pages and server behind the
 * tests. Where tests do not run, for want of {@link CHROMIUM} or because they are not `wanted`, nothing is filled.
 */
export function sharedServer(
  games: readonly Pick<Game, 'name'>[],
  fill: (store: Store) => Promise<unknown>,
  { wanted = true, keyed = [] }: { wanted?: boolean; keyed?: readonly ServedKeyed[] } = {},
): SharedServer {
  const store = memoryStore();
  let server: Listening | undefined;
  beforeAll(async () => {
    if (CHROMIUM === undefined || !wanted) return;
    await fill(store);
    server = await servePages(store, games, 0, keyed);
  });
  afterAll(async () => {
    await closePages();
    await server?.stop();
  });
  const shared: SharedServer = {
    store,
    get url() {
      return server!.url;
    },
    open: (place, options) => visit(`${shared.url}/#${new URLSearchParams(place)}`, options),
  };
  return shared;
}

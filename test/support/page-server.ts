/** The server with the built pages on a port of this machine. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Listening, listen } from '../../jobs/server/listen.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { CHROMIUM, closePages, type PageVisit, visit } from './browser.js';
import { served } from './serving.js';

/** `port`: 0 is one that is free. */
export function servePages(store: Store, games: readonly Pick<Game, 'name'>[], port = 0): Promise<Listening> {
  const { app, service } = served(store, { games: games as readonly Game[], pages: 'dist/web' });
  return listen(app, { host: '127.0.0.1', port, limits: service.limits });
}

/** The server that the tests of a file share. */
export interface SharedServer {
  readonly store: Store;
  /** Known as soon as tests run. */
  readonly url: string;
  /** Opens the page at the place that the parts of a link name. */
  open(place: Readonly<Record<string, string>>, options?: BrowserContextOptions): Promise<PageVisit>;
}

/**
 * Starts a server before the tests of a file, over a store that `fill` puts tables into, and closes pages and server behind the
 * tests. Where tests do not run, for want of {@link CHROMIUM} or because they are not `wanted`, nothing is filled.
 */
export function sharedServer(
  games: readonly Pick<Game, 'name'>[],
  fill: (store: Store) => Promise<unknown>,
  wanted = true,
): SharedServer {
  const store = memoryStore();
  let server: Listening | undefined;
  beforeAll(async () => {
    if (CHROMIUM === undefined || !wanted) return;
    await fill(store);
    server = await servePages(store, games);
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

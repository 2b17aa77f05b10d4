/** The server of `mergemate serve`, in this process, for tests. */

import { newApp } from '../../jobs/server/app.js';
import { type Listening, listen } from '../../jobs/server/listen.js';
import { newService } from '../../jobs/server/service.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game.js';
import { MiB } from './solving.js';

/** Serves a store and the built pages on a port of this machine, a free one unless told. */
export function serve(store: Store, games: readonly Pick<Game, 'name'>[], port = 0): Promise<Listening> {
  const service = newService({
    store,
    games: games as readonly Game[],
    cacheBytes: 16 * MiB,
    reach: async () => {},
  });
  const app = newApp(service, { pages: 'dist/web', version: 'of a test' });
  return listen(app, { host: '127.0.0.1', port, limits: service.limits });
}

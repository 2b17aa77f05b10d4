/** The server with the built pages on a port of this machine. */
import { type Listening, listen } from '../../jobs/server/listen.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/contract/game.js';
import { served } from './serving.js';

/** `port`: 0 is one that is free. */
export function servePages(store: Store, games: readonly Pick<Game, 'name'>[], port = 0): Promise<Listening> {
  const { app, service } = served(store, { games: games as readonly Game[], pages: 'dist/web' });
  return listen(app, { host: '127.0.0.1', port, limits: service.limits });
}

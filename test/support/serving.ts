/** A server over a small store, for tests: in this process, with or without a port. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { type AppOptions, newApp } from '../../jobs/server/app.js';
import type { Limits } from '../../jobs/server/limits.js';
import { type Listening, listen } from '../../jobs/server/listen.js';
import { newService, type Service, type ServiceOptions } from '../../jobs/server/service.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { numberedGame } from '../../pipeline/games/yours/numbered/numbered-game.js';
import { MiB, putSolved } from './solving.js';

/** The player who takes the last of up to 20 counters, one to three at a time, wins. */
export const counters = numberedGame<{ left: number; mover: 0 | 1 }>({
  name: 'counters',
  size: 21,
  index: ({ left }) => left,
  position: (left, mover) => ({ left, mover }),
  mover: ({ mover }) => mover,
  moves: ({ left, mover }) =>
    [1, 2, 3]
      .filter((taken) => taken <= left)
      .map((taken) => [`take ${taken}`, { left: left - taken, mover: mover === 0 ? 1 : 0 }] as const),
});

export const games: readonly Game[] = [chess as Game, checkers as Game, counters as Game];

/**
 * A store of its own with KPK by two metrics with all it converts to, and KQK by a third. It also has two kings of
 * checkers, and a game of one slice.
 */
export async function smallStore(): Promise<Store> {
  const store = memoryStore();
  const pawns = chess.ending('KPK').slices;
  await putSolved(store, chess, pawns, { metric: 'dtm', verify: true });
  await putSolved(store, chess, pawns, { metric: 'dtz' });
  await putSolved(store, chess, ['KQK'], { metric: 'wdl' });
  await putSolved(store, checkers, checkers.ending('1100').slices, { metric: 'dtw' });
  await putSolved(store, counters, ['counters'], { metric: 'dtw' });
  return store;
}

export interface Served {
  readonly app: OpenAPIHono;
  readonly service: Service;
}

export function served(store: Store, more: Partial<ServiceOptions & AppOptions> = {}): Served {
  const service = newService({ store, games, cacheBytes: 16 * MiB, reach: async () => {}, ...more });
  return { service, app: newApp(service, { pages: null, version: '1.2.3', ...more }) };
}

export async function listening(
  store: Store,
  limits: Partial<Limits> = {},
  more: Partial<ServiceOptions & AppOptions> = {},
): Promise<Served & Listening & { port: number }> {
  const both = served(store, { ...more, limits });
  const { refused } = both.service.metrics;
  const on = await listen(both.app, { host: '127.0.0.1', port: 0, limits: both.service.limits, refused });
  return { ...both, ...on, port: Number(new URL(on.url).port) };
}

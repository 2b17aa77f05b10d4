/** What pages of other sites may read of a server: values of tables, and nothing of the machine or of a user's game. */
import { hostname } from 'node:os';
import { OpenAPIHono } from '@hono/zod-openapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { query } from '../../support/asking.js';
import { served } from '../../support/serving.js';
import { putSolved } from '../../support/solving.js';

type App = ReturnType<typeof served>['app'];
let app: App;
beforeAll(async () => {
  const store = memoryStore();
  await putSolved(store, chess, ['KQK']);
  const monitor = new OpenAPIHono();
  monitor.get('/', (context) => context.json({ runs: [] }));
  monitor.get('/events', (context) => context.text('event: hello\n\n'));
  const games = [{ name: 'mine', script: async () => 'globalThis.mergemateGame = {};' }];
  const gamePages = { folder: 'jobs/web/game', games };
  ({ app } = served(store, { monitor, gamePages, pages: 'jobs/web/game', hosts: ['tables.example.org'] }));
});

const OWN = [
  '/metrics',
  '/api/run',
  '/api/run/events',
  '/game/mine/game.js',
  '/game/mine/',
  '/game/mine/model.ts',
];
const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';
const TABLES = [
  query('/probe', { game: 'chess', position: QUEEN }),
  query('/standard', { fen: QUEEN }),
  query('/api/mainline', { game: 'chess', position: QUEEN }),
  query('/api/positions', { game: 'chess', ending: 'KQK', limit: '1' }),
  query('/api/positions', { game: 'chess', ending: 'KQK', limit: '1', format: 'csv' }),
  query('/api/histogram', { game: 'chess', ending: 'KQK' }),
  query('/api/endings', { game: 'chess' }),
  '/api/games',
  '/api/graphs',
  '/openapi.json',
];
const ask = (path: string, headers: Record<string, string>) =>
  app.request(`http://127.0.0.1:8080${path}`, { headers });
const ALLOW = 'Access-Control-Allow-Origin';

test('pages of any origin may read tables, and why there is no answer', async () => {
  for (const path of [
    ...TABLES,
    '/probe?game=chess&position=none',
    '/probe?game=none&position=x',
    '/standard',
  ]) {
    const response = await ask(path, { Origin: 'https://other.example', Host: 'other.example' });
    expect(response.headers.get(ALLOW), path).toBe('*');
    expect(response.status, path).not.toBe(403);
  }
});

describe.each(OWN)('%s', (path) => {
  test('allows no other origin', async () => {
    const response = await ask(path, { Host: '127.0.0.1:8080' });
    expect(response.headers.get(ALLOW)).toBeNull();
    expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    for (const origin of ['https://other.example', 'http://127.0.0.1:9090', 'null', '*', '']) {
      const refused = await ask(path, { Host: '127.0.0.1:8080', Origin: origin });
      expect([refused.status, refused.headers.get(ALLOW)], origin).toEqual([403, null]);
    }
    const preflight = await app.request(path, { method: 'OPTIONS', headers: { Host: '127.0.0.1' } });
    expect(preflight.headers.get(ALLOW)).toBeNull();
  });

  test('answers under names that are its own', async () => {
    for (const host of [
      '127.0.0.1',
      '127.0.0.1:8080',
      '[::1]:8080',
      '10.0.0.7',
      'localhost',
      'LOCALHOST:8080',
      hostname(),
      'tables.example.org',
    ]) {
      const own = await ask(path, { Host: host, Origin: `http://${host}` });
      expect(own.status, host).not.toBe(403);
    }
  });

  test('is refused under names that somebody else may have', async () => {
    for (const host of [
      'other.example',
      'other.example:8080',
      '127.0.0.1.other.example',
      'localhost.other.example',
      'not-localhost',
      '1.2.3.4.5',
      '@',
      'a b',
    ]) {
      const response = await ask(path, { Host: host, Origin: `http://${host}` });
      expect(response.status, host).toBe(403);
      expect(await response.text()).not.toContain('runs');
    }
  });
});

test.each(['/health', '/', '/nowhere', '/site.json'])('%s names no origin', async (path) => {
  expect((await ask(path, {})).headers.get(ALLOW)).toBeNull();
});

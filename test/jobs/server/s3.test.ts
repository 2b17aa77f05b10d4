/** Tables in object storage over HTTP: a real server's if there is one, which goes away while it is read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCatalogue } from '../../../jobs/server/catalogue/catalogue.js';
import { exportSite } from '../../../jobs/site/export-site.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { s3Store } from '../../../operators/storage/s3.js';
import { parseS3Uri } from '../../../operators/storage/s3-uri.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';
import { noServer, type S3Server, startS3Server } from '../../support/s3-server.js';
import { listening } from '../../support/serving.js';
import { MiB, solveGame } from '../../support/solving.js';
import { startTcpGate, type TcpGate } from '../../support/tcp-gate.js';

const ROOK = '/probe?game=chess&position=8/8/8/8/8/2k5/1R6/K7+w+-+-+0+1';
const QUEEN = '/probe?game=chess&position=8/8/8/8/3k4/8/8/K6Q+w+-+-+0+1';

let s3: S3Server;
let gate: TcpGate;
let store: Store;
beforeAll(async () => {
  s3 = await startS3Server();
  gate = await startTcpGate(s3.endpoint);
  store = s3Store(parseS3Uri(s3.newUri(gate.endpoint)), { readAheadBytes: 8 * MiB });
  await solveGame(chess, ['KQK'], { store, verify: true });
  await solveGame(chess, ['KRK'], { store });
}, 120_000);
afterAll(async () => {
  await gate.close();
  await s3.close();
});

async function serving(answerMs = 30_000) {
  const reported: string[] = [];
  const server = await listening(
    store,
    { answerMs },
    {
      reach: async () => void (await store.list('reached/')),
      report: (error) => reported.push(String(error)),
    },
  );
  const ask = async (path: string) => {
    const from = performance.now();
    gate.passed();
    const response = await fetch(server.url + path);
    const body = (await response.json()) as Record<string, unknown>;
    return { response, status: response.status, body, requests: gate.passed(), ms: performance.now() - from };
  };
  return { ...server, ask, reported };
}

const where = noServer === null ? 'on a real server' : `in this process: ${noServer}`;

describe(`tables in object storage (${where})`, () => {
  test('are looked up in few requests, and then in none', async () => {
    const { ask, stop } = await serving();
    const cold = await ask(ROOK);
    const warm = await ask(ROOK);
    await stop();
    expect(cold.body).toMatchObject({ outcome: 'win', plies: 31, slice: 'KRK' });
    expect(warm.body).toEqual(cold.body);
    // A listing of the game; the manifest, the end of the run and a block of the position, and of those that its moves lead to.
    expect(cold.requests).toBeLessThanOrEqual(8);
    expect(warm.requests).toBe(0);
    console.log(
      `a position of KRK: ${cold.requests} requests, ${Math.round(cold.ms)} ms; again: ${warm.ms.toFixed(1)} ms`,
    );
  });

  test('answer from memory while the server is gone, and all of them when it is back', async () => {
    const { ask, stop, reported } = await serving();
    const before = await ask(ROOK);
    expect(before.status).toBe(200);
    await gate.set('shut');
    const [health, missing] = await Promise.all([ask('/health'), ask(QUEEN)]);
    expect(health.status).toBe(503);
    expect([missing.status, missing.body]).toEqual([
      503,
      { error: 'the store cannot be read at the moment' },
    ]);
    expect(missing.response.headers.get('Retry-After')).toBe('5');
    // Values in memory are not forgotten when the store fails.
    expect(await ask(ROOK)).toMatchObject({ status: 200, body: before.body, requests: 0 });
    expect((await ask('/openapi.json')).status).toBe(200);
    expect(reported.join()).toContain('refuses');
    await gate.set('open');
    expect((await ask('/health')).body).toEqual({ status: 'ok' });
    expect((await ask(QUEEN)).body).toMatchObject({ slice: 'KQK', outcome: 'win' });
    await stop();
  }, 60_000);

  test.skipIf(!LONG)(
    `time out if the server does not answer${ifShort}`,
    async () => {
      const { ask, stop } = await serving(8000);
      expect((await ask(ROOK)).status).toBe(200);
      await gate.set('stuck');
      const [health, late] = await Promise.all([ask('/health'), ask(QUEEN)]);
      expect(health).toMatchObject({ status: 503, body: { error: 'the store does not answer' } });
      expect([late.status, late.body]).toEqual([503, { error: 'the answer took too long' }]);
      expect((await ask(ROOK)).status).toBe(200);
      await gate.set('open');
      expect((await ask('/health')).status).toBe(200);
      expect((await ask(QUEEN)).status).toBe(200);
      await stop();
    },
    60_000,
  );

  test('are exported as those of a folder are', async () => {
    const root = testFolder();
    const page = join(root, 'page');
    mkdirSync(page);
    writeFileSync(join(page, 'index.html'), '<title>page</title>');
    const here = memoryStore();
    await solveGame(chess, ['KQK'], { store: here, verify: true });
    await solveGame(chess, ['KRK'], { store: here });
    const listings: string[] = [];
    for (const [name, from] of [
      ['there', store],
      ['here', here],
    ] as const) {
      const to = join(root, name);
      const options = { published: null, games: [chess as Game], metric: undefined, slices: null, page };
      await exportSite({ ...options, store: from, to, progress: () => {} });
      const tables = localStore(join(to, 'tables'), { durable: false });
      const files = await tables.list('chess/dtm/');
      const sizes = await Promise.all(files.map((file) => tables.size(file)));
      listings.push(JSON.stringify(files.map((file, i) => [file.replace(/[0-9a-f-]{20,}/, ''), sizes[i]])));
      const endings = await readAll(tables, 'chess/dtm/endings.json');
      const catalogue = newCatalogue({ store: here, games: [chess as Game] });
      expect(JSON.parse(new TextDecoder().decode(endings))).toEqual(
        await catalogue.endings(chess as Game, 'dtm'),
      );
    }
    expect(listings[0]).toBe(listings[1]);
  }, 60_000);
});

/**
 * The API by its own description: every route answers in its shape, and says what is wrong with what it is asked.
 */

import { z } from '@hono/zod-openapi';
import { Chess } from 'chess.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ErrorAnswer, LineAnswer, PositionAnswer, PositionsAnswer } from '../../../jobs/positions/shapes.js';
import { GameAnswer, PlayedEnding, PlayedHistogram } from '../../../jobs/server/api-answers.js';
import { LichessAnswer } from '../../../jobs/server/lichess-shapes.js';
import { StorageError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { type App, answerOf, query } from '../../support/asking.js';
import { publishWhole } from '../../support/publishing.js';
import { served, smallStore } from '../../support/serving.js';
import { putSolved, solveChess } from '../../support/solving.js';

let store: Store;
let app: App;
beforeAll(async () => {
  store = await smallStore();
  ({ app } = served(store));
});

const get = <T>(path: string, shape: z.ZodType<T>, from = app) => answerOf(from, path, shape);
const post = (body: unknown, from = app) =>
  from.request('/probe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const QUEEN = '8/8/8/8/3k4/8/8/K6Q w - - 0 1';

describe('lists', () => {
  test('of games have a first position each', async () => {
    const games = await get('/api/games', z.array(GameAnswer));
    expect(games.map(({ name, metrics, colours }) => ({ name, metrics, colours }))).toEqual([
      { name: 'chess', metrics: ['dtm', 'dtz', 'wdl'], colours: ['white', 'black'] },
      { name: 'checkers', metrics: ['dtw'], colours: ['black', 'white'] },
      { name: 'counters', metrics: ['dtw'], colours: ['white', 'black'] },
    ]);
    for (const { name, example } of games) {
      const answer = await get(query('/probe', { game: name, position: example }), PositionAnswer);
      expect(answer.position).toBe(example);
    }
  });

  test('of positions by query come in pages of the whole answer', async () => {
    const asked = { game: 'chess', ending: 'KQK', result: 'loss', plies: '15..16', side: 'black' };
    const whole = await get(query('/api/positions', { ...asked, limit: '10000' }), PositionsAnswer);
    expect(whole.more).toBe(false);
    expect(whole.positions.length).toBeGreaterThan(200);
    expect(whole.positions.every(({ plies }) => plies === 15 || plies === 16)).toBe(true);
    const first = await get(query('/api/positions', asked), PositionsAnswer);
    expect(first).toEqual({ ...whole, positions: whole.positions.slice(0, 100), more: true });
    const next = await get(query('/api/positions', { ...asked, skip: '150', limit: '50' }), PositionsAnswer);
    expect(next.positions).toEqual(whole.positions.slice(150, 200));
    const { position, plies } = whole.positions.at(-1)!;
    expect(await get(query('/probe', { game: 'chess', position }), PositionAnswer)).toMatchObject({
      outcome: 'loss',
      plies,
      mover: 'black',
    });
    for (const [wrong, why] of [
      [{ ...asked, plies: '9..3' }, /neither a number of plies nor a range/],
      [{ ...asked, on: 'Kz1' }, /"Kz1" is not a man on a square/],
      [{ ...asked, longest: 'true' }, /either longest or plies/],
      [{ ...asked, limit: '0' }, /limit/],
      [{ ...asked, game: 'checkers', ending: '1100', plies: '3', format: 'epd' }, /for chess/],
    ] as const) {
      const response = await app.request(query('/api/positions', wrong));
      expect(response.status).toBe(400);
      expect(ErrorAnswer.parse(await response.json()).error).toMatch(why);
    }
  });

  test('of endings have the published counts', async () => {
    const endings = await get('/api/endings?game=chess', z.array(PlayedEnding));
    const names = endings.map(({ ending }) => ending);
    expect(names).toEqual(expect.arrayContaining(['KK', 'KQK', 'KPK']));
    expect(endings.map(({ pieces }) => pieces)).toEqual(endings.map(({ pieces }) => pieces).sort());
    const pawn = endings.find(({ ending }) => ending === 'KPK')!;
    expect(pawn.slices.length).toBe(6);
    // KPK: mate in at most 28 moves; KQK in 10. KQK has 18,081 and 28,056 positions.
    expect(pawn.longestWin).toEqual([55, null]);
    expect(endings.find(({ ending }) => ending === 'KQK')).toEqual({
      ending: 'KQK',
      slices: ['KQK'],
      pieces: 3,
      positions: 46_137,
      wins: [18_081, 0],
      draws: [0, 2_896],
      losses: [0, 25_160],
      cursedWins: [0, 0],
      blessedLosses: [0, 0],
      longestWin: [19, null],
      longestCursedWin: [null, null],
      verified: true,
    });
    const unverified = await get('/api/endings?game=chess&metric=dtz', z.array(PlayedEnding));
    expect(unverified.every(({ verified }) => !verified)).toBe(true);
  });

  test('of plies add up to the counts of their ending', async () => {
    for (const game of ['chess', 'checkers', 'counters']) {
      const endings = await get(query('/api/endings', { game }), z.array(PlayedEnding));
      for (const { ending, wins, losses, draws, longestWin } of endings) {
        const histogram = await get(query('/api/histogram', { game, ending }), PlayedHistogram);
        for (const side of [0, 1] as const) {
          const sum = (counts: [number, number][]) => counts.reduce((total, [, count]) => total + count, 0);
          const found = histogram.sides[side];
          expect([sum(found.wins), sum(found.losses), found.draws]).toEqual([
            wins[side],
            losses[side],
            draws[side],
          ]);
          expect(found.wins.at(-1)?.[0] ?? null).toBe(longestWin[side]);
          const longest = histogram.longest[side];
          if (longest === null) continue;
          const answer = await get(query('/probe', { game, position: longest }), PositionAnswer);
          expect(answer).toMatchObject({ outcome: 'win', plies: longestWin[side] });
        }
      }
    }
  });

  test('of plies are counted once, also for two requests at the same time', async () => {
    let reads = 0;
    const counting: Store = {
      ...store,
      read(...args) {
        reads++;
        return store.read(...args);
      },
    };
    const { app } = served(counting);
    const path = '/api/histogram?game=chess&ending=KRK';
    const all = await Promise.all(Array.from({ length: 5 }, () => get(path, PlayedHistogram, app)));
    const first = reads;
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
    await get(path, PlayedHistogram, app);
    expect(reads).toBe(first);
  });

  test('have what is solved while the server runs', async () => {
    const growing = memoryStore();
    const { app } = served(growing);
    const path = query('/probe', { game: 'chess', position: QUEEN });
    expect(await get('/api/games', z.array(GameAnswer), app)).toEqual([]);
    expect((await app.request(path)).status).toBe(404);
    await solveChess(['KQK'], { store: growing });
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 11_000);
    try {
      expect((await get(path, PositionAnswer, app)).slice).toBe('KQK');
      expect((await get('/api/games', z.array(GameAnswer), app)).length).toBe(1);
    } finally {
      clock.mockRestore();
    }
  });
});

describe('positions', () => {
  test('a position has its value and all legal moves', async () => {
    const answer = await get(query('/probe', { game: 'chess', position: QUEEN }), PositionAnswer);
    expect(answer).toMatchObject({
      game: 'chess',
      metric: 'dtm',
      position: QUEEN,
      slice: 'KQK',
      mover: 'white',
      over: false,
      winner: 'white',
      outcome: 'win',
    });
    expect(answer.diagram.split('\n')[7]).toBe('1  K . . . . . . Q');
    const legal = new Chess(QUEEN).moves({ verbose: true });
    const after = new Map(legal.map(({ lan, after }) => [lan, after.split(' ').slice(0, 2).join(' ')]));
    expect(answer.moves.length).toBe(legal.length);
    for (const { uci, position } of answer.moves)
      expect(position.split(' ').slice(0, 2).join(' ')).toBe(after.get(uci!));
    expect(answer.moves[0].plies).toBe(answer.plies);
  });

  test('the metric is the first that is solved, unless the query names one', async () => {
    const ask = (metric: string) =>
      get(query('/probe', { game: 'chess', position: QUEEN, metric }), PositionAnswer);
    expect(await ask('wdl')).toMatchObject({ metric: 'wdl', outcome: 'win', plies: null });
    expect(await ask('dtz')).toMatchObject({ metric: 'dtz', outcome: 'win' });
  });

  test('mate and stalemate have their values and no moves', async () => {
    const ask = (position: string) => get(query('/probe', { game: 'chess', position }), PositionAnswer);
    expect(await ask('k7/1Q6/1K6/8/8/8/8/8 b - - 0 1')).toMatchObject({
      over: true,
      winner: 'white',
      outcome: 'loss',
      moves: [],
    });
    expect(await ask('k7/8/1Q6/8/8/8/8/K7 b - - 0 1')).toMatchObject({
      over: true,
      winner: null,
      outcome: 'draw',
      moves: [],
    });
  });

  test("positions of a user's game have their values", async () => {
    for (let left = 1; left <= 20; left++) {
      const answer = await get(query('/probe', { game: 'counters', position: `${left} w` }), PositionAnswer);
      expect(answer.outcome).toBe(left % 4 === 0 ? 'loss' : 'win');
    }
  });

  test('a batch is answered in order, with the value or the error of each position', async () => {
    const positions = [QUEEN, 'nonsense', '8/8/8/8/3k4/8/8/K5NN w - - 0 1', QUEEN];
    const response = await post({ game: 'chess', positions });
    expect(response.status).toBe(200);
    const answers = (await response.json()) as unknown[];
    const single = await get(
      query('/probe', { game: 'chess', metric: 'dtm', position: QUEEN }),
      PositionAnswer,
    );
    expect([answers[0], answers[3]]).toEqual([single, single]);
    expect(ErrorAnswer.parse(answers[1]).error).toMatch(/^FEN "nonsense": /);
    expect(ErrorAnswer.parse(answers[2]).error).toBe('there is no dtm table of KNNK here');
    expect(await (await post({ game: 'chess', positions: [] })).json()).toEqual([]);
    expect(await (await post({ game: 'chess', positions: [''] })).json()).toEqual([
      { error: expect.any(String), status: 400 },
    ]);
  });

  test('the main line ends in mate', async () => {
    const found = await get(query('/api/mainline', { game: 'chess', position: QUEEN }), LineAnswer);
    expect(found.line.length).toBe(found.plies);
    const game = new Chess(QUEEN);
    for (const { san, position } of found.line) {
      game.move(san!);
      expect(position.split(' ')[0]).toBe(game.fen().split(' ')[0]);
    }
    expect(game.isCheckmate()).toBe(true);
    expect(found.ruleDrawsAt).toBeNull();
  });

  test('published tables answer for wins, draws and losses', async () => {
    const tables = memoryStore();
    await solveChess(['KQK', 'KRK'], { store: tables });
    const published = memoryStore();
    await publishWhole({
      game: chess as Game,
      slices: ['KQK', 'KRK'],
      metric: 'dtm',
      store: tables,
      to: published,
      codec: 'packed',
    });
    const { app } = served(memoryStore(), { published });
    expect(await get('/api/games', z.array(GameAnswer), app)).toMatchObject([
      { name: 'chess', metrics: ['wdl'] },
    ]);
    const answer = await get(query('/probe', { game: 'chess', position: QUEEN }), PositionAnswer, app);
    expect(answer).toMatchObject({ metric: 'wdl', outcome: 'win', plies: null });
    const standard = await get(`/standard?fen=${QUEEN.replaceAll(' ', '_')}`, LichessAnswer, app);
    expect(standard).toMatchObject({ category: 'maybe-win', dtz: null, dtm: null });
    const missing = await app.request(query('/probe', { game: 'chess', position: '8/8/8/2k5/8/8/8/KQ5R w' }));
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { error: 'there is no wdl table of KQRK here' },
    ]);
  });
});

describe('errors', () => {
  test.each([
    [
      query('/probe', { game: 'go', position: QUEEN }),
      404,
      /there is no game "go" \(games: chess, checkers, counters\)/,
    ],
    [query('/probe', { game: 'chess', position: 'x' }), 400, /FEN "x"/],
    [query('/probe', { game: 'chess' }), 400, /position/],
    [query('/probe', { game: 'chess', position: QUEEN, metric: 'dtx' }), 400, /metric/],
    [query('/probe', { game: 'chess', position: QUEEN, metric: 'dtw' }), 400, /chess has no dtw/],
    [query('/probe', { game: 'chess', position: QUEEN, metric: 'dtc' }), 404, /no dtc tables of chess/],
    [query('/probe', { game: 'chess', position: '8/8/8/8/8/8/1k6/K6Q w' }), 400, /kings are adjacent/],
    [query('/probe', { game: 'chess', position: '8/8/8/2k5/8/8/8/KQ5R w' }), 404, /no dtm table of KQRK/],
    [query('/probe', { game: 'checkers', position: 'B:W1:B2' }), 400, /crowned/],
    [query('/probe', { game: 'chess', position: '4k3/pppppp2/8/8/8/8/8/4K3 w' }), 404, /no table has 8 men/],
    [query('/probe', { game: 'checkers', position: 'B:W21-31:B1' }), 404, /no table has 12 pieces/],
    [query('/probe', { game: 'counters', position: '99 w' }), 400, /./],
    [query('/probe', { game: 'chess', position: 'x'.repeat(1200) }), 413, /position/],
    [query('/api/endings', { game: 'go' }), 404, /no game/],
    [query('/api/histogram', { game: 'chess', ending: 'KXK' }), 400, /KXK/],
    [query('/api/histogram', { game: 'chess', ending: 'KQKR' }), 404, /no dtm table of KQKR/],
    [query('/api/mainline', { game: 'chess', position: QUEEN, metric: 'wdl' }), 400, /no distances/],
    ['/nothing', 404, /nothing here/],
    ['/', 404, /nothing here/],
  ])('%s: %i', async (path, status, says) => {
    const response = await app.request(path);
    const body = ErrorAnswer.strict().parse(await response.json());
    expect([response.status, body.error]).toEqual([status, expect.stringMatching(says)]);
    expect(body.error).not.toMatch(/\n|memory:|file:/);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test.each([
    ['{', 400],
    ['[]', 400],
    [{ game: 'chess' }, 400],
    [{ game: 'chess', positions: 'x' }, 400],
    [{ game: 'chess', positions: [1] }, 400],
    [{ game: 'chess', positions: Array(1001).fill(QUEEN) }, 413],
    [{ game: 'chess', positions: ['x'.repeat(2000)] }, 413],
    [{ game: 'chess', positions: [QUEEN], metric: 'dtc' }, 404],
    [`{"game":"chess","positions":["${'x'.repeat(300_000)}"]}`, 413],
  ])('a batch %#', async (body, status) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(ErrorAnswer.strict().parse(await response.json()).error).toMatch(/^[^\n]+$/);
  });

  test('a store that cannot be read is an error that does not name its place', async () => {
    const reported: unknown[] = [];
    const broken: Store = { ...store, read: async () => Promise.reject(new Error('disk on fire')) };
    const { app } = served(broken, { report: (error) => reported.push(error) });
    const response = await app.request(query('/probe', { game: 'chess', position: QUEEN }));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: 'internal error' });
    expect(String(reported[0])).toContain('disk on fire');
  });

  test('a table that was damaged is read again once it is mended', async () => {
    let damaged = true;
    const fragile: Store = {
      ...store,
      read: (name, ...more) =>
        damaged ? Promise.reject(new StorageError(name, 'gone wrong')) : store.read(name, ...more),
    };
    const { app } = served(fragile);
    const path = query('/probe', { game: 'chess', position: QUEEN });
    const failed = await app.request(path);
    expect([failed.status, await failed.json()]).toEqual([
      502,
      { error: 'a table in the store is damaged, or of another version' },
    ]);
    damaged = false;
    expect((await app.request(path)).status).toBe(200);
  });

  test('missing and overlong parameters are errors in words', async () => {
    const said = async (path: string) =>
      ((await (await app.request(path)).json()) as { error: string }).error;
    expect(await said('/probe?game=chess')).toBe('position is missing');
    expect(await said(query('/probe', { game: 'chess', position: 'x'.repeat(1025) }))).toBe(
      'position: there are more than 1024 characters',
    );
    const body = JSON.stringify({ game: 'chess', positions: Array(1001).fill('x') });
    const headers = { 'Content-Type': 'application/json' };
    const batch = await app.request('/probe', { method: 'POST', headers, body });
    expect([batch.status, await batch.json()]).toEqual([
      413,
      { error: 'positions: there are more than 1000 of them' },
    ]);
  });

  test('while the store is away, positions in memory are answered, and a batch ends at once', async () => {
    let gone = false;
    const refused = () =>
      Promise.reject(new StorageError('s3://secret', 'refused', { cause: 'ECONNREFUSED' }));
    const away: Store = { ...store, read: (...all) => (gone ? refused() : store.read(...all)) };
    const { app } = served(away, { reach: () => (gone ? refused() : Promise.resolve()) });
    const known = query('/probe', { game: 'chess', position: QUEEN });
    const unknown = query('/probe', { game: 'chess', position: '8/8/8/8/3k4/8/8/K6R w - - 0 1' });
    const before = await (await app.request(known)).json();
    gone = true;
    const failed = await app.request(unknown);
    expect([failed.status, await failed.json()]).toEqual([
      503,
      { error: 'the store cannot be read at the moment' },
    ]);
    expect(failed.headers.get('Retry-After')).toBe('5');
    expect(await (await app.request(known)).json()).toEqual(before);
    const positions = [QUEEN, '8/8/8/8/3k4/8/8/K6R w - - 0 1'];
    const batch = await app.request('/probe', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ game: 'chess', positions }),
    });
    expect(batch.status).toBe(503);
    expect((await app.request('/api/endings?game=chess&metric=dtm')).status).toBe(503);
    gone = false;
    for (const path of [known, unknown, '/api/endings?game=chess&metric=dtm'])
      expect((await app.request(path)).status).toBe(200);
  });
});

describe('headers for caches and browsers', () => {
  test('answers from tables have an ETag, and are not sent again to a client that has them', async () => {
    const path = query('/probe', { game: 'chess', metric: 'wdl', position: QUEEN });
    const first = await app.request(path);
    const tag = first.headers.get('ETag')!;
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=86400');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await app.request(path, { headers: { 'If-None-Match': known } });
      expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', tag]);
    }
    expect((await app.request(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const unknown = await app.request('/standard?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w');
    expect(unknown.headers.get('Cache-Control')).toBe('no-cache');
  });

  test('answers that later tables may change are not kept', async () => {
    const store = memoryStore();
    await putSolved(store, chess, ['KRK']);
    const { app } = served(store);
    const cached = async (asked: Record<string, string>) =>
      (await app.request(query('/probe', { game: 'chess', ...asked }))).headers.get('Cache-Control');
    const position = '8/8/8/8/8/2k5/1R6/K7 w - - 0 1';
    expect(await cached({ metric: 'dtm', position })).toBe('public, max-age=86400');
    // Other metrics may be solved later.
    expect(await cached({ position })).toBe('no-cache');
    // Whether the 50-move rule leaves the win is unknown until dtz is solved.
    expect(await cached({ metric: 'dtm', position: position.replace(' 0 1', ' 75 1') })).toBe('no-cache');
  });

  test('HEAD is answered with headers alone, and other origins may read', async () => {
    const path = query('/probe', { game: 'chess', position: QUEEN });
    const head = await app.request(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const asked = await app.request('/probe', {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.org', 'Access-Control-Request-Method': 'POST' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(asked.headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,POST,OPTIONS');
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const refused = await app.request('/probe', { method });
      expect(refused.status).toBe(405);
      expect(refused.headers.get('Allow')).toContain('GET');
    }
    expect((await app.request('/standard', { method: 'POST' })).status).toBe(405);
  });
});

describe('operations', () => {
  test('/health reports whether the store can be read', async () => {
    expect(await (await app.request('/health')).json()).toEqual({ status: 'ok' });
    const { app: gone } = served(store, { reach: () => Promise.reject(new Error('s3://secret: refused')) });
    const response = await gone.request('/health');
    expect([response.status, await response.json()]).toEqual([503, { error: 'the store cannot be reached' }]);
  });

  test('/metrics counts requests, time and cache hits', async () => {
    const { app } = served(store);
    for (let i = 0; i < 3; i++) await app.request(query('/probe', { game: 'chess', position: QUEEN }));
    await app.request('/made-up-by-a-client');
    const text = await (await app.request('/metrics')).text();
    expect(text).toContain('mergemate_http_requests_total{route="/probe",method="GET",status="200"} 3');
    expect(text).toContain('mergemate_http_requests_total{route="other",method="GET",status="404"} 1');
    expect(text).toContain('mergemate_http_request_seconds_count{route="/probe"} 3');
    expect(text).toMatch(/mergemate_block_cache_hits_total [1-9]/);
    expect(text).toMatch(/mergemate_block_cache_misses_total [1-9]/);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).not.toContain('made-up');
  });
});

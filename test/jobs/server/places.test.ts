/** No answer says where a store is: every route is asked while files of the store are damaged, missing, or not files at all. */
import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { memoryStore as publicMemoryStore, solveKeyed } from 'mergemate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monitorRoutes } from '../../../jobs/server/monitor/routes.js';
import { withoutPlaces } from '../../../jobs/server/places.js';
import { localStore } from '../../../operators/storage/local.js';
import { readAll } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import type { KeyedRules } from '../../../pipeline/games/yours/keyed/keyed-rules.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import boxes from '../../../samples/dots-and-boxes/game.js';
import { randomGraph, solving } from '../../pipeline/graph/memory-graph.js';
import { query } from '../../support/asking.js';
import { filesUnder, newFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { served } from '../../support/serving.js';
import { putSolved } from '../../support/solving.js';

/** Its lines are short. */
const QUEEN = 'k7/8/2K5/8/8/8/7Q/8 w - - 0 1';
const NOWHERE = '8/8/8/2k5/8/8/8/KQ5R w - - 0 1';

const root = newFolder();
const sound = join(root, 'sound');
/** A path that no other text contains, and a link to it. */
const folder = join(root, 'secret place', 'tables');
const link = join(root, 'linked-place', 'tables');
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(async () => {
  const store = localStore(sound, { durable: false });
  await putSolved(store, chess, ['KQK'], { metric: 'dtm', verify: true });
  await putSolved(store, chess, ['KQK'], { metric: 'dtz' });
  await putSolved(store, chess, ['KQK'], { metric: 'dtm50' });
  await solveGraph(solving(randomGraph({ nodes: 60, edges: 200, seed: 1 }), { store, name: 'town' }));
  const keyed = publicMemoryStore();
  await solveKeyed({ game: boxes, store: keyed });
  for (const name of await keyed.list('')) await store.putIfAbsent(name, (await readAll(keyed, name))!);
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(dirname(link));
  symlinkSync(folder, link);
});

/** What is here is asked for in all ways, and what is not in one, but for the longest tests. */
const all = (isHere: boolean, ways: readonly string[]) => (isHere || LONGEST ? ways : ways.slice(0, 1));
const chessQueries = (path: string, more: Record<string, string>, isHere = true) =>
  all(isHere, ['dtm', 'dtz', 'dtm50', 'dtc']).map((metric) =>
    query(path, { game: 'chess', metric, ...more }),
  );
const FORMATS = ['json', 'jsonl', 'csv', 'epd', 'pgn'];
const PATHS = [
  ...[QUEEN, NOWHERE, 'nonsense'].flatMap((position) => [
    query('/probe', { game: 'chess', position }),
    query('/standard', { fen: position }),
    query('/standard/mainline', { fen: position }),
    ...chessQueries('/probe', { position }, position === QUEEN),
    ...chessQueries('/api/mainline', { position }, position === QUEEN),
  ]),
  ...['KQK', 'KRK', 'KK', 'KQQQQQQQQK', '../x'].flatMap((ending) => [
    ...chessQueries('/api/histogram', { ending }, ending === 'KQK'),
    ...all(ending === 'KQK', FORMATS).map((format) =>
      query('/api/positions', { game: 'chess', ending, format, limit: '2' }),
    ),
    query('/api/positions', { game: 'chess', ending, zugzwang: 'true' }),
    query('/api/positions', { game: 'chess', ending, on: 'Qz9' }),
  ]),
  ...['town', boxes.name, 'nobody', '../town'].flatMap((game) =>
    all(['town', boxes.name].includes(game), ['0', '7', '"x', 'node "1"']).flatMap((position) => [
      query('/probe', { game, position }),
      query('/probe', { game, position, metric: 'dtw' }),
      query('/api/mainline', { game, position, metric: 'wdl' }),
    ]),
  ),
  ...chessQueries('/api/endings', {}),
  ...['/api/games', '/api/graphs', '/api/files?game=chess', '/health', '/metrics'],
  ...['/api/run', '/api/run/slice/chess/dtm/KQK', '/api/run/slice/x/y/z', '/nowhere'],
];
const BATCHES = [
  { game: 'chess', positions: [QUEEN, NOWHERE, 'nonsense'] },
  { game: 'chess', metric: 'dtc', positions: [QUEEN] },
  { game: 'town', positions: ['0', 'x', '7'] },
  { game: boxes.name, positions: ['0', 'x'] },
];

/** The routes whose answers name the place, and the statuses that were seen. */
async function ask(
  uri = folder,
  paths: readonly string[] = PATHS,
): Promise<{ leaks: string[]; statuses: Set<number> }> {
  const store = localStore(uri, { durable: false });
  const games = [chess as Game];
  const monitor = monitorRoutes({ store, games: new Map(games.map((game) => [game.name, game])) });
  const keyed = [boxes] as unknown as KeyedRules[];
  const { app } = served(store, { games, keyed, monitor, cacheBytes: 1 });
  const leaks: string[] = [];
  const statuses = new Set<number>();
  const look = async (what: string, response: Response) => {
    const text = `${await response.text()}${[...response.headers].join()}`;
    statuses.add(response.status);
    if (/secret.place|linked-place/.test(text)) leaks.push(`${what}: ${text.slice(0, 300)}`);
    if (text.includes(root)) leaks.push(`${what}: ${text.slice(0, 300)}`);
  };
  for (const path of paths) await look(path, await app.request(path));
  for (const batch of BATCHES) {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(batch);
    await look(body, await app.request('/probe', { method: 'POST', headers, body }));
  }
  return { leaks, statuses };
}

const WAYS: Readonly<Record<string, (path: string) => void>> = {
  missing: (path) => rmSync(path),
  empty: (path) => writeFileSync(path, ''),
  other: (path) => writeFileSync(path, 'x'.repeat(5000)),
  folder(path) {
    rmSync(path);
    mkdirSync(path);
  },
};

describe('no answer names the place of the store', () => {
  test.each(LONG ? Object.keys(WAYS) : ['other'])(
    `while a file is %s${ifShort}`,
    { timeout: 300_000 },
    async (way) => {
      const files = filesUnder(sound).map((path) => relative(sound, path));
      // Of files that are alike one is enough, with two of the ways for each, so that two of them meet every kind between them.
      const kinds = new Map(files.map((file) => [file.replace(/\d+/g, 'N').replace(/dt\w+/, 'M'), file]));
      const leaks: string[] = [];
      const statuses = new Set<number>();
      const start = Object.keys(WAYS).indexOf(way);
      const some = [...kinds.values()].filter((_, i) => (LONG ? (i + start) % 4 < 2 : i % 10 === 0));
      for (const file of LONGEST ? files : some) {
        rmSync(folder, { recursive: true, force: true });
        cpSync(sound, folder, { recursive: true });
        WAYS[way](join(folder, file));
        const found = await ask();
        leaks.push(...found.leaks.map((leak) => `${file} ${way}: ${leak}`));
        for (const status of found.statuses) statuses.add(status);
      }
      expect(leaks).toEqual([]);
      expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
      expect([...statuses]).not.toContain(500);
    },
  );

  test.skipIf(!LONG)(
    `while folders are missing or all is gone, also if the store is named by a link${ifShort}`,
    async () => {
      for (const gone of ['chess', 'chess/dtm', 'graph', 'graph/import', '']) {
        rmSync(folder, { recursive: true, force: true });
        cpSync(sound, folder, { recursive: true });
        rmSync(join(folder, gone), { recursive: true });
        for (const uri of [folder, link])
          expect((await ask(uri, [...PATHS, '/openapi.json'])).leaks, gone).toEqual([]);
      }
    },
  );
});

test('texts lose the places of stores and keep the names of objects', () => {
  const path = realpathSync(root);
  const away = join(path, 'away');
  mkdirSync(join(path, 'near'));
  renameSync(join(path, 'near'), away);
  symlinkSync(away, join(path, 'near'));
  const placeless = withoutPlaces([
    { uri: `file:${path}/near` },
    { uri: 's3://bucket/prefix?endpoint=http://host:1' },
    { uri: 'file:/8' },
  ]);
  expect(placeless(`file:${path}/near/chess/dtm/KQK/table.json: damaged`)).toBe(
    'chess/dtm/KQK/table.json: damaged',
  );
  expect(placeless(`no such file, open '${away}/chess/x'`)).toBe(`no such file, open 'chess/x'`);
  expect(placeless(`KQK is not solved in file:${path}/near: run it`)).toBe(
    'KQK is not solved in near: run it',
  );
  expect(placeless('no s3://bucket/prefix?endpoint=http://host:1/chess/x here')).toBe('no chess/x here');
  expect(placeless('file:/other/place/tables/KQK/table.json: gone')).toBe('table.json: gone');
  // Not in a FEN, however short a path is.
  expect(placeless('"8/8/8/8/3k4/8/8/K6Q w - - 0 1" is no position')).toBe(
    '"8/8/8/8/3k4/8/8/K6Q w - - 0 1" is no position',
  );
});

/** Tables and graphs that are damaged, deleted, mended or replaced while they are served: they are found by name again, without a restart. */
import { closeSync, cpSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { StorageError } from '../../../operators/core/errors.js';
import { localStore } from '../../../operators/storage/local.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { numberedGame } from '../../../pipeline/games/yours/numbered/numbered-game.js';
import { solveGraph } from '../../../pipeline/graph/solve-graph.js';
import type { GraphNode } from '../../../pipeline/graph/source.js';
import { solving } from '../../pipeline/graph/memory-graph.js';
import { query } from '../../support/asking.js';
import { filesUnder, testFolder } from '../../support/folders.js';
import { served } from '../../support/serving.js';
import { putSolved, solveGame } from '../../support/solving.js';

afterEach(() => void vi.restoreAllMocks());

const folderStore = (folder: string) => localStore(folder, { durable: false });

type App = ReturnType<typeof served>['app'];

async function asked(app: App, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await app.request(path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const statusOf = async (app: App, path: string) => (await asked(app, path)).status;

/** Lets so much time pass by the clock that says how old an answer of the store is. */
function later(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

/** Changes bytes all over a file, which stays the same file. */
function damage(path: string): void {
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  for (let at = 8; at < size; at += 64) writeSync(file, new Uint8Array(8).fill(0xa5), 0, 8, at);
  closeSync(file);
}

const PAWN = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
const ROUTES = [
  query('/probe', { game: 'chess', metric: 'dtm', position: PAWN }),
  query('/standard', { fen: PAWN }),
  query('/api/mainline', { game: 'chess', metric: 'dtm', position: PAWN }),
  query('/api/positions', { game: 'chess', metric: 'dtm', ending: 'KPK', limit: '10000' }),
  query('/api/histogram', { game: 'chess', metric: 'dtm', ending: 'KPK' }),
];

describe('tables', () => {
  async function kpk(): Promise<{ folder: string; sound: string; store: Store }> {
    const root = testFolder();
    const [folder, sound] = [join(root, 'tables'), join(root, 'sound')];
    const store = folderStore(folder);
    await putSolved(store, chess, chess.ending('KPK').slices);
    cpSync(folder, sound, { recursive: true });
    return { folder, sound, store };
  }
  const pawnSlices = (folder: string) =>
    chess.ending('KPK').slices.map((slice) => join(folder, 'chess/dtm', slice));

  test('that were damaged in place answer once sound copies have their names', async () => {
    const { folder, sound, store } = await kpk();
    // Few blocks in memory, so that the files are read.
    const { app } = served(store, { cacheBytes: 1 });
    for (const path of ROUTES.slice(0, 3)) expect(await statusOf(app, path), path).toBe(200);
    for (const file of pawnSlices(folder).flatMap(filesUnder)) if (file.endsWith('.arrow')) damage(file);
    for (const path of ROUTES) expect(await statusOf(app, path), path).toBe(502);
    renameSync(join(folder, 'chess'), join(folder, 'damaged'));
    cpSync(join(sound, 'chess'), join(folder, 'chess'), { recursive: true });
    for (const path of ROUTES) expect(await statusOf(app, path), path).toBe(200);
  });

  test('whose folder is gone are 404, and answer again when it is back', async () => {
    const { folder, store } = await kpk();
    const { app } = served(store);
    const histogram = query('/api/histogram', { game: 'chess', metric: 'dtm', ending: 'KRK' });
    const positions = query('/api/positions', { game: 'chess', metric: 'dtm', ending: 'KRK' });
    const probe = query('/probe', {
      game: 'chess',
      metric: 'dtm',
      position: '8/8/8/8/8/2k5/1R6/K7 w - - 0 1',
    });
    expect(await statusOf(app, positions)).toBe(200);
    const [at, away] = [join(folder, 'chess/dtm/KRK'), join(folder, 'away')];
    renameSync(at, away);
    // The listing, which shows it, is still remembered.
    for (const path of [positions, histogram, probe]) {
      const { status, body } = await asked(app, path);
      expect([status, body.error], path).toEqual([404, 'there is no dtm table of KRK here']);
    }
    renameSync(away, at);
    for (const path of [positions, histogram, probe]) expect(await statusOf(app, path), path).toBe(200);
  });

  /** Players take one to `most` of up to 12 counters; the player who takes the last one wins. */
  const counters = (most: number): Game =>
    numberedGame<{ left: number; mover: 0 | 1 }>({
      name: 'counters',
      size: 13,
      index: ({ left }) => left,
      position: (left, mover) => ({ left, mover }),
      mover: ({ mover }) => mover,
      moves: ({ left, mover }) =>
        Array.from({ length: Math.min(most, left) }, (_, i) => [
          `take ${i + 1}`,
          { left: left - i - 1, mover: mover === 0 ? 1 : 0 },
        ]),
    }) as Game;

  test('that others replace are served within the time of a listing', async () => {
    const root = testFolder();
    const [folder, other] = [join(root, 'tables'), join(root, 'other')];
    await solveGame(counters(1), ['counters'], { store: folderStore(folder) });
    await solveGame(counters(3), ['counters'], { store: folderStore(other) });
    const { app } = served(folderStore(folder), { games: [counters(3)] });
    // With one to take at a time, an odd number of counters is won in as many plies; with three, eight are lost in four.
    const value = async () => {
      const path = query('/api/positions', {
        game: 'counters',
        ending: 'counters',
        side: 'white',
        limit: '100',
      });
      const { positions } = (await asked(app, path)).body as {
        positions: { plies: number; outcome: string }[];
      };
      return `${positions.at(-1)!.outcome} ${positions.at(-1)!.plies}`;
    };
    const counted = async () => {
      const path = query('/api/histogram', { game: 'counters', ending: 'counters' });
      return (
        (await asked(app, path)).body as { sides: { losses: [number, number][] }[] }
      ).sides[0].losses.at(-1)![0];
    };
    expect([await value(), await counted()]).toEqual(['loss 12', 12]);
    renameSync(join(folder, 'counters'), join(root, 'old'));
    cpSync(join(other, 'counters'), join(folder, 'counters'), { recursive: true });
    later(11_000);
    await expect.poll(value).toBe('loss 6');
    await expect.poll(counted).toBe(6);
  });

  test('that are replaced while a prober has their blocks in memory are looked up anew', async () => {
    const root = testFolder();
    const [folder, other] = [join(root, 'tables'), join(root, 'other')];
    await solveGame(counters(1), ['counters'], { store: folderStore(folder) });
    await solveGame(counters(3), ['counters'], { store: folderStore(other) });
    const game = counters(1);
    const { service } = served(folderStore(folder), { games: [game] });
    const code = () => service.probers.probing(game, 'dtw', (prober) => prober.code({ left: 12, mover: 0 }));
    // Lost in 12 plies by one game, in 6 by the other: codes are -1 - plies.
    expect(await code()).toBe(-13);
    rmSync(join(folder, 'counters'), { recursive: true });
    cpSync(join(other, 'counters'), join(folder, 'counters'), { recursive: true });
    later(11_000);
    await expect.poll(code).toBe(-7);
  });
});

describe('graphs', () => {
  const chain = (length: number): GraphNode[] => [
    ...Array.from({ length }, (_, i) => ({
      id: `n${i}`,
      owner: (i % 2) as 0 | 1,
      winner: null,
      edges: [`n${i + 1}`],
    })),
    { id: `n${length}`, owner: 0, winner: 1, edges: [] },
  ];
  const put = (store: Store, length: number) =>
    solveGraph(solving({ nodes: chain(length), edges: [], stuck: 'lost' }, { store, name: 'chain' }));
  const probe = query('/probe', { game: 'chain', position: 'n0' });
  const named = query('/probe', { game: 'chain', position: 'n0', metric: 'dtw' });

  test('that are deleted are 404, and answer as soon as they are solved again', async () => {
    const folder = join(testFolder(), 'tables');
    await put(folderStore(folder), 5);
    const { app } = served(folderStore(folder));
    expect((await asked(app, '/api/graphs')).status).toBe(200);
    // Not opened yet, and still listed.
    rmSync(join(folder, 'graph'), { recursive: true });
    for (const path of [probe, named]) {
      const { status, body } = await asked(app, path);
      expect([status, body.error]).toEqual([404, 'chain is not solved for dtw here']);
    }
    await put(folderStore(folder), 5);
    expect((await asked(app, probe)).body).toMatchObject({ plies: 5 });
  });

  test('that are replaced answer anew within the time of a listing', async () => {
    const folder = join(testFolder(), 'tables');
    await put(folderStore(folder), 5);
    const { app } = served(folderStore(folder));
    expect((await asked(app, probe)).body).toMatchObject({ plies: 5 });
    rmSync(join(folder, 'graph'), { recursive: true });
    await put(folderStore(folder), 8);
    later(11_000);
    await expect.poll(async () => (await asked(app, probe)).body).toMatchObject({ plies: 8 });
  });
});

test('objects of a store that is gone have no other version', async () => {
  const root = testFolder();
  const folder = join(root, 'tables');
  const store = folderStore(folder);
  await putSolved(store, chess, ['KQK']);
  let isThere = true;
  const reach = () =>
    isThere ? Promise.resolve() : Promise.reject(new StorageError(folder, 'gone', { cause: 'ENOENT' }));
  const { app } = served(store, { reach });
  const path = query('/probe', { game: 'chess', metric: 'dtm', position: '8/8/8/8/3k4/8/8/K6Q w - - 0 1' });
  expect(await statusOf(app, path)).toBe(200);
  renameSync(folder, join(root, 'away'));
  isThere = false;
  later(11_000);
  for (let i = 0; i < 3; i++) expect(await statusOf(app, path)).toBe(200);
});

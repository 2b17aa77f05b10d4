/** Syzygy's files alone, with no table beside them, as the source of the API and of the page. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { LineAnswer, PositionAnswer } from '../../../jobs/positions/shapes.js';
import type { FiledAnswer, GameAnswer } from '../../../jobs/server/api-answers.js';
import { newLine } from '../../../jobs/web/line.js';
import { hashOf } from '../../../jobs/web/place.js';
import { httpStore } from '../../../operators/storage/http.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import type { Plies } from '../../../pipeline/games/chess/syzygy/cells.js';
import {
  type Files,
  pawnFiles,
  type SolvedEnding,
  solveEnding,
} from '../../pipeline/games/chess/syzygy/making.js';
import { CHROMIUM, closePages, ifNoChromium, visit } from '../../support/browser.js';
import { start, until } from '../../support/cli.js';
import { run } from '../../support/command.js';
import { fileServer } from '../../support/file-server.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';
import { listening, served } from '../../support/serving.js';

let solved: SolvedEnding;
const made = new Map<Plies, Files>();
beforeAll(async () => {
  solved = await solveEnding('KPK');
  for (const plies of ['exact', 'halved'] as const) made.set(plies, await pawnFiles(plies));
});

function folderOf(plies: Plies): string {
  const folder = join(testFolder(), 'syzygy');
  mkdirSync(folder);
  for (const [name, bytes] of made.get(plies)!) writeFileSync(join(folder, name), bytes);
  return folder;
}

const stored = (plies: Plies) => localStore(folderOf(plies), { durable: false });

type Get = <T>(path: string, query?: Record<string, string>) => Promise<T>;

function getter({ app }: ReturnType<typeof served>, status = 200): Get {
  return async (path, query = {}) => {
    const response = await app.request(`${path}?${new URLSearchParams({ game: 'chess', ...query })}`);
    expect(response.status, path).toBe(status);
    return (await response.json()) as never;
  };
}
const from = (syzygy: Store, store: Store = memoryStore()) => served(store, { syzygy });

const PAWN = '4k3/8/4K3/4P3/8/8/8/8 w - - 0 1';
const LOST = '8/8/8/8/3k4/8/3P4/3K4 b - - 5 9';
const LATE = '8/8/8/8/3k4/8/8/K6Q w - - 90 60';
const NAMES = ['KBK', 'KNK', 'KQK', 'KRK', 'KPK'];

/** Plies that neither the moves nor the men decide. */
const OPEN = '8/4k3/2P5/K7/8/8/8/8 w - - 0 1';

describe('a folder of files', () => {
  test('has its games, its endings with a position each, and their values', async () => {
    const get = getter(from(stored('exact')));
    const [game, ...others] = await get<GameAnswer[]>('/api/games');
    expect(game).toMatchObject({ name: 'chess', metrics: ['dtz'] });
    expect(others).toEqual([]);
    expect(await get('/api/endings')).toEqual([]);
    const files = await get<FiledAnswer[]>('/api/files');
    expect(files.map(({ ending }) => ending).sort()).toEqual([...NAMES].sort());
    expect(files.map(({ example }) => example)).toContain(game.example);
    for (const { ending, pieces, example } of files) {
      expect(pieces).toBe(3);
      expect(chess.ending(ending).slices).toContain(chess.locate(chess.parse(example)).slice);
      const { position, moves } = await get<PositionAnswer>('/probe', { position: example });
      expect(position).toBe(example);
      expect(moves.length).toBeGreaterThan(0);
    }
  });

  test('answers like tables', async () => {
    const files = getter(from(stored('exact')));
    const tables = getter(served(solved.store));
    for (const position of [PAWN, LOST, LATE]) {
      for (const path of ['/probe', '/api/mainline'])
        expect(await files(path, { position, metric: 'dtz' }), `${path} ${position}`).toEqual(
          await tables(path, { position, metric: 'dtz' }),
        );
      expect(await files('/probe', { position })).toEqual(await files('/probe', { position, metric: 'dtz' }));
    }
  });

  test('marks plies that a file stores in pairs, and plays on to the mate', async () => {
    const files = getter(from(stored('halved')));
    const tables = getter(served(solved.store));
    const query = { position: OPEN, metric: 'dtz' };
    const [answered, should] = [
      await files<PositionAnswer>('/probe', query),
      await tables<PositionAnswer>('/probe', query),
    ];
    const inPairs = answered.moves.filter((move) => move.precise === false);
    expect(inPairs.length).toBeGreaterThan(0);
    for (const { uci, outcome, plies, precise } of answered.moves) {
      const exact = should.moves.find((move) => move.uci === uci)!;
      expect(outcome).toBe(exact.outcome);
      const more = (exact.plies ?? 0) - (plies ?? 0);
      expect(more === 0 || (more === 1 && precise === false), uci).toBe(true);
    }
    const { line } = await files<LineAnswer>('/api/mainline', query);
    expect(chess.terminal(chess.parse(line.at(-1)!.position))).toBe('lost');
  });

  test('answers an ending without a file as unknown, without naming the folder', async () => {
    const get = getter(from(stored('exact')), 404);
    const { error } = await get<{ error: string }>('/probe', { position: '8/8/8/8/3k4/8/8/K5NQ w - - 0 1' });
    expect(error).toMatch(/a Syzygy file of it, or of one that it leads to, is missing$/);
  });
});

test('a folder of files over HTTP, which cannot be listed, has the same endings', async () => {
  const folder = folderOf('exact');
  const server = await fileServer(folder);
  onTestFinished(() => server.close());
  const [here, there] = [
    getter(from(localStore(folder, { durable: false }))),
    getter(from(httpStore(server.endpoint))),
  ];
  expect(await there('/api/files')).toEqual(await here('/api/files'));
  expect(await there('/probe', { position: PAWN })).toEqual(await here('/probe', { position: PAWN }));
  // The folder has fewer files than are asked for; they are remembered.
  server.sent();
  await there('/api/files');
  expect(server.sent()).toEqual([]);
});

test('tables answer where they exist, and files for all other endings', async () => {
  const store = memoryStore();
  for (const name of await solved.store.list('chess/dtz/KQK/'))
    await store.putIfAbsent(name, (await readAll(solved.store, name))!);
  const get = getter(from(stored('halved'), store));
  expect(await get('/api/endings')).toMatchObject([{ ending: 'KQK' }]);
  const table = getter(served(solved.store));
  const query = { position: LATE, metric: 'dtz' };
  expect(await get('/probe', query)).toEqual(await table('/probe', query));
  expect(await get('/probe', { position: PAWN })).toMatchObject({ outcome: 'win' });
});

describe.skipIf(!LONG)(`mergemate serve --syzygy${ifShort}`, () => {
  test('starts without a store', async () => {
    const folder = folderOf('exact');
    const { child, ended } = start(['serve', '--syzygy', folder, '--port', '0'], '', testFolder());
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout!.on('data', (text: string) => (said += text));
    await until(() => said.includes('\n') || child.exitCode !== null, 'the server');
    const url = /syzygy \(chess\) is served at (\S+)\n/.exec(said)?.[1];
    if (url === undefined) throw new Error(said + (await ended).stderr);
    const query = new URLSearchParams({ game: 'chess', position: PAWN });
    expect(await (await fetch(`${url}/probe?${query}`)).json()).toMatchObject({
      metric: 'dtz',
      outcome: 'win',
    });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('refuses a missing folder or a missing named store in one line with exit code 2', async () => {
    const absent = join(testFolder(), 'absent');
    for (const args of [
      ['--syzygy', absent],
      ['--syzygy', folderOf('exact'), '--store', absent],
    ]) {
      const { code, stderr } = await run(['serve', '--port', '0', ...args]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^mergemate: .*absent: there is no such folder[^\n]*\n$/),
      ]);
    }
  });
});

test.skipIf(CHROMIUM === undefined || !LONG)(
  `the page lists files, and shows their values${ifNoChromium}${ifShort}`,
  async () => {
    const syzygy = stored('halved');
    const server = await listening(memoryStore(), {}, { syzygy, pages: 'dist/web' });
    onTestFinished(() => server.stop());
    onTestFinished(closePages);
    const { page, problems } = await visit(server.url);
    const named = page.locator('.endings .ending .soft');
    await expect.poll(async () => (await named.allTextContents()).sort()).toEqual([...NAMES].sort());
    await page.getByRole('button', { name: /^Queen against bare king/ }).click();
    await page.locator('.verdict').getByText(/KQK/).waitFor();
    expect(await page.locator('.verdict .value').textContent()).toMatch(/^(White|Black) .* in \d+ plies/);
    await page.goto(`${server.url}/${hashOf({ game: 'chess', metric: 'dtz', line: newLine(OPEN) }, null)}`);
    await page.locator('.verdict').getByText('wins in 5 or 6 plies').waitFor();
    expect(
      (await page.locator('.moves .value').allTextContents()).some((text) => /^win \d+\+$/.test(text)),
    ).toBe(true);
    expect(problems).toEqual([]);
  },
);

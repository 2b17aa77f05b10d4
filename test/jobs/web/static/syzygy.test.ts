/** A static site of Syzygy's files, alone and beside tables: the source that reads it, and its page in Chromium. */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mainLineAnswer, positionAnswer } from '../../../../jobs/server/answers.js';
import { newCatalogue } from '../../../../jobs/server/catalogue/catalogue.js';
import { exportSite, type SiteOptions } from '../../../../jobs/site/export-site.js';
import { shownPosition } from '../../../../jobs/web/shown-position.js';
import { NoValueError } from '../../../../jobs/web/source.js';
import { type StaticSource, staticSource } from '../../../../jobs/web/static/static-source.js';
import { localStore } from '../../../../operators/storage/local.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { syzygyProber } from '../../../../pipeline/games/chess/syzygy/read/prober.js';
import { openSyzygyTables } from '../../../../pipeline/games/chess/syzygy/read/tables.js';
import { newProber, type Prober } from '../../../../pipeline/tables/probe/prober.js';
import {
  type Files,
  filesOf,
  pawnFiles,
  positionsOf,
  type SolvedEnding,
  solveEnding,
} from '../../../pipeline/games/chess/syzygy/making.js';
import { CHROMIUM, closePages, ifNoChromium, PHONE, visit } from '../../../support/browser.js';
import { siteOptions } from '../../../support/exported-site.js';
import { type FileServer, fileServer } from '../../../support/file-server.js';
import { newFolder, testFolder } from '../../../support/folders.js';
import { ifShort, LONG, sweep } from '../../../support/long.js';
import { randomPositions } from '../../../support/random-positions.js';
import { MiB } from '../../../support/solving.js';
import { valueUnder } from '../../../support/value-under.js';

const execute = promisify(execFile);
const game = chess as Game;
const root = newFolder();
let solved: SolvedEnding;
let files: Store;
let server: FileServer;

beforeAll(async () => {
  solved = await solveEnding('KPK');
  files = folderOf('files', await pawnFiles('halved'));
  server = await fileServer(root);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

function folderOf(name: string, contents: Files): Store {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [file, bytes] of contents) writeFileSync(join(folder, file), bytes);
  return localStore(folder, { durable: false });
}

function exporting(to: string, more: Partial<SiteOptions> = {}) {
  return exportSite(
    siteOptions(memoryStore(), { syzygy: files, to: join(root, to), page: resolve('dist/web'), ...more }),
  );
}

const source = (to: string): Promise<StaticSource> => staticSource(`${server.endpoint}/${to}/tables/`);

async function expectSame(site: StaticSource, prober: Prober<unknown>, positions: readonly string[]) {
  expect(positions.length).toBeGreaterThan(10);
  for (const position of positions) {
    const answer = await valueUnder(site, 'chess', 'dtz', position);
    expect(answer).toEqual(shownPosition(await positionAnswer(game, prober, game.parse(position))));
  }
}

const sample = async (ending: string) =>
  (await positionsOf(solved, ending, ending === 'KPK' ? 12_007 : 1_501)).map(({ fen }) => fen);

describe('a site of files alone', () => {
  beforeAll(() => exporting('alone'));

  test('has their values and lines', async () => {
    const site = await source('alone');
    const prober = syzygyProber(openSyzygyTables(files, MiB)) as Prober<unknown>;
    await expectSame(site, prober, await sample('KPK'));
    await expectSame(site, prober, await sample('KRK'));
    const [position] = await sample('KQK');
    expect(await site.mainLine('chess', 'dtz', position)).toEqual(
      await mainLineAnswer(game, prober, game.parse(position)),
    );
  });

  test('lists their endings as a server does, and has no tables', async () => {
    const site = await source('alone');
    const catalogue = newCatalogue({ store: memoryStore(), syzygy: files, games: [game] });
    expect(site.games).toEqual(await catalogue.games());
    expect(await site.files('chess', 'dtz')).toEqual(await catalogue.files(game, 'dtz'));
    expect(await site.endings('chess', 'dtz')).toEqual([]);
    const asked = { game: 'chess', metric: 'dtz', ending: 'KQK', query: {}, skip: 0, limit: 1 } as const;
    await expect(site.positions(asked)).rejects.toThrow('There is no dtz table of KQK here.');
  });

  test('answers an ending without a file as unknown, and an illegal position with the reason', async () => {
    const site = await source('alone');
    for (const [position, kind] of [
      ['8/8/8/8/3k4/8/8/K5NQ w - - 0 1', 'unknown'],
      ['8/8/8/8/3k4/8/8/K6Q b - - 0 1 nonsense', 'illegal'],
      ['8/8/8/8/3k3Q/8/8/K7 w - - 0 1', 'illegal'],
    ]) {
      const problem = await valueUnder(site, 'chess', 'dtz', position).catch((error) => error);
      expect(problem).toBeInstanceOf(NoValueError);
      expect(problem.kind, position).toBe(kind);
    }
  });

  test('keeps files that are there when it is exported again', async () => {
    const file = join(root, 'alone/tables/syzygy/KPvK.rtbw');
    const before = statSync(file).mtimeMs;
    await exporting('alone');
    expect(statSync(file).mtimeMs).toBe(before);
    writeFileSync(file, readFileSync(file).fill(1, 100, 110));
    await exporting('alone');
    expect(readFileSync(file)).toEqual(readFileSync(join(root, 'files/KPvK.rtbw')));
  });
});

test('endings that are named come with the files of all endings that they convert to', async () => {
  await exporting('some', { slices: () => game.ending('KQK').slices });
  const site = await source('some');
  expect((await site.files('chess', 'dtz')).map(({ ending }) => ending)).toEqual(['KQK']);
  await expect(exporting('more', { slices: () => game.ending('KRKN').slices })).rejects.toThrow(
    /files has no files of KRvKN \(\.rtbw and \.rtbz\)$/,
  );
});

test('tables answer where they exist, and files for the rest', async () => {
  await exporting('both', { store: onlyOf(solved.store, 'KQK') });
  const site = await source('both');
  const prober = newProber({ game, metric: 'dtz', store: solved.store, cacheBytes: MiB });
  await expectSame(site, prober, await sample('KQK'));
  const ofFiles = syzygyProber(openSyzygyTables(files, MiB)) as Prober<unknown>;
  await expectSame(site, ofFiles, await sample('KRK'));
  expect((await site.endings('chess', 'dtz')).map(({ ending }) => ending)).toEqual(['KK', 'KQK']);
});

/** The store with the tables of an ending and of two bare kings alone. */
function onlyOf(store: Store, ending: string): Store {
  const isOf = (name: string) => name.includes(`/${ending}/`) || name.includes('/KK/');
  return { ...store, list: async (prefix) => (await store.list(prefix)).filter(isOf) };
}

test('a damaged file is not exported', async () => {
  const contents = await pawnFiles('halved');
  contents.set('KRvK.rtbz', contents.get('KRvK.rtbz')!.slice().fill(7, 80, 90));
  const syzygy = folderOf('damaged', contents);
  await expect(exporting('refused', { syzygy })).rejects.toThrow(/KRvK\.rtbz: does not match its checksum/);
});

let exported: Promise<SolvedEnding> | undefined;

/** Exports the site `bishops`, whose largest file is read in blocks, once. */
function bishops(): Promise<SolvedEnding> {
  exported ??= (async () => {
    const pairs = await solveEnding('KBNK');
    await exporting('bishops', { syzygy: folderOf('bishop-files', await filesOf(pairs, 'exact')) });
    return pairs;
  })();
  return exported;
}

test.skipIf(!LONG)(`a file of a site that is damaged later is refused by name${ifShort}`, async () => {
  const pairs = await bishops();
  cpSync(join(root, 'bishops'), join(root, 'later'), { recursive: true });
  const folder = join(root, 'later/tables/syzygy');
  expect(readdirSync(folder)).toContain('KBNvK.rtbz.crc32');
  // Small files are read whole.
  expect(readdirSync(folder)).not.toContain('KBNvK.rtbw.crc32');
  const path = join(folder, 'KBNvK.rtbz');
  const sound = readFileSync(path);
  const positions = (await positionsOf(pairs, 'KBNK', 60_017)).map(({ fen }) => fen);
  const right = await Promise.all(
    positions.map(async (each) =>
      JSON.stringify(await valueUnder(await source('later'), 'chess', 'dtz', each)),
    ),
  );
  // Every KiB has a flipped bit, but for the head.
  writeFileSync(
    path,
    sound.map((byte, at) => (at >= 1 << 14 && at % 1024 === 700 ? byte ^ 4 : byte)),
  );
  let refused = 0;
  for (const [i, each] of positions.entries()) {
    const answer = await valueUnder(await source('later'), 'chess', 'dtz', each).catch(
      (error: Error) => error,
    );
    if (answer instanceof Error) {
      expect(answer.message).toContain('KBNvK.rtbz');
      refused++;
    } else expect(JSON.stringify(answer)).toBe(right[i]);
  }
  expect(refused).toBeGreaterThan(positions.length / 2);
});

test('the command needs no store, and takes chess and dtz alone', async () => {
  const to = join(root, 'by-command');
  const folder = join(root, 'files');
  const asked = ['publish', '--as', 'site', '--syzygy', folder, '--to', to];
  // Where the tests run there may be tables, which the command would take along.
  const cwd = testFolder();
  const exported = (more: readonly string[] = []) =>
    execute(process.execPath, [resolve('dist/jobs/cli.js'), ...asked, ...more], { cwd });
  expect((await exported()).stdout).toMatch(/is a site of its own \(chess: dtz\): 10 files with values/);
  for (const [more, stderr] of [
    [['chess', '--metric', 'dtm'], /hold plies under the metric dtz/],
    [['checkers'], /are of chess/],
  ] as [string[], RegExp][])
    await expect(exported(more)).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) });
});

test.skipIf(!LONG)(`first positions of KBNK take few bytes and requests${ifShort}`, async () => {
  await bishops();
  const boards = randomPositions('KBNK', 60, { seed: 7, close: 0.3 });
  const sums = { bytes: 0, requests: 0 };
  for (const board of boards) {
    const site = await source('bishops');
    server.sent();
    await valueUnder(site, 'chess', 'dtz', chess.format(board));
    const sent = server.sent();
    sums.requests += sent.length;
    for (const { bytes } of sent) sums.bytes += bytes;
  }
  const [bytes, requests] = [sums.bytes, sums.requests].map((sum) => Math.round(sum / boards.length));
  console.log(`KBNK from Syzygy's files: ${bytes} bytes in ${requests} requests for a first position`);
  expect(bytes).toBeLessThan(75_000);
  expect(requests).toBeLessThan(18);
});

describe.skipIf(CHROMIUM === undefined)(`its page${ifNoChromium}`, () => {
  test.each(sweep<[string, typeof PHONE | object]>([['390 px', PHONE]], [['desktop', {}]]))(
    'shows values, lists the endings and opens one (%s)',
    async (_, options) => {
      await exporting('page');
      onTestFinished(closePages);
      const { page, problems } = await visit(`${server.endpoint}/page/`, options);
      const says = (words: RegExp) => page.locator('.verdict .value').filter({ hasText: words }).waitFor();
      await says(/^White to move: /);
      await page.goto(
        `${server.endpoint}/page/#${new URLSearchParams({ game: 'chess', metric: 'dtz', position: '8/8/8/8/8/3k4/8/K6Q w - - 0 1' })}`,
      );
      await says(/^White to move: wins in 1[0-9]\+? plies/);
      await page.getByRole('tab', { name: 'Endings' }).click();
      await page.locator('.ending').filter({ hasText: 'KRK' }).first().click();
      await expect.poll(() => page.locator('#position').inputValue()).toMatch(/R/);
      await says(/^White to move: wins in /);
      expect(problems).toEqual([]);
    },
  );
});

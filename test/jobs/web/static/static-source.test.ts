/** The static export, and the source that reads it over HTTP, against the prober on the store that it was made from. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { positionsAnswer } from '../../../../jobs/positions/answer.js';
import { mainLineAnswer, positionAnswer } from '../../../../jobs/server/answers.js';
import { GameAnswer, PlayedEnding, PlayedHistogram } from '../../../../jobs/server/api-answers.js';
import { newCatalogue } from '../../../../jobs/server/catalogue/catalogue.js';
import { exportSite, type SiteOptions } from '../../../../jobs/site/export-site.js';
import { shownPosition } from '../../../../jobs/web/shown-position.js';
import { type StaticSource, staticSource } from '../../../../jobs/web/static/static-source.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Game, Side } from '../../../../pipeline/game/game.js';
import { brokenCode, type Metric } from '../../../../pipeline/game/value.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { newProber, type Prober } from '../../../../pipeline/tables/probe/prober.js';
import { newPublishedProber } from '../../../../pipeline/tables/probe/published-prober.js';
import { openPublication } from '../../../../pipeline/tables/published/publication.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { numbers } from '../../../pipeline/tables/samples.js';
import { siteOptions, stubOfPage } from '../../../support/exported-site.js';
import { type FileServer, fileServer } from '../../../support/file-server.js';
import { ifShort, LONG } from '../../../support/long.js';
import { publishWhole } from '../../../support/publishing.js';
import { putSolved, solveGame } from '../../../support/solving.js';
import { valueUnder } from '../../../support/value-under.js';

const root = mkdtempSync(join(tmpdir(), 'mergemate-site-'));
const page = join(root, 'page');
const draughts = checkers as unknown as Game;
const store = memoryStore();
const published = memoryStore();
let server: FileServer | undefined;

beforeAll(async () => {
  if (!LONG) return;
  stubOfPage(root);
  await putSolved(store, chess, ['KQKR']);
  await solveGame(chess, ['KRK'], { store, metric: 'dtz', verify: true });
  const classes = ['1110.00'];
  await solveGame(checkers, classes, { store, metric: 'dtw' });
  for (const [game, slices, metric] of [
    [chess, ['KQKR'], 'dtm'],
    [checkers, classes, 'dtw'],
  ] as [Game, string[], Metric][]) {
    await publishWhole({ game, slices, metric, store, to: published, codec: 'rows' });
  }
  server = await fileServer(root);
});
afterAll(async () => {
  await server?.close();
  rmSync(root, { recursive: true });
});
afterEach(() => server?.fail('no ranges', 0));

function exporting(to: string, more: Partial<SiteOptions> = {}) {
  return exportSite(
    siteOptions(store, { games: [chess as Game, draughts], to: join(root, to), page, ...more }),
  );
}

const source = (to: string): Promise<StaticSource> => staticSource(`${server!.endpoint}/${to}/tables/`);

/** Legal boards of a slice, at random. */
async function boardsOf(game: Game, metric: Metric, name: string, count: number): Promise<unknown[]> {
  const { slice, manifest, block } = await needTable(store, game, metric, name);
  const broken = brokenCode(manifest.valueType);
  const next = numbers(99);
  const boards: unknown[] = [];
  while (boards.length < count) {
    const side = (next() & 1) as Side;
    const index = next() % slice.size;
    const part = Math.floor(index / slice.width);
    const key = index - part * slice.width;
    const { first, columns } = await block(side, part, key);
    if (columns[0][key - first] === broken) continue;
    // As people ask for it: with the counters of its text.
    boards.push(game.parse(game.format(game.board({ slice: name, side, part, key }))));
  }
  return boards;
}

const proberOf = (game: Game, metric: Metric): Prober<unknown> =>
  newProber({ game, metric, store, cacheBytes: 1 << 26 });

async function expectSame(site: StaticSource, game: Game, prober: Prober<unknown>, boards: unknown[]) {
  const { metric } = prober;
  for (const board of boards) {
    const answer = await valueUnder(site, game.name, metric, game.format(board));
    expect(answer).toEqual(shownPosition(await positionAnswer(game, prober, board)));
  }
}

describe.skipIf(!LONG)(`an exported site${ifShort}`, () => {
  beforeAll(async () => {
    await exporting('all', { published });
  });

  test('gives the values of the store', async () => {
    const site = await source('all');
    await expectSame(
      site,
      chess as Game,
      proberOf(chess as Game, 'dtm'),
      await boardsOf(chess as Game, 'dtm', 'KQKR', 100),
    );
    await expectSame(
      site,
      chess as Game,
      proberOf(chess as Game, 'dtm'),
      await boardsOf(chess as Game, 'dtm', 'KQK', 100),
    );
    await expectSame(
      site,
      chess as Game,
      proberOf(chess as Game, 'dtz'),
      await boardsOf(chess as Game, 'dtz', 'KRK', 100),
    );
    await expectSame(
      site,
      draughts,
      proberOf(draughts, 'dtw'),
      await boardsOf(draughts, 'dtw', '1110.20', 100),
    );
  });

  test('gives the values of the publication', async () => {
    const site = await source('all');
    for (const [game, metric, slice] of [
      [chess, 'dtm', 'KQKR'],
      [checkers, 'dtw', '1110.20'],
    ] as [Game, Metric, string][]) {
      const publication = await openPublication(published, game);
      const prober = newPublishedProber({ game, publication, cacheBytes: 1 << 22, positionBytes: 1 << 16 });
      await expectSame(site, game, prober, await boardsOf(game, metric, slice, 100));
    }
  });

  test.each([
    ['chess', 'KQKR', { plies: { least: 60, most: 69 }, side: 'white', on: 'Ka kd' }],
    ['chess', 'KQKR', { longest: true }],
    ['chess', 'KQKR', { zugzwang: true }],
    ['chess', 'KRK', { result: 'draw' }],
    ['checkers', '1100', { side: 'black', on: 'BK4' }],
  ] as const)('%s %s: positions by query are those of the store (%j)', async (name, ending, query) => {
    const site = await source('all');
    const game = (name === 'chess' ? chess : draughts) as Game;
    const metric = game.metrics[0];
    const page = { skip: 2, limit: 40 };
    const found = await site.positions({ game: name, metric, ending, query, ...page });
    const open = (slice: string) => needTable(store, game, metric, slice);
    const options = { game, metric, ending: game.ending(ending), open, report: async () => {} };
    expect(found).toEqual(await positionsAnswer(options, query, page));
    // Tables are read in large pieces: KQKR has 4 MB, which are gone through twice at most.
    expect(site.counts().requests).toBeLessThan(40);
    if (!('zugzwang' in query)) expect(found.positions.length).toBeGreaterThan(0);
  });

  test('main lines go to their end', async () => {
    const site = await source('all');
    for (const board of await boardsOf(chess as Game, 'dtm', 'KQKR', 3)) {
      const line = await site.mainLine('chess', 'dtm', chess.format(board as never));
      const expected = await mainLineAnswer(chess as Game, proberOf(chess as Game, 'dtm'), board);
      expect(line).toEqual(expected);
      if (expected.plies !== null) expect(line.line).toHaveLength(expected.plies);
    }
  });

  test('is described as by a server', async () => {
    const site = await source('all');
    const catalogue = newCatalogue({ store, published, games: [chess as Game, draughts] });
    const { games } = site;
    expect(games).toEqual(await catalogue.games());
    for (const game of games) GameAnswer.parse(game);
    for (const [game, metric] of [
      [chess, 'dtm'],
      [chess, 'dtz'],
      [checkers, 'dtw'],
    ] as [Game, Metric][]) {
      const endings = await site.endings(game.name, metric);
      expect(endings).toEqual(await catalogue.endings(game, metric));
      const { ending } = endings.at(-1)!;
      expect(await site.histogram(game.name, metric, ending)).toEqual(
        await catalogue.histogram(game, metric, ending),
      );
    }
  });

  test('endings of a publication have the counts of its tables, and no plies', async () => {
    const site = await source('all');
    const [last] = (await site.endings('chess', 'wdl')).slice(-1);
    const [with_] = (await site.endings('chess', 'dtm')).slice(-1);
    expect(PlayedEnding.parse(last)).toEqual({ ...with_, longestWin: [null, null] });
    const histogram = PlayedHistogram.parse(await site.histogram('chess', 'wdl', 'KQKR'));
    expect(histogram.sides.map(({ wins }) => wins)).toEqual([[], []]);
    const ofTables = PlayedHistogram.parse(await site.histogram('chess', 'dtm', 'KQKR'));
    expect(histogram.sides[0].draws).toBe(ofTables.sides[0].draws);
  });

  test('answers a probe with few bytes, and the next one with fewer', async () => {
    const measured: Record<string, object> = {};
    for (const [metric, most] of [
      ['dtm', 60_000],
      ['wdl', 40_000],
    ] as [Metric, number][]) {
      const boards = await boardsOf(chess as Game, 'dtm', 'KQKR', 12);
      const cold: number[] = [];
      const requests: number[] = [];
      const warm: number[] = [];
      for (const board of boards) {
        const site = await source('all');
        await valueUnder(site, 'chess', metric, chess.format(board as never));
        cold.push(site.counts().bytes);
        requests.push(site.counts().requests);
        const [move] = (await valueUnder(site, 'chess', metric, chess.format(board as never))).moves;
        expect(site.counts().bytes).toBe(cold.at(-1));
        await valueUnder(site, 'chess', metric, move.position);
        warm.push(site.counts().bytes - cold.at(-1)!);
      }
      if (metric === 'dtm') expect(Math.max(...requests)).toBeLessThanOrEqual(12);
      measured[metric] = {
        first: mean(cold),
        most: Math.max(...cold),
        requests: mean(requests),
        mostRequests: Math.max(...requests),
        next: mean(warm),
      };
      expect(Math.max(...cold)).toBeLessThan(most);
    }
    console.log('bytes of probes of KQKR:', JSON.stringify(measured));
  });

  test('reports a missing ending in a line', async () => {
    const site = await source('all');
    const asked = (game: string, metric: Metric, position: string) =>
      valueUnder(site, game, metric, position);
    await expect(asked('go', 'dtm', 'x')).rejects.toThrow('There are no tables of go here.');
    await expect(asked('chess', 'dtc', 'x')).rejects.toThrow('There are no dtc tables of chess here.');
    await expect(asked('chess', 'dtm', 'nonsense')).rejects.toThrow(/FEN/);
    const queens = '4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1';
    await expect(asked('chess', 'dtm', queens)).rejects.toThrow('There is no dtm table of KQQK here.');
    await expect(asked('chess', 'wdl', queens)).rejects.toThrow('There is no wdl table of KQQK here.');
    expect((await asked('chess', 'dtm', '4k3/8/8/8/8/8/8/4K3 w - - 0 1')).wdl).toBe('draw');
    await expect(site.histogram('chess', 'dtm', 'KQQK')).rejects.toThrow(/is not there \(404\)/);
    await expect(site.mainLine('chess', 'wdl', '4k3/8/8/8/8/8/8/Q3K3 w - - 0 1')).rejects.toThrow(/wdl/);
    await expect(source('nowhere')).rejects.toThrow(/index.json is not there/);
  });

  test('is read from a server that fails for a while, and from one without ranges', async () => {
    const position = '4k3/8/8/8/8/8/r7/Q3K3 w - - 0 1';
    const prober = proberOf(chess as Game, 'dtm');
    const expected = shownPosition(await positionAnswer(chess as Game, prober, chess.parse(position)));
    const site = await source('all');
    server!.fail({ status: 404 }, Number.POSITIVE_INFINITY, /KQKR\/values/);
    await expect(valueUnder(site, 'chess', 'dtm', position)).rejects.toThrow(/no such object/);
    server!.fail('no ranges', 0);
    // The lookups of the other moves may still be failing.
    const probed = () => valueUnder(site, 'chess', 'dtm', position).catch(() => null);
    await expect.poll(probed).toEqual(expected);
    server!.fail('no ranges');
    expect(await valueUnder(await source('all'), 'chess', 'dtm', position)).toEqual(expected);
  });
});

describe.skipIf(!LONG)(`the folder${ifShort}`, () => {
  const only: Partial<SiteOptions> = { games: [chess as Game], metric: 'dtm', slices: () => ['KRK'] };
  const text = (path: string) => readFileSync(join(root, path), 'utf8');

  test('becomes a site only when everything is written', async () => {
    const summary = await exporting('krk', only);
    expect(summary).toMatchObject({ games: [{ name: 'chess', metrics: ['dtm'] }], objects: 6 });
    expect(JSON.parse(text('krk/site.json'))).toEqual({ source: 'static', tables: 'tables/' });
    expect(text('krk/index.html')).toBe(text('page/index.html'));

    // One write after the other fails, the last one that of site.json.
    for (let writes = 1; ; writes++) {
      const to = `krk-${writes}`;
      const failing = stopping(store, writes);
      const done = await exporting(to, { ...only, store: failing }).then(
        () => true,
        () => false,
      );
      expect(existsSync(join(root, to, 'site.json'))).toBe(done);
      await exporting(to, only);
      await expectSame(
        await source(to),
        chess as Game,
        proberOf(chess as Game, 'dtm'),
        await boardsOf(chess as Game, 'dtm', 'KRK', 3),
      );
      if (done) break;
    }
  });

  test('keeps its tables when it is exported again, and drops the others', async () => {
    const file = 'again/tables/chess/dtm/KRK/values-0-0';
    await exporting('again', { games: [chess as Game], slices: null, metric: 'dtm' });
    const before = statSync(join(root, file)).mtimeMs;
    writeFileSync(join(root, 'again/CNAME'), 'example.org');
    await exporting('again', only);
    expect(statSync(join(root, file)).mtimeMs).toBe(before);
    expect(existsSync(join(root, 'again/tables/chess/dtm/KQKR/table.json'))).toBe(false);
    expect(text('again/CNAME')).toBe('example.org');
    expect((await (await source('again')).endings('chess', 'dtm')).map(({ ending }) => ending)).toEqual([
      'KK',
      'KRK',
    ]);
  });

  test('reports a damaged copy when it is probed', async () => {
    await exporting('damaged', only);
    truncateSync(join(root, 'damaged/tables/chess/dtm/KRK/values-1-0'), 10_000);
    const site = await source('damaged');
    await expect(valueUnder(site, 'chess', 'dtm', '4k3/8/8/8/8/8/8/R3K3 w - - 0 1')).rejects.toThrow(
      /KRK\/values-1-0: /,
    );
  });

  test('must be an export or empty', async () => {
    mkdirSync(join(root, 'foreign/sub'), { recursive: true });
    await exporting('foreign', only);
    rmSync(join(root, 'foreign/tables'), { recursive: true });
    await expect(exporting('foreign', only)).rejects.toThrow(/foreign: the folder has other files in it \(/);
  });

  test('needs tables of a game that the page can show', async () => {
    const empty: Store = memoryStore();
    await expect(exporting('none', { store: empty })).rejects.toThrow('there are no tables in memory:');
    await expect(exporting('none', { metric: 'dtc' })).rejects.toThrow('there are no dtc tables in memory:');
    await expect(exporting('none', { ...only, slices: () => ['KNK'] })).rejects.toThrow(/KNK is not solved/);
    await expect(exporting('none', { published: empty })).rejects.toThrow('nothing is published in memory:');
    const own = { ...(chess as Game), name: 'mine' };
    await expect(exporting('none', { games: [own] })).rejects.toThrow(/mine is a game of your own/);
    expect(existsSync(join(root, 'none/site.json'))).toBe(false);
  });
});

/** The store, until it was read so many times. */
function stopping(from: Store, reads: number): Store {
  let left = reads * 7;
  return {
    ...from,
    read(name, offset, into) {
      if (left-- === 0) throw new Error('stopped');
      return from.read(name, offset, into);
    },
  };
}

const mean = (values: number[]) => Math.round(values.reduce((sum, each) => sum + each, 0) / values.length);

test.skipIf(!LONG)(`the probe core is built for browsers without anything of Node${ifShort}`, async () => {
  const builtins = /^(node:|(fs|path|zlib|crypto|stream|buffer|events|util|os|process|module)(\/|$))/;
  const asked: string[] = [];
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'no builtins',
        enforce: 'pre',
        resolveId(id, from) {
          if (builtins.test(id)) asked.push(`${from} imports ${id}`);
          return null;
        },
      },
    ],
    build: {
      write: false,
      minify: true,
      rolldownOptions: {
        input: 'jobs/web/static/static-source.ts',
        preserveEntrySignatures: 'strict',
      },
    },
  });
  expect(asked).toEqual([]);
  const code = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  for (const file of code) {
    if (file.type === 'chunk')
      expect(file.code).not.toMatch(/\bBuffer\b|\bprocess\.(?!getBuiltin)|require\(/);
  }
  expect(code.length).toBeGreaterThan(1);
});

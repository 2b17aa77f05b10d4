/** Tables of problems on a static site: values and numbers, positions by solutions, and the solutions, as from the store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { positionAnswer, solutionsAnswer } from '../../../../jobs/server/answers.js';
import { exportSite } from '../../../../jobs/site/export-site.js';
import { shownPosition } from '../../../../jobs/web/shown-position.js';
import { type StaticSource, staticSource } from '../../../../jobs/web/static/static-source.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { newProber } from '../../../../pipeline/tables/probe/prober.js';
import { servedSite, siteOptions } from '../../../support/exported-site.js';
import type { FileServer } from '../../../support/file-server.js';
import { ifShort, LONG } from '../../../support/long.js';
import { publishWhole } from '../../../support/publishing.js';
import { putSolved } from '../../../support/solving.js';
import { valueUnder } from '../../../support/value-under.js';

const root = mkdtempSync(join(tmpdir(), 'mergemate-problems-'));
const game = chess.sided as Game;
const store = memoryStore();
let server: FileServer;
let site: StaticSource;

beforeAll(async () => {
  await putSolved(store, chess.sided!, chess.sided!.ending('KQvK').slices, { metric: 'help' });
  ({ server, site } = await servedSite(store, root));
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

test('a site answers for problems as the store does', async () => {
  const prober = newProber({ game, metric: 'help', store });
  for (const fen of ['8/8/7k/6Q1/8/8/8/K7 b - - 0 1', '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1']) {
    const board = game.parse(fen);
    expect(await valueUnder(site, 'chess', 'help', fen)).toEqual(
      shownPosition(await positionAnswer(game, prober, board)),
    );
    expect(await site.solutions('chess', 'help', fen, 9)).toEqual(
      await solutionsAnswer(game, prober, board, 9),
    );
  }
});

test.skipIf(!LONG)(
  `positions are found by number of solutions, and by their last moves${ifShort}`,
  async () => {
    const asked = { game: 'chess', metric: 'help', ending: 'KQvK', skip: 0, limit: 100 } as const;
    const one = { least: 1, most: 1 };
    const sound = await site.positions({
      ...asked,
      query: { plies: { least: 12, most: 12 }, solutions: one },
    });
    expect(sound.positions.map(({ plies, solutions }) => [plies, solutions])).toEqual([
      [12, 1],
      [12, 1],
      [12, 1],
    ]);
    const found = await site.positions({
      ...asked,
      limit: 2,
      query: { plies: { least: 4, most: 4 }, solutions: { least: 2, most: 3 }, ends: one },
    });
    expect(found.positions).toHaveLength(2);
  },
);

test.skipIf(!LONG)(`a site of published files answers the same${ifShort}`, async () => {
  const published = memoryStore();
  const { slices } = chess.sided!.ending('KQvK');
  const made = { game: chess as Game, store, to: published } as const;
  await publishWhole({ ...made, slices, metric: 'help', codec: 'bytes' });
  await putSolved(store, chess, ['KQK'], { metric: 'dtm' });
  await publishWhole({ ...made, slices: ['KQK'], metric: 'dtm', codec: 'rows' });
  const exporting = (more: { metric?: 'help' }) =>
    exportSite(
      siteOptions(memoryStore(), {
        published,
        to: join(root, 'published'),
        page: join(root, 'page'),
        ...more,
      }),
    );
  const prober = newProber({ game, metric: 'help', store });
  const answered = async () => {
    const small = await staticSource(`${server.endpoint}/published/tables/`);
    for (const fen of ['8/8/7k/6Q1/8/8/8/K7 b - - 0 1', '8/8/8/8/8/8/5k2/K2Q4 w - - 0 1']) {
      const board = game.parse(fen);
      expect(await valueUnder(small, 'chess', 'help', fen)).toEqual(
        shownPosition(await positionAnswer(game, prober, board)),
      );
      expect(await small.solutions('chess', 'help', fen, 9)).toEqual(
        await solutionsAnswer(game, prober, board, 9),
      );
    }
    return small;
  };
  expect((await exporting({})).games).toMatchObject([{ metrics: ['wdl', 'help'] }]);
  const small = await answered();
  expect(await valueUnder(small, 'chess', 'wdl', '8/8/8/7k/8/6Q1/8/K7 w - - 0 1')).toMatchObject({
    wdl: 'win',
  });
  // Exported again, with problems alone.
  expect((await exporting({ metric: 'help' })).games).toMatchObject([{ metrics: ['help'] }]);
  await answered();
});

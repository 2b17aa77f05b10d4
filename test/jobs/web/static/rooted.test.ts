/** Tables of one position on a static site, beside the answers of a server on the store that it was made from. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PositionAnswer, SolutionsAnswer } from '../../../../jobs/positions/shapes.js';
import { shownPosition } from '../../../../jobs/web/shown-position.js';
import type { StaticSource } from '../../../../jobs/web/static/static-source.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Metric } from '../../../../pipeline/game/value.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { type App, answerOf, query } from '../../../support/asking.js';
import { servedSite } from '../../../support/exported-site.js';
import type { FileServer } from '../../../support/file-server.js';
import { LOCKED, putRoot, SHORT } from '../../../support/roots.js';
import { served } from '../../../support/serving.js';
import { putSolved } from '../../../support/solving.js';

/** Nine men, and one pair of blocked pawns with the ending of kings and two pawns beside it. */
const NINE = '8/k7/3p4/p2P3p/P2P3P/8/8/K7 w - - 0 1';
/** Of problems: one without a solution that is sure, and one with many. */
const PROBLEM = '8/8/8/3k4/3p4/3P4/8/3K4 b - - 0 1';
const SOLVED = '8/8/8/8/8/k1p5/2P5/K7 b - - 0 1';

const folder = mkdtempSync(join(tmpdir(), 'mergemate-site-'));
let server: FileServer;
let app: App;
let site: StaticSource;
let roots: string[];

beforeAll(async () => {
  const store = memoryStore();
  await putSolved(store, chess, ['KPK.2']);
  roots = [
    await putRoot(store, LOCKED, SHORT),
    await putRoot(store, NINE, { stopAt: 8, mostPieces: 0 }, 'wdl'),
    await putRoot(store, PROBLEM, { stopAt: 3 }, 'help'),
    await putRoot(store, SOLVED, { mostPieces: 1 }, 'help'),
  ];
  ({ server, site } = await servedSite(store, folder));
  ({ app } = served(store));
}, 120_000);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function fromServer(position: string, metric: Metric) {
  return shownPosition(
    await answerOf(app, query('/probe', { game: 'chess', metric, position }), PositionAnswer),
  );
}

test.each<readonly [string, Metric]>([
  [LOCKED, 'dtm'],
  [LOCKED.replace(' w ', ' b '), 'dtm'],
  ['8/8/k2p4/p2P4/P2P4/8/1K6/8 b - - 0 1', 'dtm'],
  [NINE, 'wdl'],
  [PROBLEM, 'help'],
  [PROBLEM.replace(' b ', ' w '), 'help'],
  [SOLVED, 'help'],
  ['8/8/8/8/8/k7/4P3/K7 w - - 0 1', 'dtm'],
])('%s, %s: what a server answers', async (position, metric) => {
  expect(await site.probe('chess', [metric], position)).toEqual([await fromServer(position, metric)]);
});

test('under several metrics, those that have the position answer', async () => {
  const { metrics } = site.games[0];
  expect(metrics).toEqual(['dtm', 'help', 'wdl']);
  const answers = await site.probe('chess', metrics, LOCKED);
  expect(answers.map(({ metric }) => metric)).toEqual(['dtm']);
});

test('solutions and lines are those of the root, as far as they are sure', async () => {
  const asked = query('/api/solutions', { game: 'chess', metric: 'help', position: SOLVED, limit: '5' });
  const expected = await answerOf(app, asked, SolutionsAnswer);
  expect(expected.lines).toHaveLength(5);
  expect(await site.solutions('chess', 'help', SOLVED, 5)).toEqual(expected);
  await expect(site.solutions('chess', 'help', PROBLEM, 5)).rejects.toThrow(
    'no solution is sure: Black to move: h#4 or longer, or no solution',
  );
  await expect(site.mainLine('chess', 'dtm', LOCKED)).rejects.toThrow(
    'there is no best play: White to move: at least a draw',
  );
});

test('a position that no root has is refused as on a site without roots', async () => {
  await expect(site.probe('chess', ['dtm'], NINE)).rejects.toThrow('no table has 9 men');
  await expect(site.probe('chess', ['dtm'], '8/8/8/8/8/k7/8/KQR5 w - - 0 1')).rejects.toThrow(
    'There is no dtm table of KQRK here.',
  );
});

test('roots are named in the order in which a server looks positions up in them, and are no endings', async () => {
  const index = (await (await fetch(`${server.endpoint}/site/tables/index.json`)).json()) as {
    roots: string[];
  };
  expect(new Set(index.roots)).toEqual(new Set(roots));
  const endings = (await site.endings('chess', 'dtm')).map(({ ending }) => ending);
  expect(endings).toEqual(['KK', 'KBK', 'KNK', 'KPK', 'KQK', 'KRK']);
  expect(await site.endings('chess', 'wdl')).toEqual([]);
});

/** `publish`, and `probe` and `verify` of what it published; the first steps of a user of checkers. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runPublication } from '../../../jobs/engines/publication.js';
import { localStore } from '../../../operators/storage/local.js';
import type { Game } from '../../../pipeline/game/game.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { program, run, succeed } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { endedIdentity, foreignIdentity } from '../../support/identities.js';
import { ifShort, LONG } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const published = join(folder, 'published');

interface Published {
  codec: string;
  found: boolean;
  files: { slice: string; side: number; pieces: number; positions: number; bytes: number }[];
  verified: { positions: number; wrong: number } | null;
}

const publish = (...more: string[]) =>
  mergemate.succeedJson<Published>(['publish', 'checkers', '--to', published, ...more]);

beforeAll(async () => {
  const two = checkers.endingsUpTo(2).map(({ name }) => name);
  await putEndings(store, checkers, [...two, '2100']);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('publishes and verifies, and keeps files that exist already', async () => {
  const first = await publish('--pieces', '2', '2100');
  expect(first).toMatchObject({ codec: 'rows', found: false, verified: { wrong: 0 } });
  expect(first.files.reduce((sum, { positions }) => sum + positions, 0)).toBe(3488 + 2 * 14_880);
  expect(first.verified!.positions).toBeGreaterThan(20_000);
  const again = await publish('--pieces', '2', '2100', '--no-verify');
  expect(again).toMatchObject({ found: true, files: first.files, verified: null });
  const text = await mergemate.succeed(['publish', 'checkers', '--pieces', '2', '2100', '--to', published]);
  expect(text).toMatch(/pieces\s+files\s+positions\s+left out\s+blocks\s+size\s+positions a byte/);
  expect(text).toMatch(/stored values checked by the moves of their positions, all are right/);
});

test.skipIf(!LONG)(
  `killed in verification, a publication does not answer until the same command has gone on${ifShort}`,
  async () => {
    const to = join(testFolder(), 'unfinished');
    const slices = checkers.ending('2100').slices;
    const killed = runPublication(
      { slices, metric: 'dtw', codec: 'rows', oneSide: false, verify: 'moves' },
      checkers as Game,
      { store: localStore(store, { durable: false }), to: localStore(to, { durable: true }) },
      (event) => {
        if (event.type === 'phase' && event.phase === 'verify') throw new Error('killed');
      },
    );
    await expect(killed).rejects.toThrow('killed');
    const probe = ['probe', 'checkers', 'B:WK1:BK31,K7', '--published', to];
    expect(await run(probe)).toMatchObject({ code: 2, stderr: expect.stringMatching(/are not verified/) });
    const args = ['publish', 'checkers', '2100', '--to', to];
    const again = await mergemate.succeedJson<Published>(args);
    expect(again).toMatchObject({ found: true, verified: { wrong: 0 } });
    expect(await succeed(probe)).toMatch(/Black to move: wins/);
  },
);

test('remains of killed processes are deleted, and nothing else', async () => {
  const to = join(testFolder(), 'killed');
  const ended = endedIdentity();
  const beginnings = [
    `checkers/.tmp-${ended}-0`,
    `checkers/.tmp-${foreignIdentity}-0`,
    `checkers/dtw/1100/.tmp-${ended}-0`,
    `chess/.tmp-${ended}-0`,
  ];
  for (const name of beginnings) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), 'begun');
  }
  await mergemate.succeed(['publish', 'checkers', '1100', '--to', to]);
  expect(beginnings.filter((name) => existsSync(join(to, name)))).toEqual(beginnings.slice(1));
});

test('refuses to mix publications', async () => {
  const args = ['publish', 'checkers', '1100', '--to', published];
  expect(await mergemate.run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/holds another publication/),
  });
});

test('names the endings that must be solved first', async () => {
  const args = ['publish', 'checkers', '2200', '--to', join(folder, 'other')];
  expect(await mergemate.run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/mergemate solve checkers 2200/),
  });
});

test('a probe of published tables gives the same outcomes as one of solved tables', async () => {
  const fens = ['B:WK1:BK31,K7', 'W:WK6:BK14,K25', 'B:W20:B5', 'W:W10:B6', 'W:W:BK3'];
  const strip = (line: string) => {
    const { fen, outcome, moves } = JSON.parse(line);
    const rank = { win: 0, draw: 1, loss: 2 } as Record<string, number>;
    const values = moves.map((move: { uci: string; outcome: string }) => [rank[move.outcome], move.uci]);
    return { fen, outcome, moves: values.sort() };
  };
  const solved = await mergemate.run(['probe', 'checkers', '--file', '-'], fens.join('\n'));
  const small = await run(['probe', 'checkers', '--file', '-', '--published', published], fens.join('\n'));
  expect([solved.code, small.code]).toEqual([0, 0]);
  const [a, b] = [solved, small].map(({ stdout }) => stdout.trim().split('\n').map(strip));
  expect(b).toEqual(a);
  expect(small.stderr).toMatch(/in the block cache; \d+ blocks read/);
  const one = await succeed(['probe', 'checkers', fens[0], '--published', published]);
  expect(one).toMatch(/Black to move: (wins|draw|loses)/);
});

test('published tables have no plies', async () => {
  const line = await run(['probe', 'checkers', 'B:WK1:BK31', '--published', published, '--line']);
  expect(line.stderr).toBe(
    'mergemate: published tables of wins, draws and losses have no main line: --line with --published is for problems and keyed games\n',
  );
  const args = ['probe', 'checkers', 'B:WK1:BK31', '--published', published, '--metric', 'dtw'];
  expect(await run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/leave out --metric/),
  });
});

test('verify --published names the file and the block that are damaged', async () => {
  const verify = ['verify', 'checkers', '--pieces', '2', '2100', '--published', published];
  expect(await succeed(verify)).toMatch(/all are right/);
  const file = join(published, 'checkers', '2100.black.wdl');
  const bytes = readFileSync(file);
  bytes[1] ^= 4;
  writeFileSync(file, bytes);
  const exited = await run(verify);
  expect(exited).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/2100\.black\.wdl: block 0 of \d+ is damaged/),
  });
  expect(exited.stderr).not.toMatch(/ at .*\.js:/);
  bytes[1] ^= 4;
  writeFileSync(file, bytes);
});

test('verify --published names an ending that is not published', async () => {
  const args = ['verify', 'checkers', '2200', '--published', published];
  expect(await run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/are not published in .*among them/),
  });
});

test('a folder without a publication is refused', async () => {
  const args = ['probe', 'checkers', 'B:WK1:BK31', '--published', testFolder()];
  expect(await run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no checkers tables are published/),
  });
});

test.each([
  ['B:W18', /expected the side to move and the pieces/],
  ['B:W33:B1', /no square 33/],
  ['B:W18:B30', /would have been crowned/],
  ['X:W18:B1', /side to move is "X"/],
])('the malformed position %s is refused', async (fen, message) => {
  expect(await mergemate.run(['probe', 'checkers', fen])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(message),
  });
});

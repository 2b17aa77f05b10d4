/** `mergemate uci` in positions that only the tables of a root have. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RootFlags } from '../../../jobs/roots/root-flags.js';
import { localStore } from '../../../operators/storage/local.js';
import { newFolder } from '../../support/folders.js';
import { LOCKED, putRoot, SHORT } from '../../support/roots.js';
import { UciEngine } from '../../support/uci.js';

const PAWN = '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1';
/** The pawn is through. */
const RUNNER = '8/8/8/4P3/8/8/7k/K7 w - - 0 1';

const folders: string[] = [];
const opened: UciEngine[] = [];
async function engine(store: string): Promise<UciEngine> {
  const one = new UciEngine(process.execPath, [resolve('dist/jobs/cli.js'), 'uci', '--store', store]);
  opened.push(one);
  await one.begin();
  return one;
}

/** What is said behind `info string`, and the other lines of `info`. */
async function answered(one: UciEngine, fen: string) {
  const { info, move } = await one.go(`fen ${fen}`, 'depth 1');
  const isString = (line: string) => line.startsWith('info string ');
  return {
    strings: info.filter(isString).map((line) => line.slice('info string '.length)),
    info: info.filter((line) => !isString(line)),
    move,
  };
}

/** A store with one root. */
async function storeOf(from: string, flags: RootFlags): Promise<string> {
  const folder = newFolder();
  folders.push(folder);
  await putRoot(localStore(folder, { durable: false }), from, flags);
  return folder;
}

let locked: string;
let pawn: string;
beforeAll(async () => {
  locked = await storeOf(LOCKED, SHORT);
  pawn = await storeOf(PAWN, {});
}, 300_000);
afterAll(async () => {
  for (const one of opened) await one.quit();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('exact values have the score of a mate and the whole line', async () => {
  const one = await engine(pawn);
  const { info, move } = await answered(one, RUNNER);
  expect(info).toHaveLength(1);
  const [, mate, line] = / score mate (\d+) .* pv (.*)$/.exec(info[0])!;
  expect(line.split(' ')).toHaveLength(2 * Number(mate) - 1);
  expect(line).toMatch(new RegExp(`^${move} `));
});

test('values with bounds have no mate, the best move is that of the worst case, and a line says so', async () => {
  const one = await engine(locked);
  one.send('setoption name UCI_ShowWDL value true');
  const white = await answered(one, LOCKED);
  expect(white.strings).toEqual([
    'only bounds are known, because positions without a table can be reached: White to move: at least a draw',
  ]);
  expect(white.info[0]).toMatch(/ score cp 0 wdl 500 500 0 lowerbound .* pv \w+$/);
  const black = await answered(one, LOCKED.replace(' w ', ' b '));
  expect(black.info[0]).toMatch(/ score cp 0 wdl 0 500 500 upperbound /);
  const open = await answered(one, '8/8/1K1p4/p2P4/P2P4/2k5/8/8 b - - 0 1');
  expect(open.strings[0]).toMatch(/: Black to move: unknown$/);
  expect(open.info[0]).toMatch(/ score cp 0 wdl 333 334 333 /);
});

test('values of a game with fewer promotions are no mates either', async () => {
  const one = await engine(await storeOf(PAWN, { promote: 'q' }));
  const { info, strings } = await answered(one, RUNNER);
  expect(info[0]).toMatch(/ score cp 199\d\d /);
  expect(strings).toEqual([expect.stringMatching(/^White to move: wins in .*, if pawns become Q only$/)]);
});

test('roots that are solved meanwhile are seen once the cache is cleared', async () => {
  const folder = newFolder();
  folders.push(folder);
  const one = await engine(folder);
  const before = await answered(one, LOCKED);
  expect(before.info).toEqual([]);
  await putRoot(localStore(folder, { durable: false }), LOCKED, SHORT);
  one.send('setoption name Clear Hash');
  const after = await answered(one, LOCKED);
  expect(after.info).toHaveLength(1);
});

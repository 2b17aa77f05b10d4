/** What a command line may leave out: chess, and the store where the environment names it. Pages of help. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { run, succeed } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';

const store = newFolder();
const FEN = '8/8/8/8/8/4k3/8/K6Q w - - 0 1';
beforeAll(() => succeed(['solve', 'KQK', '--store', store]));
afterEach(() => void vi.unstubAllEnvs());

test.each([
  [['probe', FEN]],
  [['probe', FEN, '--line']],
  [['stats', 'KQK']],
  [['stats', 'kqvk']],
  [['verify', 'KQK']],
  [['export', 'KQK', '--limit', '3']],
  [['plan', 'KQKR']],
])('%j is about chess', async (words) => {
  const [command, ...rest] = words;
  const short = await succeed([...words, '--store', store]);
  const masked = (text: string) => text.replace(/[\d.]+ m?s\b/g, 'TIME');
  expect(masked(short)).toBe(masked(await succeed([command, 'chess', ...rest, '--store', store])));
});

test('--from alone is about chess', async () => {
  const from = ['--from', '8/8/8/KP6/1p6/1k6/5P2/8 b - - 0 1', '--explain-memory', '--store', testFolder()];
  expect(await succeed(['solve', ...from])).toContain('KQRKQ');
});

test('a file that is called like an ending is no ending', () => {
  const cwd = testFolder();
  writeFileSync(join(cwd, 'KQK'), '');
  const words = [resolve('dist/jobs/cli.js'), 'probe', 'KQK', '--store', store];
  const { stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  expect(stderr).toContain('there is no game "KQK"');
});

test('a FEN without quotes is shown with quotes', async () => {
  const { code, stderr } = await run(['probe', ...FEN.split(' '), '--store', store]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Put the position in quotes: "${FEN}"`)]);
});

test.each([
  ['a rank too long', '8/8/8/8/8/4k3/8/K6Q9 w - - 0 1', '"9" in rank 1 is not a man'],
  ['a rank too few', '8/8/8/8/4k3/8/K6Q w', 'a placement must have 8 ranks, not 7'],
  ['a rank too many', '8/8/8/8/8/8/4k3/8/K6Q w', 'a placement must have 8 ranks, not 9'],
  ['no such man', '8/8/8/8/8/4x3/8/K6Q w', '"x"'],
  ['a slash at the end', '8/8/8/8/8/4k3/8/K6Q/ w', 'FEN'],
  ['a comma', '8/8/8/8/8/4k3/8/K6Q,w', 'FEN'],
])('a position of chess with %s is refused as a position', async (_, fen, expected) => {
  const { code, stderr } = await run(['probe', fen, '--store', store]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^mergemate: FEN "8.*\n$/)]);
  expect(stderr).toContain(expected);
});

test('a position with spaces before it or underscores is one of chess, and the path of a module that is missing is none', async () => {
  for (const text of [`  ${FEN}`, FEN.replaceAll(' ', '_')])
    expect((await run(['probe', text, '--store', store])).code).toBe(0);
  const { stderr } = await run(['probe', 'b/n/k/p/game.ts', '--store', store]);
  expect(stderr).toContain('game b/n/k/p/game.ts: there is no such file');
});

test('an option before the command is sent behind it', async () => {
  const { code, stderr } = await run(['--line', 'probe', FEN]);
  expect([code, stderr]).toEqual([
    2,
    'mergemate: unknown option \'--line\'; options go behind the command "probe"\n',
  ]);
});

test('MERGEMATE_STORE stands for --store, which wins over it', async () => {
  vi.stubEnv('MERGEMATE_STORE', store);
  expect(await succeed(['probe', FEN])).toContain('White');
  const { code, stderr } = await run(['probe', FEN, '--store', testFolder()]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('KQK is not solved')]);
});

test('"help metrics" says what each metric is, of every game', async () => {
  const text = await succeed(['help', 'metrics']);
  const named = [...text.matchAll(/^ {2}([a-z\d-]+) {2,}\S/gm)].map(([, name]) => name);
  const had = [...text.matchAll(/^ {2}(?:\S+ )*\S+: (.+)$/gm)].flatMap(([, names]) => names.split(', '));
  expect(new Set(named)).toEqual(new Set(had));
});

test('"help" lists topics, and "help where" has the conditions that --where takes', async () => {
  const listed = [...(await succeed(['--help'])).matchAll(/^ {2}help ([a-z]+)/gm)].map(([, topic]) => topic);
  expect(listed).toEqual(['metrics', 'columns', 'where', 'positions', 'completion']);
  const conditions = (await succeed(['help', 'where']))
    .match(/^ {2}\S+(?=[ =])/gm)!
    .map((form) => form.trim());
  const { code, stderr } = await run(['export', 'KQK', '--where', 'nothing', '--store', store]);
  expect(code).toBe(2);
  for (const condition of conditions) expect(stderr).toContain(condition);
});

test('what is written by solve is named by --to', async () => {
  const { code, stderr } = await run([
    'solve',
    'KQK',
    '--metric',
    'dtz',
    '--syzygy',
    'files',
    '--store',
    store,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('"--to files"')]);
});

/** `solve`: its output, its files, and its end when it is stopped. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestsOf } from '../../../pipeline/game/manifest.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { start, until } from '../../support/cli.js';
import { program, run, succeedJson } from '../../support/command.js';
import { filesUnder, testFolder } from '../../support/folders.js';
import { killAfterWrites } from '../../support/kills.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { solveGame } from '../../support/solving.js';

interface Summary {
  game: string;
  metric: string;
  store: string;
  slices: { slice: string; found: boolean; verified: number | null; positions: number; digests: string[] }[];
}

const digests = (summary: Summary) =>
  Object.fromEntries(summary.slices.map(({ slice, digests }) => [slice, digests]));

const uninterrupted = new Map<string, Promise<Record<string, readonly string[]>>>();
/** The digests of an ending and of all that it converts to, by slice, from a solve in memory that nothing interrupts, once for all tests. */
function expectedDigests(ending: string, metric: Metric): Promise<Record<string, readonly string[]>> {
  const key = `${ending} ${metric}`;
  const game = metric === 'help' ? chess.sided! : chess;
  const expected =
    uninterrupted.get(key) ??
    solveGame(game, [ending], { metric }).then(({ summaries }) =>
      Object.fromEntries(summaries.map(({ slice, table }) => [slice, digestsOf(table)])),
    );
  uninterrupted.set(key, expected);
  return expected;
}

test('prints a summary as JSON, and finds the tables the second time', async () => {
  const store = testFolder();
  const args = ['solve', 'chess', 'KQK', 'KRK', '--store', store, '--memory', '8MiB', '--json'];
  const first = await run(args);
  expect([first.code, first.stderr]).toEqual([0, '']);
  const summary = JSON.parse(first.stdout) as Summary;
  expect(summary).toMatchObject({ game: 'chess', metric: 'dtm', store: `file:${store}` });
  expect(summary.slices.map(({ slice, found }) => [slice, found])).toEqual([
    ['KK', false],
    ['KQK', false],
    ['KRK', false],
  ]);
  const kqk = summary.slices[1];
  expect(kqk).toMatchObject({ positions: 46137, verified: 46137, longestWin: 19, rounds: 21 });
  for (const field of [
    'requests',
    'bytesRead',
    'bytesWritten',
    'rowsSorted',
    'peakRssBytes',
    'wallMs',
    'cpuMs',
  ]) {
    expect(kqk, field).toHaveProperty(field, expect.any(Number));
  }
  for (const field of ['wins', 'losses', 'draws', 'rowsSpilled', 'spills', 'mergePasses']) {
    expect(kqk, field).toHaveProperty(field, expect.any(Number));
  }
  expect(kqk.digests).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  expect(readdirSync(store)).toEqual(['chess']);

  const again = await succeedJson<Summary>(args.slice(0, -1));
  expect(again.slices.map(({ found, verified }) => [found, verified])).toEqual([
    [true, 924],
    [true, 46137],
    [true, 50015],
  ]);
  expect(digests(again)).toEqual(digests(summary));
});

test('prints the result in words, and progress on stderr', async () => {
  const { stdout, stderr } = await program(testFolder()).run(['solve', 'chess', 'KKR']);
  expect(stdout).toContain('longest win 31 plies (mate in 16)');
  expect(stdout).toMatch(/^KKR, positions up to symmetry: white to move wins 0 %/m);
  expect(stdout).toMatch(/black to move wins 100 %/);
  expect(stderr.split('\n')[0]).toBe('KK [1/2]');
});

test('percentages say of what, and names of slices are explained', async () => {
  const store = testFolder();
  const mergemate = program(store);
  const solved = await mergemate.succeed(['solve', 'chess', 'KPK.7', '--no-verify']);
  expect(solved).toContain('Slices are named as KPK.7 (white pawn on rank 7).');
  expect(solved).toMatch(/^KPK\.7, positions up to symmetry: white to move wins/m);
  const counted = await mergemate.succeed(['stats', 'chess', 'KPK.7']);
  expect(counted).toContain('Shares are of boards; orbits are boards up to symmetry');
  const missing = await mergemate.run(['stats', 'chess', 'KPK.6']);
  expect(missing.stderr).toContain('KPK.6 (white pawn on rank 6) is not solved for dtm');
});

test('a job file does what flags do, and flags win over it', async () => {
  const folder = testFolder();
  const path = join(folder, 'job.json');
  const job = {
    game: 'chess',
    endings: ['KBK'],
    metric: 'wdl',
    memory: '4MiB',
    propagate: 'lookup',
    verify: false,
  };
  writeFileSync(path, JSON.stringify(job));
  const fromFile = await program(join(folder, 'a')).succeedJson<Summary>(['solve', path]);
  expect([fromFile.metric, fromFile.slices[1].verified]).toEqual(['wdl', null]);
  const flagged = await program(`file:${folder}/b`).succeedJson<Summary>(['solve', path, '--metric', 'dtm']);
  expect(flagged.metric).toBe('dtm');
  expect(filesUnder(join(folder, 'b', 'chess', 'dtm', 'KBK')).length).toBeGreaterThan(0);
});

test.skipIf(!LONG)(
  `a job file may ask for all endings of so many pieces, and flags for others${ifShort}`,
  async () => {
    const folder = testFolder();
    const path = join(folder, 'job.json');
    writeFileSync(path, JSON.stringify({ game: 'chess', pieces: 4, endings: ['KK'], verify: false }));
    const { slices } = await program(folder).succeedJson<Summary>(['solve', path, '--pieces', '3']);
    const ofPawns = [7, 6, 5, 4, 3, 2].map((rank) => `KPK.${rank}`);
    expect(slices.map(({ slice }) => slice)).toEqual(['KK', 'KQK', 'KRK', 'KBK', 'KNK', ...ofPawns]);
  },
);

test.skipIf(!LONG)(`two workers make the same tables as one${ifShort}`, async () => {
  const two = await program(testFolder()).succeedJson<Summary>([
    ...['solve', 'chess', 'KBBK', '--memory', '16MiB', '--workers', '2'],
  ]);
  expect(digests(two)).toEqual(await expectedDigests('KBBK', 'dtm'));
  expect(two.slices.at(-1)!.verified).toBe(two.slices.at(-1)!.positions);
});

test.skipIf(!LONG).each(LONGEST ? ['1', '2'] : ['2'])(
  `continues after SIGKILL, with %s worker${ifShort}`,
  async (workers) => {
    const folder = testFolder();
    const args = (store: string) => [
      'solve',
      'chess',
      'KBBK',
      '--store',
      store,
      '--workers',
      workers,
      '--memory',
      '16MiB',
    ];
    const killed = join(folder, 'killed');
    const running = start([...args(killed), '--no-verify']);
    await until(
      () => existsSync(join(killed, 'chess/dtm/KBBK/steps/count/enumerate.json')),
      'the first step',
    );
    running.child.kill('SIGKILL');
    expect((await running.ended).signal).toBe('SIGKILL');

    const resumed = await succeedJson<Summary>(args(killed));
    expect(resumed.slices.map(({ slice, found }) => [slice, found])).toEqual([
      ['KK', true],
      ['KBK', true],
      ['KBBK', false],
    ]);
    expect(digests(resumed)).toEqual(await expectedDigests('KBBK', 'dtm'));
    expect(readdirSync(killed)).toEqual(['chess']);
  },
);

/** Helpmates of four men, in memory for a part of their labels. */
const helping = (store: string, ...more: readonly string[]) => [
  ...['solve', 'chess', 'KRvKN', '--metric', 'help', '--memory', '8MiB', '--store', store, ...more],
];

const WAYS: [string, string[]][] = [
  ...(LONGEST ? [['one worker', []] as [string, string[]]] : []),
  ['two workers', ['--workers', '2']],
  ['two ranks', ['--engine', 'processes', '--workers', '2', '--whole-below', '1KiB']],
];
test.skipIf(!LONG).each(WAYS)(
  `helpmates that %s solve end with the same values and numbers, however often they are killed${ifShort}`,
  { timeout: 900_000 },
  async (_, more) => {
    const folder = testFolder();
    const store = join(folder, 'killed');
    let seed = 20262500;
    let kills = 0;
    for (let round = 0; round < (LONGEST ? 12 : 2); round++) {
      seed = (seed * 48271) % 0x7fffffff;
      const { child } = start(helping(store, '--no-verify', ...more));
      if (await killAfterWrites(child, store, 1 + (seed % 100))) kills++;
    }
    expect(kills).toBeGreaterThan(0);
    const resumed = await succeedJson<Summary>(helping(store, ...more));
    const last = resumed.slices.at(-1)!;
    // Two of the values, two of the numbers.
    expect(last.digests).toHaveLength(4);
    const { KRvKN } = await expectedDigests('KRvKN', 'help');
    expect([last.digests, last.verified]).toEqual([KRvKN, last.positions]);
  },
);

test.skipIf(!LONG)(
  `a solve that is killed again and again, at any moment, ends with the same tables${ifShort}`,
  {
    timeout: 300_000,
  },
  async () => {
    const folder = testFolder();
    const args = (store: string) => [
      'solve',
      'chess',
      'KRKN',
      '--metric',
      'dtc',
      '--memory',
      '8MiB',
      '--store',
      store,
    ];
    const store = join(folder, 'killed');
    let seed = 20262500;
    let kills = 0;
    for (let round = 0; round < (LONGEST ? 12 : 3); round++) {
      seed = (seed * 48271) % 0x7fffffff;
      if (await killAfterWrites(start([...args(store), '--no-verify']).child, store, 1 + (seed % 80)))
        kills++;
    }
    expect(kills).toBeGreaterThan(0);
    const resumed = await succeedJson<Summary>(args(store));
    expect(digests(resumed)).toEqual(await expectedDigests('KRKN', 'dtc'));
    expect(resumed.slices.at(-1)!.verified).toBe(resumed.slices.at(-1)!.positions);
  },
);

test.skipIf(!LONG)(`Ctrl-C leaves a line, exit code 130, and no scratch${ifShort}`, async () => {
  const store = join(testFolder(), 'tables');
  const running = start(['solve', 'chess', 'KBBK', '--store', store, '--memory', '16MiB']);
  await until(() => existsSync(join(store, 'chess/dtm/KBBK')), 'KBBK');
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toBe('');
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('mergemate:'));
  expect(lines).toEqual([
    `mergemate: interrupted; all finished steps are kept in file:${store}: the same command continues from there`,
  ]);
  expect(readdirSync(store)).toEqual(['chess']);
  expect(filesUnder(store).filter((path) => path.includes('.tmp-'))).toEqual([]);
  await program(store).succeed(['solve', 'chess', 'KBBK', '--no-verify']);
});

test('a reader of the output that goes away ends the command silently', async () => {
  const store = testFolder();
  await program(store).succeed(['solve', 'chess', 'KNK', '--no-verify']);
  const running = start(['export', 'chess', 'KNK', '--format', 'jsonl', '--out', '-', '--store', store]);
  running.child.stdout!.once('data', () => running.child.stdout!.destroy());
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, '']);
});

/** Ranks as processes: tables as one process makes them, after any kill; and the command line's messages on ranks. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program as programProcess, start, until } from '../../support/cli.js';
import { program, succeedJson } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';

interface Solved {
  wallMs: number;
  cpuMs: number | null;
  slices: { slice: string; digests: string[]; verified: number | null; found: boolean; cpuMs: number }[];
}

/** Of many parts; the larger one takes 70 rounds, the other 20. */
const ENDING = LONGEST ? 'KQKR' : 'KQQK';
const SOLVE = ['chess', ENDING, '--memory', '16MiB', '--whole-below', '1KiB'];
const BY_RANKS = ['--engine', 'processes', '--workers', '2', '--partitions', '3'];
const digests = ({ slices }: Solved) => slices.map(({ slice, digests }) => ({ slice, digests }));
let wanted: Solved;
/** The store of one process, with the runs of every round. */
const solved = newFolder();

beforeAll(async () => {
  if (!LONG) return;
  wanted = await program(solved).succeedJson(['solve', ...SOLVE, '--keep-runs']);
});
afterAll(() => rmSync(solved, { recursive: true, force: true }));

/** Processes of ranks at work in a store. */
function ranksIn(store: string): number[] {
  const listed = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return listed
    .filter((line) => line.includes(`--store ${store} `) && / rank chess /.test(line))
    .map((line) => Number.parseInt(line, 10));
}

/** The names of all manifests: they change when ranks make progress. */
function stepsIn(store: string): string {
  const manifests = filesUnder(store).filter((file) => file.endsWith('.json') && !file.includes('/runs/'));
  return manifests.sort().join('\n');
}

/** All that a job leaves behind: nothing but tables and records. */
function leftIn(store: string): string[] {
  return filesUnder(store).filter((file) => /\/(ranks|steps)\/|\.scratch-|\.tmp-/.test(file));
}

test.skipIf(!LONG)(`two ranks make the same tables, and the CPU time is that of both${ifShort}`, async () => {
  const store = testFolder();
  const logs = join(testFolder(), 'new', 'logs');
  const solved = await program(store).succeedJson<Solved>(['solve', ...SOLVE, ...BY_RANKS, '--logs', logs]);
  expect(digests(solved)).toEqual(digests(wanted));
  expect(solved.slices.every(({ verified, found }) => verified! > 0 && !found)).toBe(true);
  const ofSlices = solved.slices.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  // Three processes start, which no slice counts.
  expect(solved.cpuMs).toBeGreaterThan(ofSlices + 300);
  expect(leftIn(store)).toEqual([]);
  const log = readdirSync(logs).find((name) => name.endsWith('.jsonl'))!;
  const events = readFileSync(join(logs, log), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events.filter((event) => event === 'began' || event === 'done')).toHaveLength(4);
  const again = await program(store).succeedJson<Solved>(['solve', ...SOLVE, ...BY_RANKS]);
  expect(digests(again)).toEqual(digests(wanted));
  expect(again.slices.every(({ found }) => found)).toBe(true);
});

test.skipIf(!LONG)(
  `two drivers at once solve by lookup with the same tables${ifShort}`,
  { timeout: 600_000 },
  async () => {
    const store = testFolder();
    const job = ['solve', 'chess', LONGEST ? 'KBBK' : 'KRK', '--memory', '16MiB', '--whole-below', '1KiB'];
    const args = [...job, ...BY_RANKS, '--propagate', 'lookup'];
    const alone = await program(testFolder()).succeedJson<Solved>(job);
    const both = await Promise.all([
      programProcess(store).succeedJson<Solved>(args),
      programProcess(store).succeedJson<Solved>(args),
    ]);
    for (const solved of both) expect(digests(solved)).toEqual(digests(alone));
    expect(leftIn(store)).toEqual([]);
  },
);

test.skipIf(!LONG)(
  `ranks that are killed at any moment are started again${ifShort}`,
  { timeout: 600_000 },
  async () => {
    const store = testFolder();
    const kills = LONGEST ? 60 : 8;
    const solving = start(['solve', ...SOLVE, ...BY_RANKS, '--store', store, '--json']);
    let over = false;
    void solving.ended.then(() => (over = true));
    let killed = 0;
    let before = '';
    let vain = 0;
    await until(() => over || ranksIn(store).length > 0, 'ranks');
    for (let wait = 0; !over && killed < kills; wait = 700 + ((wait * 7 + 900) % 1300)) {
      await new Promise((done) => setTimeout(done, wait));
      const now = stepsIn(store);
      vain = now === before ? vain + 1 : 0;
      before = now;
      // The launcher gives up after eight losses without progress, and a busy machine needs longer for progress.
      if (vain > 4) continue;
      const there = ranksIn(store);
      const victim = there[killed % Math.max(1, there.length)];
      if (victim === undefined) continue;
      spawnSync('kill', ['-KILL', String(victim)]);
      killed++;
    }
    const { code, stdout, stderr } = await solving.ended;
    expect([code, stderr.includes('mergemate:')]).toEqual([0, false]);
    expect(killed).toBeGreaterThan(0);
    expect(digests(JSON.parse(stdout) as Solved)).toEqual(digests(wanted));
  },
);

test.skipIf(!LONG)(`a killed driver ends its ranks, and the next driver continues${ifShort}`, async () => {
  const store = testFolder();
  const args = ['solve', ...SOLVE, ...BY_RANKS, '--store', store];
  const first = start(args);
  await until(
    () => filesUnder(store).some((file) => file.includes(`/${ENDING}/steps/`)),
    `${ENDING} to begin`,
  );
  first.child.kill('SIGKILL');
  await first.ended;
  await until(() => ranksIn(store).length === 0, 'the ranks to end');
  const solved = await succeedJson<Solved>(args);
  expect(digests(solved)).toEqual(digests(wanted));
  expect(solved.slices[0].found).toBe(true);
});

test.skipIf(!LONG)(`a lasting failure of one rank ends all, with its message${ifShort}`, async () => {
  const store = testFolder();
  cpSync(join(solved, 'chess'), join(store, 'chess'), {
    recursive: true,
    filter: (path) => !path.includes('/steps'),
  });
  // Values that are cut off stay so. They are first read by a rank, which looks up where captures lead.
  const table = join(store, 'chess/dtm/KQK');
  for (const name of readdirSync(table)) if (name.startsWith('values-')) truncateSync(join(table, name), 100);
  rmSync(join(store, `chess/dtm/${ENDING}/table.json`));
  const { code, stderr } = await program(store).run(['solve', ...SOLVE, ...BY_RANKS]);
  expect(code).toBe(2);
  expect(stderr).toContain('KQK/values-');
  expect(ranksIn(store)).toEqual([]);
});

test('a rank without a number from its launcher is refused', async () => {
  const { code, stderr } = await program(testFolder()).run(['rank', 'chess', 'KQK']);
  expect([code, stderr.trimEnd().split('\n')]).toEqual([
    2,
    [expect.stringContaining('the rank is unknown: give --rank, --ranks, --job,')],
  ]);
});

test.skipIf(!LONG)(`--keep-runs leaves the runs of every round in the store${ifShort}`, () => {
  const steps = filesUnder(join(solved, `chess/dtm/${ENDING}/steps/count`));
  for (const ply of ['00001', '00007']) {
    expect(steps.some((file) => new RegExp(`(round|last)-${ply}\\.json$`).test(file))).toBe(true);
  }
  expect(steps.some((file) => file.endsWith('.arrow'))).toBe(true);
});

/** It has two parts, so that both ranks have one; and one of them does the last rounds alone. */
const connectFour = (folder: string): string => {
  const path = join(folder, 'game.ts');
  const rules = resolve('samples/connect-four/rules.js');
  writeFileSync(
    path,
    `import { keyedGame } from 'mergemate';\nimport { connectFour } from ${JSON.stringify(rules)};\nexport default keyedGame(connectFour(4, 5));\n`,
  );
  return path;
};

const keyedGames: readonly (readonly [string, (folder: string) => string])[] = [
  ['of one part', () => 'samples/dodgem/three.ts'],
  // The golden digests have this game by ranks, too.
  ...(LONGEST ? ([['of two parts', connectFour]] as const) : []),
];
test.skipIf(!LONG).each(keyedGames)(
  `two ranks solve a keyed game %s as one process does${ifShort}`,
  async (_, pathIn) => {
    const solve = ['solve', pathIn(testFolder())];
    const alone = await program(testFolder()).succeedJson<{ digests: string[] }>(solve);
    const ranks = ['--engine', 'processes', '--workers', '2'];
    const both = await program(testFolder()).succeedJson<{ digests: string[]; verified: number }>([
      ...solve,
      ...ranks,
    ]);
    expect(both.digests).toEqual(alone.digests);
    expect(both.verified).toBeGreaterThan(0);
  },
);

/** Budgets against the limit of the process: figures by docs/speed.md, refusals before work begins, and a real cgroup where one can be made. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fittingBudget, memoryLimit, type Worked } from '../../../jobs/cli/memory-limit.js';
import { program } from '../../support/command.js';
import { ifShort, LONG } from '../../support/long.js';

const MiB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), 'mergemate-limit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** MiB beside the budget, as the page promises. */
function documented(command: string): number {
  const row = readFileSync('docs/speed.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${command} `));
  return Number(/\| (\d+) \|$/.exec(row ?? '')![1]);
}

/** The largest budget in `limit` MiB. */
const largest = (worked: Worked, limit: number) =>
  fittingBudget({ flag: '--memory', asked: undefined, preferred: 2 ** 50 }, worked, limit * MiB) / MiB;

describe('the limit of a process', () => {
  test.each([
    ['absent', undefined],
    ['0', 0],
    ['of a cgroup of version 2 without one', 2 ** 64],
    ['of a cgroup of version 1 without one', 2 ** 63 - 4096],
    ['that is all the machine has', 2 ** 34],
  ])('is none if it is %s', (_, constrained) => {
    expect(memoryLimit(constrained ?? 0, 2 ** 34)).toBeNull();
  });

  test('is that of its cgroup', () => {
    expect(memoryLimit(256 * MiB, 2 ** 34)).toBe(256 * MiB);
  });
});

describe('a budget', () => {
  test.each<[string, Worked]>([
    ['`solve`, chess, one worker', { kind: 'solve', workers: 1 }],
    ['`solve`, chess, two workers', { kind: 'solve', workers: 2 }],
    ['a rank', { kind: 'rank' }],
    ['`solve` of a graph', { kind: 'graph' }],
    ['`solve` of a game with keys, one worker', { kind: 'game', workers: 1 }],
    ['`serve`, beside its cache', { kind: 'serve' }],
    ['`export`, every format,', { kind: 'export' }],
  ])('leaves %s what docs/speed.md promises beside it', (row, worked) => {
    expect(largest(worked, 1024)).toBe(1024 - documented(row));
  });

  test('of ranks is that of each', () => {
    const [two, four] = [2, 4].map((workers) => largest({ kind: 'ranks', workers }, 4096));
    expect(2 * two - 4 * four).toBe(2 * documented('a rank'));
  });

  const solve = { kind: 'solve', workers: 1 } as const;
  test('that was asked for is kept, or refused with the largest that fits', () => {
    const asked = (size: number) =>
      fittingBudget({ flag: '--memory', asked: size * MiB, preferred: 256 * MiB }, solve, 256 * MiB);
    expect(asked(64)).toBe(64 * MiB);
    expect(asked(117)).toBe(117 * MiB);
    expect(() => asked(118)).toThrow(
      '--memory 118.0 MiB does not fit: this process is limited to 256.0 MiB of memory, and needs 139.0 MiB beside it: at most --memory 117MiB fits',
    );
  });

  test('that was not asked for is no more than what fits, and refused where nothing does', () => {
    const by = (limit: number) =>
      fittingBudget({ flag: '--memory', asked: undefined, preferred: 256 * MiB }, solve, limit * MiB);
    expect([by(1024), by(256), by(140)]).toEqual([256 * MiB, 117 * MiB, MiB]);
    expect(() => by(139)).toThrow(/limited to 139.0 MiB of memory, and needs 139.0 MiB beside --memory/);
  });
});

/** Does it as if the system allowed the process so many MiB. */
async function limited<T>(mebibytes: number, work: () => Promise<T>): Promise<T> {
  const { constrainedMemory } = process;
  process.constrainedMemory = () => mebibytes * MiB;
  try {
    return await work();
  } finally {
    process.constrainedMemory = constrainedMemory;
  }
}

describe('commands in 256 MiB', () => {
  const mergemate = program(join(folder, 'tables'));
  test.each([
    ['solve', 'chess', 'KQK', '--memory', '200MiB'],
    ['solve', 'chess', 'KQK', '--memory', '16MiB', '--workers', '4'],
    ['solve', 'chess', 'KQK', '--memory', '16MiB', '--workers', '2', '--engine', 'processes'],
    ['rank', 'chess', 'KQK', '--rank', '0', '--ranks', '1', '--job', 'x', '--memory', '100MiB'],
    ['rank', 'samples/town.jsonl', '--rank', '0', '--ranks', '1', '--job', 'x', '--memory', '100MiB'],
    ['solve', 'samples/town.jsonl', '--memory', '200MiB'],
    ['solve', 'samples/tic-tac-toe/game.ts', '--memory', '200MiB'],
    ['serve', '--cache', '100MiB'],
    ['export', 'chess', 'KQK', '--memory', '200MiB', '--out', join(folder, 'x.csv')],
    ['verify', 'chess', 'KQK', '--memory', '200MiB'],
    ['publish', 'chess', 'KQK', '--as', 'syzygy', '--memory', '200MiB'],
    ['scrub', '--repair', '--memory', '200MiB'],
    ['compare', 'chess', 'KQK', '--memory', '8MiB,200MiB'],
  ])('%s %s %s %s %s', async (...args) => {
    const { code, stderr } = await limited(256, () => mergemate.run(args.filter((arg) => arg !== undefined)));
    expect(stderr).toMatch(/^mergemate: .*limited to 256.0 MiB of memory.*\n$/);
    expect(code).toBe(2);
  });

  test('the default is lowered to what fits, and a job file is held against it', async () => {
    const explained = await limited(256, () =>
      mergemate.succeedJson<{ memory: number }>(['solve', 'chess', 'KQK', '--explain-memory']),
    );
    expect(explained.memory).toBe(117 * MiB);
    const job = join(folder, 'job.json');
    writeFileSync(job, '{"game":"chess","endings":["KQK"],"memory":"200MiB"}');
    const { code, stderr } = await limited(256, () => mergemate.run(['solve', job]));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/job file .*at most --memory 117MiB fits/)]);
  });
});

/** A cgroup of 200 MiB for this test; null, with the reason, where none can be made. */
function makeCgroup(): { folder: string; procs: string } | string {
  const where = '/sys/fs/cgroup';
  const name = `mergemate-test-${process.pid}`;
  for (const [base, file] of [
    [where, 'memory.max'],
    [`${where}/memory`, 'memory.limit_in_bytes'],
  ]) {
    if (!existsSync(join(base, 'cgroup.procs'))) continue;
    const made = join(base, name);
    try {
      mkdirSync(made);
      writeFileSync(join(made, file), String(200 * MiB));
      return { folder: made, procs: join(made, 'cgroup.procs') };
    } catch {
      if (existsSync(made)) execFileSync('rmdir', [made]);
    }
  }
  return 'skipped: no cgroup with a limit of memory can be made here';
}

test.skipIf(!LONG)(`in a cgroup of 200 MiB${ifShort}`, { timeout: 60_000 }, (context) => {
  const made = makeCgroup();
  if (typeof made === 'string') return context.skip(made);
  try {
    const cli = `${process.execPath} ${resolve('dist/jobs/cli.js')} solve chess KQK --store ${join(folder, 'cgroup')}`;
    const within = (flags: string) =>
      spawnSync('sh', ['-c', `echo $$ > ${made.procs} && exec ${cli} ${flags}`], { encoding: 'utf8' });
    const refused = within('--memory 256MiB');
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('at most --memory 61MiB fits'),
    ]);
    expect(within('').status).toBe(0);
  } finally {
    execFileSync('rmdir', [made.folder]);
  }
});

/** The commands with their tables in object storage: a real server's if there is one. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../jobs/stores.js';
import { program as programProcess, start } from '../../support/cli.js';
import { program } from '../../support/command.js';
import { startFaultyProxy } from '../../support/faulty-proxy.js';
import { testFolder } from '../../support/folders.js';
import { ifShort, LONG, LONGEST, sweep } from '../../support/long.js';
import { startMemoryS3 } from '../../support/memory-s3.js';
import { startS3Server } from '../../support/s3-server.js';
import { startTcpGate } from '../../support/tcp-gate.js';

const server = await startS3Server();
const store = server.newUri();
const mergemate = program(store);
const small = ['--memory', '8MiB'];
beforeAll(async () => {
  if (!LONG) return;
  // The settings in the URI reach the worker threads.
  await mergemate.succeed(['solve', 'chess', 'KRK', '--workers', '2', ...small]);
}, 300_000);
afterAll(() => server.close());

test.skipIf(!LONG)(
  `every command reads tables in object storage as it does in a folder${ifShort}`,
  async () => {
    const folder = testFolder();
    const local = join(folder, 'tables');
    await program(local).succeed(['solve', 'chess', 'KRK', ...small]);
    const position = '8/8/8/8/8/2k5/8/K6R w - - 0 1';
    for (const command of [
      ['stats', 'chess', 'KRK'],
      ['probe', 'chess', position],
      ['probe', '--line', 'chess', position],
      ['verify', 'chess', 'KRK', ...small],
    ]) {
      const [there, here] = await Promise.all([store, local].map((at) => program(at).succeedJson(command)));
      expect(there, command[0]).toEqual(here);
    }
    const files = [store, local].map((at, i) => {
      const out = join(folder, `${i}.jsonl`);
      return program(at)
        .succeed(['export', 'chess', 'KRK', '--format', 'jsonl', '--out', out])
        .then(() => readFileSync(out));
    });
    const [there, here] = await Promise.all(files);
    expect(there.equals(here)).toBe(true);
  },
);

test.skipIf(!LONG)(`a solved ending is not solved again, and --scratch is left empty${ifShort}`, async () => {
  const scratch = join(testFolder(), 'scratch');
  mkdirSync(scratch);
  const again = await mergemate.succeed(['solve', 'chess', 'KRK', '--scratch', scratch, ...small]);
  expect(again).toMatch(/KRK, positions up to symmetry: white to move wins/);
  expect(readdirSync(scratch)).toEqual([]);
});

test.skipIf(!LONG)(
  `an ending that is not solved is named with its store, without settings${ifShort}`,
  async () => {
    const { code, stderr } = await mergemate.run(['stats', 'chess', 'KQK']);
    expect(stderr).toMatch(/^mergemate: KQK is not solved for dtm in s3:\/\/[^?\n]+: run "[^\n]+\n$/);
    expect(code).toBe(2);
  },
);

test.concurrent.each<[string, () => string, RegExp]>([
  ['a bucket that is not there', () => store.replace(/^s3:\/\/[^/]+/, 's3://nowhere'), /no such bucket/],
  ...sweep<[string, () => string, RegExp]>(
    [],
    [
      [
        'an endpoint where nobody listens',
        () => 's3://bucket/a?endpoint=http://127.0.0.1:1&region=x',
        /refuses/,
      ],
      [
        'an endpoint that does not exist',
        () => 's3://bucket/a?endpoint=http://nowhere.invalid&region=x',
        /host name .*(not known|cannot be resolved)/,
      ],
    ],
  ),
])('%s is one line and exit code 2', async (_, uri, message) => {
  // By processes, which wait at once: the client retries for some seconds. A command that writes tries the missing bucket alone.
  const writing = ['solve', 'chess', 'KRK', ...small];
  const reading = ['stats', 'chess', 'KRK'];
  const commands = uri().startsWith('s3://nowhere/') ? [writing, reading] : [reading];
  const ended = await Promise.all(commands.map((command) => programProcess(uri()).run(command)));
  for (const { code, stdout, stderr } of ended) {
    expect(stderr.split('\n').filter((line) => line.startsWith('mergemate: '))).toHaveLength(1);
    expect(stderr).toMatch(/^mergemate: s3:\/\/(nowhere|bucket)\/[^\n?]+\n$/m);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  }
});

test.skipIf(!LONG)(
  `ranks in object storage, two of them, behind a network with faults, give the same tables${ifShort}`,
  {
    timeout: 480_000,
  },
  async () => {
    const proxy = await startFaultyProxy(server.endpoint, LONGEST ? 0.005 : 0.02, 5);
    try {
      const solve = ['solve', 'chess', 'KNK', '--memory', '32MiB', '--no-verify', '--json'];
      const bySteps = [
        '--engine',
        'processes',
        '--workers',
        '2',
        '--partitions',
        '2',
        '--whole-below',
        '1KiB',
      ];
      const there = await program(server.newUri(proxy.endpoint)).run([...solve, ...bySteps]);
      expect(there).toMatchObject({ code: 0, stderr: expect.not.stringContaining('mergemate:') });
      const here = await program(join(testFolder(), 'tables')).succeed(solve);
      expect(tablesOf(there.stdout)).toEqual(tablesOf(here));
      const faults = Object.values(proxy.injected).reduce((sum, each) => sum + each, 0);
      console.log(`survived: ${faults} faults of the network: ${JSON.stringify(proxy.injected)}`);
      expect(faults).toBeGreaterThan(5);
    } finally {
      await proxy.close();
    }
  },
);

test.skipIf(!LONG)(
  `ranks on a server that does not find what was just written, three of them, give the same tables${ifShort}`,
  { timeout: 480_000 },
  async () => {
    const stale = await startMemoryS3({ bucket: 'bucket', conditional: true, page: 1000 });
    stale.faults.staleMs = LONGEST ? 4000 : 500;
    try {
      const solve = ['solve', 'chess', 'KNK', '--memory', '32MiB', '--json'];
      const byRanks = [
        '--engine',
        'processes',
        '--workers',
        '3',
        '--partitions',
        '3',
        '--whole-below',
        '1KiB',
      ];
      const uri = `s3://bucket/stale?endpoint=${stale.endpoint}&region=here`;
      const there = await programProcess(uri).run([...solve, ...byRanks]);
      expect(there).toMatchObject({ code: 0, stderr: expect.not.stringContaining('mergemate:') });
      const here = await program(join(testFolder(), 'tables')).succeed(solve);
      expect(tablesOf(there.stdout)).toEqual(tablesOf(here));
      // Another process reads them as soon as they are there.
      const verified = await programProcess(uri).run(['verify', 'chess', 'KNK', '--json']);
      expect(verified).toMatchObject({ code: 0 });
    } finally {
      await stale.close();
    }
  },
);

/** For how many seconds the server cannot be reached: longer than the first few retries take. */
const AWAY = LONGEST ? 20 : 5;

test.skipIf(!LONG)(
  `ranks go on when the server was away for ${AWAY} seconds${ifShort}`,
  { timeout: 480_000 },
  async () => {
    const gate = await startTcpGate(server.endpoint);
    try {
      const solve = ['solve', 'chess', 'KQQK', '--memory', '32MiB', '--no-verify', '--json'];
      const uri = server.newUri(gate.endpoint);
      const byRanks = ['--engine', 'processes', '--workers', '2', '--whole-below', '1MiB'];
      const solving = start([...solve, ...byRanks, '--store', uri]);
      const direct = openStore(uri.replace(gate.endpoint, server.endpoint));
      const isAtWork = async () => (await direct.list('chess/dtm/KQQK/steps/count/convert')).length > 0;
      while (!(await isAtWork())) await pause(50);
      await gate.set('shut');
      await pause(1000 * AWAY);
      await gate.set('open');
      const { code, stdout, stderr } = await solving.ended;
      expect([code, stderr.includes('mergemate:')]).toEqual([0, false]);
      const here = await program(join(testFolder(), 'tables')).succeed(solve);
      expect(tablesOf(stdout)).toEqual(tablesOf(here));
    } finally {
      await gate.close();
    }
  },
);

function tablesOf(json: string): { slice: string; digests: string[] }[] {
  const { slices } = JSON.parse(json) as { slices: { slice: string; digests: string[] }[] };
  return slices.map(({ slice, digests }) => ({ slice, digests }));
}

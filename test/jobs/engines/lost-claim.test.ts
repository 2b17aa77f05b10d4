/** A rank that has claimed a slice and is gone: the others go on without it. */
import { expect, onTestFinished, test } from 'vitest';
import { silenceOfRanks } from '../../../jobs/engines/rank-waiting.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { processIdentity } from '../../../operators/storage/process-identity.js';
import type { Store } from '../../../operators/storage/store.js';
import { putRecord } from '../../../pipeline/game/record.js';
import { progressName, runObject } from '../../../pipeline/tables/records/record-shapes.js';
import { start, until } from '../../support/cli.js';
import { succeedJson } from '../../support/command.js';
import { filesUnder, testFolder } from '../../support/folders.js';
import { endedIdentity, foreignIdentity } from '../../support/identities.js';
import { ifShort, LONG } from '../../support/long.js';

const SILENCE = 1500;
let runs = 0;

/** Records a rank as its process does; returns a function that puts a heartbeat. */
async function record(
  store: Store,
  rank: number,
  process: string,
  job = 'job-2',
): Promise<() => Promise<unknown>> {
  const run = `run-${++runs}`;
  const facts = {
    metric: 'dtm',
    endings: ['KRK'],
    wanted: ['KRK'],
    engine: 'task',
    host: 'host',
    startedAt: 0,
  };
  const rest = { memory: 1, workers: 1, verify: true, kind: 'task', everyMs: 100, rank: { job, rank } };
  await putRecord(store, runObject('chess', run, 'run.json'), {
    version: 3,
    run,
    process,
    ...facts,
    ...rest,
  });
  let beats = 0;
  return async () => {
    await store.putIfAbsent(runObject('chess', run, progressName(++beats)), Uint8Array.of(1));
    await store.delete(runObject('chess', run, progressName(beats - 2)));
  };
}

test('a rank is silent when its process has ended, or was not heard of for as long as the silence', async () => {
  const store = memoryStore();
  const ended = endedIdentity();
  await record(store, 0, ended);
  const beat = await record(store, 1, foreignIdentity);
  await record(store, 2, processIdentity);
  await record(store, 3, ended, 'another-job');
  const isSilent = silenceOfRanks(store, 'chess', 'job-2', SILENCE);
  const beating = setInterval(() => void beat(), 10);
  onTestFinished(() => clearInterval(beating));
  expect(await Promise.all([0, 1, 2, 3].map(isSilent))).toEqual([true, false, false, false]);
  // A process that is there and does not beat is silent in the end, and so is a rank without any record.
  const since = performance.now();
  await expect.poll(() => isSilent(2), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => isSilent(3), { timeout: 20_000 }).toBe(true);
  expect(performance.now() - since).toBeGreaterThan(SILENCE / 2);
  expect(await isSilent(1)).toBe(false);
  // The rank is started again.
  await record(store, 0, processIdentity);
  expect(await isSilent(0)).toBe(false);
});

test.skipIf(!LONG)(
  `a rank that is killed does not keep the others waiting${ifShort}`,
  async () => {
    const ending = ['chess', 'KRKN', '--metric', 'dtz', '--no-verify'];
    const store = testFolder();
    const rank = (number: number) =>
      start(['rank', ...ending, '--rank', String(number), '--ranks', '2', '--job', 'job', '--store', store]);
    const first = rank(0);
    await until(
      () => filesUnder(store).some((name) => name.endsWith('/claims/chess/dtz/KRKN.json')),
      'the claim',
    );
    first.child.kill('SIGKILL');
    await first.ended;
    const { code, stderr } = await rank(1).ended;
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^mergemate: rank 1 of 2: rank 0 has claimed KRKN and is gone, or was silent for 30.0 s: another rank solves it$/m,
      ),
    ]);
    const alone = testFolder();
    type Solved = { slices: { digests: string[] }[] };
    const digests = ({ slices }: Solved) => slices.map((slice) => slice.digests);
    const expected = digests(await succeedJson<Solved>(['solve', ...ending, '--store', alone]));
    expect(digests(await succeedJson<Solved>(['solve', ...ending, '--store', store]))).toEqual(expected);
  },
  120_000,
);

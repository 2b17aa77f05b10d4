/** `gc`: finds what killed attempts and drivers left, and never what the work needs to go on. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDuration } from '../../jobs/durations.js';
import { localStore } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { noteAttempt } from '../../pipeline/steps/attempts.js';
import { findGarbage } from '../../pipeline/steps/garbage.js';
import type { Phase, SliceWork } from '../../pipeline/steps/names.js';
import { fixPlan } from '../../pipeline/steps/plan.js';
import { manifestReader, slicesAmong } from '../../pipeline/steps/slices.js';
import { filesUnder, run, succeed, succeedJson, testFolder } from '../support/cli.js';
import { solveChess } from '../support/solving.js';
import { attemptTask, solveBySteps } from '../support/stepping.js';

interface Found {
  readonly deleted: boolean;
  readonly bytes: number;
  readonly younger: number;
  readonly objects: { name: string; why: string; bytes: number; ageMs: number }[];
}

const GAMES = new Map([[chess.name, chess]]);
const STEPS = 'chess/dtm/KNNK/steps/count';

/** The store as a process that is killed at its commit leaves it. */
const killed = (store: Store): Store => ({
  ...store,
  putIfAbsent: async () => {
    throw new Error('killed');
  },
  delete: async () => {},
});

async function collect(store: Store): Promise<string[]> {
  const names: string[] = [];
  for (const objects of slicesAmong(await store.list(''), GAMES)) {
    for (const { name } of await findGarbage(manifestReader(store), objects)) names.push(name);
  }
  for (const name of names) await store.delete(name);
  return names;
}

/** KNNK in a folder, begun by steps: round 1 is done, an attempt at it was killed, and nothing cleared away. */
async function begun(folder: string): Promise<{ work: SliceWork; orphans: string[] }> {
  await succeed(['solve', 'chess', 'KNK', '--store', folder, '--no-verify', '--memory', '8MiB']);
  const store = localStore(folder, { durable: false });
  const work: SliceWork = { store, game: chess, metric: 'dtm', slice: 'KNNK' };
  await fixPlan(work, 2);
  const first: Phase = { type: 'round', ply: 1 };
  for (const task of [0, 1]) await attemptTask(work, { type: 'start' }, task);
  const before = await store.list('');
  await expect(attemptTask({ ...work, store: killed(store) }, first, 0)).rejects.toThrow('killed');
  const orphans = (await store.list('')).filter((name) => !before.includes(name));
  for (const task of [0, 1]) await attemptTask(work, first, task);
  const note = { what: 'began', task: 0, attempt: 'x', host: 'h', at: 1, problem: null } as const;
  for (const phase of [{ type: 'start' }, { type: 'round', ply: 2 }] as const)
    await noteAttempt(work, phase, note);
  return { work, orphans };
}

test('finds what was left in the middle of a solve, deletes it when told to, and the solve goes on', async () => {
  const folder = testFolder();
  const { work, orphans } = await begun(folder);
  expect(orphans.length).toBeGreaterThan(1);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const dead = [
    join(folder, `${STEPS}/.tmp-${pid}-0`),
    join(folder, `.scratch-${pid}@${hostname()}/worker/spill`),
  ];
  const notOurs = [
    join(folder, STEPS, 'mine.arrow'),
    join(folder, STEPS, `.tmp-${process.pid}-0`),
    join(folder, 'chess/dtm/KNNK/steps/bitboard/differences-00001.json'),
    join(folder, 'chess/dtm/KNNK/requests-0.arrow'),
    join(folder, 'chess/dtm/what/values-0-0-1.arrow'),
    join(folder, 'notes/of/mine/values-0-0-1.arrow'),
    join(folder, `.scratch-${pid}@elsewhere/spill`),
  ];
  for (const file of [...dead, ...notOurs]) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'abc');
  }
  const files = filesUnder(folder);

  const young = await succeedJson<Found>(['gc', '--store', folder]);
  expect(young.objects).toEqual([]);
  const found = await succeedJson<Found>(['gc', '--store', folder, '--older-than', '0s']);
  expect(filesUnder(folder)).toEqual(files);
  expect(found.deleted).toBe(false);
  expect(young.younger).toBe(found.objects.length);
  const by = (why: string) => found.objects.filter((each) => each.why === why).map(({ name }) => name);
  expect(by('orphan').sort()).toEqual([...orphans].sort());
  expect(by('superseded').some((name) => name.includes('/requests-1-'))).toBe(true);
  expect(by('superseded').filter((name) => name.includes('/frontier-'))).toEqual([]);
  expect(by('note')).toEqual([`${STEPS}/start/began-0-x.json`]);
  expect(by('unfinished')).toEqual([`${STEPS}/.tmp-${pid}-0`]);
  expect(by('scratch')).toEqual([join(folder, `.scratch-${pid}@${hostname()}`)]);
  expect(found.bytes).toBe(found.objects.reduce((sum, { bytes }) => sum + bytes, 0));

  const dry = await succeed(['gc', '--store', folder, '--older-than', '0s']);
  expect(dry).toContain('run of an attempt that died or came second');
  expect(dry).toMatch(/nothing was deleted: --delete does it\n$/);
  expect(filesUnder(folder)).toEqual(files);

  const deleted = await succeedJson<Found>(['gc', '--store', folder, '--older-than', '0s', '--delete']);
  expect(deleted.objects.map(({ name }) => name)).toEqual(found.objects.map(({ name }) => name));
  const gone = found.objects.map(({ name, why }) =>
    why === 'scratch' ? join(name, 'worker/spill') : join(folder, name),
  );
  expect(filesUnder(folder)).toEqual(files.filter((file) => !gone.includes(file)));

  const table = await solveBySteps(work, { partitions: 2, verify: true });
  const { summaries } = await solveChess(['KNNK'], { metric: 'dtm' });
  expect(table.digests).toEqual(summaries.at(-1)!.table.digests);
});

test('an attempt is as old as the last that it wrote', async () => {
  const folder = testFolder();
  const { orphans } = await begun(folder);
  const [last, ...others] = orphans.map((name) => join(folder, name));
  const hoursAgo = (hours: number) => Date.now() / 1000 - 3600 * hours;
  for (const file of others) utimesSync(file, hoursAgo(4), hoursAgo(4));
  utimesSync(last!, hoursAgo(2), hoursAgo(2));
  const found = async (olderThan: string) => {
    const { objects } = await succeedJson<Found>(['gc', '--store', folder, '--older-than', olderThan]);
    return objects.map(({ name }) => name).sort();
  };
  expect(await found('3h')).toEqual([]);
  expect(await found('1h')).toEqual([...orphans].sort());
});

test('a solve after each of whose tasks all garbage is deleted gives the same table', {
  timeout: 240_000,
}, async () => {
  const slice = 'KRKN';
  const { store, summaries } = await solveChess([slice], { metric: 'dtc' });
  const wanted = summaries.at(-1)!.table;
  for (const name of await store.list(`chess/dtc/${slice}/`)) await store.delete(name);
  const work = { store, game: chess, metric: 'dtc', slice } as const;
  let collected = 0;
  const table = await solveBySteps(work, {
    partitions: 2,
    verify: true,
    async phase(phase, tasks) {
      for (const task of tasks) {
        collected += (await collect(store)).length;
        await attemptTask(work, phase, task);
      }
    },
  });
  expect(table.digests).toEqual(wanted.digests);
  // Nothing else clears up between rounds here.
  expect(collected).toBeGreaterThan(table.rounds);
  expect(await collect(store)).toEqual([]);
});

test.each([true, false])('of a finished slice the table stays; verified: %s', async (verify) => {
  const { store } = await solveChess(['KNNK'], { metric: 'dtm', verify });
  const before = await store.list('');
  const put = async (name: string) => {
    await store.putIfAbsent(name, Uint8Array.of(1));
    return name;
  };
  const passing = [
    await put(`${STEPS}/frontier-1-0-1-late.arrow`),
    await put('chess/dtm/KNNK/values-0-0-1-late.arrow'),
  ];
  const steps = [
    await put(`${STEPS}/plan.json`),
    await put(`${STEPS}/enumerate.json`),
    await put(`${STEPS}/round-00001/task-00000.json`),
    await put(`${STEPS}/verify/failed-0-late.json`),
  ];
  expect((await collect(store)).sort()).toEqual([...passing, ...(verify ? steps : [])].sort());
  expect(await store.list('')).toEqual([...before, ...(verify ? [] : steps)].sort());
});

test('garbage of a store that a manifest of is damaged in is not guessed at', async () => {
  const store = memoryStore();
  await store.putIfAbsent('chess/dtm/KRK/steps/count/enumerate.json', new TextEncoder().encode('{"ver'));
  await store.putIfAbsent('chess/dtm/KRK/steps/count/counts-0-0-0-0-1.arrow', Uint8Array.of(1));
  await expect(collect(store)).rejects.toThrow(/damaged manifest/);
});

test.each([
  ['0s', 0],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['30 min', 1_800_000],
  ['1.5h', 5_400_000],
  ['2D', 172_800_000],
])('%s is a duration', (text, ms) => expect(parseDuration(text, '--older-than')).toBe(ms));

test.each(['', '5', 'h', '-1h', '1h 5m', '1y'])('%j is no duration', async (text) => {
  const { code, stderr } = await run(['gc', `--older-than=${text}`]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^mergemate: --older-than: ".*" is no duration: .*\n$/);
});

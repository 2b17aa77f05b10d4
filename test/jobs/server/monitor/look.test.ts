/** The monitor describes stores in all states. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newLookout } from '../../../../jobs/progress/look.js';
import { openStore } from '../../../../jobs/stores.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Store } from '../../../../operators/storage/store.js';
import type { Game } from '../../../../pipeline/game/game.js';
import { readManifest } from '../../../../pipeline/game/manifest.js';
import { putRecord } from '../../../../pipeline/game/record.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { findGarbage } from '../../../../pipeline/tables/records/garbage.js';
import { type RoundRecord, RunRecord, runsAmong } from '../../../../pipeline/tables/records/record-shapes.js';
import { ManifestReader, slicesAmong } from '../../../../pipeline/tables/records/slices.js';
import { start, until } from '../../../support/cli.js';
import { program, succeed } from '../../../support/command.js';
import { filesUnder, testFolder } from '../../../support/folders.js';
import { ifShort, LONG } from '../../../support/long.js';
import { BY_ALL } from '../../../support/pace.js';
import { losingRanks, lostAt, runRank } from '../../../support/ranks.js';
import { GAMES, look, recorderOf, seen, solveRecorded } from '../../../support/recording.js';
import { MiB, solveChess } from '../../../support/solving.js';

const HOUR = 3_600_000;

/** How many positions are won and lost in each number of plies, by a scan of the table. */
async function byPly(store: string, ending: string): Promise<Map<number, { won: number; lost: number }>> {
  type Plies = Record<string, { orbits: number }>;
  type Side = { whiteWinsByPly: Plies; blackWinsByPly: Plies };
  const stats = await program(store).succeedJson<{ white: Side; black: Side }>(['stats', 'chess', ending]);
  const found = new Map<number, { won: number; lost: number }>();
  const add = (plies: Plies, what: 'won' | 'lost') => {
    for (const [ply, { orbits }] of Object.entries(plies)) {
      const at = found.get(Number(ply)) ?? { won: 0, lost: 0 };
      found.set(Number(ply), { ...at, [what]: at[what] + orbits });
    }
  };
  add(stats.white.whiteWinsByPly, 'won');
  add(stats.black.blackWinsByPly, 'won');
  add(stats.white.blackWinsByPly, 'lost');
  add(stats.black.whiteWinsByPly, 'lost');
  return found;
}

/** The phases of a slice that ranks solve together. */
const RANK_PHASES = ['enumerate', 'convert', 'rounds', 'finish', 'verify'];

const counts = (rounds: readonly RoundRecord[]) =>
  rounds.map(({ ply, won, lost, requests }) => ({ ply, won, lost, requests }));

test('an empty store has no slices and no runs', async () => {
  const { snapshot } = await look(memoryStore(), 5);
  expect(snapshot).toEqual({ store: 'memory', at: 5, runs: [], slices: [], set: null });
});

test('a store of an earlier version, without records, shows the facts of its manifests', async () => {
  const { store } = await solveChess(['KQK'], { metric: 'dtm', verify: true });
  await store.delete('chess/dtm/KK/verified.json');
  const { snapshot, slice } = await look(store);
  expect(snapshot.runs).toEqual([]);
  expect(snapshot.slices.map((each) => [each.slice, each.state])).toEqual([
    ['KK', 'solved'],
    ['KQK', 'verified'],
  ]);
  expect(slice('KQK')).toMatchObject({
    wave: 2,
    dependencies: ['KK'],
    longestWin: 19,
    positions: 46_137,
    rounds: [],
    phases: [],
    spills: 0,
    problem: null,
    peakRss: null,
    current: null,
  });
  expect(slice('KQK').requests).toBeGreaterThan(0);
});

test('a solved slice has the rounds of its table, its phases and its counters', async () => {
  const store = testFolder();
  await program(store).succeed(['solve', 'chess', 'KRK']);
  const { snapshot, slice } = await look(openStore(store));
  expect(snapshot.runs).toMatchObject([
    { state: 'done', endings: ['KRK'], wanted: ['KRK'], engine: 'local', memory: 2 ** 28, problem: null },
  ]);
  const { rounds, phases, peakRss, state, bytesRead, requests } = slice('KRK');
  expect(state).toBe('verified');
  const wanted = await byPly(store, 'KRK');
  for (const { ply, won, lost } of rounds) expect([ply, won, lost]).toEqual([ply, ...from(wanted.get(ply))]);
  expect(rounds.map(({ ply }) => ply)).toEqual(Array.from({ length: 33 }, (_, i) => i + 1));
  expect(rounds.reduce((sum, round) => sum + round.requests, 0)).toBe(requests);
  expect(phases.map(({ phase }) => phase)).toEqual(['enumerate', 'convert', 'rounds', 'finish', 'verify']);
  expect(peakRss).toBeGreaterThan(2 ** 24);
  expect(bytesRead).toBeGreaterThan(1000);

  // Solving it again writes nothing, and no object is garbage.
  const before = filesUnder(store);
  await program(store).succeed(['solve', 'chess', 'KRK']);
  expect(filesUnder(store)).toEqual(before);
  const reader = new ManifestReader(openStore(store));
  for (const objects of slicesAmong(await openStore(store).list(''), GAMES)) {
    expect(await findGarbage(reader, objects)).toEqual([]);
  }
});

const from = (at: { won: number; lost: number } | undefined) => [at?.won ?? 0, at?.lost ?? 0];

test.skipIf(!LONG)(
  `a solve that is killed and continued is shown in both states${ifShort}`,
  { timeout: 300_000 },
  async () => {
    const folder = testFolder();
    const store = openStore(folder);
    const args = ['solve', 'chess', 'KQKR', '--store', folder];
    // Slow enough to be met in its rounds.
    const { child, ended } = start([...args, '--propagate', 'lookup', '--memory', '16MiB']);
    const runs = join(folder, 'chess/runs');
    const inRounds = async () => {
      if (filesUnder(runs).length === 0) return false;
      const seenNow = (await look(store)).snapshot.slices.find(({ slice }) => slice === 'KQKR');
      return (seenNow?.round ?? 0) > 0;
    };
    while (!(await inRounds())) await new Promise((done) => setTimeout(done, 20));
    child.kill('SIGKILL');
    await ended;

    const now = Date.now();
    const single = await look(store, now);
    expect(single.snapshot.runs[0].state).toBe('running');
    const killed = single.slice('KQKR');
    expect(killed).toMatchObject({ state: 'working', phase: 'rounds', by: 'process', memory: 2 ** 24 });
    expect(killed.current).toMatchObject({ atMost: true, total: 2_467_122 });
    expect(killed.rss).toBeGreaterThan(2 ** 24);
    expect(killed.share).toBeGreaterThan(0);
    const later = await look(store, now + HOUR);
    expect(later.snapshot.runs[0].state).toBe('quiet');
    expect(later.slice('KQKR')).toMatchObject({ state: 'begun', rss: null });
    expect(later.slice('KQKR').current!.leftMs).toBe(null);

    await succeed(args);
    const done = await look(store);
    expect(done.snapshot.runs[1].state).toBe('done');
    const { rounds, phases, state, startedAt } = done.slice('KQKR');
    expect([state, startedAt]).toEqual(['verified', killed.startedAt]);
    expect(phases.filter(({ phase }) => phase === 'rounds')).toHaveLength(2);
    const wanted = await byPly(folder, 'KQKR');
    expect(rounds.map(({ ply, won, lost }) => [ply, won, lost])).toEqual(
      Array.from({ length: 71 }, (_, i) => [i + 1, ...from(wanted.get(i + 1))]),
    );
  },
);

test('a run that is stopped or fails is shown as such, with its last step', async () => {
  const folder = testFolder();
  const { child, ended } = start(['solve', 'chess', 'KQKR', '--store', folder]);
  await until(() => filesUnder(folder).some((file) => file.endsWith('run.json')), 'the run');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
  expect((await look(openStore(folder))).snapshot.runs).toMatchObject([{ state: 'stopped', problem: null }]);

  const store = memoryStore();
  const recorder = recorderOf(store, ['KQK']);
  recorder.listen({ type: 'slice', slice: 'KQK', number: 1, of: 1 });
  recorder.listen({ type: 'phase', slice: 'KQK', phase: 'enumerate', total: 1000 });
  recorder.listen({ type: 'work', slice: 'KQK', done: 250 });
  await recorder.close('failed', `${store.uri}/chess/dtm/KK/table.json: disk full`);
  const { snapshot, slice } = await look(store);
  const problem = 'chess/dtm/KK/table.json: disk full';
  expect(snapshot.runs).toMatchObject([{ state: 'failed', problem }]);
  expect(slice('KQK')).toMatchObject({ state: 'begun', phase: 'enumerate', share: 0.25, problem });
  expect(slice('KK')).toMatchObject({ state: 'waiting', rounds: [], phase: null });
});

const processOf = (rank: number) => ({
  host: rank === 0 ? 'north' : 'south',
  rank,
  started: 1000 * (rank + 1),
  wallMs: 3000,
  cpuMs: 1,
  peakRss: (rank + 1) * 2 ** 27,
});
const RANKS = { metric: 'dtm', ranks: 2, partitions: 3, processOf, pace: BY_ALL } as const;

test('a solve by ranks shows the current step, the rank that all wait for, and all ranks', async () => {
  const { store } = await solveChess(['KNK'], { metric: 'dtm' });
  await losingRanks(chess, ['KNNK'], { ...RANKS, seenBy: lostAt('round-00002') }, store);
  const recorder = recorderOf(store, ['KNNK'], { solves: false });
  recorder.listen({ type: 'phase', slice: 'KNNK', phase: 'rounds', total: null });
  await recorder.close('stopped');

  const { snapshot, slice } = await look(store, 15_000);
  expect(snapshot.runs).toMatchObject([{ engine: 'processes', state: 'stopped' }]);
  const detail = slice('KNNK');
  expect(detail).toMatchObject({
    state: 'working',
    by: 'ranks',
    phase: 'rounds',
    round: 1,
    startedAt: 1000,
    problem: null,
    ranks: {
      step: 'round-00002',
      partitions: 3,
      done: 2,
      missing: [{ partition: 1, rank: 1, host: 'south' }],
      seen: [
        { rank: 0, host: 'north', partitions: 2, lastAt: 4000 },
        { rank: 1, host: 'south', partitions: 1, lastAt: 5000 },
      ],
    },
    phases: [
      { phase: 'enumerate', startedAt: 1000, wallMs: 4000 },
      { phase: 'convert', startedAt: 5000, wallMs: 0 },
    ],
    rounds: [{ ply: 1, wallMs: 4000 }],
    current: { startedAt: 5000, atMost: true },
    peakRss: 2 ** 28,
    memory: 64 * MiB,
    lastAt: 5000,
  });
  expect(detail.bytesRead).toBeGreaterThan(0);
  expect(detail.share).toBeGreaterThan(0);
  expect((await look(store, HOUR)).slice('KNNK').state).toBe('begun');
});

test.skipIf(!LONG)(`ranks and a process leave the same rounds in the record${ifShort}`, async () => {
  const { store: together } = await solveChess(['KNK'], { metric: 'dtm', verify: true });
  const recorder = recorderOf(together, ['KNNK']);
  const leading = { ...RANKS, progress: recorder.listen };
  await Promise.all([
    runRank(chess as Game, ['KNNK'], together, leading, 0),
    runRank(chess as Game, ['KNNK'], together, RANKS, 1),
  ]);
  await recorder.close('done');
  const store = memoryStore();
  await solveRecorded(store, ['KNNK']);
  const byRanks = (await look(together)).slice('KNNK');
  const byProcess = (await look(store)).slice('KNNK');
  expect(byRanks).toMatchObject({ by: 'ranks', state: 'verified', peakRss: 2 ** 28, ranks: null });
  expect(byProcess).toMatchObject({ by: 'process', state: 'verified' });
  expect(counts(byRanks.rounds)).toEqual(counts(byProcess.rounds));
  expect(byRanks.rounds.length).toBeGreaterThan(1);
  expect(byRanks.phases.map(({ phase }) => phase)).toEqual(RANK_PHASES);
  expect(byProcess.phases.map(({ phase }) => phase)).toEqual(RANK_PHASES);
  expect(await together.list('chess/dtm/KNNK/record')).toEqual(['chess/dtm/KNNK/record-1.json']);
  expect(await together.list('chess/dtm/KNNK/steps')).toEqual([]);
});

test('a slice that is a task of its own is shown while it runs, and its run disappears afterwards', async () => {
  const store = memoryStore();
  const recorder = recorderOf(store, ['KQK'], { kind: 'task', intervalMs: 5 });
  await solveChess(['KK'], { metric: 'dtm', store, verify: true });
  let during: Awaited<ReturnType<typeof look>> | undefined;
  recorder.listen({ type: 'phase', slice: 'KQK', phase: 'rounds', total: 100 });
  recorder.listen({ type: 'round', slice: 'KQK', ply: 1, requests: 7, labelled: 5, won: 3 });
  while (during === undefined) {
    const now = await look(store);
    if (now.snapshot.slices.some(({ slice }) => slice === 'KQK')) during = now;
    await new Promise((done) => setTimeout(done, 2));
  }
  expect(during.snapshot.runs).toEqual([]);
  expect(during.slice('KQK')).toMatchObject({ state: 'working', share: 0.05, rounds: [{ won: 3, lost: 2 }] });
  recorder.listen({ type: 'finished', slice: 'KQK' });
  await recorder.close('done');
  expect(runsAmong(await store.list(''))).toEqual([]);
  expect(await store.list('chess/dtm/KQK/record')).toEqual(['chess/dtm/KQK/record-1.json']);
});

test.skipIf(!LONG)(
  `a run of --engine processes is shown from the store alone${ifShort}`,
  { timeout: 300_000 },
  async () => {
    const folder = testFolder();
    const store = openStore(folder);
    const { ended } = start([
      ...['solve', 'chess', 'KBNK', '--store', folder, '--engine', 'processes', '--workers', '2'],
      ...['--partitions', '3', '--whole-below', '1KiB', '--memory', '16MiB'],
    ]);
    const lookout = newLookout({ store, games: GAMES });
    const phases = new Set<string | null>();
    let over = false;
    void ended.then(() => (over = true));
    while (!over) {
      const { snapshot } = seen(await lookout(Date.now()));
      const at = snapshot.slices.find(({ slice }) => slice === 'KBNK');
      if (at?.state === 'working') phases.add(at.phase);
      await new Promise((done) => setTimeout(done, 20));
    }
    // The ranks report every second: a phase may be over between two reports.
    expect(phases.size).toBeGreaterThan(0);
    for (const phase of phases) expect(RANK_PHASES).toContain(phase);
    const { snapshot, slice } = await look(store);
    expect(snapshot.runs).toMatchObject([{ state: 'done', engine: 'processes', memory: 2 ** 24 }]);
    const { rounds, by, state, memory, peakRss } = slice('KBNK');
    expect({ by, state, memory }).toEqual({ by: 'ranks', state: 'verified', memory: 2 ** 24 });
    expect(peakRss).toBeGreaterThan(2 ** 24);
    const wanted = await byPly(folder, 'KBNK');
    for (const { ply, won, lost } of rounds) expect([won, lost]).toEqual(from(wanted.get(ply)));
  },
);

async function spoil(store: Store, name: string): Promise<void> {
  await store.delete(name);
  await store.putIfAbsent(name, new TextEncoder().encode('{"version":2,"rounds":'));
}

test('damaged records do not hide other slices, and damaged manifests are named', async () => {
  const store = memoryStore();
  await solveRecorded(store, ['KQK']);
  await spoil(store, 'chess/dtm/KQK/record-1.json');
  const [run] = runsAmong(await store.list(''));
  await spoil(store, run.record!);
  const { snapshot, slice } = await look(store);
  expect(snapshot.runs).toEqual([]);
  expect(slice('KQK')).toMatchObject({ state: 'verified', positions: 46_137, rounds: [] });
  expect(slice('KQK').problem).toContain('chess/dtm/KQK/record-1.json: damaged manifest');

  await spoil(store, 'chess/dtm/KQK/table.json');
  expect((await look(store)).slice('KQK')).toMatchObject({ state: 'damaged', positions: null });
  expect((await look(store)).slice('KK').state).toBe('verified');
});

test('a run with a wrong clock counts as running once its heartbeat changes', async () => {
  const store = memoryStore();
  const lookout = newLookout({ store, games: GAMES });
  const recorder = recorderOf(store, ['KQK'], { intervalMs: 5 });
  recorder.listen({ type: 'phase', slice: 'KQK', phase: 'enumerate', total: 1000 });
  const ahead = () => Date.now() + HOUR;
  const progress = async () => runsAmong(await store.list(''))[0]?.progress ?? null;
  while ((await progress()) === null) await new Promise((done) => setTimeout(done, 2));
  const first = await progress();
  expect(seen(await lookout(ahead())).snapshot.runs[0].state).toBe('quiet');
  while ((await progress()) === first) await new Promise((done) => setTimeout(done, 2));
  expect(seen(await lookout(ahead())).snapshot.runs[0].state).toBe('running');
  await recorder.close('done');
});

test('of the heartbeats of a run two are kept, and none when it is done', async () => {
  const store = memoryStore();
  const recorder = recorderOf(store, ['KQK'], { intervalMs: 2 });
  expect(await store.list('')).toEqual([]);
  recorder.listen({ type: 'phase', slice: 'KQK', phase: 'enumerate', total: 10 });
  const numbers = async () =>
    (await store.list('chess/runs/')).flatMap((name) => /progress-(\d+)/.exec(name)?.[1] ?? []).map(Number);
  let most = 0;
  for (let last = 0; last < 20; ) {
    const found = await numbers();
    most = Math.max(most, found.length);
    last = found.at(-1) ?? 0;
    await new Promise((done) => setTimeout(done, 1));
  }
  expect(most).toBeLessThanOrEqual(3);
  await recorder.close('done');
  expect((await store.list('')).map((name) => name.split('/').at(-1))).toEqual(['end.json', 'run.json']);
});

test('a record with an unknown ending or of another version is ignored', async () => {
  const store = memoryStore();
  const recorder = recorderOf(store, ['KQK'], { intervalMs: 10_000 });
  recorder.listen({ type: 'phase', slice: 'KQK', phase: 'enumerate', total: 10 });
  await recorder.close('stopped');
  const name = (await store.list('')).find((each) => each.endsWith('/run.json'))!;
  const record = (await readManifest(store, name, RunRecord))!;
  for (const [run, wanted] of [
    ['20000101T000000000Z-a', ['nonsense', '', '__proto__', 'KKQ', 'KQQQQQQQQQQQQQQQQQK']],
    ['20000101T000000000Z-b', ['../../KQK', 'K', 'KQK.99']],
  ] as const)
    await putRecord(store, `chess/runs/${run}/run.json`, { ...record, run, wanted, endings: wanted });
  await putRecord(store, 'chess/runs/20000101T000000000Z-c/run.json', { ...record, version: 2 });
  const { snapshot } = await look(store);
  expect(snapshot.runs.map(({ wanted }) => wanted.length).sort()).toEqual([1, 3, 5]);
  expect(snapshot.slices.map(({ slice }) => slice).sort()).toEqual(['KK', 'KQK']);
});

test('a solve succeeds in a store that refuses records', async () => {
  const store = memoryStore();
  const refuse = async (): Promise<never> => {
    throw new Error('no');
  };
  const recorder = recorderOf({ ...store, putIfAbsent: refuse, list: refuse }, ['KQK'], { intervalMs: 2 });
  await solveChess(['KQK'], { metric: 'dtm', store, progress: recorder.listen });
  await recorder.close('done');
  expect((await store.list('')).filter((name) => name.includes('record'))).toEqual([]);
});

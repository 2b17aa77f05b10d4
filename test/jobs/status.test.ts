/** `status`: what a store alone tells of the work in it. */
import { expect, test } from 'vitest';
import { statusText } from '../../jobs/ui/status-text.js';
import { memoryStore } from '../../operators/storage/memory.js';
import type { Store } from '../../operators/storage/store.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { EnumerateManifest, readManifest } from '../../pipeline/manifest.js';
import { type AttemptNote, noteAttempt } from '../../pipeline/steps/attempts.js';
import { PartitionTask, type Ran, readTasks } from '../../pipeline/steps/manifests.js';
import type { PartitionPhase, Phase, SliceWork } from '../../pipeline/steps/names.js';
import { fixPlan } from '../../pipeline/steps/plan.js';
import { manifestReader } from '../../pipeline/steps/slices.js';
import { type SliceSurvey, surveyStore } from '../../pipeline/steps/survey.js';
import { run, start, succeed, succeedJson, testFolder, until } from '../support/cli.js';
import { budgetOf, MiB, solveChess } from '../support/solving.js';
import { attemptTask } from '../support/stepping.js';

const GAMES = new Map([[chess.name, chess]]);

function survey(store: Store, now = 0): Promise<SliceSurvey[]> {
  return surveyStore({ store, games: GAMES, reader: manifestReader(store) }, now);
}

type At<T extends SliceSurvey['at']> = Extract<SliceSurvey, { at: T }>;

/** What is found of a slice, which must be at this. */
function find<T extends SliceSurvey['at']>(found: readonly SliceSurvey[], slice: string, at: T): At<T> {
  const one = found.find((each) => each.slice === slice);
  expect(one?.at).toBe(at);
  return one as At<T>;
}

const labelledBy = (tasks: readonly PartitionTask[]) =>
  tasks.reduce((sum, { won, lost }) => sum + won[0] + won[1] + lost[0] + lost[1], 0);

async function planned(partitions: number): Promise<SliceWork> {
  const { store } = await solveChess(['KNK'], { metric: 'dtm' });
  const work: SliceWork = { store, game: chess, metric: 'dtm', slice: 'KNNK' };
  await fixPlan(work, partitions);
  return work;
}

const did = (work: SliceWork, phase: PartitionPhase, task: number, ran: Partial<Ran>) =>
  attemptTask(work, phase, task, budgetOf(16 * MiB), {
    host: 'north',
    started: 0,
    wallMs: 0,
    cpuMs: 0,
    peakRss: 0,
    ...ran,
  });

const note = (work: SliceWork, phase: Phase, told: Partial<AttemptNote>) =>
  noteAttempt(work, phase, {
    what: 'began',
    task: 0,
    attempt: 'a',
    host: 'north',
    at: 0,
    problem: null,
    ...told,
  });

test('a slice that is solved by steps: tasks, attempts, stragglers, speed', async () => {
  const work = await planned(3);
  const first: Phase = { type: 'round', ply: 1 };
  expect(find(await survey(work.store), 'KNNK', 'steps').steps).toMatchObject({
    partitions: 3,
    phase: { type: 'start' },
    tasks: { done: 0, tasks: 3, running: [], elapsedMs: null, remainingMs: null },
    labelled: 0,
    requestsPerSecond: null,
    problem: null,
    quietMs: null,
  });

  for (const task of [0, 1, 2]) {
    await note(work, { type: 'start' }, { task, attempt: `s${task}`, at: 1000 });
    await did(work, { type: 'start' }, task, { started: 1000 + task, wallMs: 3000 });
  }
  await did(work, first, 0, { started: 10_000, wallMs: 2000 });
  await note(work, first, { task: 0, attempt: 'w', at: 10_000 });
  await note(work, first, { task: 1, attempt: 'x', at: 10_500, host: 'south' });
  await note(work, first, {
    what: 'failed',
    task: 1,
    attempt: 'x',
    at: 11_000,
    host: 'south',
    problem: 'disk full',
  });
  await note(work, first, { task: 1, attempt: 'y', at: 12_500, host: 'east' });
  await note(work, first, { task: 2, attempt: 'z', at: 19_000, host: 'west' });

  const started = await readTasks(work, { type: 'start' }, 3, PartitionTask);
  const begun = await readTasks(work, first, 1, PartitionTask);
  const slow = { task: 1, host: 'east', runningMs: 7500 };
  const found = await survey(work.store, 20_000);
  const { steps } = find(found, 'KNNK', 'steps');
  expect(steps).toEqual({
    partitions: 3,
    phase: first,
    tasks: {
      tasks: 3,
      done: 1,
      running: [slow, { task: 2, host: 'west', runningMs: 1000 }],
      stragglers: [slow],
      medianMs: 2000,
      elapsedMs: 10_000,
      // Two tasks of 2 s, two at once.
      remainingMs: 2000,
    },
    attempts: { failed: 1, retries: 1 },
    problem: { phase: 'round-00001', task: 1, host: 'south', agoMs: 9000, what: 'disk full' },
    labelled: labelledBy([...started, ...begun]),
    indices: 2 * chess.slice('KNNK').size,
    requests: 0,
    requestsPerSecond: null,
    quietMs: 1000,
    history: {
      startedAt: 1000,
      phases: [{ phase: 'start', startedAt: 1000, wallMs: 3002 }],
      rounds: [],
      counters: expect.objectContaining({ spills: 0 }),
    },
    peakRss: 0,
  });
  const text = await statusText('memory:', found);
  expect(text).toContain(
    'round 1: 1 of 3 tasks done, 2 running, 10.0 s in this phase, about 2.0 s left of it',
  );
  expect(text).toContain('last problem: round-00001 task 1 on south, 9.0 s ago: disk full');
  expect(text).toContain('task 1 on east has been running for 7.5 s');
  expect(text).toMatch(/^KNK +dtm +[\d,]+ +- +no$/m);

  await did(work, first, 1, { started: 12_500, wallMs: 8000 });
  await did(work, first, 2, { started: 19_000, wallMs: 1000 });
  const requests = started.reduce((sum, task) => sum + (task.requests?.rows ?? 0), 0);
  expect(requests).toBeGreaterThan(0);
  const later = find(await survey(work.store, 30_000), 'KNNK', 'steps').steps;
  expect(later).toMatchObject({
    phase: { type: 'round', ply: 2 },
    tasks: { done: 0, running: [] },
    attempts: { failed: 1, retries: 1 },
    requests,
    // From 10 s to 20.5 s.
    requestsPerSecond: requests / 10.5,
  });
});

test('after the last round comes finish; a table that is not verified is verified', async () => {
  const work = await planned(2);
  const phase = async () => find(await survey(work.store), 'KNNK', 'steps').steps.phase.type;
  await did(work, { type: 'start' }, 0, {});
  await did(work, { type: 'start' }, 1, {});
  for (let ply = 1; (await phase()) === 'round'; ply++) {
    for (const task of [0, 1]) await did(work, { type: 'round', ply }, task, {});
  }
  expect(await phase()).toBe('finish');
  await did(work, { type: 'finish' }, 1, {});
  expect(find(await survey(work.store), 'KNNK', 'steps').steps.tasks.done).toBe(1);

  // The same table, come by in another way.
  const { store } = await solveChess(['KNNK'], { metric: 'dtm' });
  const table = 'chess/dtm/KNNK/table.json';
  const bytes = new Uint8Array((await store.size(table))!);
  await store.read(table, 0, bytes);
  await work.store.putIfAbsent(table, bytes);
  const found = await survey(work.store);
  expect(find(found, 'KNNK', 'steps')).toMatchObject({
    solved: { verified: false },
    steps: { phase: { type: 'verify' }, tasks: { done: 0 }, labelled: null },
  });
  expect(await statusText('memory:', found)).toContain('verify: 0 of 2 tasks done, 0 running');
});

test('a slice that is solved whole is verified by steps', async () => {
  const { store } = await solveChess(['KNK'], { metric: 'dtm' });
  const work: SliceWork = { store, game: chess, metric: 'dtm', slice: 'KNK' };
  find(await survey(store), 'KNK', 'solved');
  await fixPlan(work, 1);
  expect(find(await survey(store), 'KNK', 'steps').steps).toMatchObject({
    partitions: 1,
    phase: { type: 'verify' },
  });
  await fixPlan({ ...work, slice: 'KRK' }, 1);
  expect(find(await survey(store), 'KRK', 'process').process.phase).toBe('enumerate');
});

test('a second look reads what is new, and lists once', async () => {
  const work = await planned(2);
  for (const task of [0, 1]) await did(work, { type: 'start' }, task, {});
  let lists = 0;
  const reads: string[] = [];
  const store: Store = {
    ...work.store,
    list(prefix) {
      lists++;
      return work.store.list(prefix);
    },
    read(name, offset, into) {
      reads.push(name);
      return work.store.read(name, offset, into);
    },
  };
  const view = { store, games: GAMES, reader: manifestReader(store) };
  const once = await surveyStore(view, 0);
  expect([lists, reads.length > 0]).toEqual([1, true]);
  reads.length = 0;
  expect(await surveyStore(view, 0)).toEqual(once);
  expect([lists, reads]).toEqual([2, []]);
  await did(work, { type: 'round', ply: 1 }, 1, {});
  reads.length = 0;
  await surveyStore(view, 0);
  expect(reads).toEqual(['chess/dtm/KNNK/steps/count/round-00001/task-00001.json']);
});

test('a slice that is solved in one process: the steps that are committed', async () => {
  const store = memoryStore();
  const stopped: Store = {
    ...store,
    create: async (name) => {
      if (name.includes('KNNK/values')) throw new Error('stopped');
      return store.create(name);
    },
  };
  await expect(solveChess(['KNNK'], { metric: 'dtm', store: stopped })).rejects.toThrow('stopped');
  const steps = 'chess/dtm/KNNK/steps/count';
  const { legal, lost } = (await readManifest(store, `${steps}/enumerate.json`, EnumerateManifest))!;
  const seen = async () => find(await survey(store, Date.now()), 'KNNK', 'process').process;
  const finishing = await seen();
  expect(finishing).toMatchObject({ strategy: 'count', phase: 'finish', legal: legal[0] + legal[1] });
  expect(finishing.round).toBeGreaterThan(0);
  expect(finishing.labelled).toBeGreaterThan(lost[0] + lost[1]);
  expect(finishing.quietMs).not.toBeNull();
  await store.delete(`${steps}/rounds-00001.json`);
  expect(await seen()).toMatchObject({ phase: 'rounds', round: 0, labelled: lost[0] + lost[1] });
  await store.delete(`${steps}/convert.json`);
  expect(await seen()).toMatchObject({ phase: 'convert' });
  expect(await statusText('memory:', await survey(store))).toMatch(
    /in one process\n {2}KNNK dtm\n {4}convert, /,
  );
  await store.delete(`${steps}/enumerate.json`);
  expect(await seen()).toMatchObject({ phase: 'enumerate', legal: null, quietMs: null });
});

test('what waits, what is damaged, and what is not ours', async () => {
  const store = memoryStore();
  const work: SliceWork = { store, game: chess, metric: 'dtc', slice: 'KRKN' };
  await fixPlan(work, 2);
  const rubbish = new TextEncoder().encode('{');
  for (const name of ['chess/dtc/KRK/table.json', 'chess/dtc/KXK/table.json', 'go/dtc/KRK/table.json'])
    await store.putIfAbsent(name, rubbish);
  const found = await survey(store);
  expect(found.map(({ slice, at }) => [slice, at]).sort()).toEqual(
    [
      ['KRK', 'damaged'],
      ['KRKN', 'steps'],
      ['KK', 'waiting'],
      ['KNK', 'waiting'],
    ].sort(),
  );
  expect(find(found, 'KNK', 'waiting').by).toBe('KRKN');
  expect(find(found, 'KRK', 'damaged').problem).toMatch(/KRK\/table.json: damaged manifest/);
  expect(await statusText('memory:', found)).toContain('  KNK dtc  for KRKN\n');
});

interface Look {
  readonly store: string;
  readonly at: number;
  readonly slices: SliceSurvey[];
}

test('the command: all, a game, an ending, JSON, and again and again', async () => {
  const folder = testFolder();
  const store = ['--store', folder];
  expect(await succeed(['status', ...store])).toBe(`file:${folder}: nothing solved, nothing begun\n`);
  await succeed(['solve', 'chess', 'KRK', ...store, '--memory', '8MiB', '--json']);
  const all = await succeedJson<Look>(['status', ...store]);
  const { solved } = find(all.slices, 'KRK', 'solved');
  expect(solved).toMatchObject({ verified: true, longestWin: 31 });
  expect((await succeedJson<Look>(['status', 'chess', ...store])).slices).toEqual(all.slices);
  expect((await succeedJson<Look>(['status', 'chess', 'krk', ...store])).slices).toHaveLength(1);
  expect((await succeedJson<Look>(['status', 'chess', 'KQK', ...store])).slices).toEqual([]);
  expect(await succeed(['status', ...store])).toMatch(/^KRK +dtm +[\d,]+ +31 +yes$/m);

  const watching = start(['status', ...store, '--json', '--watch=0.05', 'chess']);
  let told = '';
  watching.child.stdout!.on('data', (text: string) => (told += text));
  await until(() => told.split('\n').length > 3, 'three looks');
  watching.child.kill('SIGINT');
  const { code, stderr } = await watching.ended;
  expect([code, stderr]).toEqual([
    130,
    'mergemate: interrupted; nothing that is being solved is disturbed\n',
  ]);
  const looks = told
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Look);
  expect(looks[2]!.slices).toEqual(all.slices);
  expect(looks[2]!.at).toBeGreaterThan(looks[0]!.at);
});

test.each([
  [['go'], /there is no game "go"/],
  [['chess', 'KXK'], /KXK/],
  [['--watch=soon'], /--watch: "soon" is no number of seconds/],
  [['--watch', 'chess', 'KRK', 'KQK'], /one ending at a time/],
  [['--store', 'ftp://x'], /scheme "ftp:" is not supported/],
])('refuses %j', async (args, problem) => {
  const { code, stdout, stderr } = await run(['status', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(problem);
  expect(stderr.trimEnd()).not.toContain('\n');
});

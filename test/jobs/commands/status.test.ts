/** `status`: the work that can be seen in a store alone. */

import { expect, test } from 'vitest';
import { newLookout } from '../../../jobs/progress/look.js';
import { Progress } from '../../../jobs/progress/model.js';
import { statusText } from '../../../jobs/progress/status-text.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { fixPlan } from '../../../pipeline/engine/crew/partition-plan.js';
import type { Game } from '../../../pipeline/game/game.js';
import { EnumerateManifest, RoundsManifest, readManifest } from '../../../pipeline/game/manifest.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { ManifestReader } from '../../../pipeline/tables/records/slices.js';
import { type SliceSurvey, surveyStore } from '../../../pipeline/tables/records/survey.js';
import { start, until } from '../../support/cli.js';
import { run, succeed, succeedJson } from '../../support/command.js';
import { testFolder } from '../../support/folders.js';
import { graphGame, randomGraph } from '../../support/graph-game.js';
import { sweep } from '../../support/long.js';
import { BY_ALL, EAGER } from '../../support/pace.js';
import { losingRanks, lostAt, type RankSolving, solveByRanks } from '../../support/ranks.js';
import { solveChess } from '../../support/solving.js';

const GAMES = new Map([[chess.name, chess]]);

function survey(store: Store, now = 0): Promise<SliceSurvey[]> {
  return surveyStore({ store, games: GAMES, reader: new ManifestReader(store) }, now);
}

const text = async (store: Store, now = 0): Promise<string> =>
  statusText(await newLookout({ store, games: GAMES })(now));

type At<T extends SliceSurvey['at']> = Extract<SliceSurvey, { at: T }>;

/** The survey of a slice, which must be in this state. */
function find<T extends SliceSurvey['at']>(found: readonly SliceSurvey[], slice: string, at: T): At<T> {
  const one = found.find((each) => each.slice === slice);
  expect(one?.at).toBe(at);
  return one as At<T>;
}

/** KNNK in a store, solved by two ranks of three partitions until they are lost at a step; KNK is solved. */
async function lostRanks(step: string, solving: Partial<RankSolving> = {}): Promise<Store> {
  const { store } = await solveChess(['KNK'], { metric: 'dtm', verify: true });
  const ranks = {
    metric: 'dtm',
    ranks: 2,
    partitions: 3,
    pace: BY_ALL,
    seenBy: lostAt(step),
    ...solving,
  } as const;
  await losingRanks(chess, ['KNNK'], ranks, store);
  return store;
}

const processOf = (rank: number) => ({
  host: rank === 0 ? 'north' : 'south',
  rank,
  started: 1000 * (rank + 1),
  wallMs: 3000,
  cpuMs: 1,
  peakRss: (rank + 1) * 2 ** 27,
});

test('a slice solved by ranks shows partitions, the rank that all wait for, rounds and memory', async () => {
  const store = await lostRanks('round-00002', { processOf });
  const found = await survey(store, 20_000);
  const { ranks } = find(found, 'KNNK', 'ranks');
  const steps = 'chess/dtm/KNNK/steps/count';
  const { legal, lost } = (await readManifest(store, `${steps}/enumerate.json`, EnumerateManifest))!;
  expect(ranks).toMatchObject({
    strategy: 'count',
    phase: 'rounds',
    round: 1,
    partitions: 3,
    legal: legal[0] + legal[1],
    step: { name: 'round-00002', done: [0, 2], missing: [1] },
    seen: [
      { rank: 0, host: 'north', partitions: [0, 2], quietMs: 16_000 },
      { rank: 1, host: 'south', partitions: [1], quietMs: 15_000 },
    ],
    quietMs: 15_000,
    peakRss: 2 ** 28,
    phases: [
      { phase: 'enumerate', startedAt: 1000, wallMs: 4000 },
      { phase: 'convert', startedAt: 5000, wallMs: 0 },
    ],
  });
  expect(ranks.rounds).toMatchObject([{ ply: 1, wallMs: 4000 }]);
  const [{ won, lost: lostInRound, requests }] = ranks.rounds as [(typeof ranks.rounds)[0]];
  expect(ranks.labelled).toBe(lost[0] + lost[1] + won + lostInRound);
  expect(ranks.requests).toBe(requests);
  expect(ranks.counters!.bytesWritten).toBeGreaterThan(0);
  const shown = await text(store, 20_000);
  expect(shown).toContain('round 2: 2 of 3 partitions done, waiting for 1 (rank 1 on south)\n');
  expect(shown).toContain('positions labelled');
  expect(shown).toContain('last sign of life 15.0 s ago');
  expect(shown).toContain('2 ranks on 2 hosts, at most 256.0 MiB resident\n');
  expect(shown).toMatch(/^KNK +dtm +[\d,]+ +- +yes$/m);
});

test.each(
  sweep(
    [['convert', 'convert']],
    [
      ['enumerate', 'enumerate'],
      ['expand-00001', 'rounds'],
      ['finish', 'finish'],
    ],
  ),
)('when ranks are lost at %s, the slice is shown at that phase', async (step, phase) => {
  const { ranks } = find(await survey(await lostRanks(step)), 'KNNK', 'ranks');
  expect([ranks.phase, ranks.step]).toEqual([phase, { name: step, done: [0, 2], missing: [1] }]);
});

test('under lookup, a round has steps for questions and for answers', async () => {
  const store = await lostRanks('answer-00001', { strategy: 'lookup' });
  const { ranks } = find(await survey(store), 'KNNK', 'ranks');
  expect(ranks).toMatchObject({
    strategy: 'lookup',
    phase: 'rounds',
    round: 0,
    step: { name: 'answer-00001', done: [0, 2] },
  });
});

test('a table that ranks have not verified yet is shown as such', async () => {
  const store = await lostRanks('verify');
  const found = await survey(store);
  expect(find(found, 'KNNK', 'ranks')).toMatchObject({
    solved: { verified: false },
    ranks: { phase: 'verify', step: { name: 'verify', done: [0, 2], missing: [1] } },
  });
  expect(await text(store)).toContain('verify: 2 of 3 partitions done, waiting for 1');
});

test('while the first rank does small rounds for all, the others are shown as waiting for it', async () => {
  const graph = randomGraph(6, { name: 'alone', size: 150, width: 17, ladder: true });
  const ending = () => ({ slices: ['alone'] });
  const game = { ...graphGame(graph), ending } as unknown as Game;
  const store = memoryStore();
  const waitedFor: unknown[] = [];
  const plies: number[] = [];
  const seenBy: RankSolving['seenBy'] = (inner, rank) => ({
    ...inner,
    async putIfAbsent(name, bytes) {
      const put = await inner.putIfAbsent(name, bytes);
      if (rank !== 0 || !name.includes('/rounds-')) return put;
      const epoch = (await readManifest(store, name, RoundsManifest))!;
      plies.push(...epoch.rounds.map(({ ply }) => ply));
      const view = { store, games: new Map([[game.name, game]]), reader: new ManifestReader(store) };
      const { ranks } = find(await surveyStore(view, 0), 'alone', 'ranks');
      expect([ranks.round, ranks.rounds.map(({ ply }) => ply)]).toEqual([epoch.to - 1, plies]);
      if (epoch.few && !epoch.done) waitedFor.push(ranks.step);
      return put;
    },
  });
  await solveByRanks(game, ['alone'], { ranks: 2, partitions: 2, seenBy, pace: EAGER }, store);
  expect(plies).toEqual(plies.map((_, i) => i + 1));
  expect(plies.length).toBeGreaterThan(5);
  expect(waitedFor).toEqual([{ name: 'rounds', done: [], missing: [0] }]);
});

test('a second look reads only new objects, by one listing', async () => {
  const inner = await lostRanks('round-00002', { processOf });
  let lists = 0;
  const reads: string[] = [];
  const store: Store = {
    ...inner,
    list(prefix) {
      lists++;
      return inner.list(prefix);
    },
    read(name, offset, into) {
      reads.push(name);
      return inner.read(name, offset, into);
    },
  };
  const view = { store, games: GAMES, reader: new ManifestReader(store) };
  const once = await surveyStore(view, 0);
  expect([lists, reads.length > 0]).toEqual([1, true]);
  reads.length = 0;
  expect(await surveyStore(view, 0)).toEqual(once);
  expect([lists, reads]).toEqual([2, []]);
  const folder = 'chess/dtm/KNNK/steps/count/round-00002';
  await inner.putIfAbsent(`${folder}/00001.json`, (await readAll(inner, `${folder}/00000.json`))!);
  reads.length = 0;
  await surveyStore(view, 0);
  expect(reads).toEqual([`${folder}/00001.json`]);
});

test('a slice solved by one process shows the steps that are committed', async () => {
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
  expect(finishing.rounds.map(({ ply }) => ply)).toEqual(
    Array.from({ length: finishing.round }, (_, i) => i + 1),
  );
  expect(finishing.labelled).toBeGreaterThan(lost[0] + lost[1]);
  expect(finishing.quietMs).not.toBeNull();
  await store.delete(`${steps}/rounds-00001.json`);
  expect(await seen()).toMatchObject({ phase: 'rounds', round: 0, labelled: lost[0] + lost[1] });
  await store.delete(`${steps}/convert.json`);
  expect(await seen()).toMatchObject({ phase: 'convert' });
  expect(await text(store)).toMatch(/in one process\n {2}KNNK dtm\n {4}convert, /);
  await store.delete(`${steps}/enumerate.json`);
  expect(await seen()).toMatchObject({ phase: 'enumerate', legal: null, quietMs: null });
});

test('waiting slices, damaged manifests and foreign objects are listed as such', async () => {
  const store = memoryStore();
  await fixPlan(store, 'chess/dtc/KRKN/steps/count', 'chess', chess.slice('KRKN'), 2);
  const rubbish = new TextEncoder().encode('{');
  for (const name of ['chess/dtc/KRK/table.json', 'chess/dtc/KXK/table.json', 'go/dtc/KRK/table.json'])
    await store.putIfAbsent(name, rubbish);
  const found = await survey(store);
  expect(found.map(({ slice, at }) => [slice, at]).sort()).toEqual(
    [
      ['KRK', 'damaged'],
      ['KRKN', 'ranks'],
      ['KK', 'waiting'],
      ['KNK', 'waiting'],
    ].sort(),
  );
  expect(find(found, 'KNK', 'waiting').by).toBe('KRKN');
  expect(find(found, 'KRK', 'damaged').problem).toMatch(/KRK\/table.json: damaged manifest/);
  expect(await text(store)).toContain('  KNK dtc  for KRKN\n');
});

test('the command shows all, a game or an ending, as text or JSON, once or repeatedly', async () => {
  const folder = testFolder();
  const store = ['--store', folder];
  expect(await succeed(['status', ...store])).toBe(`file:${folder}: nothing solved, nothing begun\n`);
  await succeed(['solve', 'chess', 'KRK', ...store, '--memory', '8MiB', '--json']);
  const all = await succeedJson<Progress>(['status', ...store]);
  expect(Progress.parse(all).slices.find(({ slice }) => slice === 'KRK')).toMatchObject({
    state: 'verified',
    longestWin: 31,
    neededBy: null,
  });
  expect((await succeedJson<Progress>(['status', 'chess', ...store])).slices).toEqual(all.slices);
  expect((await succeedJson<Progress>(['status', 'chess', 'krk', ...store])).slices).toHaveLength(1);
  expect((await succeedJson<Progress>(['status', 'chess', 'KQK', ...store])).slices).toEqual([]);
  expect(await succeed(['status', ...store])).toMatch(/^KRK +dtm +[\d,]+ +31 +yes$/m);

  const watching = start(['status', ...store, '--json', '--watch=0.05', 'chess']);
  let printed = '';
  watching.child.stdout!.on('data', (text: string) => (printed += text));
  await until(() => printed.split('\n').length > 3, 'three looks');
  watching.child.kill('SIGINT');
  const { code, stderr } = await watching.ended;
  expect([code, stderr]).toEqual([
    130,
    'mergemate: interrupted; nothing that is being solved is disturbed\n',
  ]);
  const looks = printed
    .trimEnd()
    .split('\n')
    .map((line) => Progress.parse(JSON.parse(line)));
  expect(looks[2].slices).toEqual(all.slices);
  expect(looks[2].at).toBeGreaterThan(looks[0].at);
});

test.each([
  [['go'], /there is no game "go"/],
  [['chess', 'KXK'], /KXK/],
  [['--watch=soon'], /--watch: "soon" is not a number of seconds/],
  [['--watch', 'chess', 'KRK', 'KQK'], /give one ending, or none for all/],
  [['--store', 'ftp://x'], /scheme "ftp:" is not supported/],
])('refuses %j', async (args, problem) => {
  const { code, stdout, stderr } = await run(['status', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(problem);
  expect(stderr.trimEnd()).not.toContain('\n');
});

/** `gc`: finds remains of killed attempts and drivers, and never an object that the work needs to go on. */
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseDuration } from '../../../jobs/cli/quantities.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { processIdentity } from '../../../operators/storage/process-identity.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Game } from '../../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../../pipeline/game/manifest.js';
import type { Strategy } from '../../../pipeline/game/strategy.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { findGarbage, findJobGarbage } from '../../../pipeline/tables/records/garbage.js';
import { ManifestReader, slicesAmong } from '../../../pipeline/tables/records/slices.js';
import { program, run } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { graphGame, randomFrom, randomGraph } from '../../support/graph-game.js';
import { endedIdentity, foreignIdentity } from '../../support/identities.js';
import { sweep } from '../../support/long.js';
import { losingRanks, lostAfter, lostAt, runRank, solveByRanks } from '../../support/ranks.js';
import { solveChess, solveGame } from '../../support/solving.js';

interface Found {
  readonly deleted: boolean;
  readonly bytes: number;
  readonly younger: number;
  readonly objects: { name: string; why: string; bytes: number; ageMs: number }[];
}

const GAMES = new Map([[chess.name, chess]]);
const STEPS = 'chess/dtm/KNNK/steps/count';

async function collect(store: Store, games: ReadonlyMap<string, Game> = GAMES): Promise<string[]> {
  const names: string[] = [];
  for (const objects of slicesAmong(await store.list(''), games)) {
    for (const { name } of await findGarbage(new ManifestReader(store), objects)) names.push(name);
  }
  for (const name of names) await store.delete(name);
  return names;
}

const RANKS = { metric: 'dtm', ranks: 2, partitions: 3 } as const;

const once = newFolder();
afterAll(() => rmSync(once, { recursive: true, force: true }));
let beginning: Promise<void> | undefined;

/** KNNK in a folder: rounds are done, nothing was cleared away, and two ranks are lost, one as it commits its values. */
async function begun(folder: string): Promise<{ store: Store; orphans: string[] }> {
  beginning ??= begin(once);
  await beginning;
  cpSync(once, folder, { recursive: true });
  const store = localStore(folder, { durable: false });
  const orphans = (await store.list('chess/dtm/KNNK/values-')).filter((name) => name.includes('-r1-'));
  return { store, orphans };
}

async function begin(folder: string): Promise<void> {
  await program(folder).succeed(['solve', 'chess', 'KNK', '--memory', '8MiB']);
  const store = localStore(folder, { durable: false });
  const lost = lostAt('finish');
  const untidy: Store = { ...store, delete: async () => {} };
  await losingRanks(chess, ['KNNK'], { ...RANKS, seenBy: (_, rank) => lost(untidy, rank) }, store);
}

test('finds what was left in the middle of a solve, deletes it when told to, and the solve goes on', async () => {
  const folder = testFolder();
  const mergemate = program(folder);
  const { store, orphans } = await begun(folder);
  expect(orphans.length).toBeGreaterThan(1);
  const ended = endedIdentity();
  const dead = [join(folder, `${STEPS}/.tmp-${ended}-0`), join(folder, `.scratch-${ended}-0/worker/spill`)];
  const claim = 'ranks/j/claims/chess/dtm/KNK.json';
  const claims = [join(folder, claim), join(folder, 'ranks/j/claims/chess/dtm/KNNK.json')];
  const notOurs = [
    join(folder, 'ranks/j/claims/mine.json'),
    join(folder, STEPS, 'mine.arrow'),
    join(folder, STEPS, `.tmp-${processIdentity}-0`),
    join(folder, 'chess/dtm/KNNK/steps/bitboard/differences-00001.json'),
    join(folder, 'chess/dtm/KNNK/requests-0.arrow'),
    join(folder, 'chess/dtm/what/values-0-0-1.arrow'),
    join(folder, 'notes/of/mine/values-0-0-1.arrow'),
    join(folder, `.scratch-${foreignIdentity}-0/spill`),
  ];
  for (const file of [...dead, ...claims, ...notOurs]) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'abc');
  }
  // A look at the clock of the store that was killed, and files that only look like one.
  const clock = `.tmp-${ended}-1`;
  for (const file of [clock, `.tmp-${processIdentity}-1`, '.tmp-of-mine'])
    writeFileSync(join(folder, file), '');
  const files = filesUnder(folder);

  const young = await mergemate.succeedJson<Found>(['scrub', '--collect']);
  expect(young.objects).toEqual([]);
  const found = await mergemate.succeedJson<Found>(['scrub', '--collect', '--older-than', '0s']);
  expect(filesUnder(folder)).toEqual(files);
  expect(found.deleted).toBe(false);
  expect(young.younger).toBe(found.objects.length);
  const by = (why: string) => found.objects.filter((each) => each.why === why).map(({ name }) => name);
  expect(by('orphan').sort()).toEqual([...orphans].sort());
  for (const what of ['requests-1-', 'counts-1-'])
    expect(by('superseded').some((name) => name.includes(`/${what}`))).toBe(true);
  expect(by('superseded').filter((name) => /\/(frontier|mates)-/.test(name))).toEqual([]);
  expect(by('left over')).toEqual([claim]);
  expect(by('unfinished').sort()).toEqual([clock, `${STEPS}/.tmp-${ended}-0`].sort());
  expect(by('scratch')).toEqual([join(folder, `.scratch-${ended}-0`)]);
  expect(found.bytes).toBe(found.objects.reduce((sum, { bytes }) => sum + bytes, 0));

  const dry = await mergemate.succeed(['scrub', '--collect', '--older-than', '0s']);
  expect(dry).toContain('run of a process that died or came second');
  expect(dry).toMatch(/nothing was deleted: --delete does it\n$/);
  expect(filesUnder(folder)).toEqual(files);

  const deleted = await mergemate.succeedJson<Found>([
    'scrub',
    '--collect',
    '--older-than',
    '0s',
    '--delete',
  ]);
  expect(deleted.objects.map(({ name }) => name)).toEqual(found.objects.map(({ name }) => name));
  const gone = found.objects.map(({ name, why }) =>
    why === 'scratch' ? join(name, 'worker/spill') : join(folder, name),
  );
  expect(filesUnder(folder)).toEqual(files.filter((file) => !gone.includes(file)));

  await Promise.all([0, 1].map((rank) => runRank(chess as Game, ['KNNK'], store, RANKS, rank)));
  const table = await readManifest(store, 'chess/dtm/KNNK/table.json', TableManifest);
  const { summaries } = await solveChess(['KNNK'], { metric: 'dtm' });
  expect(table!.digests).toEqual(summaries.at(-1)!.table.digests);
});

test.each(['conversion-sets-0-8', 'frontier-3-0-8'])(
  'the run %s that no manifest names is garbage, whatever phase wrote it',
  async (run) => {
    const { store } = await begun(testFolder());
    await collect(store);
    const name = `${STEPS}/${run}-dead.arrow`;
    await store.putIfAbsent(name, new Uint8Array(8));
    expect(await collect(store)).toEqual([name]);
  },
);

test('the garbage of a process is as old as the last object that it wrote', async () => {
  const folder = testFolder();
  const { orphans } = await begun(folder);
  const [last, ...others] = orphans.map((name) => join(folder, name));
  const hoursAgo = (hours: number) => Date.now() / 1000 - 3600 * hours;
  for (const file of others) utimesSync(file, hoursAgo(4), hoursAgo(4));
  utimesSync(last, hoursAgo(2), hoursAgo(2));
  const found = async (olderThan: string) => {
    const { objects } = await program(folder).succeedJson<Found>([
      'scrub',
      '--collect',
      '--older-than',
      olderThan,
    ]);
    return objects.map(({ name }) => name).sort();
  };
  expect(await found('3h')).toEqual([]);
  expect(await found('1h')).toEqual([...orphans].sort());
});

test.each(sweep<Strategy>(['count'], ['lookup']))(
  'ranks that are lost again and again, all garbage deleted each time: %s',
  async (strategy) => {
    const graph = graphGame(randomGraph(6, { name: 'alone', size: 300, width: 17, ladder: false }));
    const game = { ...graph, ending: () => ({ slices: ['alone'] }) } as unknown as Game;
    const { summaries: wanted } = await solveGame(game, ['alone']);
    const store = memoryStore();
    const random = randomFrom(11);
    const solving = { ranks: 2, partitions: 4, strategy } as const;
    let collected = 0;
    let losses = 0;
    for (;;) {
      const losing = lostAfter(store, 5 + random(30));
      const runs = [0, 1].map((rank) => runRank(game, ['alone'], losing, solving, rank));
      const ends = await Promise.allSettled(runs);
      if (ends.every(({ status }) => status === 'fulfilled')) break;
      losses++;
      collected += (await collect(store, new Map([[game.name, game]]))).length;
    }
    const { summaries } = await solveByRanks(game, ['alone'], solving, store);
    expect(summaries.map(({ table }) => table.digests)).toEqual(wanted.map(({ table }) => table.digests));
    expect(losses).toBeGreaterThan(2);
    expect(collected).toBeGreaterThan(losses);
    expect(await collect(store, new Map([[game.name, game]]))).toEqual([]);
  },
);

test.each([true, false])('of a finished slice the table stays; verified: %s', async (verify) => {
  const { store } = await solveChess(['KNK'], { metric: 'dtm', verify });
  const before = await store.list('');
  const put = async (name: string) => {
    await store.putIfAbsent(name, Uint8Array.of(1));
    return name;
  };
  const at = 'chess/dtm/KNK/steps/count';
  const passing = [
    await put(`${at}/frontier-1-0-1-late.arrow`),
    await put('chess/dtm/KNK/values-0-0-1-late.arrow'),
  ];
  const steps = [
    await put(`${at}/enumerate.json`),
    await put(`${at}/round-00001.json`),
    await put(`${at}/round-00001/00000.json`),
    await put(`${at}/commit-00001-00002/00000.json`),
  ];
  // Ranks may be verifying by these objects.
  const verifying = [await put(`${at}/plan.json`), await put(`${at}/verify/00000.json`)];
  const gone = [...steps, ...(verify ? verifying : [])];
  expect((await collect(store)).sort()).toEqual([...passing, ...gone].sort());
  expect(await store.list('')).toEqual([...before, ...(verify ? [] : verifying)].sort());
});

test('claims on solved slices and unread reports are garbage, as old as the last object of their job', () => {
  const table = 'chess/dtm/KNK/table.json';
  const jobs = (job: string, slice: string) => [
    `ranks/${job}/claims/chess/dtm/${slice}.json`,
    `ranks/${job}/ends/00000.json`,
    `ranks/${job}/problem.json`,
  ];
  const over = jobs('a-1', 'KNK');
  const atWork = jobs('b-2', 'KRK');
  const noClaims = jobs('c-3', 'KRK').slice(1);
  const foreign = ['ranks/a-1/notes.json', 'ranks/a-1/claims/chess/dtx/KNK.json', 'ranks/ends/00000.json'];
  const left = (names: string[], group: string) => names.map((name) => ({ name, why: 'left over', group }));
  expect(findJobGarbage([table, ...over, ...atWork, ...noClaims, ...foreign])).toEqual([
    ...left(over, 'ranks/a-1'),
    ...left(noClaims, 'ranks/c-3'),
  ]);
});

test('with a damaged manifest in the store, no garbage is named', async () => {
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

test.each(['5', 'h', '-1h', '1h 5m', '1y'])('%j is refused as a duration', async (text) => {
  const { code, stderr } = await run(['scrub', '--collect', `--older-than=${text}`]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^mergemate: --older-than: ".*" is not a duration: .*\n$/);
});

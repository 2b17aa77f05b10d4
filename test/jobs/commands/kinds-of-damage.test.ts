/**
 * Whatever is done to the files of a store: each command gives the right answer or refuses, naming the object, in one line; `scrub` names
 * all damage by which a value could become wrong or missing; and `scrub --repair` mends what no person has to move away.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program, run, succeed } from '../../support/command.js';
import { newFolder, testFolder } from '../../support/folders.js';
import { LONG, LONGEST } from '../../support/long.js';

const once = newFolder();
const sound = join(once, 'tables');
const mergemate = program(sound);
const TOWN = join(once, 'town.jsonl');
const KRK = 'chess/dtm/KRK';
const KNK = 'chess/dtm/KNK';
const TABLE = 'graph/dtw/town';
const IMPORT = 'graph/import/town';
const WIN = '8/8/8/3k4/8/8/1K6/7R w - - 0 1';

/** Commands that read tables, with the games whose tables they read. */
const readers = (at: string): [string, string[]][] => [
  ['chess', ['probe', 'chess', WIN, '--store', at, '--json']],
  ['chess', ['stats', 'chess', 'KRK', '--store', at, '--json']],
  ['graph', ['probe', TOWN, 'market-courier', '--store', at, '--json']],
  ['graph', ['stats', TOWN, '--store', at, '--json']],
];
const right = new Map<string, string>();
let digests: string[] = [];

beforeAll(async () => {
  copyFileSync('samples/town.jsonl', TOWN);
  await mergemate.succeed(['solve', 'chess', 'KRK', 'KNK', '--memory', '8MiB']);
  await mergemate.succeed(['solve', TOWN, '--memory', '8MiB']);
  const first = JSON.parse(
    readFileSync(TOWN, 'utf8')
      .split('\n')
      .find((line) => line.includes('"id"'))!,
  ) as {
    id: string;
  };
  node = first.id;
  for (const [, args] of withNode(readers(sound))) right.set(args.slice(0, 3).join(' '), await succeed(args));
  digests = await digestsIn(sound);
}, 120_000);
afterAll(() => rmSync(once, { recursive: true, force: true }));

let node = '';
const withNode = (all: [string, string[]][]): [string, string[]][] =>
  all.map(([game, args]) => [game, args.map((word) => (word === 'market-courier' ? node : word))]);

async function digestsIn(at: string): Promise<string[]> {
  const solved = await program(at).succeedJson<{ slices: { digests: string[] }[] }>([
    ...['solve', 'chess', 'KRK', 'KNK', '--memory', '8MiB'],
  ]);
  return solved.slices.flatMap(({ digests: each }) => each);
}

const file = (folder: string, like: RegExp) => (at: string) => {
  const name = readdirSync(join(at, folder)).find((each) => like.test(each));
  if (name === undefined) throw new Error(`${folder} has no ${like}`);
  return join(at, folder, name);
};
type File = (at: string) => string;
const values = (folder: string, side = 0) => file(folder, new RegExp(`^values-${side}-.*\\.arrow$`));
const json = (folder: string, name: string) => file(folder, new RegExp(`^${name}\\.json$`));

const changed = (change: (bytes: Buffer) => Buffer) => (path: string) =>
  writeFileSync(path, change(readFileSync(path)));
const flip = changed((bytes) => {
  bytes[bytes.length >> 1] ^= 4;
  return bytes;
});
const zeroed = changed((bytes) => bytes.fill(0, bytes.length >> 2, bytes.length >> 1));
const cut = (path: string) => truncateSync(path, readFileSync(path).length - 2);
const emptied = (path: string) => truncateSync(path, 0);
const extended = (path: string) => appendFileSync(path, 'more');
const deleted = (path: string) => rmSync(path, { recursive: true });
const instead = (make: (path: string) => void) => (path: string) => {
  rmSync(path, { recursive: true });
  make(path);
};
const fifo = instead((path) => execFileSync('mkfifo', [path]));
const folder = instead((path) => mkdirSync(path));
const fullFolder = instead((path) => {
  mkdirSync(path);
  writeFileSync(join(path, 'x'), 'x');
});
const dangling = instead((path) => symlinkSync('nowhere', path));
const plain = instead((path) => writeFileSync(path, 'text'));

const does = (which: File, what: (path: string) => void) => (at: string) => what(which(at));
const exchange = (one: File, other: File) => (at: string) => {
  const [first, second] = [one(at), other(at)];
  renameSync(first, `${first}-aside`);
  renameSync(second, first);
  renameSync(`${first}-aside`, second);
};
const replace = (which: File, by: File) => (at: string) => copyFileSync(by(at), which(at));
const at =
  (name: string): File =>
  (store) =>
    join(store, name);

interface Damage {
  /** What is done to a store. */
  readonly what: string;
  readonly act: (at: string) => void;
  /** `nothing`: no value can become wrong. `repaired`, or `moved` by a person, once it is found. */
  readonly outcome: 'nothing' | 'repaired' | 'moved';
}

const CHANGES = [
  ['a bit is flipped', flip],
  ['a block is zeroed', zeroed],
  ['the end is cut off', cut],
  ['all is cut off', emptied],
  ['bytes are appended', extended],
  ['it is deleted', deleted],
  ['a FIFO is in its place', fifo],
  ['a link to nothing is in its place', dangling],
  ['another file is in its place', plain],
] as const;
const FILES = [
  ['the values of a table', values(KRK)],
  ['the values of a graph', values(TABLE)],
  ['the manifest of a table', json(KRK, 'table')],
  ['the manifest of a graph', json(IMPORT, 'graph')],
  ['the index of a graph', file(IMPORT, /^index.*\.arrow$/)],
  ['the successors of a graph', file(IMPORT, /^successors.*\.arrow$/)],
] as const;

const damages: Damage[] = [
  ...CHANGES.flatMap(([what, change]): Damage[] =>
    FILES.map(([which, path]) => ({
      what: `${which}: ${what}`,
      act: does(path, change),
      outcome: 'repaired',
    })),
  ),
  {
    what: 'the record of a verification: a bit is flipped',
    act: does(json(KRK, 'verified'), flip),
    outcome: 'repaired',
  },
  {
    what: 'the record of a verification: a FIFO',
    act: does(json(KRK, 'verified'), fifo),
    outcome: 'repaired',
  },
  {
    what: 'the record of a verification: a folder',
    act: does(json(KRK, 'verified'), folder),
    outcome: 'moved',
  },
  {
    what: 'the record of a verification: a full folder',
    act: does(json(KRK, 'verified'), fullFolder),
    outcome: 'moved',
  },
  {
    what: 'the record of a verification: gone',
    act: does(json(KRK, 'verified'), deleted),
    outcome: 'nothing',
  },
  {
    what: 'the record of a verification: that of another table',
    act: replace(json(KRK, 'verified'), json(KNK, 'verified')),
    outcome: 'repaired',
  },
  { what: 'the manifest of a table: a folder', act: does(json(KRK, 'table'), folder), outcome: 'moved' },
  {
    what: 'the manifest of a table: a full folder',
    act: does(json(KRK, 'table'), fullFolder),
    outcome: 'moved',
  },
  { what: 'the values of a table: a folder', act: does(values(KRK), folder), outcome: 'moved' },
  {
    what: 'the record of a solve: a bit is flipped',
    act: does(file(KRK, /^record/), flip),
    outcome: 'repaired',
  },
  { what: 'the record of a solve: a FIFO', act: does(file(KRK, /^record/), fifo), outcome: 'repaired' },
  {
    what: 'the sides of a table exchanged',
    act: exchange(values(KRK, 0), values(KRK, 1)),
    outcome: 'repaired',
  },
  { what: 'values of another table', act: replace(values(KRK), values(KNK)), outcome: 'repaired' },
  {
    what: 'the manifest of another table',
    act: replace(json(KRK, 'table'), json(KNK, 'table')),
    outcome: 'repaired',
  },
  { what: 'two slices exchanged', act: exchange(at(KRK), at(KNK)), outcome: 'repaired' },
  {
    what: 'the table of a graph exchanged with a slice',
    act: exchange(at(TABLE), at(KRK)),
    outcome: 'repaired',
  },
  {
    what: 'the import of a graph exchanged with a slice',
    act: exchange(at(IMPORT), at(KRK)),
    outcome: 'repaired',
  },
  {
    what: 'the import of a graph exchanged with its table',
    act: exchange(at(IMPORT), at(TABLE)),
    outcome: 'repaired',
  },
  { what: 'the import of a graph gone', act: does(at(IMPORT), deleted), outcome: 'repaired' },
  {
    what: 'a slice in the folder of another metric',
    act: (s) => renameSync(join(s, KRK), join(s, 'chess/dtm/KQK')),
    outcome: 'repaired',
  },
  { what: 'a file in the place of a slice', act: does(at(KRK), plain), outcome: 'moved' },
  { what: 'a file in the place of a metric', act: does(at('chess/dtm'), plain), outcome: 'moved' },
  {
    what: 'a copy of a run beside it',
    act: (s) => copyFileSync(values(KRK)(s), join(s, KRK, 'copy.arrow')),
    outcome: 'nothing',
  },
  {
    what: 'a text beside tables',
    act: (s) => writeFileSync(join(s, 'chess/dtm/NOTES'), 'x'),
    outcome: 'nothing',
  },
];

test('there are at least sixty kinds', () => expect(damages.length).toBeGreaterThan(60));

/** Whether a damage is in the table of changes by files, with which `damages` begins. */
const isInTable = (number: number): boolean => number < CHANGES.length * FILES.length;
/** Its diagonal there. */
const diagonalOf = (number: number): number => number + Math.floor(number / FILES.length);
/** The short tests take every sixth diagonal, on which are each change and each file, and every second of the other damages. */
const isTried = (number: number): boolean => LONG || diagonalOf(number) % (isInTable(number) ? 6 : 2) === 0;
const tried = damages
  .map((damage, number) => ({ ...damage, number }))
  .filter(({ number }) => isTried(number))
  // Every tenth of these is also solved over and repaired.
  .map((damage, place) => ({ ...damage, isTenth: !LONG && place % 10 === 0 }));

describe.each(tried)('$what', ({ what, act, outcome, number, isTenth }) => {
  // To solve endings, nothing of a graph is read.
  const isOfGraph = /of a graph/.test(what);
  // Every sixth diagonal, so that each change and each file is among them, and every third of the other damages.
  const isRepaired = LONGEST || (LONG ? diagonalOf(number) % (isInTable(number) ? 6 : 3) === 0 : isTenth);
  const damagedStore = () => {
    const store = join(testFolder(), 'tables');
    cpSync(sound, store, { recursive: true });
    act(store);
    return store;
  };
  const refusal = /^mergemate: [^\n]*(?:chess|graph|town|KRK)[^\n]*\n$/;

  test('every command gives the right answer or names the damage, and scrub finds it', {
    timeout: 60_000,
  }, async () => {
    const store = damagedStore();
    for (const [, args] of withNode(readers(store))) {
      const { code, stdout, stderr } = await run(args);
      if (code === 0) expect(stdout).toBe(right.get(args.slice(0, 3).join(' '))!.replaceAll(sound, store));
      else expect([code, stderr]).toEqual([2, expect.stringMatching(refusal)]);
    }
    const { code, stderr } = await program(store).run(['scrub']);
    if (outcome === 'nothing') expect([code, stderr]).toEqual([0, '']);
    else expect([code, stderr]).toEqual([1, expect.stringMatching(/^mergemate: (?:chess|graph)\//)]);
  });

  test.runIf(
    LONGEST || (LONG && (number % 20 === 0 || (!isOfGraph && diagonalOf(number) % 4 === 0))) || isTenth,
  )('solve ends with the right table or names the damage', { timeout: 60_000 }, async () => {
    const store = damagedStore();
    const args = ['solve', 'chess', 'KRK', 'KNK', '--memory', '8MiB', '--json'];
    const { code, stdout, stderr } = await program(store).run(args);
    if (code === 0) {
      const { slices } = JSON.parse(stdout) as { slices: { digests: string[] }[] };
      expect(slices.flatMap((each) => each.digests)).toEqual(digests);
    } else expect([code, stderr]).toEqual([2, expect.stringMatching(refusal)]);
  });

  test.runIf(outcome !== 'nothing' && isRepaired)(
    'scrub --repair mends it',
    { timeout: 60_000 },
    async () => {
      const store = damagedStore();
      const { code, stdout, stderr } = await program(store).run(['scrub', '--repair', TOWN]);
      if (outcome === 'moved') {
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^mergemate: (?:chess|graph)\//)]);
        expect(stdout).toContain('move it away');
        return;
      }
      const left = await program(store).run(['scrub']);
      expect([code, left.code, left.stderr]).toEqual([0, 0, '']);
      for (const [, args] of withNode(readers(store)))
        expect(await succeed(args)).toBe(right.get(args.slice(0, 3).join(' '))!.replaceAll(sound, store));
    },
  );
});

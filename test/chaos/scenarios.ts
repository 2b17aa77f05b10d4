/** The commands that write, each with its inputs and its right result. */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeLargeGraph } from '../bench/large-graph.js';
import { program } from '../support/command.js';
import { filesUnder } from '../support/folders.js';

/** Folders in which a command works alone. */
export interface WorkFolders {
  /** URI of the store for tables. */
  readonly store: string;
  /** A folder for files. */
  readonly out: string;
}

/** Inputs of commands, made once and not changed. */
export interface Found {
  /** A folder with solved tables. */
  readonly solved: string;
  /** A file of a graph. */
  readonly graph: string;
}

export interface Scenario {
  readonly name: string;
  /** Whether it solves into its store, so that any kind of store will do. */
  readonly solves: boolean;
  /** Has processes of its own, which are killed as well. */
  readonly ranks?: boolean;
  /** Prepares the input of the command in its store, a folder. */
  prepare?(place: WorkFolders, found: Found): Promise<void>;
  args(place: WorkFolders, found: Found): readonly string[];
  /** Equal for equal results. @param stdout of the start that ended by itself. */
  result(place: WorkFolders, stdout: string): Promise<string>;
}

const ENDINGS = ['KRK', 'KQK'];
/** With conversions of a pawn. */
const WITH_PAWN = 'KPK.7';
const LITTLE = ['--memory', '8MiB'];

export async function makeFound(folder: string): Promise<Found> {
  const found = { solved: join(folder, 'solved'), graph: join(folder, 'graph.jsonl') };
  mkdirSync(folder, { recursive: true });
  for (const metric of ['dtm', 'dtz'])
    await program(found.solved).succeed(['solve', 'chess', ...ENDINGS, '--metric', metric, ...LITTLE]);
  await program(found.solved).succeed(['solve', 'checkers', '1100', ...LITTLE]);
  writeLargeGraph(found.graph, {
    nodes: 5000,
    edges: 20_000,
    shape: 'corridor',
    reach: 500,
    seed: 1,
    text: true,
    separateEdges: true,
  });
  return found;
}

interface Solved {
  readonly digests?: readonly string[];
  readonly slices?: readonly { slice: string; digests: readonly string[]; verified: number | null }[];
}

/** Digests that a solve prints; nothing in its store may be damaged or missing. */
async function solved({ store }: WorkFolders, stdout: string): Promise<string> {
  const { digests, slices } = JSON.parse(stdout) as Solved;
  await program(store).succeed(['scrub']);
  return JSON.stringify(slices?.map((each) => [each.slice, each.digests, each.verified]) ?? digests);
}

/** The names and the bytes of all files in the folder. */
async function files({ out }: WorkFolders): Promise<string> {
  return filesUnder(out)
    .map((path) => `${relative(out, path)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`)
    .join('\n');
}

function solving(name: string, args: readonly string[], ranks = false): Scenario {
  const place = ({ store }: WorkFolders) => [...args, '--store', store, '--json'];
  return { name, solves: true, ranks, args: place, result: solved };
}

/** Reads the solved tables and writes beside. */
function writing(name: string, args: (out: string) => readonly string[]): Scenario {
  return {
    name,
    solves: false,
    result: files,
    args: ({ out }, found) => [...args(out), '--store', found.solved],
  };
}

const copySolved = ({ store }: WorkFolders, found: Found): void =>
  cpSync(found.solved, store, { recursive: true });

/** Solves again, though tables are there: only digests are printed. */
const resolved = async (place: WorkFolders): Promise<string> =>
  solved(
    place,
    JSON.stringify(await program(place.store).succeedJson(['solve', 'chess', ...ENDINGS, ...LITTLE])),
  );

const ofStores: readonly Scenario[] = [
  {
    name: 'scrub --repair',
    solves: false,
    result: resolved,
    async prepare(place, found) {
      copySolved(place, found);
      const damaged = filesUnder(place.store).find((path) => /dtm\/KRK\/values-0-.*\.arrow$/.test(path))!;
      const bytes = readFileSync(damaged);
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(damaged, bytes);
    },
    args: ({ store }) => ['scrub', '--repair', '--store', store, ...LITTLE],
  },
  {
    name: 'gc --delete',
    solves: false,
    async prepare(place, found) {
      copySolved(place, found);
      const run = filesUnder(place.store).find((path) => /dtm\/KRK\/values-0-.*\.arrow$/.test(path))!;
      for (let i = 0; i < 50; i++) cpSync(run, run.replace(/\.arrow$/, `-${i}.arrow`));
    },
    args: ({ store }) => ['scrub', '--collect', '--delete', '--older-than', '0s', '--store', store],
    result: async (place) => `${await files({ ...place, out: place.store })}\n${await resolved(place)}`,
  },
  {
    name: 'verify',
    solves: false,
    result: resolved,
    async prepare({ store }) {
      await program(store).succeed(['solve', 'chess', ...ENDINGS, '--no-verify', ...LITTLE]);
    },
    args: ({ store }) => ['verify', 'chess', ...ENDINGS, '--store', store, ...LITTLE],
  },
];

export const SCENARIOS: readonly Scenario[] = [
  solving('solve', ['solve', 'chess', WITH_PAWN, ...LITTLE]),
  solving('solve --workers 2', ['solve', 'chess', WITH_PAWN, ...LITTLE, '--workers', '2']),
  solving('solve, helpmates', ['solve', 'chess', 'KPvK.7', '--metric', 'help', ...LITTLE]),
  solving('solve --workers 2, helpmates', [
    ...['solve', 'chess', 'KPvK.7', '--metric', 'help', ...LITTLE, '--workers', '2'],
  ]),
  solving(
    'solve --engine processes, selfmates',
    [
      ...['solve', 'chess', 'KvKR', '--metric', 'self', ...LITTLE, '--whole-below', '1KiB'],
      ...['--engine', 'processes', '--workers', '2'],
    ],
    true,
  ),
  solving('solve, by lookup', ['solve', 'chess', 'KRK', ...LITTLE, '--propagate', 'lookup']),
  solving(
    'solve --engine processes',
    ['solve', 'chess', 'KRK', ...LITTLE, '--whole-below', '1KiB', '--engine', 'processes', '--workers', '2'],
    true,
  ),
  solving("solve, a user's game", ['solve', 'samples/nim.ts', 'N3', ...LITTLE]),
  solving('graph solve, a keyed game', ['solve', 'samples/dodgem/three.ts', ...LITTLE]),
  solving('solve, a keyed game by two workers', [
    ...['solve', 'samples/connect-four/game.ts', '--memory', '2MiB', '--workers', '2'],
  ]),
  solving('graph solve, scores', [
    ...['solve', 'samples/dots-and-boxes/game.ts', '--metric', 'score', ...LITTLE],
  ]),
  {
    name: 'graph solve, a file',
    solves: true,
    result: solved,
    args: ({ store }, { graph }) => ['solve', graph, '--store', store, '--json', ...LITTLE],
  },
  ...ofStores,
  writing('publish', (out) => ['publish', 'checkers', '1100', '--to', join(out, 'published')]),
  writing('syzygy', (out) => ['publish', 'chess', '--as', 'syzygy', 'KRK', '--to', join(out, 'syzygy')]),
  writing('export, a file', (out) => [
    'export',
    'chess',
    'KRK',
    '--force',
    '--out',
    join(out, 'krk.parquet'),
  ]),
  writing('export, a set', (out) => [
    ...['export', 'chess', ...ENDINGS, '--format', 'arrow', '--out', join(out, 'set')],
  ]),
  writing('publish --as site', (out) => [
    ...['publish', 'chess', 'KRK', '--metric', 'dtm', '--as', 'site', '--to', join(out, 'site')],
  ]),
  writing('report', (out) => ['stats', 'chess', 'KRK', '--force', '--html', join(out, 'report')]),
  writing('positions', (out) => [
    ...['export', 'chess', 'KRK', '--where', 'longest', '--force', '--out', join(out, 'longest.jsonl')],
  ]),
];

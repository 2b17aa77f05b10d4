/**
 * Solves side by side: this release and the one before, and ranks beside threads. Dependencies of a single ending are solved
 * before; single endings are not verified, sets are.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../jobs/stores.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { alternate, type Contestant, median, type Pair } from './alternate.js';
import { writeLargeGraph } from './large-graph.js';

export interface PairsBench {
  readonly cli: string;
  /** The command line of the release before, or null. */
  readonly baseline: string | null;
  readonly folder: string;
  /** Address of object storage for ranks, or null. */
  readonly s3: string | null;
  readonly pairs: number;
  /** Leaves five men, five pieces and the large graph out. */
  readonly quick: boolean;
  /** Only these endings of chess, or null: the usual endings, sets and the graph. */
  readonly endings: readonly string[] | null;
  print(title: string, head: string[], rows: (string | number)[][]): void;
}

export interface PairsRow {
  readonly what: string;
  readonly pairs: readonly Pair[];
}

const HEAD = [
  '',
  'CPU s',
  'CPU s',
  'CPU ratio',
  'of each pair',
  'wall s',
  'wall s',
  'wall ratio',
  'of each pair',
];

/** One way to solve. */
interface Way {
  readonly cli: string;
  readonly flags: readonly string[];
  /** A store of its own. */
  readonly store: string;
}

/** Of five men: with and without pieces of one kind, dense, and with a pawn. */
const ENDINGS = ['KBBKN', 'KRBKR', 'KBNKN', 'KQRKR', 'KRPKR.4'];

/** Compares this release with another: CPU and wall time of solves in one process. */
export async function benchReleases(bench: PairsBench): Promise<PairsRow[]> {
  const { cli, baseline, folder, quick, endings } = bench;
  if (baseline === null) return [];
  const ways = (flags: readonly string[]): [Way, Way] => [
    { cli, flags, store: join(folder, 'pairs-ours') },
    { cli: baseline, flags, store: join(folder, 'pairs-baseline') },
  ];
  const contests: [string, [Contestant, Contestant]][] = [];
  const little = ['--memory', '64MiB'];
  for (const ending of endings ?? (quick ? ['KBNK'] : ENDINGS))
    contests.push([`${ending}, 64 MiB`, endingBy(ways(little), ending)]);
  if (endings === null) {
    const written = quick ? 'KBNK' : 'KBBKN';
    contests.push([`${written} as Syzygy, 64 MiB`, writtenBy(ways(little), written, folder)]);
    for (const set of [
      ['chess', '--men', quick ? '3' : '4'],
      ['checkers', '--pieces', quick ? '3' : '5'],
    ])
      contests.push([`${set.join(' ')}, verified`, setBy(ways([]), set)]);
    contests.push(['a graph, 16 MiB', graphBy(ways(['--memory', '16MiB']), folder, quick)]);
  }
  return runAll(bench, 'This release / the one before', contests);
}

/** Two ranks beside two workers: CPU and wall time. */
export async function benchRanks(bench: PairsBench): Promise<PairsRow[]> {
  const { cli, folder, s3, quick } = bench;
  const rows: PairsRow[] = [];
  for (const place of s3 === null ? [null] : [null, s3]) {
    const at = (name: string) => (place === null ? join(folder, `pairs-${name}`) : within(place, name));
    const scratch = place === null ? [] : ['--scratch', join(folder, 'pairs-scratch')];
    mkdirSync(join(folder, 'pairs-scratch'), { recursive: true });
    const threads = ['--workers', '2', ...scratch];
    const ways: [Way, Way] = [
      { cli, flags: [...threads, '--engine', 'processes'], store: at('ranks') },
      { cli, flags: threads, store: at('threads') },
    ];
    const contests: [string, [Contestant, Contestant]][] = [];
    for (const ending of quick ? ['KBNK'] : ['KRKN', 'KBBKN', 'KQQKN'])
      contests.push([ending, endingBy(ways, ending)]);
    const set = ['chess', '--men', quick ? '3' : '4'];
    contests.push([set.join(' '), setBy(ways, set)]);
    const title = `Two ranks / two workers, ${place === null ? 'a local folder' : 'object storage'}`;
    rows.push(...(await runAll(bench, title, contests)));
  }
  return rows;
}

/** A store below another; the query after its question mark is kept. */
function within(uri: string, name: string): string {
  const [path, query] = uri.split('?');
  return `${path}/${name}${query === undefined ? '' : `?${query}`}`;
}

async function runAll(
  bench: PairsBench,
  title: string,
  contests: readonly [string, [Contestant, Contestant]][],
): Promise<PairsRow[]> {
  const rows: PairsRow[] = [];
  for (const [what, [ours, theirs]] of contests) {
    const pairs = await alternate(ours, theirs, bench.pairs);
    rows.push({ what, pairs });
    bench.print(`${title}: ${what}`, HEAD, [cellsOf({ what, pairs })]);
  }
  bench.print(title, HEAD, rows.map(cellsOf));
  return rows;
}

function cellsOf({ what, pairs }: PairsRow): string[] {
  return [what, ...figuresOf(pairs, 'cpuSeconds'), ...figuresOf(pairs, 'wallSeconds')];
}

/** Medians of both, and the median of their ratios. */
function figuresOf(pairs: readonly Pair[], of: 'cpuSeconds' | 'wallSeconds'): string[] {
  const ratios = pairs.map(({ ours, theirs }) => ours[of] / theirs[of]);
  return [
    median(pairs.map(({ ours }) => ours[of])).toFixed(1),
    median(pairs.map(({ theirs }) => theirs[of])).toFixed(1),
    median(ratios).toFixed(2),
    ratios.map((ratio) => ratio.toFixed(2)).join(' '),
  ];
}

function commandOf({ cli, flags, store }: Way, words: readonly string[]): string[] {
  return [process.execPath, cli, ...words, '--store', store, ...flags];
}

/** Both ways to solve an ending whose dependencies are there. */
function endingBy(ways: readonly [Way, Way], ending: string): [Contestant, Contestant] {
  solveDependencies(ways, ending, 'dtm');
  return both(ways, `chess/dtm/${ending}/`, ['solve', 'chess', ending, NO_VERIFY]);
}

/** Both ways to solve an ending and write its Syzygy files; those of its dependencies are not needed. */
function writtenBy(ways: readonly [Way, Way], ending: string, folder: string): [Contestant, Contestant] {
  solveDependencies(ways, ending, 'dtz');
  const to = join(folder, 'pairs-syzygy');
  const words = ['solve', 'chess', ending, '--metric', 'dtz', NO_VERIFY];
  const [ours, baseline] = ways;
  const named: [Way, Way] = [
    { ...ours, flags: [...ours.flags, '--to', to] },
    // Release 0.2.0 called it so.
    { ...baseline, flags: [...baseline.flags, '--syzygy', to] },
  ];
  return both(named, `chess/dtz/${ending}/`, words, to);
}

function solveDependencies(ways: readonly [Way, Way], ending: string, metric: string): void {
  const dependencies = chess.slice(ending).dependencies.map(({ slice }) => slice);
  for (const { cli, store } of ways) {
    const [program, ...args] = commandOf({ cli, store, flags: [] }, [
      'solve',
      'chess',
      ...dependencies,
      '--metric',
      metric,
      NO_VERIFY,
    ]);
    execFileSync(program, args, { stdio: 'ignore' });
  }
}

/** Both ways to solve a whole set from nothing. */
function setBy(ways: readonly [Way, Way], job: readonly string[]): [Contestant, Contestant] {
  const placed = (way: Way, name: string): Way => ({ ...way, store: within(way.store, name) });
  const name = job.join('').replaceAll('-', '');
  return both([placed(ways[0], name), placed(ways[1], name)], '', ['solve', ...job]);
}

/** Both ways to solve a graph, read from its file. */
function graphBy(ways: readonly [Way, Way], folder: string, quick: boolean): [Contestant, Contestant] {
  const path = join(folder, 'pairs.jsonl');
  const edges = quick ? 1_000_000 : 52_000_000;
  const nodes = edges / 8;
  writeLargeGraph(path, {
    nodes,
    edges,
    shape: 'corridor',
    reach: nodes / 20,
    seed: 1,
    text: false,
    separateEdges: false,
  });
  return both(ways, 'graph/', ['solve', path, NO_VERIFY]);
}

const NO_VERIFY = '--no-verify';

/** @param folder in the store: emptied before each run. @param written a folder of files that the command writes, likewise. */
function both(
  ways: readonly [Way, Way],
  folder: string,
  words: readonly string[],
  written: string | null = null,
): [Contestant, Contestant] {
  const [ours, theirs] = ways.map(
    (way): Contestant => ({
      prepare: async () => {
        const store = openStore(way.store);
        for (const name of await store.list(folder)) await store.delete(name);
        if (written !== null) rmSync(written, { recursive: true, force: true });
      },
      command: commandOf(way, words),
    }),
  );
  return [ours, theirs];
}

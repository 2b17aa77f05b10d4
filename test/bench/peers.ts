/**
 * Generators that people use, beside ours, in turns: CPU and wall time, and the peak of the resident set.
 * Dependencies are solved before, and nothing is verified. `MERGEMATE_BENCH_RTBGEN` and `MERGEMATE_BENCH_RTBGENP` are paths of
 * the generators of Syzygy tables (https://github.com/syzygy1/tb). They keep all in memory and write nothing here.
 * `MERGEMATE_BENCH_CHESSTB` is the path of chesstb (https://github.com/noobpwnftw/chesstb), which works from disk, and
 * compresses and writes its files.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../operators/core/errors.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { classOf, shapeOf } from '../../pipeline/games/chess/shape.js';
import { median } from './alternate.js';
import { measured, type ProgramCost } from './measured.js';

export interface PeersBench {
  readonly cli: string;
  readonly folder: string;
  readonly endings: readonly string[];
  readonly workers: readonly number[];
  readonly pairs: number;
  print(title: string, head: string[], rows: (string | number)[][]): void;
}

type Measure = 'cpuSeconds' | 'wallSeconds' | 'peakMiB';

interface Contest {
  readonly ending: string;
  readonly peer: string;
  readonly workers: number;
  readonly ours: readonly ProgramCost[];
  readonly theirs: readonly ProgramCost[];
}

/** One of the other programs. */
interface Peer {
  readonly name: string;
  takes(ending: string): boolean;
  /** Makes the dependencies of the ending, once. */
  prepare(ending: string): Promise<void>;
  run(ending: string, workers: number): Promise<ProgramCost>;
}

const MEMORY_MIB = 64;

export async function benchPeers(bench: PeersBench): Promise<Contest[]> {
  const peers = [...syzygyPeers(bench.folder), ...chesstbPeers(bench.folder)];
  if (peers.length === 0)
    throw new UserError(
      '--only peers: name a program by MERGEMATE_BENCH_RTBGEN, MERGEMATE_BENCH_RTBGENP or MERGEMATE_BENCH_CHESSTB',
    );
  const contests: Contest[] = [];
  for (const ending of bench.endings) {
    const store = join(bench.folder, 'peers-ours');
    const needed = [...new Set(slicesOf(ending).flatMap((slice) => dependenciesOf(slice)))];
    const own = new Set(slicesOf(ending));
    await ours(
      bench.cli,
      store,
      needed.filter((slice) => !own.has(slice)),
      2,
    );
    for (const peer of peers.filter((each) => each.takes(ending))) {
      await peer.prepare(ending);
      for (const workers of bench.workers) {
        const contest = {
          ending,
          peer: peer.name,
          workers,
          ours: [] as ProgramCost[],
          theirs: [] as ProgramCost[],
        };
        for (let i = 0; i < 2 * bench.pairs; i++) {
          // The first to run changes from pair to pair.
          const isOurs = (i & 1) === ((i >> 1) & 1);
          if (isOurs) contest.ours.push(await solveAgain(bench.cli, store, ending, workers));
          else contest.theirs.push(await peer.run(ending, workers));
        }
        contests.push(contest);
        bench.print(`${ending}, ${peer.name}`, HEAD, [cellsOf(contest)]);
      }
    }
  }
  bench.print(`Beside other generators; ours in ${MEMORY_MIB} MiB`, HEAD, contests.map(cellsOf));
  return contests;
}

const HEAD = [
  ...['ending', 'peer', 'threads', 'CPU s', 'peer', 'ratio', 'of each pair'],
  ...['wall s', 'peer', 'ratio', 'MiB', 'peer'],
];

function cellsOf({ ending, peer, workers, ours, theirs }: Contest): string[] {
  const middle = (took: readonly ProgramCost[], of: Measure) => median(took.map((each) => each[of]));
  const ratios = (of: Measure) => ours.map((each, i) => each[of] / theirs[i][of]);
  const most = (took: readonly ProgramCost[]) => Math.max(...took.map((each) => each.peakMiB)).toFixed(0);
  return [
    ...[ending, peer, String(workers)],
    ...[middle(ours, 'cpuSeconds').toFixed(1), middle(theirs, 'cpuSeconds').toFixed(1)],
    median(ratios('cpuSeconds')).toFixed(2),
    ratios('cpuSeconds')
      .map((ratio) => ratio.toFixed(2))
      .join(' '),
    ...[middle(ours, 'wallSeconds').toFixed(1), middle(theirs, 'wallSeconds').toFixed(1)],
    median(ratios('wallSeconds')).toFixed(2),
    ...[most(ours), most(theirs)],
  ];
}

/** The endings that are solved unless others are named: one with pawns if a generator of such tables is named. */
export function usualEndings(): string[] {
  const pawns = process.env.MERGEMATE_BENCH_RTBGENP === undefined ? [] : ['KRPKR'];
  return ['KBBKN', 'KBNKN', 'KRBKR', 'KQRKR', ...pawns];
}

/** All slices of an ending: one without pawns, those of all ranks with. */
function slicesOf(ending: string): readonly string[] {
  return chess.ending(ending).slices;
}

/** Every slice that a slice needs, those it needs first. */
function dependenciesOf(slice: string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const dependency of chess.slice(name).dependencies) {
      if (found.has(dependency.slice)) continue;
      visit(dependency.slice);
      found.add(dependency.slice);
    }
  };
  visit(slice);
  return [...found];
}

async function ours(
  cli: string,
  store: string,
  slices: readonly string[],
  workers: number,
): Promise<ProgramCost> {
  const flags = ['--metric', 'dtz', '--no-verify', '--memory', `${MEMORY_MIB}MiB`, '--store', store];
  return measured(cli, ['solve', 'chess', ...slices, ...flags, '--workers', String(workers)]);
}

function solveAgain(cli: string, store: string, ending: string, workers: number): Promise<ProgramCost> {
  for (const slice of slicesOf(ending))
    rmSync(join(store, 'chess', 'dtz', slice), { recursive: true, force: true });
  return ours(cli, store, [ending], workers);
}

function syzygyPeers(folder: string): Peer[] {
  const { MERGEMATE_BENCH_RTBGEN: pieces, MERGEMATE_BENCH_RTBGENP: pawns } = process.env;
  const tables = join(folder, 'peers-syzygy');
  mkdirSync(tables, { recursive: true });
  const made = new Set<string>();
  const programOf = (ending: string) => (ending.includes('P') ? pawns : pieces);
  const call = (ending: string, flags: readonly string[]) =>
    measured(programOf(ending)!, [...flags, ending.replace(/(.)K/, '$1vK')], {
      env: { RTBPATH: tables },
      cwd: tables,
    });
  const peer = (name: string, withPawns: boolean): Peer => ({
    name,
    takes: (ending) => ending.includes('P') === withPawns,
    async prepare(ending) {
      for (const needed of endingsBelow(ending)) {
        if (made.has(needed)) continue;
        if (programOf(needed) === undefined)
          throw new UserError(`${ending} needs ${needed}: name both rtbgen and rtbgenp`);
        await call(needed, ['-t', '2']);
        made.add(needed);
      }
    },
    run: (ending, workers) => call(ending, ['-g', '-t', String(workers)]),
  });
  return [
    ...(pieces === undefined ? [] : [peer('rtbgen', false)]),
    ...(pawns === undefined ? [] : [peer('rtbgenp', true)]),
  ];
}

function chesstbPeers(folder: string): Peer[] {
  const program = process.env.MERGEMATE_BENCH_CHESSTB;
  if (program === undefined) return [];
  const tables = join(folder, 'peers-chesstb');
  mkdirSync(tables, { recursive: true });
  const made = new Set<string>();
  const call = (ending: string, workers: number) =>
    measured(program, ['-r', ending, '-t', String(workers), '--mem', String(MEMORY_MIB)], { cwd: tables });
  return [
    {
      name: 'chesstb',
      takes: () => true,
      async prepare(ending) {
        for (const needed of endingsBelow(ending)) {
          if (!made.has(needed)) await call(needed, 2);
          made.add(needed);
        }
      },
      run(ending, workers) {
        for (const [kind, end] of [
          ['wdl', 'lzw'],
          ['dtz', 'lzdtz'],
          ['dtz', 'info'],
        ])
          rmSync(join(tables, kind, `${ending}.${end}`), { force: true });
        return call(ending, workers);
      },
    },
  ];
}

/** The endings that captures and promotions of an ending lead to, those that they need first. */
function endingsBelow(ending: string): string[] {
  const names = slicesOf(ending)
    .flatMap(dependenciesOf)
    .map((slice) => {
      const { men } = shapeOf(slice);
      return classOf({ men, ranks: [[], []], taker: null });
    });
  return [...new Set(names)].filter((name) => name !== ending && name !== 'KK');
}

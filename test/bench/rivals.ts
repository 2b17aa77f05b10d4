/**
 * The rival solvers: the same endings by all of them, and published figures of their methods. A difference in a single value
 * stops the benchmark.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { localStore } from '../../operators/storage/local.js';
import { localPageFolder } from '../../operators/storage/local-page-folder.js';
import type { Metric } from '../../pipeline/game/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { solveBitboardSlice } from '../../pipeline/rivals/bitboard/solve-slice.js';
import { pageTraffic } from '../../pipeline/rivals/paged/counters.js';
import { solvePagedSlice } from '../../pipeline/rivals/paged/solve-slice.js';
import { slicePrefix } from '../../pipeline/tables/table-names.js';

const GiB = 2 ** 30;
/** In this budget all that is solved here fits into memory, with each solver. */
const GENEROUS = { memory: GiB, fanIn: 16, batchRows: 65536 };

/** Runs `mergemate`; its standard output. Exit code 2 of `compare` is an answer: tables differ. */
export type RunCommand = (args: readonly string[]) => {
  readonly status: number | null;
  readonly stdout: string;
};

export function runCli(cli: string): RunCommand {
  return (args) => {
    const { status, stdout, stderr } = spawnSync(cli, [...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (status !== 0 && stdout === '') throw new Error(`mergemate ${args.join(' ')}: ${stderr.trim()}`);
    return { status, stdout };
  };
}

export interface EndingComparison {
  readonly ending: string;
  /** CPU seconds by solver, in the order that `compare` ran them. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

interface ComparedRun {
  readonly solver: string;
  readonly status: string;
  readonly digests: readonly string[];
  readonly measured: { readonly cpuMs: number };
}

/** An ending by all solvers (DTM). @throws Error naming the ending if a solver could not, or tables differ. */
export function compareSolvers(run: RunCommand, folder: string, ending: string): EndingComparison {
  const { status, stdout } = run([
    'compare',
    'chess',
    ending,
    '--memory',
    `${GENEROUS.memory}`,
    '--store',
    folder,
    '--json',
  ]);
  const { identical, runs } = JSON.parse(stdout) as { identical: boolean; runs: ComparedRun[] };
  const digests = new Set(runs.map((each) => each.digests?.join(' ')));
  if (status !== 0 || !identical || digests.size !== 1)
    throw new Error(`${ending}: the tables of the solvers differ`);
  if (runs.some((each) => each.status !== 'solved')) throw new Error(`${ending}: not all solvers could work`);
  // Tables of its dependencies stay for the endings that follow.
  rmSync(join(folder, slicePrefix(chess.name, 'dtm', ending)), { recursive: true, force: true });
  return {
    ending,
    cpuSeconds: Object.fromEntries(runs.map(({ solver, measured }) => [solver, measured.cpuMs / 1000])),
  };
}

function solveBelow(run: RunCommand, folder: string, ending: string, metric: Metric): void {
  for (const { slice } of chess.slice(ending).dependencies) {
    run(['solve', 'chess', slice, '--metric', metric, '--no-verify', '--json', '--store', folder]);
  }
}

export interface Paging {
  readonly ending: string;
  readonly buffers: number;
  /** Pages of 8 KiB; the dependencies' among them. */
  readonly pages: number;
  readonly lookups: number;
  /** Lookups that found their page in a buffer, as a part of all. */
  readonly hitRate: number;
  /** Lookups for each page read because of a lookup; and for each page read at all, by scans and queues too. */
  readonly lookupsPerFault: number;
  readonly lookupsPerRead: number;
  readonly cpuSeconds: number;
}

/**
 * The page table of Lake, Schaeffer & Lu (1994) with so many buffers on an ending: two bits a position, 32,768 positions a
 * page, as there. The page files go through the system's cache: hits are counted where lookups are made.
 */
export async function benchPaging(
  run: RunCommand,
  folder: string,
  ending: string,
  bufferCounts: readonly number[],
): Promise<Paging[]> {
  solveBelow(run, folder, ending, 'wdl');
  const store = localStore(folder, { durable: false });
  const figures: Paging[] = [];
  let digests: string | undefined;
  for (const buffers of bufferCounts) {
    const cpu = process.cpuUsage();
    const { table, counters } = await solvePagedSlice({
      game: chess,
      slice: ending,
      metric: 'wdl',
      store,
      budget: GENEROUS,
      pages: localPageFolder(join(folder, 'pages'), { direct: false }),
      progress: () => {},
      buffers,
    });
    const { user, system } = process.cpuUsage(cpu);
    digests ??= table.digests.join(' ');
    if (table.digests.join(' ') !== digests)
      throw new Error(`${ending}: the table depends on the number of buffers`);
    rmSync(join(folder, slicePrefix(chess.name, 'wdl', ending)), { recursive: true });
    const { pages, lookups, faults } = counters;
    figures.push({
      ending,
      buffers,
      pages,
      lookups,
      hitRate: 1 - faults / lookups,
      lookupsPerFault: lookups / faults,
      lookupsPerRead: lookups / pageTraffic(counters).pageReads,
      cpuSeconds: (user + system) / 1e6,
    });
  }
  return figures;
}

export interface Iterations {
  readonly ending: string;
  readonly metric: Metric;
  readonly iterations: number;
  readonly meanMs: number;
  readonly mostMs: number;
  readonly cpuSeconds: number;
}

/** The bit-parallel solver's time for an iteration: one ply, positions of both sides. Wall time. */
export async function benchIterations(
  run: RunCommand,
  folder: string,
  ending: string,
  metric: Metric,
): Promise<Iterations> {
  solveBelow(run, folder, ending, metric);
  const cpu = process.cpuUsage();
  const { iterationMs } = await solveBitboardSlice({
    game: chess,
    slice: ending,
    metric,
    store: localStore(folder, { durable: false }),
    budget: GENEROUS,
    progress: () => {},
    wall: () => performance.now(),
  });
  const { user, system } = process.cpuUsage(cpu);
  return {
    ending,
    metric,
    iterations: iterationMs.length,
    meanMs: iterationMs.reduce((sum, ms) => sum + ms, 0) / iterationMs.length,
    mostMs: Math.max(...iterationMs),
    cpuSeconds: (user + system) / 1e6,
  };
}

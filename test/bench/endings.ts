/** Solves an ending in a process of its own, as users do, and measures the cost. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TableStats } from '../../pipeline/analysis/stats.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { comparePublished, PUBLISHED_ENDINGS } from '../golden/published-conversions.js';
import type { CalibrationRun } from './calibrate.js';

export interface SolvedSlice extends CalibrationRun {
  readonly spills: number;
  readonly peakRssBytes: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly longestWin: number | null;
  readonly phases: readonly { phase: string; wallMs: number; cpuMs: number }[];
}

export interface EndingSetting {
  readonly ending: string;
  readonly metric?: string;
  readonly strategy?: string;
  readonly workers?: number;
  readonly memory?: string;
}

export interface EndingFigure extends Required<EndingSetting> {
  /** Indices of both sides together. */
  readonly indices: number;
  readonly requests: number;
  /** CPU nanoseconds a request: in the rounds alone, and over all phases from enumerate to finish. */
  readonly nsInRounds: number;
  readonly nsEndToEnd: number;
  readonly bytesPerRequest: number;
  readonly peakRssMiB: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly longestWinMoves: number;
  readonly positions: number;
  readonly wins: number;
  readonly losses: number;
  /** CPU seconds by phase. */
  readonly phases: Readonly<Record<string, number>>;
}

/** A build of mergemate, and where it keeps the tables of a benchmark. */
export interface Solver {
  /** Solves an ending and its dependencies; returns the summaries of all, the ending last. */
  solveAll(ending: string, flags: readonly string[]): SolvedSlice[];
  /** Measures the cost of an ending whose dependencies are solved. */
  measure(setting: EndingSetting): EndingFigure;
}

/** Longest wins in moves that have been published: chess's endgame tables; Wendroff et al. 1993, Table 1 for DTC. */
const PUBLISHED: Record<string, number> = {
  'KRK dtm': 16,
  'KRKN dtm': 40,
  'KBNK dtm': 33,
  'KQKR dtm': 35,
  'KBBKN dtm': 78,
  'KBBKN dtc': 66,
  'KBNKN dtm': 107,
};

export function newSolver(cli: string, folder: string): Solver {
  function solveAll(ending: string, flags: readonly string[]): SolvedSlice[] {
    const args = [cli, 'solve', 'chess', ending, '--json', '--no-verify', '--store', folder, ...flags];
    const output = execFileSync(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
    });
    return (JSON.parse(output.toString()) as { slices: SolvedSlice[] }).slices;
  }

  /** Holds a table against all that was published of it. */
  function expectPublished(ending: string): void {
    if (!PUBLISHED_ENDINGS.includes(ending)) return;
    const args = [cli, 'stats', 'chess', ending, '--metric', 'dtc', '--json', '--store', folder];
    const stats: TableStats = JSON.parse(
      execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    );
    for (const [what, published, found] of comparePublished(ending, stats)) {
      if (found !== published) throw new Error(`${ending}, ${what}: ${found}, published ${published}`);
    }
  }

  return {
    solveAll,
    measure({ ending, metric = 'dtm', strategy = 'count', workers = 1, memory = '64MiB' }) {
      const flags = ['--metric', metric, '--memory', memory, '--propagate', strategy];
      const own = join(folder, 'chess', metric, ending);
      const threads = ['--workers', String(workers)];
      for (const { slice } of chess.slice(ending).dependencies) solveAll(slice, flags);
      rmSync(own, { recursive: true, force: true });
      const solved = solveAll(ending, [...flags, ...threads]).at(-1)!;
      const phases = Object.fromEntries(solved.phases.map(({ phase, cpuMs }) => [phase, cpuMs / 1000]));
      const all = solved.phases.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
      const longestWinMoves = Math.ceil((solved.longestWin ?? 0) / 2);
      if (metric === 'dtc') expectPublished(ending);
      const published = PUBLISHED[`${ending} ${metric}`];
      if (published !== undefined && longestWinMoves !== published) {
        throw new Error(`${ending} ${metric}: longest win ${longestWinMoves} moves, published ${published}`);
      }
      return {
        ending,
        metric,
        strategy,
        workers,
        memory,
        indices: 2 * chess.slice(ending).size,
        requests: solved.requests,
        nsInRounds: (1e9 * phases.rounds) / solved.requests,
        nsEndToEnd: (1e6 * all) / solved.requests,
        bytesPerRequest: (solved.bytesRead + solved.bytesWritten) / solved.requests,
        peakRssMiB: solved.peakRssBytes / 2 ** 20,
        wallSeconds: solved.wallMs / 1000,
        cpuSeconds: solved.cpuMs / 1000,
        longestWinMoves,
        positions: solved.positions,
        wins: solved.wins,
        losses: solved.losses,
        phases,
      };
    },
  };
}

/**
 * `npm run bench`: prints tables, and with `--json FILE` writes the same figures. Ratios within a run are what counts:
 * the machine may be shared. `--quick` leaves the 5-man endings out; `--only operators|kernels|endings|rivals|estimate`;
 * `estimate` is run only when asked for, and writes its constants as `mergemate plan --calibration` reads them to
 * `--calibration FILE`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { textTable } from '../../jobs/ui/text-table.js';
import type { SolvedRun } from './calibrate.js';
import { benchChessKernels } from './chess-kernels.js';
import { benchEstimate } from './estimate.js';
import { benchOperators } from './operators.js';
import { benchRivals } from './rivals-section.js';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    calibration: { type: 'string' },
  },
});

const CLI = fileURLToPath(new URL('../../jobs/cli.js', import.meta.url));
const folder = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'mergemate-bench-'));
const figures: Record<string, unknown> = {
  machine: `${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
};

interface SolvedSlice extends SolvedRun {
  readonly spills: number;
  readonly peakRssBytes: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly longestWin: number | null;
  readonly phases: readonly { phase: string; wallMs: number; cpuMs: number }[];
}

/** Solves in a process of its own, as users do; returns what the summary says of all slices, the ending last. */
function solveAll(ending: string, flags: readonly string[]): SolvedSlice[] {
  const output = execFileSync(CLI, ['solve', 'chess', ending, '--json', '--store', folder, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  });
  return (JSON.parse(output.toString()) as { slices: SolvedSlice[] }).slices;
}

const solve = (ending: string, flags: readonly string[]): SolvedSlice => solveAll(ending, flags).at(-1)!;

interface EndingFigure {
  readonly ending: string;
  readonly metric: string;
  /** The longest win, checked against what is published. */
  readonly moves: number;
  readonly strategy: string;
  readonly workers: number;
  readonly memory: string;
  readonly requests: number;
  /** Million requests per CPU second: in the rounds alone, and over all phases from enumerate to finish. */
  readonly inRounds: number;
  readonly endToEnd: number;
  readonly bytesPerRequest: number;
  readonly spills: number;
  readonly peakRssMiB: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Longest wins in moves that have been published: chess's endgame tables; Wendroff et al. 1993, Table 1 for DTC. */
const PUBLISHED: Record<string, number> = {
  'KBNK dtm': 33,
  'KQKR dtm': 35,
  'KBBKN dtm': 78,
  'KBBKN dtc': 66,
  'KBNKN dtm': 107,
};

function benchEnding(
  ending: string,
  strategy: string,
  workers: number,
  memory: string,
  metric = 'dtm',
): EndingFigure {
  const flags = [
    '--metric',
    metric,
    '--no-verify',
    '--memory',
    memory,
    '--propagate',
    strategy,
    '--workers',
    String(workers),
  ];
  const own = join(folder, 'chess', metric, ending);
  if (!existsSync(own)) solve(ending, flags); // the slices it converts to
  rmSync(own, { recursive: true, force: true });
  const solved = solve(ending, flags);
  const rounds = solved.phases.find(({ phase }) => phase === 'rounds')!;
  const all = solved.phases.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const millions = (ms: number) => solved.requests / ms / 1000;
  const moves = Math.ceil((solved.longestWin ?? 0) / 2);
  if (moves !== PUBLISHED[`${ending} ${metric}`]) {
    throw new Error(
      `${ending} ${metric}: longest win ${moves} moves, published ${PUBLISHED[`${ending} ${metric}`]}`,
    );
  }
  return {
    ending,
    metric,
    moves,
    strategy,
    workers,
    memory,
    requests: solved.requests,
    inRounds: millions(rounds.cpuMs),
    endToEnd: millions(all),
    bytesPerRequest: (solved.bytesRead + solved.bytesWritten) / solved.requests,
    spills: solved.spills,
    peakRssMiB: solved.peakRssBytes / 2 ** 20,
    wallSeconds: solved.wallMs / 1000,
    cpuSeconds: solved.cpuMs / 1000,
  };
}

function print(title: string, head: string[], rows: (string | number)[][]): void {
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell)));
  process.stdout.write(`\n${title}\n${textTable(head, text)}\n`);
}

const sections = ['operators', 'kernels', 'endings', 'rivals'];
if (options.only !== undefined && !sections.includes(options.only))
  throw new Error(`--only: there is no ${options.only} (there are: ${sections.join(', ')})`);
const wanted = (section: string): boolean => options.only === undefined || options.only === section;

try {
  process.stdout.write(`${figures.machine}\n`);
  if (wanted('operators')) {
    const rows = await benchOperators({ folder, rows: 1 << 23 });
    figures.operators = rows;
    print(
      'Operators, one core, random rows of 462 majors x 2^18 minors, million rows per CPU second',
      ['operator', 'payload columns', 'M rows/s'],
      rows.map((row) => [row.operator, String(row.payload), row.perCpuSecond]),
    );
  }
  if (wanted('kernels')) {
    const rows = benchChessKernels(['KBNK', 'KQKR', 'KBBKN']);
    figures.kernels = rows;
    print(
      'Chess kernels, one core',
      ['kernel', 'ending', 'to move', 'ns per position', 'M rows/s'],
      rows.map((row) => [
        row.kernel,
        row.ending,
        row.side === 0 ? 'white' : 'black',
        row.nsPerIndex,
        row.rowsPerSecond === null ? '' : row.rowsPerSecond / 1e6,
      ]),
    );
  }
  if (wanted('endings')) {
    const runs: EndingFigure[] = [];
    for (const ending of ['KBNK', 'KQKR']) {
      for (const strategy of ['count', 'lookup']) runs.push(benchEnding(ending, strategy, 1, '64MiB'));
      runs.push(benchEnding(ending, 'count', 2, '64MiB'));
    }
    if (!options.quick) {
      for (const workers of [1, 2]) runs.push(benchEnding('KBBKN', 'count', workers, '64MiB'));
      runs.push(benchEnding('KBBKN', 'count', 1, '64MiB', 'dtc'));
      runs.push(benchEnding('KBNKN', 'count', 1, '64MiB'));
    }
    figures.endings = runs;
    print(
      'Endings, without verification; dependencies solved before; CPU includes the start of the process',
      [
        'ending',
        'metric',
        'longest win, moves',
        'strategy',
        'workers',
        'memory',
        'M requests',
        'M/s in rounds',
        'M/s end to end',
        'bytes/request',
        'spills',
        'RSS MiB',
        'wall s',
        'CPU s',
      ],
      runs.map((run) => [
        run.ending,
        run.metric,
        String(run.moves),
        run.strategy,
        String(run.workers),
        run.memory,
        run.requests / 1e6,
        run.inRounds,
        run.endToEnd,
        run.bytesPerRequest,
        String(run.spills),
        run.peakRssMiB,
        run.wallSeconds,
        run.cpuSeconds,
      ]),
    );
  }
  if (wanted('rivals')) {
    figures.rivals = await benchRivals({ cli: CLI, folder, quick: options.quick, print });
  }
  if (options.only === 'estimate') {
    const unseen = options.quick ? ['KRKB', 'KQKN'] : ['KRKB', 'KQKN', 'KBNKN'];
    const { calibration, rows } = await benchEstimate(solveAll, folder, String(figures.machine), unseen);
    figures.estimate = { calibration, rows };
    process.stdout.write(`\n${JSON.stringify(calibration, null, 2)}\n`);
    print(
      'Forecasts of the cost model for endings it was not calibrated on; 64 MiB, one thread, without verification',
      ['ending', '', 'M positions', 'decided %', 'rounds', 'M requests', 'MB read', 'MB written', 'CPU s'],
      rows.map((row) => [
        row.ending,
        row.what,
        row.positions / 1e6,
        row.decided * 100,
        String(row.rounds),
        row.requests / 1e6,
        row.bytesRead / 1e6,
        row.bytesWritten / 1e6,
        row.cpuSeconds,
      ]),
    );
    if (options.calibration !== undefined) {
      writeFileSync(options.calibration, `${JSON.stringify(calibration, null, 2)}\n`);
    }
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

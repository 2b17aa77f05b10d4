/**
 * `npm run bench`: prints tables, and with `--json FILE` writes the same figures. Ratios within a run are what
 * counts: the machine may be shared. `--quick` leaves the large endings out; `--only SECTION` runs one of them.
 * `--baseline FOLDER` is the built checkout of another release, measured side by side; `--six` adds a six-man ending
 * to `growth`. `estimate` is run only when asked for: it prints the constants of the cost model as this machine gives them, and
 * the forecasts of the program beside measurements. With `--quick` the endings are small. `scaling` is run only when
 * asked for, too: `--endings KQQKN,KRBKNN` by `--ranks 1,4,16`; it writes its tables into the document `--into FILE`.
 * `plans` likewise: checkers of seven to ten pieces (seven with `--quick`), `--into FILE`. `fuzz` likewise: `--inputs
 * N` for each reader, from `--seed N` on; and `simulate`: `--operations N`, from `--seed N` on. `releases` and
 * `ranks` likewise: `--pairs N` solves side by side, beside the release before (`--baseline FOLDER`; `--endings
 * KBBKN,KRPKR.4` only these), and by ranks beside threads (`--s3 URI`: in object storage, too). `keyed` with `MERGEMATE_BENCH_CONNECT4`, the folder `solver` of the
 * source of sidneycadot/connect4: that beside ours, too (keyed.ts), `--pairs N`; `--contest 4x5-naive,workers` runs
 * these alone. `peers` likewise: generators named
 * by the environment beside ours (peers.ts), `--endings KBBKN,KQRKR` by `--workers 1,2`. So are `chaos`, with
 * `--kills N`, `--seed N` and `--store folder|tmpfs|s3`, which ends with exit code 1 if a result is wrong, and
 * `resident`. `naive` holds `--inputs N` random positions of six pieces in the checkers tables of `--tables URI`
 * against other rules and a search without tables, from `--seed N` on. `blocks` counts how many blocks a lookup reads,
 * of the files of six pieces that are published at `--tables URI`. `probing` probes positions by Syzygy's files beside tables,
 * `--pairs N`; the files are written for it (minutes), unless `--syzygy FOLDER` has those of all endings of four men.
 * `set` holds the ledger of a set of Syzygy files, `--syzygy FOLDER`, against the published statistics, and `--inputs N` random positions of
 * each ending that is done against Fathom, fewer against Stockfish; `--into FILE` is the page that it writes. Exit code 1: something differs.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fail } from '../../jobs/cli/exit.js';
import { tableText } from '../../jobs/ui/document.js';
import { UserError } from '../../operators/core/errors.js';
import { benchBlocks } from './blocks.js';
import type { ChaosStore } from './chaos.js';
import { benchCheckers } from './checkers.js';
import { benchChess } from './chess.js';
import { newSolver } from './endings.js';
import { benchEstimate, CALIBRATING, QUICK } from './estimate.js';
import { benchGraphs } from './graphs.js';
import { benchKernels, CHECKERS, CHESS } from './kernels.js';
import { benchKeyed, contestsOf } from './keyed.js';
import { benchNaive } from './naive.js';
import { benchOperators } from './operators.js';
import { benchRanks, benchReleases } from './pairs.js';
import { benchResident } from './resident.js';
import { benchRivals } from './rivals-section.js';
import { benchRuns } from './runs.js';
import {
  benchScaling,
  MEASURED_HEAD,
  measuredCells,
  putInto,
  SIMULATED_HEAD,
  simulate,
  simulatedCells,
} from './scaling/scaling.js';
import { benchEndings, benchGrowth, benchMemory } from './speed-section.js';

// Large modules are loaded by the sections that need them: a larger heap takes longer to collect, in whatever is measured.
const { values: options } = readFlags();

/** Simulated by many ranks. */
const SEVEN_MEN = 'KQRBKNN';

const CLI = fileURLToPath(new URL('../../jobs/cli.js', import.meta.url));
const folder = mkdtempSync(
  join(process.env.TMPDIR ?? (existsSync('/var/tmp') ? '/var/tmp' : tmpdir()), 'mergemate-bench-'),
);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const figures: Record<string, unknown> = {
  machine: `${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
};

function solverIn(cli: string, name: string) {
  const own = join(folder, name);
  mkdirSync(own);
  return newSolver(cli, own);
}

function print(title: string, head: string[], rows: (string | number)[][]): void {
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell)));
  process.stdout.write(`\n${title}\n${tableText({ columns: head, rows: text })}\n`);
}

const USUAL = [
  'operators',
  'runs',
  'kernels',
  'endings',
  'memory',
  'growth',
  'rivals',
  'checkers',
  'chess',
  'serving',
  'server',
  'graphs',
  'keyed',
  'blocks',
];
/** Run only when asked for. */
const SPECIAL = [
  'estimate',
  'plans',
  'scaling',
  'fuzz',
  'releases',
  'ranks',
  'peers',
  'simulate',
  'chaos',
  'resident',
  'naive',
  'probing',
  'set',
];
const sections = [...USUAL, ...SPECIAL];
if (options.only !== undefined && !sections.includes(options.only))
  fail(new UserError(`--only: there is no ${options.only} (there are: ${sections.join(', ')})`));
const wanted = (section: string): boolean =>
  options.only === section || (options.only === undefined && USUAL.includes(section));

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
  if (wanted('runs')) {
    const rows = await benchRuns();
    figures.runs = rows;
    print(
      'Runs of minors, one core, in memory: nanoseconds of CPU a row (unpacked: 4 bytes a row)',
      ['density', 'bytes a row', 'pack', 'unpack', 'write', 'read', 'write unpacked', 'read unpacked'],
      rows.map((row) => [
        `1/${row.oneIn}`,
        row.bytesPerRow.toFixed(2),
        row.pack,
        row.unpack,
        row.write,
        row.read,
        row.plainWrite,
        row.plainRead,
      ]),
    );
  }
  if (wanted('kernels')) {
    const chess = benchKernels(CHESS, ['KBNK', 'KQKR', 'KBBKN']);
    const checkers = benchKernels(CHECKERS, ['3200', '1130.60', '1111.33', '0044.44']);
    figures.kernels = { chess, checkers };
    for (const [game, rows] of Object.entries({ Chess: chess, Checkers: checkers })) {
      print(
        `${game} kernels, one core, copies into and out of the linear memory included`,
        ['kernel', 'slice', 'side', 'ns/position', 'plain', 'ns/row', 'plain', 'plain / WebAssembly'],
        rows.map((row) => [
          row.kernel,
          row.ending,
          row.side === 0 ? 'first' : 'second',
          row.nsPerPosition,
          row.plainNsPerPosition,
          row.nsPerRow ?? '',
          row.plainNsPerRow ?? '',
          row.plainNsPerPosition / row.nsPerPosition,
        ]),
      );
    }
  }
  const speed = {
    ours: solverIn(CLI, 'ours'),
    baseline:
      options.baseline === undefined
        ? null
        : solverIn(join(options.baseline, 'dist', 'jobs', 'cli.js'), 'baseline'),
    quick: options.quick,
    print,
  };
  if (wanted('endings')) figures.endings = benchEndings(speed);
  if (wanted('memory')) figures.memory = benchMemory(speed);
  if (wanted('growth')) figures.growth = benchGrowth(speed, options.six);
  if (wanted('rivals')) {
    figures.rivals = await benchRivals({ cli: CLI, folder, quick: options.quick, print });
  }
  if (wanted('chess')) figures.chess = benchChess({ cli: CLI, folder, quick: options.quick, print });
  if (wanted('checkers')) {
    figures.checkers = await benchCheckers({ cli: CLI, folder, quick: options.quick, print });
  }
  if (wanted('server')) {
    const { benchServer } = await import('./serving.js');
    figures.server = await benchServer({ cli: CLI, folder, quick: options.quick, print });
  }
  if (wanted('serving')) {
    const { benchServing } = await import('./serving.js');
    figures.serving = await benchServing({ cli: CLI, folder, quick: options.quick, print });
  }
  if (wanted('graphs')) figures.graphs = benchGraphs({ cli: CLI, folder, quick: options.quick, print });
  if (wanted('keyed')) {
    const { quick } = options;
    const contests = contestsOf(options.contest);
    figures.keyed = await benchKeyed({
      cli: CLI,
      folder,
      quick,
      contests,
      print,
      pairs: Number(options.pairs),
    });
  }
  if (wanted('estimate')) {
    const setting = options.quick ? QUICK : CALIBRATING;
    const { calibration, rows } = await benchEstimate(
      speed.ours.solveAll,
      join(folder, 'ours'),
      String(figures.machine),
      setting,
    );
    figures.estimate = { calibration, rows };
    process.stdout.write(`\n${JSON.stringify(calibration, null, 2)}\n`);
    print(
      `Forecasts of the cost model for endings that its constants have not seen; ${setting.little / 2 ** 20} MiB, one thread, without verification`,
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
  }
  if (wanted('scaling')) {
    const ranks = options.ranks.split(',').map(Number);
    const rows = await benchScaling(folder, (options.endings ?? 'KQKR,KRKN').split(','), ranks);
    const simulated = simulate(SEVEN_MEN, options.quick ? [1, 64] : [1, 16, 64, 256]);
    figures.scaling = { rows, simulated };
    const tables: [string[], string[][]][] = [
      [MEASURED_HEAD, rows.map(measuredCells)],
      [SIMULATED_HEAD, simulatedCells(simulated)],
    ];
    print(
      'Ranks run in turns, each with a clock of its own: measured / told by the cost model',
      ...tables[0],
    );
    print('Whole plans, as the cost model tells them', ...tables[1]);
    if (options.into !== undefined) putInto(options.into, 'scaling', String(figures.machine), tables);
  }
  if (wanted('plans')) {
    const { benchPlans, PLAN_HEAD, planCells } = await import('./plans.js');
    const rows = benchPlans(options.quick ? 7 : 10);
    figures.plans = rows;
    const cells = rows.map(planCells);
    print('Checkers of seven to ten pieces, as the cost model tells them', PLAN_HEAD, cells);
    if (options.into !== undefined)
      putInto(options.into, 'plans', String(figures.machine), [[PLAN_HEAD, cells]]);
  }
  if (wanted('fuzz')) {
    const { benchFuzz } = await import('./fuzz.js');
    const rows = await benchFuzz(Number(options.inputs), Number(options.seed));
    figures.fuzz = rows;
    print(
      'Inputs near those of the corpus: all were read, or refused in a line',
      ['reader', 'inputs', 'seconds'],
      rows.map((row) => [row.target, String(row.inputs), row.seconds]),
    );
  }
  const pairs = {
    cli: CLI,
    folder,
    quick: options.quick,
    print,
    baseline: options.baseline === undefined ? null : join(options.baseline, 'dist', 'jobs', 'cli.js'),
    s3: options.s3 ?? null,
    endings: options.endings?.split(',') ?? null,
    pairs: Number(options.pairs),
  };
  if (wanted('releases')) figures.releases = await benchReleases(pairs);
  if (wanted('ranks')) figures.ranks = await benchRanks(pairs);
  if (wanted('peers')) {
    const { benchPeers, usualEndings } = await import('./peers.js');
    figures.peers = await benchPeers({
      cli: CLI,
      folder,
      print,
      pairs: Number(options.pairs),
      endings: options.endings?.split(',') ?? usualEndings(),
      workers: options.workers.split(',').map(Number),
    });
  }
  if (wanted('simulate')) {
    const { benchSimulate } = await import('./simulate.js');
    const found = await benchSimulate(Number(options.operations), Number(options.seed));
    figures.simulate = found;
    print(
      `${found.operations} operations in ${found.episodes} episodes; in ${found.refused} a task refused what was damaged`,
      ['fault', 'how often'],
      Object.entries(found.tally).map(([kind, times]) => [kind, String(times)]),
    );
  }
  if (wanted('chaos')) {
    const { benchChaos, CHAOS_STORES } = await import('./chaos.js');
    const store = options.store as ChaosStore;
    if (!CHAOS_STORES.includes(store))
      fail(new UserError(`--store: there is no ${store} (there are: ${CHAOS_STORES.join(', ')})`));
    const asked = { folder, store, kills: Number(options.kills), seed: Number(options.seed) };
    const rows = await benchChaos(asked);
    figures.chaos = rows;
    const sum = (of: 'kills' | 'starts' | 'commands') => rows.reduce((all, row) => all + row[of], 0);
    const wrong = rows.flatMap((row) => row.wrong);
    if (wrong.length > 0) process.exitCode = 1;
    print(
      `${store}: commands ${store === 'tmpfs' ? 'on disks that were full' : 'killed'} and started again until they ended`,
      ['command', store === 'tmpfs' ? 'full' : 'kills', 'starts', 'commands', 'wrong'],
      [
        ...rows.map((row) => [
          ...[row.name, String(row.kills), String(row.starts)],
          ...[String(row.commands), String(row.wrong.length)],
        ]),
        ['all', String(sum('kills')), String(sum('starts')), String(sum('commands')), String(wrong.length)],
      ],
    );
  }
  if (wanted('resident'))
    figures.resident = await benchResident({ cli: CLI, folder, quick: options.quick, print });
  if (wanted('probing')) {
    const { benchProbing } = await import('./probing.js');
    figures.probing = await benchProbing({
      cli: CLI,
      folder,
      quick: options.quick,
      print,
      pairs: Number(options.pairs),
      syzygy: options.syzygy ?? null,
      seed: Number(options.seed),
    });
  }
  if (wanted('set')) {
    if (options.syzygy === undefined)
      fail(new UserError('set: --syzygy names the folder of the files, made by "solve --to"'));
    const { benchSet } = await import('./set.js');
    figures.set = await benchSet({
      syzygy: options.syzygy,
      into: options.into ?? null,
      positions: Number(options.inputs),
      seed: Number(options.seed),
      machine: String(figures.machine),
    });
  }
  if (wanted('blocks')) {
    if (options.tables === undefined)
      fail(new UserError('blocks: --tables says where six pieces are published'));
    const rows = await benchBlocks(options.tables, 6);
    figures.blocks = rows;
    print(
      'Blocks read for a position, by the bytes of the cache of decoded blocks',
      ['KiB', 'random', 'along play'],
      rows.map((row) => [String(row.cacheBytes / 1024), row.random.toFixed(3), row.alongPlay.toFixed(3)]),
    );
  }
  if (wanted('naive')) {
    if (options.tables === undefined) fail(new UserError('naive: --tables says where all of six pieces is'));
    const asked = { pieces: 6, positions: Number(options.inputs), depth: 7, seed: Number(options.seed) };
    const found = await benchNaive(options.tables, asked);
    figures.naive = found;
    if (found.wrong.length > 0) process.exitCode = 1;
    const { positions, byMoves, won, lost, neither, wrong } = found;
    print(
      `Random positions of six pieces, by their moves and by a search of ${asked.depth} plies`,
      ['positions', 'as their moves say', 'won by then', 'lost by then', 'neither', 'wrong'],
      [[positions, byMoves, won, lost, neither, wrong.length].map(String)],
    );
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} catch (error) {
  fail(error);
}

/** An unknown flag gives one line. */
function readFlags() {
  try {
    return parseArgs({
      options: {
        json: { type: 'string' },
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        contest: { type: 'string' },
        baseline: { type: 'string' },
        six: { type: 'boolean', default: false },
        endings: { type: 'string' },
        workers: { type: 'string', default: '1,2' },
        ranks: { type: 'string', default: '1,2,4,8,16' },
        into: { type: 'string' },
        inputs: { type: 'string', default: '10000' },
        operations: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '1' },
        pairs: { type: 'string', default: '5' },
        s3: { type: 'string' },
        kills: { type: 'string', default: '100' },
        store: { type: 'string', default: 'folder' },
        tables: { type: 'string' },
        syzygy: { type: 'string' },
      },
    });
  } catch (error) {
    return fail(new UserError((error as Error).message));
  }
}

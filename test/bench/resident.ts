/**
 * The section `resident`: the greatest resident set of every command, and the part of it beyond `--memory`. Other work on the
 * machine does not change these figures.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { peakOf } from '../support/peak.js';
import { writeLargeGraph } from './large-graph.js';
import { batches, randomPositions, shoot } from './serving.js';
import type { SetBench } from './sets.js';

const MiB = 2 ** 20;

interface Resident {
  readonly command: string;
  readonly what: string;
  /** MiB; null for commands that have no such flag. */
  readonly memory: number | null;
  readonly workers: number | null;
  /** MiB. */
  readonly peak: number;
}

const over = ({ peak, memory }: Resident): number => peak - memory!;

export async function benchResident({ cli, folder, quick, print }: SetBench) {
  const endings = quick ? ['KRKN'] : ['KBNK', 'KRKP', 'KQKR'];
  const rows: Resident[] = [];
  const measured = async (command: string, what: string, args: readonly string[], sizes = [NaN, NaN]) => {
    const { peak } = await peakOf(cli, args);
    const [memory = null, workers = null] = sizes.map((size) => (Number.isNaN(size) ? null : size));
    rows.push({ command, what, memory, workers, peak: peak / MiB });
    process.stderr.write(`${command} ${what} ${sizes.join(' ')}: ${Math.round(peak / MiB)} MiB\n`);
  };
  const store = join(folder, 'resident');
  const graph = join(folder, 'resident.jsonl');
  writeLargeGraph(graph, {
    nodes: quick ? 100_000 : 400_000,
    edges: quick ? 800_000 : 2_400_000,
    shape: 'corridor',
    reach: 25_000,
    seed: 1,
    text: false,
    separateEdges: false,
  });
  await withoutBudget({ cli, folder, store, ending: quick ? 'KRKN' : 'KQKR', measured, rows });
  for (const memory of [16, 64, 256]) {
    for (const workers of [1, 2]) {
      const given = ['--memory', `${memory}MiB`, '--workers', String(workers)];
      const own = ['--store', join(folder, `resident-${memory}-${workers}`)];
      for (const ending of endings) {
        await measured('solve', ending, ['solve', 'chess', ending, ...given, ...own], [memory, workers]);
        await measured('verify', ending, ['verify', 'chess', ending, ...given, ...own], [memory, workers]);
      }
      const checkers = ['solve', 'checkers', '--pieces', quick ? '2' : '3', ...given, ...own];
      await measured('solve', 'checkers', checkers, [memory, workers]);
      // Two workers are processes, each with so much memory.
      const ranks = workers === 1 ? [] : ['--engine', 'processes'];
      await measured('graph solve', '', ['solve', graph, ...given, ...ranks, ...own], [memory, workers]);
    }
    await syzygyWithin({ memory, folder, store, ending: quick ? 'KRKN' : 'KQKR', measured });
  }
  show(rows, print);
  return rows;
}

interface SyzygyWithin {
  /** MiB. */
  readonly memory: number;
  readonly folder: string;
  /** Has the tables of the ending, and of all that it converts to, under `dtz`. */
  readonly store: string;
  readonly ending: string;
  readonly measured: WithoutBudget['measured'];
}

/** Syzygy's files, written and verified in so much memory. */
async function syzygyWithin({ memory, folder, store, ending, measured }: SyzygyWithin): Promise<void> {
  const out = join(folder, `resident-syzygy-${memory}`);
  const given = ['--memory', `${memory}MiB`];
  await measured(
    'syzygy',
    ending,
    ['publish', 'chess', '--as', 'syzygy', ending, '--to', out, ...given, '--store', store],
    [memory, 1],
  );
  await measured('syzygy verify', ending, ['verify', out, ...given], [memory, 1]);
}

interface WithoutBudget {
  readonly cli: string;
  readonly folder: string;
  readonly store: string;
  readonly ending: string;
  readonly measured: (
    command: string,
    what: string,
    args: readonly string[],
    sizes?: number[],
  ) => Promise<void>;
  readonly rows: Resident[];
}

async function withoutBudget({ cli, folder, store, ending, measured, rows }: WithoutBudget): Promise<void> {
  const beside = ['--store', store];
  const little = ['--memory', '64MiB', '--no-verify', ...beside];
  for (const metric of ['dtm', 'dtz'])
    await peakOf(cli, ['solve', 'chess', ending, '--metric', metric, ...little]);
  const out = (name: string) => join(folder, `resident-${name}`);
  for (const format of ['arrow', 'parquet', 'jsonl']) {
    const args = ['export', 'chess', ending, '--format', format, '--out', out(format), ...beside];
    await measured(`export --format ${format}`, ending, args);
  }
  const [fen] = randomPositions(ending);
  const commands: [string, readonly string[]][] = [
    // The memory of the solver does not grow with the ending; its time does.
    ['publish', ['publish', 'chess', 'KRK', '--to', out('published')]],
    ['publish --as syzygy', ['publish', 'chess', '--as', 'syzygy', ending, '--to', out('syzygy')]],
    [
      'publish --as site',
      ['publish', 'chess', ending, '--metric', 'dtm', '--as', 'site', '--to', out('site')],
    ],
    ['stats --html', ['stats', 'chess', ending, '--html', out('report')]],
    [
      'export --where zugzwang',
      ['export', 'chess', ending, '--where', 'zugzwang', '--out', out('zugzwangs')],
    ],
    ['stats', ['stats', 'chess', ending]],
    ['probe', ['probe', 'chess', fen]],
    ['probe --line', ['probe', '--line', 'chess', fen]],
    ['scrub', ['scrub']],
    ['status', ['status']],
    ['scrub --collect', ['scrub', '--collect']],
  ];
  for (const [command, args] of commands) await measured(command, ending, [...args, ...beside]);
  await measured('syzygy verify', ending, ['verify', out('syzygy')]);
  const served = await peakOf(cli, ['serve', '--port', '0', '--json', ...beside], (child) =>
    underLoad(child, randomPositions(ending)),
  );
  rows.push({ command: 'serve', what: ending, memory: 64, workers: null, peak: served.peak / MiB });
}

/** Some seconds of requests, and then the end. */
async function underLoad(child: ChildProcess, positions: readonly string[]): Promise<void> {
  const [line] = (await once(child.stdout!, 'data')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const one = positions.map((position) => ({ path: `/standard?fen=${encodeURIComponent(position)}` }));
  await shoot(url, one, 64, 8);
  await shoot(url, batches(positions), 64, 8);
  child.kill('SIGTERM');
}

function show(rows: readonly Resident[], print: SetBench['print']): void {
  const text = (size: number | null, unit: string) => (size === null ? '' : `${size}${unit}`);
  print(
    'Resident at most, of the largest process (VmHWM), MiB',
    ['command', 'of', 'memory', 'workers', 'peak', 'over memory'],
    rows.map((row) => [
      ...[row.command, row.what, text(row.memory, ' MiB'), text(row.workers, '')],
      ...[row.peak, row.memory === null ? '' : over(row)],
    ]),
  );
  const most = (those: readonly Resident[], of: (row: Resident) => number) =>
    Math.max(...those.map(of)).toFixed(1);
  const budgeted = rows.filter(({ memory }) => memory !== null);
  for (const workers of [1, 2]) {
    const most1 = most(
      budgeted.filter((row) => row.workers === workers),
      over,
    );
    process.stdout.write(`\nMost over memory, ${workers} worker${workers === 1 ? '' : 's'}: ${most1} MiB\n`);
  }
  process.stdout.write(
    `Most without a budget: ${most(
      rows.filter(({ memory }) => memory === null),
      ({ peak }) => peak,
    )} MiB\n`,
  );
}

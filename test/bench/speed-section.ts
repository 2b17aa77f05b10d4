/**
 * The sections `endings`, `memory` and `growth` of the benchmark: the cost of a request, by memory and by size. Where another
 * build is given, every figure of it is measured right after ours, in the same run.
 */
import type { EndingFigure, EndingSetting, Solver } from './endings.js';

export interface SpeedBench {
  readonly ours: Solver;
  /** Another release, to compare with. */
  readonly baseline: Solver | null;
  readonly quick: boolean;
  readonly print: (title: string, head: string[], rows: (string | number)[][]) => void;
}

export interface MeasuredEnding {
  readonly ours: EndingFigure;
  readonly baseline: EndingFigure | null;
}

/** More than any of the endings uses. */
const UNLIMITED = '12GiB';

function measure({ ours, baseline }: SpeedBench, setting: EndingSetting): MeasuredEnding {
  const found = { ours: ours.measure(setting), baseline: baseline?.measure(setting) ?? null };
  // Digests depend on how positions are numbered, which releases may do differently.
  const results = ({ positions, wins, losses, longestWinMoves, requests }: EndingFigure): string =>
    [positions, wins, losses, longestWinMoves, requests].join();
  if (found.baseline !== null && results(found.ours) !== results(found.baseline)) {
    throw new Error(`${setting.ending}: the two releases found different results`);
  }
  return found;
}

const seconds = (ms: number | undefined): string => (ms ?? 0).toFixed(1);

/** Ratio of a figure of the baseline to ours: above one, we are better. */
function ratio(found: MeasuredEnding, of: (figure: EndingFigure) => number): string[] {
  return found.baseline === null ? [] : [(of(found.baseline) / of(found.ours)).toFixed(2)];
}

function show({ print, baseline }: SpeedBench, title: string, found: readonly MeasuredEnding[]): void {
  print(
    `${title}; without verification, dependencies solved before, CPU includes the start of the process`,
    [
      ...['ending', 'metric', 'strategy', 'workers', 'memory', 'M indices', 'M requests'],
      ...['ns/request in rounds', 'ns/request end to end', 'bytes/request'],
      ...['enumerate s', 'convert s', 'rounds s', 'finish s', 'CPU s', 'wall s', 'RSS MiB'],
      ...(baseline === null ? [] : ['baseline CPU /', 'wall /', 'bytes /']),
    ],
    found.map((each) => {
      const { phases, ...run } = each.ours;
      return [
        ...[run.ending, run.metric, run.strategy, String(run.workers), run.memory],
        ...[run.indices / 1e6, run.requests / 1e6, run.nsInRounds, run.nsEndToEnd, run.bytesPerRequest],
        ...[phases.enumerate, phases.convert, phases.rounds, phases.finish].map(seconds),
        ...[run.cpuSeconds, run.wallSeconds, run.peakRssMiB],
        ...ratio(each, ({ cpuSeconds }) => cpuSeconds),
        ...ratio(each, ({ wallSeconds }) => wallSeconds),
        ...ratio(each, ({ bytesPerRequest }) => bytesPerRequest),
      ];
    }),
  );
}

/** Four- and five-man endings, one worker and two. */
export function benchEndings(bench: SpeedBench): MeasuredEnding[] {
  const settings: EndingSetting[] = [];
  for (const ending of ['KBNK', 'KQKR']) {
    for (const strategy of ['count', 'lookup']) settings.push({ ending, strategy });
    settings.push({ ending, workers: 2 });
  }
  if (!bench.quick) {
    for (const workers of [1, 2]) settings.push({ ending: 'KBBKN', workers });
    for (const workers of [1, 2]) settings.push({ ending: 'KBBKN', workers, memory: '256MiB' });
    settings.push({ ending: 'KBBKN', metric: 'dtc' });
  }
  const found = settings.map((setting) => measure(bench, setting));
  show(bench, 'Endings', found);
  return found;
}

/** Three endings in little, some and all memory; one of them in many budgets. */
export function benchMemory(bench: SpeedBench): MeasuredEnding[] {
  const endings = bench.quick ? ['KQKR'] : ['KBBKN', 'KRBKR', 'KBNKN'];
  const some = endings.flatMap((ending) =>
    ['64MiB', '256MiB', UNLIMITED].map((memory) => measure(bench, { ending, memory })),
  );
  show(bench, 'Memory', some);
  const sweep = ['16MiB', '32MiB', '128MiB', '512MiB', '1GiB', '4GiB'].map((memory) =>
    measure({ ...bench, baseline: null }, { ending: endings[0], memory }),
  );
  show({ ...bench, baseline: null }, 'Sweep of the memory', sweep);
  return [...some, ...sweep];
}

/** From three men to five; six where asked for: about an hour, and 20 GB of disk. */
export function benchGrowth(bench: SpeedBench, six: boolean): MeasuredEnding[] {
  const settings: EndingSetting[] = ['KRK', 'KRKN', 'KQKR', 'KBNK'].map((ending) => ({ ending }));
  if (!bench.quick) for (const ending of ['KBBBK', 'KBBKN', 'KBBKB', 'KBNKN']) settings.push({ ending });
  if (six) settings.push({ ending: 'KBBBKB', metric: 'dtc', memory: '1GiB', workers: 2 });
  const found = settings.map((setting) => measure({ ...bench, baseline: null }, setting));
  show({ ...bench, baseline: null }, 'Growth', found);
  return found;
}

/** Parts that benchmarks of whole sets share: like users, they solve sets by processes of their own. */
import { execFileSync } from 'node:child_process';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';

export interface SetBench {
  readonly cli: string;
  readonly folder: string;
  readonly quick: boolean;
  readonly print: (title: string, head: string[], rows: (string | number)[][]) => void;
}

export const MEMORY = '128MiB';

interface SolvedSlice {
  readonly slice: string;
  readonly positions: number;
  readonly requests: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssBytes: number;
  readonly phases: readonly { phase: string; cpuMs: number }[];
}

/** Output of a command, parsed as JSON. */
export function run(cli: string, args: readonly string[]): unknown {
  // Not by `node cli.js`: its first line has settings that keep the resident set small.
  const output = execFileSync(cli, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output.toString());
}

export function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}

export interface AskedSet {
  readonly game: Pick<Game, 'name' | 'ending'>;
  readonly pieces: number;
  readonly metric: Metric;
  readonly store: string;
}

/** Solves and verifies all endings of at most so many pieces by one thread; the figures by number of pieces. */
export function solveSet({ cli, print }: SetBench, { game, pieces, metric, store }: AskedSet): unknown {
  const args = ['solve', game.name, '--pieces', String(pieces), '--metric', metric];
  const { slices } = run(cli, [...args, '--memory', MEMORY, '--store', store, '--json']) as {
    slices: SolvedSlice[];
  };
  const rows = Array.from({ length: pieces - 1 }, (_, i) => {
    const those = slices.filter(({ slice }) => game.ending(slice).pieces === i + 2);
    const phase = (name: string) =>
      sum(those, ({ phases }) =>
        sum(
          phases.filter((each) => each.phase === name),
          ({ cpuMs }) => cpuMs,
        ),
      ) / 1000;
    return {
      pieces: i + 2,
      slices: those.length,
      positions: sum(those, ({ positions }) => positions),
      requests: sum(those, ({ requests }) => requests),
      enumerate: phase('enumerate'),
      convert: phase('convert'),
      rounds: phase('rounds'),
      finish: phase('finish'),
      verify: phase('verify'),
      cpuSeconds: sum(those, ({ cpuMs }) => cpuMs) / 1000,
      wallSeconds: sum(those, ({ wallMs }) => wallMs) / 1000,
      peakRssMiB: Math.max(...those.map(({ peakRssBytes }) => peakRssBytes)) / 2 ** 20,
    };
  });
  print(
    `${game.name}, all slices, ${metric}, ${MEMORY}, one thread; CPU seconds`,
    [
      'pieces',
      'slices',
      'M positions',
      'M requests',
      'enumerate',
      'convert',
      'rounds',
      'finish',
      'verify',
      'CPU s',
      'wall s',
      'RSS MiB',
    ],
    rows.map((row) => [
      String(row.pieces),
      String(row.slices),
      row.positions / 1e6,
      row.requests / 1e6,
      ...[row.enumerate, row.convert, row.rounds, row.finish, row.verify],
      ...[row.cpuSeconds, row.wallSeconds, row.peakRssMiB],
    ]),
  );
  return rows;
}

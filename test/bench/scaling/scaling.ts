/**
 * Strong scaling: an ending solved by 1, 2, 4 ... ranks that this process runs one after another (scaling/turns.ts), held
 * against the cost model. Also the model's forecast for many ranks and seven men.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectLessOften, keepHeapSmall } from '../../../jobs/runtime/heap.js';
import { optimizeLess } from '../../../jobs/runtime/runtime.js';
import { DECIDED } from '../../../pipeline/analysis/forecast/constants.js';
import {
  type Estimate,
  type EstimateOptions,
  estimate,
  sumOf,
} from '../../../pipeline/analysis/forecast/estimate.js';
import { type SliceSample, sampleSlice } from '../../../pipeline/analysis/forecast/sample.js';
import { cutSlices } from '../../../pipeline/engine/crew/cut.js';
import type { Game } from '../../../pipeline/game/game.js';
import type { TableManifest } from '../../../pipeline/game/manifest.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { runInTurns, type TookInTurns } from './run-in-turns.js';

const MiB = 2 ** 20;
const game = chess as Game;

export interface ScalingRow {
  readonly ending: string;
  readonly ranks: number;
  /** Until the last rank ends, CPU of all ranks, operations and bytes: measured, and as the model says. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly efficiency: number;
  readonly operations: Operations;
  readonly forecast: {
    readonly seconds: number;
    readonly cpuSeconds: number;
    readonly efficiency: number;
    readonly operations: Operations;
  };
}

interface Operations {
  readonly puts: number;
  /** Without looks in vain, which depend on how long ranks wait. */
  readonly gets: number;
  readonly deletes: number;
  readonly megabytesWritten: number;
}

/**
 * Code is compiled once in this process, and would be in each of many. So this is solved first and not counted, by one rank and by
 * several, for a rank alone exchanges nothing.
 */
const WARMING = { ending: 'KQQKN', ranks: [1, 2, 4] } as const;

/** @param folder for tables, which are removed again. */
export async function benchScaling(
  folder: string,
  endings: readonly string[],
  ranks: readonly number[],
): Promise<ScalingRow[]> {
  // As every process of a rank does.
  optimizeLess();
  keepHeapSmall();
  collectLessOften();
  await solvedBy(folder, WARMING.ending, WARMING.ranks, () => {});
  const rows: ScalingRow[] = [];
  for (const ending of endings)
    await solvedBy(folder, ending, ranks, (count, took) => rows.push(rowOf(ending, count, took)));
  return withEfficiency(rows);
}

/** Solves an ending by each number of ranks, after its dependencies. */
async function solvedBy(
  folder: string,
  ending: string,
  ranks: readonly number[],
  listener: (ranks: number, took: TookInTurns) => void,
): Promise<void> {
  const store = mkdtempSync(join(folder, 'scaling-'));
  const dependencies = chess.slice(ending).dependencies.map(({ slice }) => slice);
  const cut = { memory: 256 * MiB, partitions: undefined, wholeBelow: 0 };
  const common = { game, folder: store, verify: true, cut };
  await runInTurns({ ...common, slices: dependencies, ranks: 1 });
  for (const count of ranks) {
    rmSync(join(store, 'chess', 'dtm', ending), { recursive: true, force: true });
    const run = { ...common, slices: [ending], ranks: count, cut: { ...cut, partitions: count } };
    listener(count, await runInTurns(run));
  }
  rmSync(store, { recursive: true, force: true });
}

function rowOf(ending: string, ranks: number, took: TookInTurns): ScalingRow {
  const { puts, gets, looks, deletes, bytesWritten } = took.counted;
  const table = took.tables.at(-1)!;
  const { phases } = forecast(ending, ranks, table).slices.at(-1)!;
  const sums = sumOf(phases);
  const alone = phases.reduce((sum, each) => sum + each.aloneSeconds, 0);
  const scratch = phases.reduce((sum, each) => sum + each.scratch, 0);
  return {
    ending,
    ranks,
    seconds: took.seconds,
    cpuSeconds: took.cpuSeconds,
    efficiency: 1,
    operations: { puts, gets: gets - looks, deletes, megabytesWritten: bytesWritten / 1e6 },
    forecast: {
      // Measured CPU seconds, without the way to the store.
      seconds: (sums.cpuSeconds - alone) / ranks + alone,
      cpuSeconds: sums.cpuSeconds,
      efficiency: 1,
      operations: {
        puts: sums.puts,
        gets: sums.gets,
        deletes: sums.deletes,
        megabytesWritten: (sums.bytesWritten - scratch) / 1e6,
      },
    },
  };
}

/** The time of one rank, when it ran last before, over that of all together: so `--ranks 1,4,1,4` makes two pairs. */
function withEfficiency(rows: readonly ScalingRow[]): ScalingRow[] {
  return rows.map((row, i) => {
    const before = rows.slice(0, i + 1);
    const one = before.findLast(({ ending, ranks }) => ending === row.ending && ranks === 1);
    if (one === undefined) return row;
    const share = (of: number, seconds: number) => of / (row.ranks * seconds);
    return {
      ...row,
      efficiency: share(one.seconds, row.seconds),
      forecast: { ...row.forecast, efficiency: share(one.forecast.seconds, row.forecast.seconds) },
    };
  });
}

/** Forecast of the model for an ending with known rounds and share of decided positions, after its dependencies. */
function forecast(ending: string, ranks: number, table: TableManifest): Estimate {
  const sum = (pair: readonly number[]) => pair[0] + pair[1];
  const decided = (sum(table.wins) + sum(table.losses)) / sum(table.positions);
  const cuts = cutSlices(game, [ending], { memory: 256 * MiB, ranks, partitions: ranks, wholeBelow: 0 });
  const solved = new Map(cuts.slice(0, -1).map(({ slice }) => [slice, 1]));
  const options = optionsOf(ranks, { decided, rounds: table.rounds });
  return estimate(
    cuts,
    cuts.map(({ slice }) => sampleOf(slice)),
    { ...options, solved },
  );
}

const samples = new Map<string, SliceSample>();
function sampleOf(slice: string): SliceSample {
  const known = samples.get(slice) ?? sampleSlice(game.slice(slice));
  samples.set(slice, known);
  return known;
}

function optionsOf(count: number, assumptions: EstimateOptions['assumptions']): EstimateOptions {
  return {
    metric: 'dtm',
    verify: true,
    assumptions,
    machines: { count, workers: 1, bandwidth: 1e8, phaseSeconds: 0 },
  };
}

export interface SimulatedRow {
  readonly ending: string;
  readonly ranks: number;
  readonly partitions: number;
  readonly estimate: Estimate;
}

/** The whole plan of an ending, for numbers of ranks; every rank has 2 GiB, and large slices a partition for each. */
export function simulate(ending: string, ranks: readonly number[]): SimulatedRow[] {
  return ranks.map((count) => {
    const cuts = cutSlices(game, [ending], {
      memory: 2048 * MiB,
      ranks: count,
      partitions: count,
      wholeBelow: 64 * MiB,
    });
    const options = optionsOf(count, { decided: DECIDED, rounds: undefined });
    const made = estimate(
      cuts,
      cuts.map(({ slice }) => sampleOf(slice)),
      options,
    );
    return { ending, ranks: count, partitions: cuts.at(-1)!.partitions, estimate: made };
  });
}

export const MEASURED_HEAD = [
  ...[
    'ending',
    'ranks',
    'CPU s until the end',
    'efficiency',
    'CPU s of all',
    'put',
    'get',
    'delete',
    'MB written',
  ],
];

/** Cells with a slash: measured / forecast. */
export function measuredCells(row: ScalingRow): string[] {
  const { forecast, operations } = row;
  const pair = (a: number, b: number, digits = 0) => `${a.toFixed(digits)} / ${b.toFixed(digits)}`;
  return [
    row.ending,
    String(row.ranks),
    pair(row.seconds, forecast.seconds, 2),
    pair(row.efficiency, forecast.efficiency, 2),
    pair(row.cpuSeconds, forecast.cpuSeconds, 2),
    pair(operations.puts, forecast.operations.puts),
    pair(operations.gets, forecast.operations.gets),
    pair(operations.deletes, forecast.operations.deletes),
    pair(operations.megabytesWritten, forecast.operations.megabytesWritten, 1),
  ];
}

export const SIMULATED_HEAD = [
  ...['ending', 'ranks', 'hours', 'efficiency', 'CPU h', 'alone h', 'barriers h', 'TB read', 'TB written'],
  ...['M get', 'M put', 'M delete'],
];

/** The efficiency is against one rank. */
export function simulatedCells(rows: readonly SimulatedRow[]): string[][] {
  return rows.map(({ ending, ranks, estimate: { total, slices } }) => {
    const of = (field: 'aloneSeconds' | 'barrierSeconds') =>
      slices.flatMap(({ phases }) => phases).reduce((sum, phase) => sum + phase[field], 0);
    const one = rows[0];
    const efficiency = (one.ranks * one.estimate.total.wallSeconds) / (ranks * total.wallSeconds);
    const hours = (seconds: number) => (seconds / 3600).toFixed(1);
    return [
      ...[ending, String(ranks), hours(total.wallSeconds), efficiency.toFixed(2), hours(total.cpuSeconds)],
      ...[hours(of('aloneSeconds')), hours(of('barrierSeconds'))],
      ...[total.bytesRead / 1e12, total.bytesWritten / 1e12].map((n) => n.toFixed(1)),
      ...[total.gets / 1e6, total.puts / 1e6, total.deletes / 1e6].map((n) => n.toFixed(2)),
    ];
  });
}

const beginOf = (section: string) => `<!-- made by: npm run bench -- --only ${section} -->`;
const END = '<!-- end of what was made -->';

/** Puts tables into a document, where it says so. @throws Error if it does not. */
export function putInto(
  path: string,
  section: string,
  machine: string,
  tables: readonly (readonly [string[], string[][]])[],
): void {
  const text = readFileSync(path, 'utf8');
  const begin = beginOf(section);
  const from = text.indexOf(begin);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${path}: has no lines "${begin}" and "${END}"`);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const body = tables
    .map(([head, rows]) => [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'))
    .join('\n\n');
  writeFileSync(path, `${text.slice(0, from)}${begin}\n\n${machine}\n\n${body}\n\n${text.slice(to)}`);
}

/** Plans of checkers up to ten pieces, as the cost model forecasts them: hours, disk, traffic, by numbers of machines. */
import { type Estimate, estimate } from '../../pipeline/analysis/forecast/estimate.js';
import { type SliceSample, sampleOfPlan, sampleSlice } from '../../pipeline/analysis/forecast/sample.js';
import { type CutSlice, cutSlices } from '../../pipeline/engine/crew/cut.js';
import { checkers } from '../../pipeline/games/checkers/checkers.js';

/** Memory of a machine, all for buffers; and the size below which a slice is solved by one machine. */
const MEMORY = 16 * 2 ** 30;
const WHOLE_BELOW = 64 * 2 ** 20;
/** Bytes a second between a machine and the store. */
const BANDWIDTH = 1e8;
/** Shares and rounds that nobody knows: four against two are nearly all decided, three against three half of them. */
const ASSUMPTIONS = { decided: 0.65, rounds: 250 };
export const MACHINES = [1, 8, 64];

export interface PlanRow {
  readonly pieces: number;
  readonly slices: number;
  /** With either side to move. */
  readonly positions: number;
  readonly inMemory: number;
  readonly tableBytes: number;
  /** By one machine; of the slices of so many pieces only, those of fewer being solved. */
  readonly cpuSeconds: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly gets: number;
  readonly puts: number;
  /** By MACHINES. */
  readonly wallSeconds: readonly number[];
}

export function benchPlans(most: number): PlanRow[] {
  const samples = new Map<string, SliceSample>();
  const rows: PlanRow[] = [];
  for (let pieces = 7; pieces <= most; pieces++) {
    const slices = checkers.endingsUpTo(pieces).flatMap((ending) => ending.slices);
    const plans = MACHINES.map((ranks) =>
      cutSlices(checkers, slices, { memory: MEMORY, ranks, partitions: undefined, wholeBelow: WHOLE_BELOW }),
    );
    const cuts = plans[0];
    const sampling = sampleOfPlan(cuts.map(({ size }) => size));
    for (const { slice } of cuts)
      if (!samples.has(slice)) samples.set(slice, sampleSlice(checkers.slice(slice), sampling));
    const estimates = plans.map((plan, i) => estimateOf(plan, samples, pieces, MACHINES[i]));
    const own = estimates[0].slices.filter(({ slice }) => piecesOf(slice) === pieces);
    const { total } = estimates[0];
    rows.push({
      pieces,
      slices: own.length,
      positions: own.reduce((sum, { work }) => sum + work.positions, 0),
      inMemory: cuts.filter(({ slice, resident }) => resident && piecesOf(slice) === pieces).length,
      tableBytes: own.reduce((sum, { tableBytes }) => sum + tableBytes, 0),
      ...total,
      wallSeconds: estimates.map((each) => each.total.wallSeconds),
    });
  }
  return rows;
}

function piecesOf(slice: string): number {
  return checkers.ending(slice).pieces;
}

function estimateOf(
  cuts: readonly CutSlice[],
  samples: ReadonlyMap<string, SliceSample>,
  pieces: number,
  count: number,
): Estimate {
  const { rounds } = ASSUMPTIONS;
  const behind = cuts.filter(({ slice }) => piecesOf(slice) < pieces);
  return estimate(
    cuts,
    cuts.map(({ slice }) => samples.get(slice)!),
    {
      metric: 'dtw',
      verify: true,
      assumptions: ASSUMPTIONS,
      machines: { count, workers: 1, bandwidth: BANDWIDTH, phaseSeconds: 0 },
      solved: new Map(behind.map(({ slice }) => [slice, rounds])),
    },
  );
}

export const PLAN_HEAD = [
  'pieces',
  'slices',
  'in memory',
  'positions',
  'tables',
  'CPU h',
  'read',
  'written',
  'GET',
  'PUT',
  ...MACHINES.map((count) => `hours, ${count} machine${count === 1 ? '' : 's'}`),
];

const rounded = (value: number) =>
  Number(value.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 });
const TB = (bytes: number) => `${rounded(bytes / 1e12)} TB`;
const millions = (count: number) => `${rounded(count / 1e6)} M`;
const hours = (seconds: number) => Number((seconds / 3600).toPrecision(3)).toLocaleString('en');

export function planCells(row: PlanRow): string[] {
  return [
    ...[row.pieces, row.slices, row.inMemory].map((count) => count.toLocaleString('en')),
    row.positions.toExponential(2),
    ...[TB(row.tableBytes), hours(row.cpuSeconds), TB(row.bytesRead), TB(row.bytesWritten)],
    ...[millions(row.gets), millions(row.puts)],
    ...row.wallSeconds.map(hours),
  ];
}

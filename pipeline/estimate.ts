/**
 * The cost model: from samples of the slices, what solving them will take, before anything is solved. Pure functions;
 * what they rest on is in estimate/calibration.ts, and how far they were off, in docs/estimate.md.
 */
import type { CutSlice } from './cut.js';
import { ASSUMED, type Calibration, EDGES, ROW_BYTES } from './estimate/calibration.js';
import {
  type PhaseName,
  type PhaseWork,
  phasesOf,
  type SliceContext,
  tableBytes,
} from './estimate/phases.js';
import type { SliceSample } from './estimate/sample.js';
import { type Operations, operationsOf, type Traffic } from './estimate/traffic.js';
import { type Assumptions, type Work, workOf } from './estimate/work.js';
import type { Metric } from './value.js';

/** What runs the tasks, each machine one at a time. */
export interface Machines {
  readonly count: number;
  /** Threads of a task. */
  readonly workers: number;
  /** Bytes a second between a machine and the store. */
  readonly bandwidth: number;
  /** Seconds an engine takes to begin a phase and to see that it has ended. */
  readonly phaseSeconds: number;
}

/** Money, in any currency. */
export interface Prices {
  readonly thousandPuts: number;
  readonly thousandGets: number;
  /** For 10^9 bytes kept for a month of 30 days. */
  readonly gigabyteMonth: number;
  readonly machineHour: number;
}

export interface EstimateOptions {
  readonly metric: Metric;
  readonly verify: boolean;
  readonly assumptions: Assumptions;
  readonly calibration: Calibration;
  readonly machines: Machines;
  readonly prices: Prices;
}

export interface PhaseEstimate extends Operations {
  readonly phase: PhaseName;
  readonly times: number;
  readonly tasks: number;
  readonly cpuSeconds: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** What of these goes to scratch space, not to the store. */
  readonly scratchRead: number;
  readonly scratchWritten: number;
  readonly wallSeconds: number;
  /** Seconds for which machines are needed: those that have a task, while the phase lasts. */
  readonly machineSeconds: number;
}

export interface SliceEstimate {
  readonly slice: string;
  readonly work: Work;
  readonly tableBytes: number;
  /** Most bytes in the store while it is solved, without tables. */
  readonly workBytes: number;
  readonly phases: readonly PhaseEstimate[];
}

export interface Sums extends Operations {
  readonly cpuSeconds: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly wallSeconds: number;
  readonly machineSeconds: number;
}

export interface Cost {
  readonly machines: number;
  readonly operations: number;
  /** Tables and work for as long as it takes. */
  readonly storage: number;
  readonly total: number;
  /** Keeping the tables for a month. */
  readonly tablesMonth: number;
}

export interface Estimate {
  readonly slices: readonly SliceEstimate[];
  readonly total: Sums;
  readonly tableBytes: number;
  readonly cost: Cost;
}

/**
 * @param cuts the slices in the order they are solved, one after another.
 * @param samples one for each of them.
 */
export function estimate(
  cuts: readonly CutSlice[],
  samples: readonly SliceSample[],
  options: EstimateOptions,
): Estimate {
  const solved = new Map<string, { readonly tableBytes: number; readonly rounds: number }>();
  const slices = cuts.map((cut, i): SliceEstimate => {
    const work = workOf(samples[i]!, options.assumptions);
    const { metric, calibration } = options;
    const ownBytes = tableBytes(work, metric);
    const before = cut.dependencies.map((name) => solved.get(name)!);
    solved.set(cut.slice, { tableBytes: ownBytes, rounds: work.rounds });
    const context: SliceContext = {
      cut,
      work,
      metric,
      dependencyBytes: before.reduce((sum, each) => sum + each.tableBytes, 0),
      dependencies: before.length,
      dependencyRounds: Math.max(0, ...before.map(({ rounds }) => rounds)),
      calibration,
    };
    const phases = phasesOf(context, options.verify);
    return {
      slice: cut.slice,
      work,
      tableBytes: ownBytes,
      workBytes: workBytesOf(cut, work, calibration),
      phases: phases.map((phase) => phaseEstimate(phase, options.machines)),
    };
  });
  const tableBytesOfAll = slices.reduce((sum, each) => sum + each.tableBytes, 0);
  const total = sumOf(slices.flatMap(({ phases }) => phases));
  return { slices, total, tableBytes: tableBytesOfAll, cost: costOf(slices, total, options.prices) };
}

export function sumOf(phases: readonly PhaseEstimate[]): Sums {
  const sum = (field: keyof Sums) => phases.reduce((so, phase) => so + phase[field], 0);
  return {
    cpuSeconds: sum('cpuSeconds'),
    bytesRead: sum('bytesRead'),
    bytesWritten: sum('bytesWritten'),
    gets: sum('gets'),
    puts: sum('puts'),
    lists: sum('lists'),
    wallSeconds: sum('wallSeconds'),
    machineSeconds: sum('machineSeconds'),
  };
}

function phaseEstimate(
  { phase, times, tasks, starts, cpuSeconds, traffic }: PhaseWork,
  machines: Machines,
): PhaseEstimate {
  const operations = operationsOf(traffic);
  const bytesRead = traffic.storeRead + traffic.scratchRead;
  const bytesWritten = traffic.storeWritten + traffic.scratchWritten;
  const taskSeconds = busySeconds(cpuSeconds, traffic, operations, machines) / (tasks * times);
  const waves = Math.ceil(tasks / machines.count);
  const wallSeconds = times * waves * taskSeconds + starts * machines.phaseSeconds;
  return {
    phase,
    times,
    tasks,
    cpuSeconds,
    bytesRead,
    bytesWritten,
    scratchRead: traffic.scratchRead,
    scratchWritten: traffic.scratchWritten,
    ...operations,
    wallSeconds,
    machineSeconds: wallSeconds * Math.min(tasks, machines.count),
  };
}

/** Of all tasks, one after another: computing, then moving bytes, then waiting for the first ones. Nothing overlaps. */
function busySeconds(
  cpuSeconds: number,
  traffic: Traffic,
  operations: Operations,
  machines: Machines,
): number {
  const { latencySeconds, streams, threadGain } = ASSUMED;
  const threads = 1 + (machines.workers - 1) * threadGain;
  const count = operations.gets + operations.puts + operations.lists;
  return (
    cpuSeconds / threads +
    (traffic.storeRead + traffic.storeWritten) / machines.bandwidth +
    (count * latencySeconds) / streams
  );
}

/** Labels, conversions, the frontiers so far, edges, and the requests of two rounds, one being read and one being written. */
function workBytesOf(cut: CutSlice, work: Work, { peak }: Calibration): number {
  const sent = cut.partitions === 1 ? 0 : (2 * peak * work.sent) / work.rounds;
  return (
    2 * cut.labelBytes +
    ROW_BYTES.frontier * work.decided +
    ROW_BYTES.conversion * work.events +
    ROW_BYTES.request * sent +
    EDGES.bytes * work.edges
  );
}

const MONTH_SECONDS = 30 * 24 * 3600;

function costOf(slices: readonly SliceEstimate[], total: Sums, prices: Prices): Cost {
  let tables = 0;
  let byteSeconds = 0;
  for (const each of slices) {
    byteSeconds += (tables + each.tableBytes + each.workBytes) * sumOf(each.phases).wallSeconds;
    tables += each.tableBytes;
  }
  const machines = (total.machineSeconds / 3600) * prices.machineHour;
  // A LIST is priced as a PUT.
  const operations =
    ((total.puts + total.lists) * prices.thousandPuts + total.gets * prices.thousandGets) / 1000;
  const storage = (byteSeconds / 1e9 / MONTH_SECONDS) * prices.gigabyteMonth;
  return {
    machines,
    operations,
    storage,
    total: machines + operations + storage,
    tablesMonth: (tables / 1e9) * prices.gigabyteMonth,
  };
}

/**
 * The cost model: predicts from samples of the slices the cost of solving them by ranks. Pure functions; their constants are in
 * analysis/forecast/calibration.ts, and docs/estimate.md says how far they were off.
 */

import type { CutSlice } from '../../engine/cut.js';
import type { Metric } from '../../game/value.js';
import { barrierSeconds } from './barriers.js';
import { ASSUMED, type Calibration, EDGES, PARCELS, ROW_BYTES } from './calibration.js';
import { type Dealt, deal } from './deal.js';
import { type PhaseName, type PhaseWork, phasesOf, type SliceContext, tableBytes } from './phases.js';
import { forecastRounds, knownRounds } from './rounds.js';
import { rowBytesOf } from './row-bytes.js';
import type { SliceSample } from './sample.js';
import { type Operations, operationsOf, type Traffic } from './traffic.js';
import { type Assumptions, type EstimatedWork, workOf } from './work.js';

/** The machines that run the ranks, one rank each. */
export interface Machines {
  readonly count: number;
  /** Threads of a rank. */
  readonly workers: number;
  /** Bytes a second between a machine and the store. */
  readonly bandwidth: number;
  /** Seconds that a barrier takes beside the answers of the store. */
  readonly phaseSeconds: number;
}

export interface EstimateOptions {
  readonly metric: Metric;
  readonly verify: boolean;
  readonly assumptions: Assumptions;
  readonly calibration: Calibration;
  readonly machines: Machines;
  /** Rounds of tables that are solved, by slice: these slices take nothing more. */
  readonly solved?: ReadonlyMap<string, number>;
}

export interface PhaseEstimate extends Operations {
  readonly phase: PhaseName;
  /** Barriers; none of a slice that is solved whole. */
  readonly barriers: number;
  readonly partitions: number;
  /** Sums over all ranks; `alone`: the share that one rank does while the others wait. */
  readonly cpuSeconds: number;
  readonly aloneSeconds: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** The bytes of these that go to scratch space, not to the store. */
  readonly scratchRead: number;
  readonly scratchWritten: number;
  /** Operations of the leading rank at barriers. */
  readonly leading: number;
  /** `barrierSeconds` of these are barriers. */
  readonly wallSeconds: number;
  readonly barrierSeconds: number;
}

export interface SliceEstimate {
  readonly slice: string;
  readonly work: EstimatedWork;
  readonly tableBytes: number;
  /** Most bytes in the store while it is solved, without tables. */
  readonly workBytes: number;
  /** None if its table is there. */
  readonly phases: readonly PhaseEstimate[];
  /** When it begins and ends; small slices are dealt to ranks and overlap. */
  readonly when: Dealt;
}

export interface Sums extends Operations {
  readonly cpuSeconds: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Sums over slices one after another; for a whole plan, the time from its beginning to its end. */
  readonly wallSeconds: number;
}

export interface Estimate {
  readonly slices: readonly SliceEstimate[];
  readonly total: Sums;
  readonly tableBytes: number;
}

/**
 * @param cuts the slices in the order they are solved, dependencies before what needs them.
 * @param samples one for each of them.
 */
export function estimate(
  cuts: readonly CutSlice[],
  samples: readonly SliceSample[],
  options: EstimateOptions,
): Estimate {
  const { machines, calibration } = options;
  const done = new Map<string, EstimatedWork>();
  const slices = cuts.map((cut, i) => {
    const work = workIn(cut, samples[i], options, done);
    const { metric, solved, verify } = options;
    const context: SliceContext = {
      cut,
      work,
      metric,
      ranks: machines.count,
      dependencyBytes: cut.dependencies.reduce((sum, name) => sum + tableBytes(done.get(name)!, metric), 0),
      dependencies: cut.dependencies.length,
      calibration,
    };
    done.set(cut.slice, work);
    const phases = solved?.has(cut.slice) ? [] : phasesOf(context, verify);
    return {
      slice: cut.slice,
      work,
      tableBytes: tableBytes(work, metric),
      workBytes: workBytesOf(cut, work, calibration),
      phases: phases.map((phase) => phaseEstimate(phase, machines)),
    };
  });
  const seconds = slices.map(({ phases }) => sumOf(phases).wallSeconds);
  const times = deal(cuts, seconds, machines.count);
  const timed = slices.map((slice, i): SliceEstimate => ({ ...slice, when: times[i] }));
  const tableBytesOfAll = slices.reduce((sum, each) => sum + each.tableBytes, 0);
  const sums = sumOf(slices.flatMap(({ phases }) => phases));
  const isAnythingDone = sums.cpuSeconds > 0;
  const total: Sums = {
    ...sums,
    cpuSeconds: sums.cpuSeconds + (isAnythingDone ? machines.count * calibration.processSeconds : 0),
    wallSeconds:
      Math.max(0, ...times.map(({ end }) => end)) + (isAnythingDone ? calibration.processSeconds : 0),
  };
  return { slices: timed, total, tableBytes: tableBytesOfAll };
}

function workIn(
  { slice, dependencies }: CutSlice,
  sample: SliceSample,
  { assumptions, metric, solved }: EstimateOptions,
  done: ReadonlyMap<string, EstimatedWork>,
): EstimatedWork {
  const rounds = solved?.get(slice) ?? assumptions.rounds;
  if (rounds !== undefined) return workOf(sample, assumptions.decided, knownRounds(rounds));
  const before = dependencies.map((name) => done.get(name)!.rounds);
  const known =
    before.length === 0
      ? null
      : { most: Math.max(...before), solved: dependencies.every((name) => solved?.has(name) === true) };
  return workOf(sample, assumptions.decided, forecastRounds(sample, metric, known));
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
    deletes: sum('deletes'),
    looks: sum('looks'),
    wallSeconds: sum('wallSeconds'),
  };
}

function phaseEstimate(work: PhaseWork, machines: Machines): PhaseEstimate {
  const { phase, barriers, partitions, cpuSeconds, aloneSeconds, leading, traffic } = work;
  const operations = operationsOf(traffic);
  const waiting = barriers * (barrierSeconds(partitions, ASSUMED.latencySeconds) + machines.phaseSeconds);
  // A rank may have several partitions, which it does one after another.
  const share = Math.ceil(partitions / machines.count) / partitions;
  const skew = partitions === 1 ? 1 : PARCELS.skew;
  const busy = busySeconds(cpuSeconds - aloneSeconds, traffic, operations, machines);
  return {
    phase,
    barriers,
    partitions,
    cpuSeconds,
    aloneSeconds,
    leading,
    bytesRead: traffic.storeRead + traffic.scratchRead,
    bytesWritten: traffic.storeWritten + traffic.scratchWritten,
    scratchRead: traffic.scratchRead,
    scratchWritten: traffic.scratchWritten,
    ...operations,
    wallSeconds: busy * share * skew + aloneSeconds + waiting,
    barrierSeconds: waiting,
  };
}

/** Sums over all partitions, one after another: computing, then moving bytes, then waiting for the first ones. Nothing overlaps. */
function busySeconds(
  cpuSeconds: number,
  traffic: Traffic,
  operations: Operations,
  machines: Machines,
): number {
  const { latencySeconds, streams, threadGain } = ASSUMED;
  const threads = 1 + (machines.workers - 1) * threadGain;
  // To look in vain is waiting, and counted as such. Windows of one run follow each other.
  const { parcelRuns, parcelWindows } = traffic;
  const parcels = parcelRuns / PARCELS.together + parcelWindows;
  const others =
    operations.gets - operations.looks - (parcelRuns + parcelWindows) + operations.puts + operations.lists;
  return (
    cpuSeconds / threads +
    (traffic.storeRead + traffic.storeWritten) / machines.bandwidth +
    (parcels + others / streams) * latencySeconds
  );
}

/** None of a slice in memory. Else labels, conversions, the frontiers so far, edges, and the requests of two rounds, one being read and one being written. */
function workBytesOf(cut: CutSlice, work: EstimatedWork, { peak }: Calibration): number {
  if (cut.resident) return 0;
  const sent = cut.partitions === 1 ? 0 : (2 * peak * work.sent) / work.rounds;
  const { frontier, request } = rowBytesOf(work);
  return (
    2 * cut.labelBytes +
    frontier * work.decided +
    ROW_BYTES.conversion * work.events +
    request * sent +
    EDGES.bytes * work.edges
  );
}

/**
 * The cost model: predicts from samples of the slices the cost of solving them by ranks. Pure functions; their constants are in
 * constants.ts, and docs/lab/forecast.md says how far they were off.
 */
import type { CutSlice } from '../../engine/crew/cut.js';
import { Schedule } from '../../engine/crew/schedule.js';
import type { Metric } from '../../game/value.js';
import { EDGES, MEASURED, ROW_BYTES } from './constants.js';
import { type Machines, type PhaseEstimate, phasesOf, rowBytesOf, tableBytes } from './phases.js';
import type { SliceSample } from './sample.js';
import { type EstimatedWork, forecastRounds, knownRounds, workOf } from './work.js';

/** Assumptions that hold for all slices, in addition to their samples. */
export interface Assumptions {
  /** Share of the positions that are won or lost, 0 to 1. */
  readonly decided: number;
  /** Rounds of every slice; forecast when not given. */
  readonly rounds: number | undefined;
  /** Whether every slice takes the most rounds of its range, instead of the likely ones. */
  readonly longest?: boolean;
}

export interface EstimateOptions {
  readonly metric: Metric;
  readonly verify: boolean;
  readonly assumptions: Assumptions;
  readonly machines: Machines;
  /** Rounds of tables that are solved, by slice: these slices take nothing more. */
  readonly solved?: ReadonlyMap<string, number>;
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

/** Sums over slices one after another; for a whole plan `wallSeconds` is the time from its beginning to its end. */
export type Sums = Readonly<Record<(typeof SUMMED)[number], number>>;
const SUMMED = [
  'cpuSeconds',
  'bytesRead',
  'bytesWritten',
  'gets',
  'puts',
  'lists',
  'deletes',
  'wallSeconds',
] as const;

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
  const { machines, metric, solved, verify } = options;
  const done = new Map<string, EstimatedWork>();
  const slices = cuts.map((cut, i) => {
    const { slice, dependencies } = cut;
    const below = dependencies.map((name) => done.get(name)!);
    const likely = workIn(cut, samples[i], options, below);
    // Slices resemble their dependencies: a range is not multiplied from slice to slice.
    done.set(slice, likely);
    const { decided, longest } = options.assumptions;
    const work = longest === true ? workOf(samples[i], decided, knownRounds(likely.roundsRange[1])) : likely;
    const context = {
      cut,
      work,
      metric,
      machines,
      dependencyBytes: below.reduce((sum, each) => sum + tableBytes(each, metric), 0),
      dependencies: below.length,
    };
    return {
      slice,
      work,
      tableBytes: tableBytes(work, metric),
      workBytes: workBytesOf(cut, work),
      phases: solved?.has(slice) ? [] : phasesOf(context, verify),
    };
  });
  const times = deal(
    cuts,
    slices.map(({ phases }) => sumOf(phases).wallSeconds),
    machines.count,
  );
  const sums = sumOf(slices.flatMap(({ phases }) => phases));
  const processSeconds = sums.cpuSeconds > 0 ? MEASURED.processSeconds : 0;
  return {
    slices: slices.map((slice, i): SliceEstimate => ({ ...slice, when: times[i] })),
    tableBytes: slices.reduce((sum, each) => sum + each.tableBytes, 0),
    total: {
      ...sums,
      cpuSeconds: sums.cpuSeconds + machines.count * processSeconds,
      wallSeconds: Math.max(0, ...times.map(({ end }) => end)) + processSeconds,
    },
  };
}

function workIn(
  { slice, dependencies }: CutSlice,
  sample: SliceSample,
  { assumptions, metric, solved }: EstimateOptions,
  below: readonly EstimatedWork[],
): EstimatedWork {
  const rounds = solved?.get(slice) ?? assumptions.rounds;
  const isSolved = dependencies.every((name) => solved?.has(name) === true);
  const known =
    below.length === 0 ? null : { most: Math.max(...below.map((each) => each.rounds)), solved: isSolved };
  const forecast = rounds === undefined ? forecastRounds(sample, metric, known) : knownRounds(rounds);
  return workOf(sample, assumptions.decided, forecast);
}

export function sumOf(phases: readonly PhaseEstimate[]): Sums {
  const sum = (field: keyof Sums) => phases.reduce((so, phase) => so + phase[field], 0);
  return Object.fromEntries(SUMMED.map((field) => [field, sum(field)])) as Sums;
}

/**
 * None for a slice in memory. Else labels, conversions, the frontiers so far, edges, and the requests of two rounds, one being read and one
 * being written.
 */
function workBytesOf({ resident, partitions, labelBytes }: CutSlice, work: EstimatedWork): number {
  if (resident) return 0;
  const sent = partitions === 1 ? 0 : (2 * MEASURED.peak * work.sent) / work.rounds;
  const { frontier, request } = rowBytesOf(work);
  return (
    2 * labelBytes +
    frontier * work.decided +
    ROW_BYTES.conversion * work.events +
    request * sent +
    EDGES.bytes * work.edges
  );
}

/** Seconds from the beginning on. */
export interface Dealt {
  readonly begin: number;
  readonly end: number;
}

/**
 * When slices are solved, by the schedule that ranks follow: idle ranks begin small slices whose dependencies are solved, and all ranks
 * meet in each large one.
 *
 * @param seconds what each slice takes: one rank if it is whole, else all.
 * @returns a time for each slice of the plan.
 */
export function deal(plan: readonly CutSlice[], seconds: readonly number[], ranks: number): Dealt[] {
  const schedule = new Schedule(
    plan,
    ranks,
    () =>
      ({ partitions }) =>
        partitions === 1,
  );
  const takes = new Map(plan.map((slice, i) => [slice, seconds[i]]));
  const dealt = new Map<CutSlice, Dealt>();
  const atWork = new Map<CutSlice, number>();
  for (let time = 0; dealt.size < plan.length; ) {
    for (let next = schedule.next(); next !== null; next = schedule.next()) {
      const end = time + takes.get(next.slice)!;
      dealt.set(next.slice, { begin: time, end });
      atWork.set(next.slice, end);
    }
    time = Math.min(...atWork.values());
    for (const [slice, end] of atWork) {
      if (end > time) continue;
      atWork.delete(slice);
      schedule.finish(slice);
    }
  }
  return plan.map((slice) => dealt.get(slice)!);
}

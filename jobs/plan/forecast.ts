/** Forecast of a solve, for the assumed share of decided positions, and for others. */

import { MEASURED } from '../../pipeline/analysis/forecast/constants.js';
import {
  type Assumptions,
  estimate,
  type SliceEstimate,
  type Sums,
} from '../../pipeline/analysis/forecast/estimate.js';
import type { Machines } from '../../pipeline/analysis/forecast/phases.js';
import {
  type SampleOptions,
  type SliceSample,
  sampleOfPlan,
  sampleSlice,
} from '../../pipeline/analysis/forecast/sample.js';
import { usualDecided } from '../../pipeline/analysis/forecast/work.js';
import type { CutSlice } from '../../pipeline/engine/crew/cut.js';
import type { Game } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { breathe } from '../cli/output.js';

interface ForecastOptions {
  readonly metric: Metric;
  readonly verify: boolean;
  readonly rounds: number | undefined;
  readonly decided: number | undefined;
  readonly machines: Machines;
  /** Rounds of the tables that are solved, by slice. */
  readonly solved: ReadonlyMap<string, number>;
}

export interface Forecast {
  readonly assumed: {
    readonly decided: number;
    /** Null: forecast for each slice. */
    readonly rounds: number | null;
    readonly machines: Machines;
    readonly constants: typeof MEASURED;
  };
  readonly slices: readonly SliceEstimate[];
  readonly tableBytes: number;
  readonly total: Sums;
  readonly range: readonly {
    readonly decided: number;
    /** Every slice takes the most rounds of its range. */
    readonly longest?: true;
    readonly total: Sums;
  }[];
}

/** The share of decided positions weighs most and is known least: unless it was given, a small one goes with it. */
const FEW = 0.15;
const ALL = 1;

/** Samples the slices, which takes up to a second each, and a few seconds for all. */
export async function makeForecast(
  game: Game,
  cuts: readonly CutSlice[],
  options: ForecastOptions,
): Promise<Forecast> {
  const { rounds, machines } = options;
  const samples = (await samplesOf(game, cuts, sampleOfPlan(cuts.map(({ size }) => size))))!;
  const of = (decided: number, longest = false) =>
    estimate(cuts, samples, { ...options, assumptions: { decided, rounds, longest } });
  const decided = options.decided ?? usualDecided(options.metric);
  const shares = options.decided === undefined ? [FEW, decided, ALL] : [decided, ALL];
  return {
    assumed: { decided, rounds: rounds ?? null, machines, constants: MEASURED },
    ...of(decided),
    range: [
      ...[...new Set(shares)].map((share) => ({ decided: share, total: of(share).total })),
      ...(rounds === undefined ? [{ decided, longest: true as const, total: of(decided, true).total }] : []),
    ],
  };
}

/** Samples of all slices, or null if it is to be given up before. @param isOver is asked after each slice. */
export async function samplesOf(
  game: Game,
  cuts: readonly CutSlice[],
  sampling: SampleOptions,
  isOver: () => boolean = () => false,
): Promise<SliceSample[] | null> {
  const samples: SliceSample[] = [];
  for (const { slice } of cuts) {
    if (isOver()) return null;
    samples.push(sampleSlice(game.slice(slice), sampling));
    await breathe();
  }
  return samples;
}

/** What is assumed where nobody has said otherwise: one machine, and the usual share of decided positions. */
export function assumedOf(
  metric: Metric,
  { workers }: Pick<Machines, 'workers'>,
): {
  assumptions: Assumptions;
  machines: Machines;
} {
  return {
    assumptions: { decided: usualDecided(metric), rounds: undefined },
    machines: { count: 1, workers, bandwidth: 1e8, phaseSeconds: 0 },
  };
}

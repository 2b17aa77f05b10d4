/** Forecast of a solve, for the assumed share of decided positions, and for others. */

import { DECIDED, MEASURED } from '../../pipeline/analysis/forecast/constants.js';
import { estimate, type SliceEstimate, type Sums } from '../../pipeline/analysis/forecast/estimate.js';
import type { Machines } from '../../pipeline/analysis/forecast/phases.js';
import { type SliceSample, sampleOfPlan, sampleSlice } from '../../pipeline/analysis/forecast/sample.js';
import type { CutSlice } from '../../pipeline/engine/cut.js';
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
  const samples: SliceSample[] = [];
  const sampling = sampleOfPlan(cuts.map(({ size }) => size));
  for (const { slice } of cuts) {
    samples.push(sampleSlice(game.slice(slice), sampling));
    await breathe();
  }
  const of = (decided: number, longest = false) =>
    estimate(cuts, samples, { ...options, assumptions: { decided, rounds, longest } });
  const decided = options.decided ?? DECIDED;
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

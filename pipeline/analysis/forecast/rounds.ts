/**
 * A forecast of the rounds of a slice, before it is solved. Slices resemble their dependencies. The law below was
 * fitted to all endings of three to five men without pawns, and held against those of six. How far it was off stands
 * in docs/estimate.md. Its inputs come from any game: the rounds of the dependencies, and how freely each side moves.
 */

import { roundsByGrowth } from '../../engine/cut.js';
import type { Metric } from '../../game/value.js';
import type { SideSample, SliceSample } from './sample.js';

export interface RoundsForecast {
  readonly rounds: number;
  /** Nine of ten endings lie between these two. */
  readonly least: number;
  readonly most: number;
}

/**
 * `factor * (rounds of the dependency that takes most + more) * (moves of the side with fewer / moves of the other) ^ power`.
 * Sides that are alike hold out longest. `off` is the factor within which nine of ten endings lie: where the dependencies are
 * solved, and where their rounds are forecast themselves.
 */
const LAWS = {
  /** Metrics that count on through conversions. */
  counting: { factor: 1.54, more: 20, power: 0.6, off: 2.3, offUnsolved: 3.3 },
  /** Metrics that restart their count behind a conversion. */
  restarting: { factor: 1.2, more: 20, power: 0.6, off: 3.1, offUnsolved: 3.5 },
} as const;

/**
 * A forecast from forecasts has at most so many times the rounds that slices of this many positions have. Without this, a
 * chain of slices that differ by the step of a man would multiply the factor of the law, one by one.
 */
const MOST_GROWTH = 1.6;

/** Rounds that are known. */
export const knownRounds = (rounds: number): RoundsForecast => ({ rounds, least: rounds, most: rounds });

/** Facts about the rounds of the dependencies. */
export interface KnownRounds {
  /** The most rounds of one of them; 0 if there are none. */
  readonly most: number;
  /** Whether all are solved. */
  readonly solved: boolean;
}

/** @param known null if the slice has no dependencies. */
export function forecastRounds(
  sample: SliceSample,
  metric: Metric,
  known: KnownRounds | null,
): RoundsForecast {
  const { sides } = sample;
  const isAllSeen = sides.every(({ sampled, indices }) => sampled >= indices);
  if (isAllSeen && sides.every(({ mates }) => mates === 0) && (known?.most ?? 0) <= 1)
    return { rounds: 1, least: 1, most: 1 };
  const counts = metric === 'dtm' || metric === 'wdl';
  const law = counts ? LAWS.counting : LAWS.restarting;
  const off = known?.solved === true ? law.off : law.offUnsolved;
  const legal = sides[0].legal + sides[1].legal;
  const grown = roundsByGrowth(legal);
  const byLaw = () => law.factor * (known!.most + law.more) * likeness(sides) ** law.power;
  const rounds =
    known === null
      ? grown
      : Math.max(
          // The last conversion comes due a ply after the last round of the slice it leads to.
          counts ? known.most + 1 : 1,
          known.solved ? byLaw() : Math.min(byLaw(), MOST_GROWTH * grown),
        );
  // Every round decides a position, or there are no more of them.
  const whole = (n: number) => Math.max(1, Math.min(Math.round(n), legal));
  return { rounds: whole(rounds), least: whole(rounds / off), most: whole(rounds * off) };
}

/** The moves that the side with fewer has over those of the other, 0 to 1. */
function likeness(sides: readonly [SideSample, SideSample]): number {
  const [a, b] = sides.map(({ moves, conversions, legal }) => (moves + conversions) / Math.max(1, legal));
  return Math.max(a, b) === 0 ? 1 : Math.min(a, b) / Math.max(a, b);
}

/** How much there is to do in a slice, on any machine: counts of positions, moves, requests, and rounds. */

import { roundsByGrowth } from '../../engine/crew/cut.js';
import { stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import { DECIDED, SETS } from './constants.js';
import type { SideSample, SliceSample } from './sample.js';

/** Sums over both sides to move. */
export interface EstimatedWork {
  readonly indices: number;
  readonly positions: number;
  readonly mates: number;
  readonly moves: number;
  readonly conversions: number;
  /** Moves that are written down: all in the slice if they cannot be taken back, else none. */
  readonly edges: number;
  /** Conversions to positions that are won or lost: only those make events. */
  readonly events: number;
  readonly decided: number;
  /** Requests and frontiers are sets of positions. */
  readonly byRows: boolean;
  /** Verification makes the moves of 64 positions at once. */
  readonly movesByRows: boolean;
  /** Rows of all rounds: the unmoves of the positions that are won or lost, as keys or as sets. */
  readonly requests: number;
  /** The requests that leave their part; the others are not sent. */
  readonly sent: number;
  /** `requests` if every position were decided, and sets had one position each: there cannot be more. */
  readonly mostRequests: number;
  readonly rounds: number;
  /** Nine of ten endings take at least so many rounds, and all that are known at most so many. */
  readonly roundsRange: readonly [least: number, most: number];
}

/** @param decided share of decided positions, which is taken to be that of the conversions and of the unmoves, too. */
export function workOf(sample: SliceSample, decided: number, rounds: RoundsForecast): EstimatedWork {
  const both = (count: keyof SideSample) => sample.sides[0][count] + sample.sides[1][count];
  const [positions, moves, unmoves] = [both('legal'), both('moves'), both('unmoves')];
  // A row has 64 positions.
  const ofSet = Math.min(64, Math.max(1, SETS.factor / Math.max(1, rounds.rounds) ** SETS.power));
  const requested = decided / (sample.byRows ? ofSet : 1);
  return {
    indices: both('indices'),
    positions,
    mates: both('mates'),
    moves,
    edges: sample.byEdges ? moves : 0,
    conversions: both('conversions'),
    events: Math.round(both('conversions') * decided),
    decided: Math.round(positions * decided),
    byRows: sample.byRows,
    movesByRows: sample.movesByRows,
    requests: Math.round(unmoves * requested),
    sent: Math.round(both('unmovesBeyond') * requested),
    mostRequests: unmoves,
    rounds: rounds.rounds,
    roundsRange: [rounds.least, rounds.most],
  };
}

export interface RoundsForecast {
  readonly rounds: number;
  /** Nine of ten endings take at least so many, and all that are known at most so many. */
  readonly least: number;
  readonly most: number;
}

/** Rounds that are known. */
export const knownRounds = (rounds: number): RoundsForecast => ({ rounds, least: rounds, most: rounds });

/**
 * `factor * (rounds of the dependency that takes most + more) * (moves of the side with fewer / moves of the other) ^ power`:
 * slices resemble their dependencies, and sides that are alike hold out longest. Fitted to all endings of three to five men
 * without pawns, and held against those of six. `off` is the factor within which nine of ten endings lie: where the dependencies
 * are solved, and where their rounds are forecast themselves. Metrics count on through conversions, or restart their count.
 *
 * `longest` is how far the farthest known ending lies above the forecast. No sample shows these: they are endings of forces that are
 * almost equal, in which a few wins take far longer than those of anything that they convert to. KRNKNN takes 4.6 times the rounds of its
 * forecast under dtm, KRBKNN 8.9 times under dtz, where wins count that the 50-move rule makes draws.
 */
const PLAYED = { more: 20, power: 0.6 } as const;
const LAWS = {
  counting: { ...PLAYED, factor: 1.54, off: 2.3, offUnsolved: 3.3, longest: 4.6 },
  restarting: { ...PLAYED, factor: 1.2, off: 3.1, offUnsolved: 3.5, longest: 8.9 },
  /** Nobody resists, so forces that are alike take no longer. By 32 published endings of three to six men, whose solutions have 12 to 32 plies. */
  helping: { more: 2, power: 0, factor: 1.1, off: 1.5, offUnsolved: 2, longest: 1.6 },
} as const;

/** Rounds of helpmates without regard to anything: they do not grow with the positions, and endings without a mate say nothing of others. */
const HELPED_ROUNDS = 14;

/** Share of the positions that are won or lost, unless the user gives it. Where both sides help, next to all have a solution. */
export const usualDecided = (metric: Metric): number =>
  stipulations[metric].roundsLaw === 'helping' ? 1 : DECIDED;

/**
 * A forecast from forecasts has at most so many times the rounds that slices of this many positions have. Without this, a
 * chain of slices that differ by the step of a man would multiply the factor of the law, one by one.
 */
const MOST_GROWTH = 1.6;

/** @param known the most rounds of a dependency, and whether all are solved; null if the slice has none. */
export function forecastRounds(
  { sides }: Pick<SliceSample, 'sides'>,
  metric: Metric,
  known: { readonly most: number; readonly solved: boolean } | null,
): RoundsForecast {
  const isAllSeen = sides.every(({ sampled, indices }) => sampled >= indices);
  if (isAllSeen && sides.every(({ mates }) => mates === 0) && (known?.most ?? 0) <= 1) return knownRounds(1);
  const { roundsLaw } = stipulations[metric];
  const law = LAWS[roundsLaw];
  const legal = sides[0].legal + sides[1].legal;
  const isHelped = roundsLaw === 'helping';
  const usual = isHelped ? HELPED_ROUNDS : roundsByGrowth(legal);
  let rounds = usual;
  if (known !== null) {
    const lawful = law.factor * (known.most + law.more) * likeness(sides) ** law.power;
    const bounded = known.solved ? lawful : Math.min(lawful, MOST_GROWTH * usual);
    // The last conversion comes due a ply after the last round of the slice it leads to.
    rounds = Math.max(roundsLaw === 'restarting' ? 1 : known.most + 1, bounded, isHelped ? usual : 1);
  }
  // Every round decides a position, or there are no more of them.
  const whole = (n: number) => Math.max(1, Math.min(Math.round(n), legal));
  const off = known?.solved === true ? law.off : law.offUnsolved;
  return { rounds: whole(rounds), least: whole(rounds / off), most: whole(rounds * law.longest) };
}

/** The moves that the side with fewer has over those of the other, 0 to 1. */
function likeness(sides: SliceSample['sides']): number {
  const [a, b] = sides.map(({ moves, conversions, legal }) => (moves + conversions) / Math.max(1, legal));
  return Math.max(a, b) === 0 ? 1 : Math.min(a, b) / Math.max(a, b);
}

/** How much there is to do in a slice, on any machine: counts of positions, moves, requests, rounds. */
import { ASSUMED, SETS } from './calibration.js';
import type { RoundsForecast } from './rounds.js';
import type { SideSample, SliceSample } from './sample.js';

/** Assumptions that hold for all slices, in addition to their samples. */
export interface Assumptions {
  /** Share of the positions that are won or lost, 0 to 1. */
  readonly decided: number;
  /** Rounds of every slice; forecast when not given. */
  readonly rounds: number | undefined;
}

export const DEFAULT_ASSUMPTIONS: Assumptions = { decided: ASSUMED.decided, rounds: undefined };

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
  /** Rows of all rounds: the unmoves of the positions that are won or lost, as keys or as sets; */
  readonly requests: number;
  /** those of them that leave their part: the others are never sent. */
  readonly sent: number;
  /** `requests` if every position were decided, and sets had one position each: there cannot be more. */
  readonly mostRequests: number;
  readonly rounds: number;
  /** Nine of ten endings take between so many rounds and so many. */
  readonly roundsRange: readonly [least: number, most: number];
}

/**
 * The share of decided positions is taken to be that of the conversions and of the unmoves, too. How many positions a set has
 * depends on how the rounds fall, which no sample shows. A law in the number of rounds stands for it.
 */
export function workOf(sample: SliceSample, decided: number, rounds: RoundsForecast): EstimatedWork {
  const both = (count: (side: SideSample) => number) => count(sample.sides[0]) + count(sample.sides[1]);
  const positions = both((side) => side.legal);
  const moves = both((side) => side.moves);
  const unmoves = both((side) => side.unmoves);
  const positionsPerRequest = sample.byRows ? requestPositions(rounds.rounds) : 1;
  return {
    indices: both((side) => side.indices),
    positions,
    mates: both((side) => side.mates),
    moves,
    edges: sample.byEdges ? moves : 0,
    conversions: both((side) => side.conversions),
    events: Math.round(both((side) => side.conversions) * decided),
    decided: Math.round(positions * decided),
    byRows: sample.byRows,
    movesByRows: sample.movesByRows,
    requests: Math.round((unmoves * decided) / positionsPerRequest),
    sent: Math.round((both((side) => side.unmovesBeyond) * decided) / positionsPerRequest),
    mostRequests: unmoves,
    rounds: rounds.rounds,
    roundsRange: [rounds.least, rounds.most],
  };
}

/** Positions that a request by rows asks about; a row has 64. */
function requestPositions(rounds: number): number {
  const { factor, power } = SETS.requestPositions;
  return Math.min(64, Math.max(1, factor / Math.max(1, rounds) ** power));
}

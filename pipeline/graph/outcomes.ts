/**
 * Values of graphs with scores, for the metric `score`: who wins, by how many points, and in how many edges. Player 0
 * wants the most points, player 1 the fewest. A player who can force points takes the shortest way, the other player the longest. Play
 * without an end is worth 0.
 *
 * One pass over the edges finds them all, by thresholds: engine/phases/frontier-rule.ts. (The values of such a game exist: the attractors of
 * either player by each threshold, Zermelo; Ehrenfeucht & Mycielski 1979 for play without an end.)
 *
 * A table holds plies from the first round on. Its manifest has the ply at which the ends by each number of points joined, which is
 * at least two after the last that was labelled before. So codes keep the order of {@link preference}, and a node is a ply away from
 * its best edge.
 */

import { assert } from '../../operators/core/errors.js';
import type { Side } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';
import { stipulations } from '../game/stipulation.js';
import { decodeValue, type Metric, type Wdl } from '../game/value.js';
import { pliesOf, pointsOf } from './graph-layout.js';
import type { GraphManifest } from './manifest.js';

/** A value, for the side that it is of. */
export interface GraphOutcome {
  readonly wdl: Wdl;
  /** Edges until the play is over; null if nobody wins, and under `wdl`. */
  readonly plies: number | null;
  /** Points by which the side wins, negative if it loses; null under other metrics. */
  readonly score: number | null;
}

/** A value of a node. */
export interface Winning {
  /** The winner; null if nobody wins. */
  readonly winner: Side | null;
  /** Edges until then; null if nobody wins, and under `wdl`. */
  readonly plies: number | null;
  /** Points by which the winner wins, 0 if nobody wins; null under other metrics than `score`. */
  readonly score: number | null;
}

/** The winner by a value for a side. */
export function winningOf(side: Side, { wdl, plies, score }: GraphOutcome): Winning {
  const winner = wdl === 'draw' ? null : wdl === 'win' ? side : ((1 - side) as Side);
  return { winner, plies, score: score === null ? null : Math.abs(score) };
}

/** The value of a node with its colours exchanged. */
export function exchangedWinning(value: Winning): Winning {
  return value.winner === null ? value : { ...value, winner: (1 - value.winner) as Side };
}

export interface GraphOutcomes {
  /** The meaning of a code of the table. */
  of(code: number): GraphOutcome;
  /** Under `score`: whether only ends of the play can have this code. */
  isEnd(code: number): boolean;
  /** The code of a node where its side has lost, by its word. */
  codeOfLost(word: number): number;
}

/** How the codes of a table are read. */
export function outcomesOf(
  { scores = [] }: Pick<GraphManifest, 'scores'>,
  { metric, turned = [] }: Pick<TableManifest, 'metric' | 'turned'>,
): GraphOutcomes {
  if (!stipulations[metric].scores) return plain(metric);
  const starts = [0, ...turned];
  assert(starts.length >= scores.length, 'every score has a turn');

  function turnOf(plies: number): number {
    let turn = starts.length - 1;
    while (starts[turn] > plies) turn--;
    return turn;
  }

  return {
    of(code) {
      const { wdl, plies } = decodeValue(code, metric);
      if (plies === null) return { wdl, plies, score: 0 };
      const turn = turnOf(plies);
      return { wdl, plies: plies - starts[turn], score: wdl === 'win' ? scores[turn] : -scores[turn] };
    },
    isEnd(code) {
      const { plies } = decodeValue(code, metric);
      return plies !== null && starts[turnOf(plies)] === plies;
    },
    codeOfLost: (word) => -starts[scores.indexOf(pointsOf(word))] - 1,
  };
}

function plain(metric: Metric): GraphOutcomes {
  return {
    of: (code) => ({ ...decodeValue(code, metric), score: null }),
    isEnd: () => false,
    codeOfLost: (word) => -pliesOf(word) - 1,
  };
}

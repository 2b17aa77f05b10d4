/**
 * Ranks in a byte (pipeline/game/rows.ts). A table may have more values than a byte. Then each of several scales tells some of them
 * apart, the others are its least and its greatest rank. Two values are the same if they are by every scale.
 */
import type { EndRanks, Side, SliceIndex } from '../../game/game.js';
import { isGoal, roleOf } from '../../game/labelling.js';
import { isDirectMate, stipulations } from '../../game/stipulation.js';
import type { Metric } from '../../game/value.js';
import { STRETCH_UNIT } from './phase-memory.js';
import type { RankOf } from './successor-ranks.js';

export interface Scale extends EndRanks {
  /** The rank of a move that leaves its maker with a code; 0 if no scale has one. Codes that no position expects may share one. */
  readonly rankOf: RankOf;
  /** The rank that a position with a code expects of its best move; 0 if the table can have no such code. */
  readonly expects: RankOf;
}

/** Least and greatest stand for all that lie beyond; one more is for broken positions. */
const LEAST = 1;
const GREATEST = 254;
const SPAN = GREATEST - LEAST - 1;
const BROKEN = 255;

/** The number of scales that tell so many ordinals apart. */
export function scalesFor(ordinals: number): number {
  return Math.ceil(ordinals / SPAN);
}

/** The rank of an ordinal on a scale. */
export function rankOn(scale: number, ordinal: number): number {
  return Math.max(LEAST, Math.min(GREATEST, ordinal - scale * SPAN + LEAST + 1));
}

/** The ordinal at `key` of columns of ranks, one column a scale; null if it is less than all ordinals. */
export function ordinalIn(columns: readonly Uint8Array[], key: number): number | null {
  let scale = 0;
  while (scale < columns.length - 1 && columns[scale][key] === GREATEST) scale++;
  const rank = columns[scale][key];
  return rank <= LEAST ? null : scale * SPAN + rank - LEAST - 1;
}

/**
 * The scales of a table for the moves of a side: often one suffices. Outcomes have ordinals: a loss in n plies has n, then comes a draw,
 * then wins, the longest first.
 * @param longestWin plies of the side's longest win in the table, and `longestLoss` of a loss that it may have.
 */
export function scalesOf(metric: Metric, longestWin: number, longestLoss: number): Scale[] {
  const isWdl = !stipulations[metric].plies;
  const [wins, losses] = isWdl ? [1, 1] : [longestWin, longestLoss];
  // The winner makes the last move, so where plies are those to mate all codes but draws are odd, and two neighbours may have one rank.
  const step = isDirectMate(metric) ? 2 : 1;
  // Beyond the values that the table may hold, so that no position expects a clamped one; odd, so that neighbours are.
  const mostWin = (wins + 5) | 1;
  const mostLoss = (losses + 5) | 1;
  const hasRank = (outcome: number) => step === 1 || outcome === 0 || (outcome & 1) === 1;
  const ordinal = (outcome: number) => {
    if (outcome === 0) return (mostLoss + 3) / step;
    if (outcome < 0) return Math.floor((Math.min(-outcome, mostLoss) - 1) / step);
    return Math.ceil((mostLoss + mostWin + 6 - Math.min(outcome, mostWin)) / step);
  };
  const scales: Scale[] = [];
  // The best of all may be the greatest rank by itself.
  for (let scale = 0; scale < scalesFor(ordinal(1)); scale++) {
    const rankOf = (code: number) => {
      // Under wdl all wins are alike, and all losses.
      const outcome = isWdl && code !== 0 ? (code > 0 ? 1 : -2) : code;
      return hasRank(outcome) ? rankOn(scale, ordinal(outcome)) : 0;
    };
    const isBeyond = (code: number) => !isWdl && (code > wins || code < -losses - 1);
    const expects = (code: number) => (isBeyond(code) ? 0 : rankOf(code));
    scales.push({ drawn: rankOf(0), mated: rankOf(-1), broken: BROKEN, rankOf, expects });
  }
  return scales;
}

/**
 * The scale of a side where the goal is one side's. Plies of a side are all even or all odd, so two neighbours have one rank. A side that
 * avoids the goal prefers not to reach it, else to reach it late; any other side prefers to reach it soon.
 */
export function sidedScale(metric: Metric, side: Side, goalOf: Side): Scale {
  const avoids = roleOf(metric, side) === 'avoid';
  const unsolved = avoids ? GREATEST : LEAST;
  const rankOf = (outcome: number) => {
    if (outcome === 0) return unsolved;
    const plies = outcome > 0 ? outcome : -outcome - 1;
    const isMated = outcome < 0;
    const half = plies >> 1;
    if (isMated !== (side === goalOf) || (plies & 1) !== (isMated ? 0 : 1) || half > SPAN - 1) return 0;
    return avoids ? LEAST + half : GREATEST - half;
  };
  const end = (isMate: boolean) => (isGoal(metric, side, isMate) ? rankOf(-1) : unsolved);
  return { drawn: end(false), mated: end(true), broken: BROKEN, unsolved, rankOf, expects: rankOf };
}

/** The plies that a rank of {@link sidedScale} stands for, of a position from which the goal is reached. */
export function pliesOfRank(metric: Metric, side: Side, goalOf: Side, rank: number): number {
  const half = roleOf(metric, side) === 'avoid' ? rank - LEAST : GREATEST - rank;
  return 2 * half + (side === goalOf ? 0 : 1);
}

/**
 * The positions of a part whose best moves are found together: all, if what is kept of each, and the ranks of a part of the slice and one of a
 * dependency, fit in `memory`. Fewer stretches are better than more ranks, since each stretch may load the ranks again.
 * @param bytes of a rank (with its number), and of a position whose best move is found.
 */
export function stretchOf(
  indices: readonly Pick<SliceIndex, 'partSize'>[],
  memory: number,
  bytes: { readonly rank: number; readonly best: number },
): number {
  const [width, ...theirs] = indices.map((slice) => slice.partSize(0));
  const room = (memory - bytes.rank * (width + Math.max(1, ...theirs))) / bytes.best;
  return Math.min(width, Math.max(1, Math.floor(room / STRETCH_UNIT)) * STRETCH_UNIT);
}

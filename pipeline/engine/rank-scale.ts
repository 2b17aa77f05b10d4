/**
 * Ranks in a byte (pipeline/game/row-moves.ts): what codes of tables become. Tables of i8 have one scale. Wider ones may have
 * more values than a byte. Then each of several scales tells some of them apart, the others are its least and its greatest rank.
 * Two values are the same if they are by every scale.
 */
import type { WideScale } from '../game/game.js';
import type { Metric } from '../game/value.js';
import type { RankOf } from './successor-ranks.js';

export interface Scale {
  /** How codes of the slice's own table become ranks, if they have 16 bits. */
  readonly wide: WideScale | null;
  /** Ranks that drawn positions expect, and broken ones. */
  readonly drawn: number;
  readonly broken: number;
  /** The rank of a move that leaves its maker with a code; 0 if no scale has one, or one that no position expects. */
  readonly rankOf: RankOf;
}

/** Ranks of RowRanks: see there. */
const NARROW = { drawn: 128, broken: 129, longestLoss: 127, wdlLoss: 2, mostWin: 255 };

function narrowScale(metric: Metric): Scale {
  const { drawn, broken, longestLoss, wdlLoss, mostWin } = NARROW;
  return {
    wide: null,
    drawn,
    broken,
    rankOf(outcome) {
      if (outcome === 0) return drawn;
      if (metric === 'wdl') return outcome > 0 ? mostWin : wdlLoss;
      return outcome > 0 ? Math.max(broken, 256 - outcome) : Math.min(longestLoss, -outcome - 1);
    },
  };
}

/** Ranks of a wide scale: least and greatest stand for all that lie beyond; one more is for broken positions. */
const LEAST = 1;
const GREATEST = 254;
const SPAN = GREATEST - LEAST - 1;
const BROKEN = 255;
/** Ordinals have 16 bits. */
const MOST_PLIES = 8000;

/** Scales for a table whose values are won in `plies` at most. */
function wideScales(metric: Metric, plies: number): Scale[] {
  // The winner makes the last move, so under dtm all codes but draws are odd, and two neighbours may have one rank.
  const step = metric === 'dtm' ? 2 : 1;
  // Beyond the values that the table may hold, so that no position expects a clamped one; odd, so that neighbours are.
  const most = (plies + 5) | 1;
  const hasRank = (outcome: number) => step === 1 || outcome === 0 || (outcome & 1) === 1;
  const ordinal = (outcome: number) => {
    if (outcome === 0) return (most + 3) / step;
    if (outcome < 0) return Math.floor((Math.min(-outcome, most) - 1) / step);
    return Math.ceil((2 * most + 6 - Math.min(outcome, most)) / step);
  };
  const scales: Scale[] = [];
  // The best of all may be the greatest rank by itself.
  for (let first = 0; first < ordinal(1); first += SPAN) {
    const rankOf = (outcome: number) =>
      hasRank(outcome) ? Math.max(LEAST, Math.min(GREATEST, ordinal(outcome) - first + LEAST + 1)) : 0;
    scales.push({ wide: { most, step, first, plies }, drawn: rankOf(0), broken: BROKEN, rankOf });
  }
  return scales;
}

/** The scales of a table. @param plies of its longest win. */
export function scalesOf(metric: Metric, type: 'i8' | 'i16', plies: number): Scale[] {
  return type === 'i8' ? [narrowScale(metric)] : wideScales(metric, Math.min(MOST_PLIES, plies));
}

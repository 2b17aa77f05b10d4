/**
 * Ranks in a byte (pipeline/contract/row-moves.ts): what codes of tables become. Tables of i8 have one scale. Wider ones may have
 * more values than a byte: then each of several scales tells some of them apart, the others are its least and its greatest rank.
 * Two values are the same if they are by every scale.
 */
import { backUp, brokenCode, type Metric } from '../value.js';

export interface Scale {
  /** By code of the slice's own table, as an unsigned number: the rank of a move there; 0 if no scale has one. Null: see RowRanks. */
  readonly ranks: Uint8Array | null;
  /** Likewise the rank that the best move of a position must have; 0 if none has. */
  readonly expected: Uint8Array | null;
  /** What positions expect that are drawn, or broken. */
  readonly drawn: number;
  readonly broken: number;
  /** The rank of a move that leaves its maker with a code; 0 if no scale has one, or one that no position expects. */
  rankOf(outcome: number): number;
}

/** Ranks of RowRanks: see there. */
const NARROW = { drawn: 128, broken: 129, longestLoss: 127, wdlLoss: 2, mostWin: 255 };

function narrowScale(metric: Metric): Scale {
  const { drawn, broken, longestLoss, wdlLoss, mostWin } = NARROW;
  return {
    ranks: null,
    expected: null,
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
const APART = GREATEST - LEAST - 1;
const BROKEN = 255;

/** Scales for a table whose values are won in `plies` at most. */
function wideScales(metric: Metric, plies: number): Scale[] {
  // Nothing ends with a move of the winner but mate, so under dtm all codes are odd, and two neighbours may have one rank.
  const step = metric === 'dtm' ? 2 : 1;
  const isTold = (code: number) => step === 1 || code === 0 || (code & 1) === 1;
  const told = (code: number) => isTold(code) && code <= plies && code >= -plies - 2;
  // Beyond what the table may hold, so that what is clamped is expected by nobody.
  const most = (plies + 5) | 1;
  const ordinal = (outcome: number) => {
    if (outcome === 0) return (most + 3) / step;
    if (outcome < 0) return Math.floor((Math.min(-outcome, most) - 1) / step);
    return Math.ceil((2 * most + 6 - Math.min(outcome, most)) / step);
  };
  const scales: Scale[] = [];
  for (let first = 0; first <= ordinal(1); first += APART) {
    const rankOf = (outcome: number) =>
      isTold(outcome) ? Math.max(LEAST, Math.min(GREATEST, ordinal(outcome) - first + LEAST + 1)) : 0;
    const expected = byCode((code) =>
      code === brokenCode('i16') ? BROKEN : told(code) && code !== -1 ? rankOf(code) : 0,
    );
    const ranks = byCode((code) =>
      code === brokenCode('i16') ? rankOf(0) : told(code) ? rankOf(backUp(code, metric, false)) : 0,
    );
    scales.push({ ranks, expected, drawn: rankOf(0), broken: BROKEN, rankOf });
  }
  return scales;
}

function byCode(of: (code: number) => number): Uint8Array {
  const bytes = new Uint8Array(1 << 16);
  for (let code = -32768; code < 32768; code++) bytes[code & 0xffff] = of(code);
  return bytes;
}

/** The scales of a table. @param plies of its longest win. */
export function scalesOf(metric: Metric, type: 'i8' | 'i16', plies: number): Scale[] {
  return type === 'i8' ? [narrowScale(metric)] : wideScales(metric, plies);
}

/** The ranks of moves to a table, by code as an unsigned number. `restarts`: the count starts anew with the move. */
export function ranksBehind(scale: Scale, type: 'i8' | 'i16', metric: Metric, restarts: boolean): Uint8Array {
  const broken = brokenCode(type);
  const ranks = new Uint8Array(-2 * broken);
  for (let code = broken; code < -broken; code++) {
    ranks[code & (ranks.length - 1)] = scale.rankOf(code === broken ? 0 : backUp(code, metric, restarts));
  }
  return ranks;
}

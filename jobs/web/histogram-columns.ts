/**
 * What a histogram counts: wins and losses, and where the 50-move rule makes draws of some those apart. Of problems, positions with a
 * solution, whichever side is mated.
 */
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { HistogramAnswer } from '../server/api-answers.js';

export type Counts = Omit<HistogramAnswer['sides'][0], 'draws'>;

export interface Column {
  readonly of: keyof Counts;
  readonly words: string;
  readonly colour: string;
  /** Shown even if nothing is counted. */
  readonly isAlways: boolean;
}

const COLUMNS: readonly Column[] = [
  { of: 'wins', words: 'won', colour: 'win', isAlways: true },
  { of: 'losses', words: 'lost', colour: 'loss', isAlways: true },
  { of: 'cursedWins', words: 'cursed win', colour: 'cursed', isAlways: false },
  { of: 'blessedLosses', words: 'blessed loss', colour: 'blessed', isAlways: false },
];
const OF_PROBLEMS: readonly Column[] = [
  { of: 'wins', words: 'with a solution', colour: 'win', isAlways: true },
];

export function columnsOf(metric: Metric): readonly Column[] {
  return stipulations[metric].numbers ? OF_PROBLEMS : COLUMNS;
}

/** The counts of a side as they are shown: those of problems are all `wins`. */
export function shownCounts(metric: Metric, side: HistogramAnswer['sides'][0]): HistogramAnswer['sides'][0] {
  if (!stipulations[metric].numbers) return side;
  const wins = [...side.wins, ...side.losses].sort(([a], [b]) => a - b);
  return { ...side, wins, losses: [] };
}

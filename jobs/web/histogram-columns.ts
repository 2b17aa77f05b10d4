/**
 * What a histogram counts: wins and losses, and where the 50-move rule makes draws of some those apart. Of problems, positions with a
 * solution, whichever side is mated.
 */
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import type { PlayedSide, ProblemSide } from '../server/api-answers.js';

export type SideCounts = PlayedSide | ProblemSide;
type Count = keyof Omit<PlayedSide, 'draws'> | 'solvable';

export interface Column {
  readonly of: Count;
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
  { of: 'solvable', words: 'with a solution', colour: 'win', isAlways: true },
];

export function columnsOf(metric: Metric): readonly Column[] {
  return stipulations[metric].numbers ? OF_PROBLEMS : COLUMNS;
}

/** The positions that a column counts, by plies. */
export function countsOf(side: SideCounts, column: Count): PlayedSide['wins'] {
  const counts: Partial<Record<Count, PlayedSide['wins']>> = side;
  return counts[column] ?? [];
}

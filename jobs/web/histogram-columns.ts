/** What a histogram counts: wins and losses, and where the 50-move rule makes draws of some those apart. */
import type { HistogramAnswer } from '../server/api-answers.js';

export type Counts = Omit<HistogramAnswer['sides'][0], 'draws'>;

export const COLUMNS: readonly {
  readonly of: keyof Counts;
  readonly words: string;
  readonly colour: string;
}[] = [
  { of: 'wins', words: 'won', colour: 'win' },
  { of: 'losses', words: 'lost', colour: 'loss' },
  { of: 'cursedWins', words: 'cursed win', colour: 'cursed' },
  { of: 'blessedLosses', words: 'blessed loss', colour: 'blessed' },
];

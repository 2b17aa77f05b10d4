/** The values of a solved graph as published files list them. */
import type { KeyedValue } from '../../../graph/keyed-value.js';
import type { Winning } from '../../../graph/outcomes.js';
import type { PublishedValue } from './format.js';

/** All values, by winners, nobody first, points and plies. */
export function publishedValues(outcomes: readonly Winning[]): PublishedValue[] {
  return outcomes.map(publishedValue).sort(ascending);
}

export function publishedValue({ winner, plies, score }: Winning): PublishedValue {
  return score === null ? [winner, plies] : [winner, plies, score];
}

function ascending(a: PublishedValue, b: PublishedValue): number {
  const [winner, plies, score] = [0, 1, 2].map((i) => (a[i] ?? -1) - (b[i] ?? -1));
  return winner || score || plies;
}

/** More is better: more points, wins by fewer plies, draws, losses by more. */
export function worth({ wdl, plies, score }: KeyedValue): number {
  if (wdl === 'draw') return 0;
  const least = 1 / (2 + (plies ?? 0));
  return (score ?? 0) + (wdl === 'win' ? least : -least);
}

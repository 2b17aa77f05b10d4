/** Queries as the texts that addresses have them in: of the API, and of links to the page. */

import { stipulations } from '../../../pipeline/game/stipulation.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { readPlies } from '../../positions/ply-range.js';
import type { PositionsQuery } from '../../positions/query.js';
import type { SelectedAnswer } from '../../server/api-answers.js';

type Texts = Readonly<Record<string, string>>;

export const RESULTS: readonly SelectedAnswer['wdl'][] = [
  'win',
  'cursed win',
  'draw',
  'blessed loss',
  'loss',
];

/** The results that values of a metric can be. */
export function resultsUnder(metric: Metric): typeof RESULTS {
  return stipulations[metric].rule50 === 'cursed'
    ? RESULTS
    : RESULTS.filter((each) => !/cursed|blessed/.test(each));
}

export function textsOf({ result, plies, side, on, longest, zugzwang }: PositionsQuery): Texts {
  const span = plies && (plies.least === plies.most ? String(plies.least) : `${plies.least}..${plies.most}`);
  return {
    ...(result !== undefined && { result }),
    ...(span !== undefined && { plies: span }),
    ...(side !== undefined && { side }),
    ...(on !== undefined && { on }),
    ...(longest === true && { longest: 'true' }),
    ...(zugzwang === true && { zugzwang: 'true' }),
  };
}

/** Throws Error for plies that are no number and no range; other texts that mean nothing are passed over. */
export function queryOf({ result, plies, side, on, longest, zugzwang }: Partial<Texts>): PositionsQuery {
  return {
    result: RESULTS.find((each) => each === result),
    plies: plies ? readPlies(plies) : undefined,
    side: (['white', 'black'] as const).find((each) => each === side),
    on: on || undefined,
    longest: longest === 'true',
    zugzwang: zugzwang === 'true',
  };
}

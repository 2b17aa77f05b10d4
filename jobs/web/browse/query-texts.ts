/** Queries as the texts that addresses have them in: of the API, and of links to the page. */

import { stipulations } from '../../../pipeline/game/stipulation.js';
import type { Metric, Wdl } from '../../../pipeline/game/value.js';
import { readPlies } from '../../positions/ply-range.js';
import type { PositionsQuery } from '../../positions/query.js';

type Texts = Readonly<Record<string, string>>;

export const RESULTS: readonly Wdl[] = ['win', 'cursed win', 'draw', 'blessed loss', 'loss'];

/** The results that values of a metric can be. */
export function resultsUnder(metric: Metric): typeof RESULTS {
  return stipulations[metric].rule50 === 'cursed'
    ? RESULTS
    : RESULTS.filter((each) => !/cursed|blessed/.test(each));
}

/** As the part of an address behind its question mark, with those characters readable that need no escape there. */
export function queryText(texts: Texts): string {
  return new URLSearchParams(texts).toString().replace(/%(2F|3A|2C|40)/g, decodeURIComponent);
}

/** Numbers, or ranges of them. */
const RANGES = ['plies', 'solutions', 'starts', 'ends'] as const;

export function textsOf({ result, side, on, longest, zugzwang, ...spans }: PositionsQuery): Texts {
  const ranges = RANGES.flatMap((name) => {
    const { least, most } = spans[name] ?? {};
    if (least === undefined) return [];
    return [[name, least === most ? String(least) : `${least}..${most}`]];
  });
  return {
    ...(result !== undefined && { result }),
    ...Object.fromEntries(ranges),
    ...(side !== undefined && { side }),
    ...(on !== undefined && { on }),
    ...(longest === true && { longest: 'true' }),
    ...(zugzwang === true && { zugzwang: 'true' }),
  };
}

/** Throws Error for plies and other numbers that are no number and no range; other texts that mean nothing are passed over. */
export function queryOf({ result, side, on, longest, zugzwang, ...texts }: Partial<Texts>): PositionsQuery {
  const range = (name: (typeof RANGES)[number]) => {
    const text = texts[name];
    return text ? readPlies(text, name) : undefined;
  };
  return {
    result: RESULTS.find((each) => each === result),
    plies: range('plies'),
    solutions: range('solutions'),
    starts: range('starts'),
    ends: range('ends'),
    side: (['white', 'black'] as const).find((each) => each === side),
    on: on || undefined,
    longest: longest === 'true',
    zugzwang: zugzwang === 'true',
  };
}

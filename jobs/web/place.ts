/** The place that an address of the page names: game, metric, position, and which positions are listed. Links carry it. */
import type { Metric } from '../../pipeline/game/value.js';
import type { PositionsQuery } from '../positions/query.js';
import { queryOf, textsOf } from './browse/query-texts.js';

export interface PagePlace {
  readonly game: string;
  readonly metric: Metric;
  readonly position: string;
}

/** Positions of an ending that are listed. */
export interface Find {
  readonly ending: string;
  readonly query: PositionsQuery;
}

/** "#game=chess&metric=dtm&position=8/8/8/8/3k4/8/8/K6Q+w+-+-+0+1&ending=KQK&plies=19" */
export function hashOf(place: PagePlace, find: Find | null): string {
  const found = find === null ? {} : { ending: find.ending, ...textsOf(find.query) };
  const query = new URLSearchParams({ ...place, ...found }).toString();
  // Characters that need no escape in a fragment stay readable.
  return `#${query.replace(/%(2F|3A|2C|40)/g, decodeURIComponent)}`;
}

/** The parts of a place that a fragment names. Underscores of a position may stand for spaces. */
export function placeOf(hash: string): Partial<PagePlace> {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  return Object.fromEntries(
    ['game', 'metric', 'position'].flatMap((name) => {
      const value = query.get(name)?.trim();
      return value ? [[name, name === 'position' ? value.replaceAll('_', ' ') : value]] : [];
    }),
  );
}

/** The list that a fragment asks for; null if it asks for none. Throws Error for one that cannot be asked for. */
export function findOf(hash: string): Find | null {
  const { ending, ...texts } = Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '')));
  return ending ? { ending, query: queryOf(texts) } : null;
}

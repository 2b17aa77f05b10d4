/** What an address of the page says: game, metric and position. Links carry them. */
import type { Metric } from '../../pipeline/value.js';

export interface Place {
  readonly game: string;
  readonly metric: Metric;
  readonly position: string;
}

/** "#game=chess&metric=dtm&position=8/8/8/8/3k4/8/8/K6Q+w+-+-+0+1" */
export function hashOf(place: Place): string {
  // What need not be escaped in a fragment is left readable.
  const query = new URLSearchParams({ ...place }).toString();
  return `#${query.replace(/%(2F|3A|2C|40)/g, decodeURIComponent)}`;
}

/** What of a place a fragment says. */
export function placeOf(hash: string): Partial<Place> {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  return Object.fromEntries(
    ['game', 'metric', 'position'].flatMap((name) => {
      const value = query.get(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** Takes the paths and URIs of stores out of texts for clients. The names of objects in a store remain. */
import { realpathSync } from 'node:fs';
import type { Store } from '../../operators/storage/store.js';

/** A URI of any other store, as in messages of other processes: it is shortened to its last part. */
const OTHER_URI = /(?:file:|s3:\/\/)[^\s"'`,;()]*\/([^\s"'`,;()/]+)/g;

/** The last part of a store's URI. */
export function nameOf({ uri }: Pick<Store, 'uri'>): string {
  return /([^/:]+)[/:]*$/.exec(uri)?.[1] ?? '';
}

/** Returns a function that takes the places of the stores, and URIs of any others, out of a text. */
export function withoutPlaces(stores: readonly Pick<Store, 'uri'>[]): (text: string) => string {
  const known = stores.flatMap((store) => placesOf(store).map((place) => ({ place, name: nameOf(store) })));
  // Longer ones first: one may contain another.
  known.sort((a, b) => b.place.length - a.place.length);
  // Not within a word: a FEN has slashes, too.
  const patterns = known.map(({ place, name }) => {
    const text = place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return { name, pattern: new RegExp(`(?<![\\w.-])${text}(/|(?![\\w.-]))`, 'g') };
  });
  return (text) => {
    let left = text;
    for (const { pattern, name } of patterns)
      left = left.replace(pattern, (_, slash) => (slash === '/' ? '' : name));
    return left.replace(OTHER_URI, '$1');
  };
}

/** What messages may call a store: its URI and, for a folder, its path, as given and with links resolved. */
function placesOf({ uri }: Pick<Store, 'uri'>): string[] {
  if (!uri.startsWith('file:')) return [uri];
  const path = uri.slice('file:'.length);
  const paths = new Set([path, realPathOf(path)]);
  return [...paths].filter((each) => each !== '/').flatMap((each) => [`file:${each}`, each]);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

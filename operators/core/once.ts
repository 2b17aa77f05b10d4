/**
 * Makes a value once for each key, also if several callers request it at the same time. A failure is not kept, because what is missing
 * now may be there the next time. At most `most` values are kept, the most recently used ones. A value that was made of an earlier version
 * of its source (the number of a table, or of a span of time) is made again.
 */
export function newOnce<Key, Made = unknown>(most = Number.POSITIVE_INFINITY): Once<Key, Made> {
  // A Map keeps the order of insertion: the first entry is the least recently used one.
  const known = new Map<Key, { readonly version: number; readonly made: Promise<Made> }>();
  const once = <T extends Made>(key: Key, make: () => Promise<T>, version = 0) => {
    const found = known.get(key);
    const isKept = found?.version === version;
    const kept = isKept ? found : { version, made: make() };
    known.delete(key);
    known.set(key, kept);
    if (known.size > most) known.delete(known.keys().next().value as Key);
    if (!isKept)
      kept.made.catch(() => {
        if (known.get(key) === kept) known.delete(key);
      });
    return kept.made as Promise<T>;
  };
  return Object.assign(once, { forget: (key: Key) => void known.delete(key) });
}

export interface Once<Key, Made> {
  <T extends Made>(key: Key, make: () => Promise<T>, version?: number): Promise<T>;
  /** The next call for the key makes its value again. */
  forget(key: Key): void;
}

/**
 * Makes a value once for each key, also if several callers request it at the same time. A failure is not kept, because what is missing
 * now may be there the next time. At most `most` values are kept, the most recently used ones.
 */
export function newOnce<Key, Made = unknown>(most = Number.POSITIVE_INFINITY): Once<Key, Made> {
  // A Map keeps the order of insertion: the first entry is the least recently used one.
  const known = new Map<Key, Promise<Made>>();
  const once = <T extends Made>(key: Key, make: () => Promise<T>) => {
    const found = known.get(key) as Promise<T> | undefined;
    const made = found ?? make();
    known.delete(key);
    known.set(key, made);
    if (known.size > most) known.delete(known.keys().next().value as Key);
    if (found === undefined)
      made.catch(() => {
        if (known.get(key) === made) known.delete(key);
      });
    return made;
  };
  return Object.assign(once, { forget: (key: Key) => void known.delete(key) });
}

export interface Once<Key, Made> {
  <T extends Made>(key: Key, make: () => Promise<T>): Promise<T>;
  /** The next call for the key makes its value again. */
  forget(key: Key): void;
}

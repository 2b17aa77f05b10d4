/**
 * Makes something once for each key, however many ask for it at the same time. What could not be made is forgotten: what is missing
 * now may be there the next time. At most `most` are kept: those that were asked for last.
 */
export function newOnce<Key, Made = unknown>(
  most = Number.POSITIVE_INFINITY,
): <T extends Made>(key: Key, make: () => Promise<T>) => Promise<T> {
  // A Map keeps the order of insertion: the first is the one not asked for the longest.
  const known = new Map<Key, Promise<Made>>();
  return <T extends Made>(key: Key, make: () => Promise<T>) => {
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
}

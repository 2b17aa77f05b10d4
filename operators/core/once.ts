/**
 * Makes something once for each key, however many ask for it at the same time. What could not be made is forgotten: what is missing
 * now may be there the next time.
 */
export function newOnce<Key, Made = unknown>(): <T extends Made>(
  key: Key,
  make: () => Promise<T>,
) => Promise<T> {
  const known = new Map<Key, Promise<Made>>();
  return <T extends Made>(key: Key, make: () => Promise<T>) => {
    const found = known.get(key) as Promise<T> | undefined;
    if (found !== undefined) return found;
    const made = make();
    known.set(key, made);
    made.catch(() => known.delete(key));
    return made;
  };
}

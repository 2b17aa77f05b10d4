/** What a cache keeps, and for how long; without a policy all values, as long as their versions are the latest. */
export interface Policy {
  /** Values that are kept at most: the most recently used ones. */
  readonly most?: number;
  /** Milliseconds for which a value is used; then it is made again. */
  readonly freshMs?: number;
  /** Milliseconds to wait for a value that is made again; then the old one is used until the new one is there. */
  readonly patienceMs?: number;
  /** Called if a value cannot be made again after `freshMs`. True: the old one is used for that long once more. */
  readonly outlives?: (error: unknown) => boolean;
}

/** Makes values once for each key. */
export interface Once<Key, Made> {
  /** @param version of the source that the value is made of (the number of a table, say): under another one it is made again. */
  <T extends Made>(key: Key, make: () => Promise<T>, version?: number): Promise<T>;
  /** The next call for the key makes its value again. @param made unless another value has taken its place. */
  forget(key: Key, made?: Promise<Made>): void;
  clear(): void;
}

interface Kept<Made> {
  readonly version: number;
  readonly made: Promise<Made>;
  /** Made again from then on, in milliseconds of `performance.now`. */
  until: number;
  /** Of a value that is not fresh for ever, once it is made. */
  value?: Made;
  /** The value before, if that may be used in its place, and when to stop waiting for the new one. */
  readonly old: { readonly value: Made; readonly late: Promise<void> } | null;
}

const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * The cache of what is made once and used by several callers, also by those that come while it is made. A failure is not kept, because what is
 * missing now may be there the next time.
 */
export function newOnce<Key, Made = unknown>(policy: Policy = {}): Once<Key, Made> {
  const { most = FOR_EVER, freshMs = FOR_EVER, patienceMs = FOR_EVER, outlives } = policy;
  // A Map keeps the order of insertion: the first entry is the least recently used one.
  const known = new Map<Key, Kept<Made>>();

  function forget(key: Key, made?: Promise<Made>): void {
    if (made === undefined || known.get(key)?.made === made) known.delete(key);
  }

  function keep(key: Key, version: number, make: () => Promise<Made>): Kept<Made> {
    const before = known.get(key);
    const isOld = before !== undefined && 'value' in before && before.version === version;
    const made = isOld ? orOld(make(), before.value as Made) : make();
    const kept: Kept<Made> = {
      version,
      made,
      until: FOR_EVER,
      old: isOld ? { value: before.value as Made, late: elapsed(patienceMs, made) } : null,
    };
    made.then(
      (value) => {
        if (freshMs === FOR_EVER) return;
        kept.value = value;
        kept.until = performance.now() + freshMs;
      },
      () => forget(key, made),
    );
    return kept;
  }

  async function orOld(made: Promise<Made>, old: Made): Promise<Made> {
    try {
      return await made;
    } catch (error) {
      if (outlives?.(error) === true) return old;
      throw error;
    }
  }

  const once = <T extends Made>(key: Key, make: () => Promise<T>, version = 0) => {
    const found = known.get(key);
    const isFresh =
      found?.version === version && (found.until === FOR_EVER || performance.now() < found.until);
    const kept = isFresh ? found : keep(key, version, make);
    known.delete(key);
    known.set(key, kept);
    if (known.size > most) known.delete(known.keys().next().value as Key);
    const { made, old } = kept;
    const value = old === null ? made : Promise.race([made, old.late.then(() => old.value)]);
    return value as Promise<T>;
  };
  return Object.assign(once, { forget, clear: () => known.clear() });
}

/** The same of one value. */
export function oneOf<T>(make: () => Promise<T>, policy?: Policy): () => Promise<T> {
  const once = newOnce<'', T>(policy);
  return () => once('', make);
}

/** Resolves after the time, unless the value is made before. */
function elapsed(ms: number, made: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    if (ms === FOR_EVER) return;
    const timer = setTimeout(resolve, ms);
    const stop = () => clearTimeout(timer);
    made.then(stop, stop);
  });
}

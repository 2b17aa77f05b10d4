/** What a cache keeps, and for how long; without a policy all values, as long as their versions are the latest. */
export interface Policy {
  /** Values that are kept at most: the most recently used ones. */
  readonly most?: number;
  /** When values are made again; left out: never. */
  readonly renewal?: Renewal;
}

/** Values that are made again after a while. */
export interface Renewal {
  /** Milliseconds, from any beginning. */
  now(): number;
  /** Milliseconds for which a value is used. */
  readonly freshMs: number;
  /** Resolves once callers have waited long enough for a value that is made again, unless it is there before: then they get the old one. */
  late?(made: Promise<unknown>): Promise<void>;
  /** Called if a value cannot be made again. True: the old one is used for `freshMs` once more. */
  outlives?(error: unknown): boolean;
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
  /** Made again from then on. */
  until: number;
  /** Of a value that is not fresh for ever, once it is made. */
  value?: Made;
  /** While the value is made again: the one before, for callers who have waited long enough. */
  old: { readonly value: Made; readonly late: Promise<void> } | null;
}

const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * The cache of what is made once and used by several callers, also by those that come while it is made. A failure is not kept, because what is
 * missing now may be there the next time.
 */
export function newOnce<Key, Made = unknown>(policy: Policy = {}): Once<Key, Made> {
  const { most = FOR_EVER, renewal } = policy;
  // A Map keeps the order of insertion: the first entry is the least recently used one.
  const known = new Map<Key, Kept<Made>>();

  function forget(key: Key, made?: Promise<Made>): void {
    if (made === undefined || known.get(key)?.made === made) known.delete(key);
  }

  function keep(key: Key, version: number, make: () => Promise<Made>): Kept<Made> {
    const before = known.get(key);
    const isOld = before !== undefined && 'value' in before && before.version === version;
    const made = isOld ? orOld(make(), before.value as Made) : make();
    const late = isOld ? renewal?.late?.(made) : undefined;
    const kept: Kept<Made> = {
      version,
      made,
      until: FOR_EVER,
      old: late === undefined ? null : { value: before!.value as Made, late },
    };
    made.then(
      (value) => {
        kept.old = null;
        if (renewal === undefined) return;
        kept.value = value;
        kept.until = renewal.now() + renewal.freshMs;
      },
      () => forget(key, made),
    );
    return kept;
  }

  async function orOld(made: Promise<Made>, old: Made): Promise<Made> {
    try {
      return await made;
    } catch (error) {
      if (renewal?.outlives?.(error) === true) return old;
      throw error;
    }
  }

  const once = <T extends Made>(key: Key, make: () => Promise<T>, version = 0) => {
    const found = known.get(key);
    const isFresh = found?.version === version && (renewal === undefined || renewal.now() < found.until);
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

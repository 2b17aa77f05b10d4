/**
 * A store that looks again before it reports the absence of an object that must be there. Some object stores return stale answers, such
 * as 404 for an object that was put a second ago. A process that took such an answer for true would refuse a solved table, or end a solve.
 *
 * Objects that must be there: those that this process wrote or found here, and those that a manifest or another process named
 * (`expect`). The absence of any other object is reported at once. If an object stays absent through all looks, it is reported absent,
 * because another process may have deleted it. Memory: the names of the last few thousand such objects.
 */
import { isMissing } from '../core/errors.js';
import type { Store } from './store.js';

/** Names of objects that must be there: the oldest are forgotten. */
const REMEMBERED = 4096;
/** How often an object is looked for before its absence counts. */
const LOOKS = 7;
/** The longest wait behind the first look, in ms; it doubles with every look. All waits together take 6 to 13 seconds. */
const WAIT_MS = 200;

/** Waits after look `number`, 1, 2, …: a random time, at least half of the longest. */
export function waitBetweenLooks(number: number): Promise<void> {
  const longest = WAIT_MS * 2 ** (number - 1);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}

/** Looks for an object that must be there, again while it is not. Null: it stays absent. */
export async function lookAgain<T>(
  look: () => Promise<T | null>,
  wait: (number: number) => Promise<void> = waitBetweenLooks,
): Promise<T | null> {
  for (let number = 1; ; number++) {
    const found = await look();
    if (found !== null || number === LOOKS) return found;
    await wait(number);
  }
}

/**
 * Whether a listing shows an object that a read did not find; if so, the store expects it from now on. Makes no request on stores whose
 * answers are never stale.
 */
export async function expectIfListed(store: Store, name: string): Promise<boolean> {
  if (store.expect === undefined || !(await store.list(name)).includes(name)) return false;
  store.expect(name);
  return true;
}

/** Expects all objects that a listing shows, for a process that continues from them. Makes no request on stores whose answers are never stale. */
export async function expectListed(store: Store, prefix: string): Promise<void> {
  if (store.expect === undefined) return;
  for (const name of await store.list(prefix)) store.expect(name);
}

/** @param wait called after look `number` of an object that is absent and must be there. */
export function doubtingAbsence(
  store: Store,
  wait: (number: number) => Promise<void> = waitBetweenLooks,
): Store {
  const expected = new Set<string>();

  function expect(name: string): void {
    expected.delete(name);
    expected.add(name);
    if (expected.size > REMEMBERED) expected.delete(expected.values().next().value!);
  }

  async function look<T>(name: string, once: () => Promise<T | null>): Promise<T | null> {
    const found = expected.has(name) ? await lookAgain(once, wait) : await once();
    if (found === null) expected.delete(name);
    else expect(name);
    return found;
  }

  const { readWhole, state } = store;
  return {
    ...store,
    expect,
    ...(state === undefined ? {} : { state: (name) => look(name, () => state(name)) }),
    ...(readWhole === undefined ? {} : { readWhole: (name) => look(name, () => readWhole(name)) }),
    size: (name) => look(name, () => store.size(name)),
    modified: (name) => look(name, () => store.modified(name)),
    async read(name, offset, into) {
      let absence: unknown;
      const found = await look(name, async () => {
        try {
          await store.read(name, offset, into);
          return true;
        } catch (error) {
          if (!isMissing(error)) throw error;
          absence = error;
          return null;
        }
      });
      if (found === null) throw absence;
    },
    async create(name) {
      const sink = await store.create(name);
      return {
        ...sink,
        async close() {
          await sink.close();
          expect(name);
        },
      };
    },
    async putIfAbsent(name, bytes) {
      const isFirst = await store.putIfAbsent(name, bytes);
      expect(name);
      return isFirst;
    },
    async delete(name) {
      expected.delete(name);
      await store.delete(name);
    },
  };
}

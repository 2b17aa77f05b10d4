/** Caches an answer of the store: renews it after a while, and keeps the old one as long as the store cannot be reached. */
import { StorageError } from '../../../operators/core/errors.js';

interface RememberedOptions {
  /** Milliseconds for which an answer is not asked for again. */
  readonly freshMs: number;
  /** Milliseconds to wait for a new answer where an older one is known. */
  readonly patienceMs: number;
  /** Takes the reason why there is no new answer. */
  readonly report: (error: StorageError) => void;
}

/** Listings are asked for again after ten seconds, and waited for one second, if an older one is known. */
export const LISTING = { freshMs: 10_000, patienceMs: 1_000 };

/**
 * Returns the answer of `ask`, or its last one. Throws errors of `ask` as long as there was no answer, and errors other than
 * those of the store always.
 */
export function remembered<T>(
  ask: () => Promise<T>,
  { freshMs, patienceMs, report }: RememberedOptions,
): () => Promise<T> {
  let known: { readonly value: T; readonly until: number } | undefined;
  let asking: { readonly answer: Promise<T>; readonly late: Promise<void> } | undefined;

  function keep(value: T): T {
    known = { value, until: performance.now() + freshMs };
    return value;
  }

  async function answer(): Promise<T> {
    try {
      return keep(await ask());
    } catch (error) {
      if (known === undefined || !(error instanceof StorageError)) throw error;
      report(error);
      return keep(known.value);
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (known !== undefined && performance.now() < known.until) return known.value;
    asking ??= { answer: answer(), late: elapsed(patienceMs) };
    if (known === undefined) return asking.answer;
    const { value } = known;
    return Promise.race([asking.answer, asking.late.then(() => value)]);
  };
}

function elapsed(ms: number): Promise<void> {
  // Nobody waits for it when the process ends.
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** How long what a store has is remembered. */
import { StorageError } from '../../../operators/core/errors.js';
import type { Policy } from '../../../operators/core/once.js';

/** Milliseconds after which a store is looked at again. */
export const FRESH_MS = 10_000;

/** Milliseconds for which a new listing is waited for, if an older one is known. */
const PATIENCE_MS = 1_000;

/** A listing is made again after a while, and an older one stays as long as the store cannot be reached. */
export function listing(report: (error: StorageError) => void, freshMs = FRESH_MS): Policy {
  return {
    renewal: {
      now: () => performance.now(),
      freshMs,
      late: (made) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, PATIENCE_MS);
          const stop = () => clearTimeout(timer);
          made.then(stop, stop);
        }),
      outlives(error) {
        if (!(error instanceof StorageError)) return false;
        report(error);
        return true;
      },
    },
  };
}

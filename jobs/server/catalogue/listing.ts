/** How long what a store has is remembered. */
import { StorageError } from '../../../operators/core/errors.js';
import type { Policy } from '../../../operators/core/once.js';

/** Milliseconds after which a store is looked at again. */
export const FRESH_MS = 10_000;

/** A new listing is waited for for one second if an older one is known, and that one stays as long as the store cannot be reached. */
export function listing(report: (error: StorageError) => void, freshMs = FRESH_MS): Policy {
  return {
    freshMs,
    patienceMs: 1_000,
    outlives(error) {
      if (!(error instanceof StorageError)) return false;
      report(error);
      return true;
    },
  };
}

/** Solving what another process may be solving in the same store. */
import { StorageError } from '../../operators/core/errors.js';
import { Overtaken } from './crew.js';

/** Runs that were deleted by another process, which is further, are looked for so often before they count as lost. */
const MAX_VAIN = 8;

/**
 * Calls `attempt` again as long as another process is ahead of it: each call begins with what is committed then. No work is
 * lost by that, since every attempt writes runs under names of its own.
 */
export async function contested<T>(attempt: () => Promise<T>, tell: (what: string) => void): Promise<T> {
  for (let vain = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      const isGone = error instanceof StorageError && error.message.endsWith('no such object');
      if (!(error instanceof Overtaken) && !(isGone && ++vain < MAX_VAIN)) throw error;
      tell(`opened again, from what is committed: ${error.message}`);
    }
  }
}

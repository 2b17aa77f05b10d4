/** Solving what another process may be solving in the same store. */
import { isMissing } from '../../operators/core/errors.js';
import { Overtaken } from './crew.js';

/**
 * A run that is not there may have been deleted by another process, which is further. It counts as lost when this many attempts
 * in a row miss the same run. Each attempt that misses another run has found a newer commit.
 */
const MAX_VAIN = 8;

/**
 * Calls `attempt` again as long as another process is ahead of it: each call begins with what is committed then. No work is
 * lost by that, since every attempt writes runs under names of its own.
 */
export async function contested<T>(attempt: () => Promise<T>, report: (what: string) => void): Promise<T> {
  let missed = '';
  for (let vain = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      const isGone = isMissing(error);
      if (isGone) {
        vain = error.message === missed ? vain + 1 : 1;
        missed = error.message;
      }
      if (!(error instanceof Overtaken) && !(isGone && vain < MAX_VAIN)) throw error;
      report(`opened again, from what is committed: ${error.message}`);
    }
  }
}

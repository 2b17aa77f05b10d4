/** Merges the progress of several ranks into that of one process. */
import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';

/**
 * All ranks begin a slice that they solve together, and a rank that is started again begins its slice again. The listener sees
 * each slice begin once and end once, and gets no progress of a slice before or after.
 */
export function oneVoice(listen: ProgressListener): (progress: readonly Progress[]) => void {
  const begun = new Set<string>();
  const finished = new Set<string>();
  return (all) => {
    for (const progress of all) {
      const { slice, type } = progress;
      if (finished.has(slice)) continue;
      if (type === 'slice') {
        if (begun.has(slice)) continue;
        begun.add(slice);
      }
      if (type === 'finished') finished.add(slice);
      if (begun.has(slice)) listen(progress);
    }
  };
}

/** Shows the progress of a run on stderr: a list that is updated in place on a terminal, else a line now and then. */
import type { Progress, ProgressListener } from '../../pipeline/progress.js';
import { MANY_SLICES } from './classes.js';
import { newPace } from './pace.js';

export interface Display {
  readonly listen: ProgressListener;
  /** Leaves the last state on the screen. `failed`: the run did not reach its end. */
  close(failed: boolean): Promise<void>;
}

const LINE_MS = 5000;

/** `quiet`: machine-readable output was asked for, so nothing is shown unless to a terminal. */
export async function newDisplay(slices: readonly string[], quiet: boolean): Promise<Display> {
  // Loaded only where it is shown: it takes as long as all the rest of a short command.
  // A terminal without a width would wrap after every letter.
  if (process.stderr.isTTY && process.stderr.columns > 0)
    return (await import('./progress-list.js')).newList(slices);
  return quiet ? { listen: () => {}, close: async () => {} } : newLines();
}

/** A line when something fails or, unless slices are many, one begins, and else at most one every few seconds. */
function newLines(): Display {
  const pace = newPace(() => performance.now());
  let slice = '';
  let last = performance.now();
  return {
    listen(progress: Progress) {
      pace.follow(progress);
      const now = performance.now();
      if (progress.type === 'slice') {
        slice = `${progress.slice} [${progress.number}/${progress.of}]`;
        if (progress.of > MANY_SLICES && progress.number > 1 && now - last < LINE_MS) return;
        process.stderr.write(`${slice}\n`);
      } else if (progress.type !== 'trouble' && now - last < LINE_MS) return;
      else process.stderr.write(`${slice} ${pace.describe()}\n`);
      last = now;
    },
    close: async () => {},
  };
}

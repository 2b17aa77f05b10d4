/** Shows the progress of a run on stderr: a list that is updated in place on a terminal, else a line now and then. */

import type { Progress } from '../../pipeline/game/progress.js';
import { note } from '../cli/output.js';
import { newAtWork } from './at-work.js';
import { MANY_SLICES } from './classes.js';
import type { Display } from './display.js';

const LINE_MS = 5000;

/**
 * `slices` in the order in which they are begun, about; so many of them may be at work at once. `quiet`: machine-readable
 * output was asked for, so nothing is shown unless to a terminal.
 */
export async function newDisplay(
  slices: readonly string[],
  quiet: boolean,
  concurrency = 1,
): Promise<Display> {
  // Loaded only where it is shown: it takes as long as all the rest of a short command.
  // A terminal without a width would wrap after every letter.
  if (process.stderr.isTTY && process.stderr.columns > 0)
    return (await import('./progress-list.js')).newList(slices, concurrency);
  return quiet ? { listen: () => {}, close: async () => {} } : newLines();
}

/**
 * Prints a line when something fails, and when a slice begins, unless there is only one. Where slices are many, a line comes at
 * most every few seconds, and so does a line of progress.
 */
function newLines(): Display {
  const atWork = newAtWork(() => performance.now());
  let last = performance.now();
  return {
    listen(progress: Progress) {
      atWork.follow(progress);
      const now = performance.now();
      const soon = now - last < LINE_MS;
      if (progress.type === 'slice') {
        if (progress.of === 1) return;
        if (progress.of > MANY_SLICES && progress.number > 1 && soon) return;
        note(`${progress.slice} [${progress.number}/${progress.of}]`);
      } else if (progress.type === 'trouble') {
        // Ranks may be in trouble between two slices.
        const { slice, what } = progress;
        const line = atWork.slices.has(slice) ? atWork.describeSlice(slice) : `${slice}: ${what}`;
        note(line);
      } else {
        if (soon || atWork.slices.size === 0) return;
        note(atWork.describe());
      }
      last = now;
    },
    close: async () => {},
  };
}

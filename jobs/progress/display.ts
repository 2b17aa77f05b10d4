/** Shows the progress of a run on stderr: a list that is updated in place on a terminal, else a line now and then. */

import type { Progress } from '../../pipeline/game/progress.js';
import { io } from '../cli/io.js';
import { breathe, note } from '../cli/output.js';
import { MANY_SLICES } from '../ui/classes.js';
import { whole } from '../ui/numbers.js';
import { AtWork, type Display } from './at-work.js';

export type { Display };

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
  if (io.err.isTTY && (io.err.columns ?? 0) > 0)
    return (await import('./list.js')).newList(slices, concurrency);
  return quiet ? { listen: () => {}, close: async () => {} } : newLines();
}

const LINE_MS = 5000;

/** Lines about work that goes on, at most one every few seconds. */
export class SeldomLines {
  #last = performance.now();

  /** Whether the last line, or the beginning, is not long ago. */
  get areRecent(): boolean {
    return performance.now() - this.#last < LINE_MS;
  }

  print(line: string): void {
    note(line);
    this.#last = performance.now();
  }

  /** Prints a line, unless the last one is recent. */
  say(text: () => string): void {
    if (!this.areRecent) this.print(text());
  }
}

/**
 * Prints a line when something fails, and when a slice begins, unless there is only one. Where slices are many, a line comes at
 * most every few seconds, and so does a line of progress.
 */
function newLines(): Display {
  const atWork = new AtWork(() => performance.now());
  const lines = new SeldomLines();
  return {
    listen(progress: Progress) {
      atWork.follow(progress);
      if (progress.type === 'slice') {
        const { slice, number, of } = progress;
        if (of === 1 || (of > MANY_SLICES && number > 1 && lines.areRecent)) return;
        lines.print(`${slice} [${number}/${of}]`);
      } else if (progress.type === 'trouble') {
        // Ranks may be in trouble between two slices.
        const { slice, what } = progress;
        lines.print(atWork.has(slice) ? atWork.line(slice) : `${slice}: ${what}`);
      } else if (atWork.slices.length > 0) lines.say(() => atWork.describe());
    },
    close: async () => {},
  };
}

/** Of scans over tables. */
export interface ScanLines {
  /** The ending that is looked at from now on, number `number` of `of`. */
  begin(ending: string, number: number, of: number): void;
  /** Prints progress; to be awaited between batches, with the number of values looked at. */
  readonly report: (done: number) => Promise<void>;
}

export function newScanLines(): ScanLines {
  let what = '';
  let read = 0;
  const lines = new SeldomLines();
  return {
    begin(ending, number, of) {
      what = of === 1 ? ending : `${ending} [${number}/${of}]`;
    },
    report(done) {
      read += done;
      lines.say(() => `${what}: ${whole(read)} values read`);
      return breathe();
    },
  };
}

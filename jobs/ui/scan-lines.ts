/** Progress as lines on stderr: at most one every few seconds. */
import { breathe, note } from '../cli/output.js';
import { whole } from './numbers.js';

const LINE_MS = 5000;

export class SeldomLines {
  private last = performance.now();

  /** Prints a line, unless the last one, or the beginning, is not long ago. */
  say(text: () => string): void {
    const now = performance.now();
    if (now - this.last < LINE_MS) return;
    this.last = now;
    note(text());
  }
}

/** Of scans over tables. */
interface ScanLines {
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

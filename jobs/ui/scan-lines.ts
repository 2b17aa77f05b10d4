/** Progress of scans over tables, as lines on stderr: at most one every few seconds. */
import { breathe } from '../cli/output.js';
import { whole } from './numbers.js';

const LINE_MS = 5000;

interface ScanLines {
  /** The ending that is looked at from now on, number `number` of `of`. */
  begin(ending: string, number: number, of: number): void;
  /** Prints progress; to be awaited between batches, with the number of values looked at. */
  readonly report: (done: number) => Promise<void>;
}

export function newScanLines(): ScanLines {
  let what = '';
  let read = 0;
  let last = performance.now();
  return {
    begin(ending, number, of) {
      what = of === 1 ? ending : `${ending} [${number}/${of}]`;
    },
    async report(done) {
      read += done;
      const now = performance.now();
      if (now - last >= LINE_MS) {
        last = now;
        process.stderr.write(`${what}: ${whole(read)} values read\n`);
      }
      await breathe();
    },
  };
}

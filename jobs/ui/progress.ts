/** Shows the progress of a run on stderr: a list that is updated in place on a terminal, else a line now and then. */
import { Listr, ListrLogger, ProcessOutput } from 'listr2';
import type { Progress, ProgressListener } from '../../pipeline/progress.js';
import { duration } from './numbers.js';
import { newPace } from './pace.js';

export interface Display {
  readonly listen: ProgressListener;
  /** Leaves the last state on the screen. `failed`: the run did not reach its end. */
  close(failed: boolean): Promise<void>;
}

const TERMINAL_MS = 200;
const LINE_MS = 5000;

/** `quiet`: machine-readable output was asked for, so nothing is shown unless to a terminal. */
export function newDisplay(slices: readonly string[], quiet: boolean): Display {
  if (process.stderr.isTTY) return newList(slices);
  return quiet ? { listen: () => {}, close: async () => {} } : newLines();
}

/** A line when a slice begins, and at most one every few seconds. */
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
        process.stderr.write(`${slice}\n`);
      } else if (now - last < LINE_MS) return;
      else process.stderr.write(`${slice} ${pace.describe()}\n`);
      last = now;
    },
    close: async () => {},
  };
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

function newDeferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A list with a row for each slice. */
function newList(slices: readonly string[]): Display {
  const pace = newPace(() => performance.now());
  const finished = slices.map(newDeferred);
  for (const { promise } of finished) promise.catch(() => {});
  let current = -1;
  let began = 0;
  let retitle: (title: string) => void = () => {};
  const list = new Listr(
    slices.map((slice, i) => ({
      title: slice,
      task: (_: unknown, task: { title: string }) => {
        retitle = (title) => {
          if (current === i) task.title = `${slice}  ${title}`;
        };
        return finished[i].promise;
      },
    })),
    {
      exitOnError: true,
      registerSignalListeners: false,
      rendererOptions: {
        logger: new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) }),
        showErrorMessage: false,
      },
    },
  );
  const shown = list.run().catch(() => {});
  const timer = setInterval(() => retitle(pace.describe()), TERMINAL_MS);

  function finishCurrent(): void {
    if (current < 0) return;
    retitle(duration(performance.now() - began));
    finished[current].resolve();
  }

  return {
    listen(progress: Progress) {
      if (progress.type === 'slice') {
        finishCurrent();
        current = progress.number - 1;
        began = performance.now();
      }
      pace.follow(progress);
    },
    async close(failed) {
      clearInterval(timer);
      if (failed) {
        for (const { reject } of finished) reject(new Error('not finished'));
      } else {
        finishCurrent();
        for (const { resolve } of finished) resolve();
      }
      await shown;
    },
  };
}

/** Progress on a terminal: a row for each slice, or one for all if they are many, updated in place. */
import { Listr, ListrLogger, ProcessOutput } from 'listr2';
import type { Progress } from '../../pipeline/progress.js';
import { MANY_SLICES } from './classes.js';
import { duration, whole } from './numbers.js';
import { newPace } from './pace.js';
import type { Display } from './progress.js';

const TERMINAL_MS = 200;

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

export function newList(slices: readonly string[]): Display {
  const pace = newPace(() => performance.now());
  const many = slices.length > MANY_SLICES;
  const rows = many ? [`${whole(slices.length)} slices`] : slices;
  const finished = rows.map(newDeferred);
  for (const { promise } of finished) promise.catch(() => {});
  let current = -1;
  let began = 0;
  /** Where the many are at. */
  let where = '';
  let retitle: (title: string) => void = () => {};
  const list = new Listr(
    rows.map((row, i) => ({
      title: row,
      task: (_: unknown, task: { title: string }) => {
        retitle = (title) => {
          if (current === i) task.title = `${row}  ${title}`;
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
  const timer = setInterval(() => retitle(`${where}${pace.describe()}`), TERMINAL_MS);

  function finishCurrent(): void {
    if (current < 0) return;
    retitle(duration(performance.now() - began));
    finished[current].resolve();
  }

  return {
    listen(progress: Progress) {
      if (progress.type === 'slice') {
        const row = many ? 0 : progress.number - 1;
        if (row !== current) {
          finishCurrent();
          current = row;
          began = performance.now();
        }
        if (many) where = `${progress.slice} [${progress.number}/${progress.of}]  `;
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

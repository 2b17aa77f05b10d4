/** Progress on a terminal: a row for each slice, or one for all if they are many, updated in place. */

import { Listr, ListrLogger, ProcessOutput } from 'listr2';
import type { Progress } from '../../pipeline/game/progress.js';
import { io } from '../cli/io.js';
import { MANY_SLICES } from '../ui/classes.js';
import { duration, whole } from '../ui/numbers.js';
import { AtWork, type Display } from './at-work.js';

const TERMINAL_MS = 200;

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

interface Row {
  readonly name: string;
  readonly finished: Deferred;
  /** Last progress, in words. */
  words: string;
  /** Does nothing until the list shows the row. */
  show(words: string): void;
}

function newRow(name: string): Row {
  const finished = newDeferred();
  finished.promise.catch(() => {});
  return { name, finished, words: '', show: () => {} };
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

/** A row spins while its slice is solved, since as many rows begin at once: about in the order of `slices`. */
export function newList(slices: readonly string[], concurrency: number): Display {
  // Listr's types ask for a stream of the process; it needs what any terminal has.
  const terminal = io.err as NodeJS.WriteStream;
  const atWork = new AtWork(() => performance.now());
  const many = slices.length > MANY_SLICES;
  const all = `${whole(slices.length)} slices`;
  const began = performance.now();
  const rows = new Map((many ? [all] : slices).map((name) => [name, newRow(name)]));
  const list = new Listr(
    [...rows.values()].map((row) => ({
      title: row.name,
      task: (_: unknown, task: { title: string }) => {
        row.show = (words) => {
          task.title = `${row.name}  ${words}`;
        };
        if (row.words !== '') row.show(row.words);
        return row.finished.promise;
      },
    })),
    {
      exitOnError: true,
      concurrent: concurrency,
      registerSignalListeners: false,
      rendererOptions: {
        logger: new ListrLogger({ processOutput: new ProcessOutput(terminal, terminal) }),
        showErrorMessage: false,
      },
    },
  );
  const shown = list.run().catch(() => {});
  const timer = setInterval(() => {
    if (many) showWords(all, atWork.describe());
    else for (const slice of atWork.slices) showWords(slice, atWork.words(slice));
  }, TERMINAL_MS);

  function showWords(name: string, words: string): void {
    const row = rows.get(name);
    if (row === undefined) return;
    row.words = words;
    row.show(words);
  }

  return {
    listen(progress: Progress) {
      if (progress.type === 'finished' && !many) {
        const { slice } = progress;
        showWords(slice, duration(atWork.tookMs(slice) ?? performance.now() - began));
        rows.get(slice)?.finished.resolve();
      }
      atWork.follow(progress);
    },
    async close(failed) {
      clearInterval(timer);
      if (failed) {
        for (const { finished } of rows.values()) finished.reject(new Error('not finished'));
      } else {
        if (many) showWords(all, duration(performance.now() - began));
        for (const { finished } of rows.values()) finished.resolve();
      }
      await shown;
    },
  };
}

/** Threads that make Syzygy's files: each makes those of an ending, and then those of another. */
import { Worker } from 'node:worker_threads';
import { assert } from '../../operators/core/errors.js';
import type { Plies } from '../../pipeline/games/chess/syzygy/cells.js';
import type { FiledEnding } from '../../pipeline/games/chess/syzygy/endings.js';
import { type PackedError, unpackError } from '../engines/packed-error.js';
import { haltAtSignal } from '../exit.js';
import type { Written } from './syzygy-files.js';

/** The place of a thread. */
export interface CrewPlace {
  readonly number: number;
  /** URIs of the store of tables, of the folder of the files. */
  readonly store: string;
  readonly out: string;
  readonly plies: Plies;
  readonly force: boolean;
  /** Bytes of buffers of the thread. */
  readonly memory: number;
  readonly scratchFolder: string;
}

/** The name of the ending whose files are to be made. */
export type CrewCall = string;

export type CrewReply =
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'made'; readonly files: readonly Written[] }
  | { readonly type: 'error'; readonly error: PackedError };

export interface CrewListener {
  note(one: FiledEnding, text: string): void;
  warn(text: string): void;
}

/**
 * Makes the files of all endings with so many threads. The last come first: they are the largest, and should not be made when
 * the other threads have nothing to do. Returns the files in the order of the endings. Rejects with the first error of a thread.
 */
export async function makeByCrew(
  place: Omit<CrewPlace, 'number'>,
  workers: number,
  filed: readonly FiledEnding[],
  listener: CrewListener,
): Promise<Written[]> {
  const made = new Map<FiledEnding, readonly Written[]>();
  const waiting = [...filed];
  const threads = Array.from({ length: Math.min(workers, filed.length) }, (_, number) =>
    startThread({ ...place, number }, listener),
  );
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
          made.set(one, await thread.make(one));
        }
      }),
    );
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
  return filed.flatMap((one) => made.get(one)!);
}

function startThread(place: CrewPlace, listener: CrewListener) {
  const worker = new Worker(new URL('./syzygy-worker.js', import.meta.url), { workerData: place });
  let task: {
    one: FiledEnding;
    resolve(files: readonly Written[]): void;
    reject(error: Error): void;
  } | null = null;
  let failure: Error | undefined;
  const end = async () => {
    ended();
    // The end of the worker is no error then.
    worker.removeAllListeners();
    await worker.terminate();
  };
  const ended = haltAtSignal(end);
  const die = (error: Error) => {
    failure ??= error;
    task?.reject(failure);
  };
  worker.on('message', (reply: CrewReply) => {
    assert(task !== null, 'a thread speaks of what it does');
    if (reply.type === 'note') listener.note(task.one, reply.text);
    else if (reply.type === 'warning') listener.warn(reply.text);
    else if (reply.type === 'error') die(unpackError(reply.error));
    else task.resolve(reply.files);
  });
  worker.on('error', die);
  worker.on('exit', (code) => die(new Error(`the thread ended with code ${code} before its work was done`)));
  return {
    end,
    make: (one: FiledEnding) =>
      new Promise<readonly Written[]>((resolve, reject) => {
        task = { one, resolve, reject };
        if (failure !== undefined) reject(failure);
        worker.postMessage(one.ending.name satisfies CrewCall);
      }),
  };
}

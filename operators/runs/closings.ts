/**
 * Publishes runs in the background while the next ones are written. Making an object durable takes milliseconds of waiting and no
 * CPU, and a step may write hundreds of runs before its manifest names them.
 */
import type { RunInfo, RunWriter } from './writer.js';

/** Runs that are published at once: each holds a file open. */
const MOST_OPEN = 4;

export interface Closings {
  /** Starts to close a run that has all its rows, and aborts it if that fails; calls `done` once it is published. Waits if too many are being closed. */
  add(run: RunWriter, done: (info: RunInfo) => void): Promise<void>;
  /** Waits for all. Throws the first error of any run that has not been thrown yet. */
  settle(): Promise<void>;
  /** Waits for all after an error. Further failures are not reported. */
  abandon(): Promise<void>;
}

export function newClosings(): Closings {
  const underway: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;

  async function close(run: RunWriter, done: (info: RunInfo) => void): Promise<void> {
    try {
      done(await run.close());
    } catch (error) {
      failure ??= { error };
      await run.abort();
    }
  }

  async function oldest(): Promise<void> {
    await underway.shift();
    if (failure === undefined) return;
    const { error } = failure;
    await Promise.allSettled(underway.splice(0));
    failure = undefined;
    throw error;
  }

  return {
    async add(run, done) {
      underway.push(close(run, done));
      // Let the event loop turn, for the pending closings only advance when it does.
      await new Promise((resolve) => setImmediate(resolve));
      if (underway.length > MOST_OPEN) await oldest();
    },
    async settle() {
      while (underway.length > 0) await oldest();
    },
    async abandon() {
      await Promise.allSettled(underway.splice(0));
    },
  };
}

/**
 * Runs that are published while the next ones are written. To make an object durable takes a store milliseconds in which it needs no
 * processor. A step may write hundreds of runs before its manifest names them.
 */
import type { RunInfo, RunWriter } from './writer.js';

/** Runs that are published at once: each holds a file open. */
const MOST_OPEN = 4;

export interface Closings {
  /** Begins to close a run whose rows are all there, and aborts it if that fails; `done` is called once it is published. Waits while many are under way. */
  add(run: RunWriter, done: (info: RunInfo) => void): Promise<void>;
  /** Waits for all. Throws the first error of any run that has not been thrown yet. */
  settle(): Promise<void>;
  /** Waits for all behind an error; what fails then is not reported. */
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
      // Whoever works does not turn the event loop, and what the store has done so far would not go on.
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

/**
 * Threads of workers. To load the program takes a thread a tenth of a second. So those of a solve are started before
 * the list of slices is known.
 */
import type { Worker } from 'node:worker_threads';
import type { WorkerStart } from './protocol.js';
import { keepFailure } from './remote.js';
import { newThread } from './thread.js';

/** For threads that are started before flags of V8 are set: young generations as `keepHeapSmall` (jobs/runtime/heap.ts) has them. */
export const SMALL_HEAP = { maxYoungGenerationSizeMb: 6 };

/** Threads that were started and have no place of work yet. */
const waiting: Worker[] = [];

function newWorkerThread(start: WorkerStart): Worker {
  return newThread('local-worker.js', { workerData: start, resourceLimits: SMALL_HEAP });
}

/** Starts threads that load a game. */
export function startWorkers(count: number, start: WorkerStart): void {
  for (let i = 0; i < count; i++) waiting.push(keepFailure(newWorkerThread(start)));
}

/** A thread that waits, or a new one. */
export function takeWorker(): Worker {
  return waiting.shift() ?? newWorkerThread({});
}

/** Ends threads that nobody needed. */
export async function endWaiting(): Promise<void> {
  await Promise.all(waiting.splice(0).map((worker) => worker.terminate()));
}

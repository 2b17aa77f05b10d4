/**
 * Runs a solve or a verification in a thread of its own. File operations are synchronous inside. So the thread that
 * works does not turn its event loop for long stretches. The thread that called stays free for signals and the display.
 */
import type { Worker } from 'node:worker_threads';
import type { Progress, ProgressListener } from '../../pipeline/game/progress.js';
import { haltAtSignal } from '../cli/exit.js';
import { pauseWatching } from '../stuck-rules.js';
import type { CoordinatorPlace, Task, TaskResults } from './protocol.js';
import { keepFailure, Remote } from './remote.js';
import { newThread } from './thread.js';
import { SMALL_HEAP } from './worker-threads.js';

/** A thread that was started and has no task yet. */
let waiting: Worker | undefined;

function newCoordinator(place: CoordinatorPlace): Worker {
  return newThread('coordinator-worker.js', {
    workerData: place,
    ...(place.game === undefined ? {} : { resourceLimits: SMALL_HEAP }),
  });
}

/**
 * Starts the thread before its task is known. It loads the program and the built-in game while the calling thread
 * loads its part and reads the arguments. A command that needs no such thread may end without one.
 */
export function startCoordinator(place: CoordinatorPlace): void {
  waiting = keepFailure(newCoordinator(place));
  waiting.unref();
}

/** Rejects with errors of the task: UserError and StorageError keep their classes. */
export async function coordinate<Kind extends Task['kind']>(
  task: Task & { readonly kind: Kind },
  progress: ProgressListener,
): Promise<TaskResults[Kind]> {
  const worker = waiting ?? newCoordinator({});
  waiting = undefined;
  worker.ref();
  const remote = new Remote<Task, readonly Progress[]>(worker, 'the working thread', (all) =>
    all.forEach(progress),
  );
  const watchAgain = pauseWatching();
  worker.on(
    'exit',
    haltAtSignal(() => remote.end()),
  );
  const result = await remote.call<TaskResults[Kind]>(task);
  watchAgain();
  return result;
}

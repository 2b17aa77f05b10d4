/** The thread of coordination.ts. Threads of workers are started first, and load the program while this one does. */
import { workerData } from 'node:worker_threads';
import { giveRulesRoom } from '../runtime/heap.js';
import type { CoordinatorPlace } from './protocol.js';
import { startWorkers } from './worker-threads.js';

const { game, path, workers = 1 } = workerData as CoordinatorPlace;
// The coordinating thread works itself.
if (game !== undefined) startWorkers(workers - 1, { game });
if (path !== undefined) {
  giveRulesRoom();
  startWorkers(workers - 1, { path });
}
await import('./coordination.js');

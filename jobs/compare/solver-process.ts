/** The process that does one task of `compare`: it gets it as a message, answers with the outcome and ends. */
import { packError } from '../engines/packed-error.js';
import { keepHeapSmall } from '../heap.js';
import { prepare, race } from './run-task.js';
import type { SolverReply, SolverTask } from './task.js';

keepHeapSmall();
// The one who asked is gone: so is the reason to work on.
process.on('disconnect', () => process.exit());

async function answer(task: SolverTask): Promise<SolverReply> {
  try {
    if (task.kind === 'race') return { type: 'done', outcome: await race(task) };
    await prepare(task);
    return { type: 'done', outcome: null };
  } catch (error) {
    return { type: 'error', error: packError(error) };
  }
}

process.once('message', (task: SolverTask) => {
  answer(task).then((reply) => process.send!(reply, () => process.disconnect()));
});

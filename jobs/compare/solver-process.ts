/** The process that does one task of `compare`: it gets it as a call, answers with the outcome and ends. */
import { answerCalls } from '../engines/remote.js';
import { keepHeapSmall } from '../run/heap.js';
import { prepare, race } from './run-task.js';
import type { RunOutcome, SolverTask } from './task.js';

keepHeapSmall();
// The one who asked is gone: so is the reason to work on.
process.on('disconnect', () => process.exit());

async function answer(task: SolverTask): Promise<RunOutcome | null> {
  if (task.kind === 'race') return race(task);
  await prepare(task);
  return null;
}

answerCalls(process, answer, { once: true });

/** The process that does one race of `compare`: it gets it as a call, answers with the outcome and ends. */
import { answerCalls } from '../engines/remote.js';
import { keepHeapSmall } from '../runtime/heap.js';
import { race } from './run-task.js';

keepHeapSmall();
// The one who asked is gone: so is the reason to work on.
process.on('disconnect', () => process.exit());

answerCalls(process, race, { once: true });

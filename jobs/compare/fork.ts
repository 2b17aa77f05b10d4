/** Starts a process for a task and waits for its outcome. */
import { fork } from 'node:child_process';
import { ALLOCATOR } from '../allocator.js';
import { unpackError } from '../engines/packed-error.js';
import { tidyAtExit } from '../exit.js';
import type { RunOutcome, SolverReply, SolverTask } from './task.js';

export type Launch = (task: SolverTask) => Promise<RunOutcome | null>;

/**
 * Every task gets a process of its own, so that none finds memory warm or grown that another left behind.
 * @param program solver-process.js, compiled; or its source, with what Node needs to run that in `execArgv`.
 */
export function forkEach(
  program = new URL('./solver-process.js', import.meta.url),
  execArgv: readonly string[] = [],
): Launch {
  return (task) =>
    new Promise((resolve, reject) => {
      const child = fork(program, { execArgv: [...execArgv], env: { ...process.env, ...ALLOCATOR } });
      const stop = tidyAtExit(() => child.kill('SIGKILL'));
      child.on('message', (reply: SolverReply) => {
        if (reply.type === 'done') resolve(reply.outcome);
        else reject(unpackError(reply.error));
      });
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        stop();
        const how = signal === null ? `code ${code}` : `signal ${signal}`;
        reject(new Error(`the process for ${nameOf(task)} ended with ${how} before its work was done`));
      });
      child.send(task);
    });
}

function nameOf(task: SolverTask): string {
  return task.kind === 'race' ? `${task.slice} by the ${task.solver} solver` : task.slices.join(' ');
}

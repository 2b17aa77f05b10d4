/** Starts a process for a task and waits for its outcome. */
import { fork } from 'node:child_process';
import { tidyAtExit } from '../cli/exit.js';
import { Remote } from '../engines/remote.js';
import { ALLOCATOR } from '../run/process-memory.js';
import type { RunOutcome, SolverTask } from './task.js';

export type Launch = (task: SolverTask) => Promise<RunOutcome | null>;

/**
 * Every task gets a process of its own, so that none finds memory warm or grown that another left behind.
 * @param program solver-process.js, compiled; or its source, with what Node needs to run that in `execArgv`.
 */
export function forkEach(
  program = new URL('./solver-process.js', import.meta.url),
  execArgv: readonly string[] = [],
): Launch {
  return (task) => {
    const child = fork(program, { execArgv: [...execArgv], env: { ...process.env, ...ALLOCATOR } });
    child.on(
      'exit',
      tidyAtExit(() => child.kill('SIGKILL')),
    );
    return new Remote<SolverTask>(child, `the process for ${nameOf(task)}`).call(task);
  };
}

function nameOf(task: SolverTask): string {
  return task.kind === 'race' ? `${task.slice} by the ${task.solver} solver` : task.slices.join(' ');
}

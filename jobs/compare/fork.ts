/** Starts a process for a race and waits for its outcome. */
import { fork } from 'node:child_process';
import { tidyAtExit } from '../cli/exit.js';
import { programFile } from '../cli/files.js';
import { Remote } from '../engines/remote.js';
import { ALLOCATOR } from '../runtime/process-memory.js';
import type { Race, RunOutcome } from './task.js';

export type Launch = (race: Race) => Promise<RunOutcome>;

/**
 * Every race gets a process of its own, so that none finds memory warm or grown that another left behind.
 * @param program solver-process.js, compiled; or its source, with what Node needs to run that in `execArgv`.
 */
export function forkEach(
  program = programFile('solver-process.js'),
  execArgv: readonly string[] = [],
): Launch {
  return (race) => {
    const child = fork(program, { execArgv: [...execArgv], env: { ...process.env, ...ALLOCATOR } });
    child.on(
      'exit',
      tidyAtExit(() => child.kill('SIGKILL')),
    );
    const what = `the process for ${race.slice} by the ${race.solver} solver`;
    return new Remote<Race>(child, what).call(race);
  };
}

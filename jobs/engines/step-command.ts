/** The command that does one task, as engines start it, and the names of its jobs and logs. */
import { mkdirSync } from 'node:fs';
import { UserError } from '../../operators/core/errors.js';
import type { StepPhase } from './step-engine.js';

export interface StepProgram {
  /** Program and first arguments, e.g. Node and cli.js; found by the same path on every machine. */
  readonly program: readonly string[];
  /** Arguments of `mergemate step` that are the same for all tasks, e.g. --scratch. */
  readonly stepArgs?: readonly string[];
  /** Added to the environment that tasks get from this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** `program… step URI --task TASK --memory BYTES --workers N …`, without the task's number, which goes in between. */
export function stepCommand({ program, stepArgs = [] }: StepProgram, phase: StepPhase) {
  return {
    before: [...program, 'step', phase.uri, '--task'],
    after: ['--memory', String(phase.memory), '--workers', String(phase.workers), ...stepArgs],
  };
}

/** The phase's title as part of a file name. */
export function phaseName(phase: StepPhase): string {
  return phase.title.replace(/[^\w.+-]+/g, '-');
}

/** The last line of what a task said, without our name before it, or null if it said nothing. */
export function lastLine(text: string): string | null {
  const line = text.trimEnd().split('\n').at(-1)!.trim();
  return line.replace(/^mergemate: /, '') || null;
}

/** Throws UserError if it cannot be made. */
export function makeLogFolder(folder: string | null): void {
  try {
    if (folder !== null) mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UserError(`${folder}: no folder for logs can be made: ${(error as Error).message}`);
  }
}

/** Opens the engine that a job asks for. */
import { CLI } from '../files.js';
import type { EngineName } from './names.js';
import { processesEngine } from './processes.js';
import { slurmEngine } from './slurm.js';
import type { StepEngine } from './step-engine.js';

export interface EngineSettings {
  readonly name: Exclude<EngineName, 'local'>;
  /** Tasks that may run at once. */
  readonly tasks: number | undefined;
  /** Arguments of `mergemate step` for all tasks. */
  readonly stepArgs: readonly string[];
  readonly sbatchArgs: readonly string[];
  readonly logFolder: string | null;
}

/** Throws UserError if there is no such engine on this machine. */
export function openEngine({ name, tasks, stepArgs, sbatchArgs, logFolder }: EngineSettings): StepEngine {
  const program = [process.execPath, CLI];
  const common = { program, stepArgs, logFolder };
  if (name === 'processes') return processesEngine({ ...common, concurrency: tasks ?? 1 });
  return slurmEngine({ ...common, sbatchArgs, ...(tasks === undefined ? {} : { limit: tasks }) });
}

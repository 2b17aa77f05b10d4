/** `mergemate solve` by steps: this process only decides what is next, an engine has it done. */
import { resolve } from 'node:path';
import { assert } from '../operators/core/errors.js';
import type { ProgressListener } from '../pipeline/progress.js';
import type { SliceSummary } from '../pipeline/solve.js';
import type { Job } from './job.js';
import { referenceOf } from './registry.js';
import { openStore, storeFolder } from './stores.js';

export interface StepSolveFlags {
  readonly store: string;
  readonly scratch?: string;
  readonly sbatchArg?: readonly string[];
  /** A folder. */
  readonly logs?: string;
}

export async function stepSolve(
  job: Job,
  flags: StepSolveFlags,
  slices: readonly string[],
  listen: ProgressListener,
): Promise<SliceSummary[]> {
  const { openEngine } = await import('./engines/open-engine.js');
  const { drive } = await import('./drive.js');
  assert(job.engine !== 'local', 'the local engine has no steps');
  const scratch = flags.scratch === undefined ? [] : ['--scratch', resolve(flags.scratch)];
  const logs = flags.logs === undefined ? [] : ['--log', resolve(flags.logs)];
  const reference = referenceOf(job.game);
  const module = reference === job.game.name ? [] : ['--game', reference];
  const engine = openEngine({
    name: job.engine,
    tasks: job.workers,
    stepArgs: ['--fan-in', String(job.fanIn), '--batch', String(job.batch), ...module, ...scratch, ...logs],
    sbatchArgs: flags.sbatchArg ?? [],
    logFolder: flags.logs ?? null,
  });
  try {
    return await drive({
      game: job.game,
      slices,
      metric: job.metric,
      verify: job.verify,
      store: openStore(flags.store),
      // Tasks may be started in another folder than this one.
      storeUri: storeFolder(flags.store) ?? flags.store,
      engine,
      memory: job.memory,
      workers: 1,
      partitions: job.partitions,
      wholeBelow: job.wholeBelow,
      progress: listen,
    });
  } finally {
    await engine.close();
  }
}

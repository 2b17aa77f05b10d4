/** `mergemate solve --explain-memory`: how the memory is divided, before anything is solved. */

import { partitionBudget } from '../../pipeline/engine/engine.js';
import { explainMemory, type NamedBuffer } from '../../pipeline/engine/memory.js';
import { planSlices } from '../../pipeline/game/plan.js';
import type { Job } from '../job.js';
import { slicesOf } from '../options.js';
import { print, printJson } from '../output.js';
import { budgetOf } from '../settings.js';
import { bytes } from '../ui/numbers.js';
import { textTable } from '../ui/text-table.js';

/** Prints the buffers of one worker, or one rank, for the largest slice of the job. */
export async function explain(job: Job, json: boolean): Promise<void> {
  const { game, memory, engine, workers } = job;
  const slices = planSlices(game, slicesOf(job.endings)).map(({ slice }) => game.slice(slice));
  const largest = slices.reduce((most, slice) => (slice.size > most.size ? slice : most));
  // Ranks have as much each as is asked for; threads share it.
  const sharers = engine === 'local' ? Math.min(workers, largest.parts) : 1;
  const budget = partitionBudget(budgetOf(job.memory, job), sharers, largest);
  const buffers = explainMemory(budget);
  if (json) {
    await printJson({ game: game.name, slice: largest.name, memory, sharers, each: budget.memory, buffers });
    return;
  }
  const whose = engine === 'local' ? `each of ${sharers} workers` : 'each rank';
  await print(`${largest.name}: ${bytes(budget.memory)} for ${whose}, divided again in each phase\n\n`);
  await print(`${textTable(['phase', 'buffer', 'memory'], rowsOf(buffers))}\n`);
}

function rowsOf(buffers: readonly NamedBuffer[]): string[][] {
  return buffers.map(({ phase, buffer, bytes: size }, i) => [
    buffers[i - 1]?.phase === phase ? '' : phase,
    buffer,
    bytes(size),
  ]);
}

/** `mergemate solve --explain-memory`: how the memory is divided, before anything is solved. */
import { partitionBudget, sharersOf } from '../../pipeline/engine/crew/engine.js';
import { type LeastMemory, leastMemory } from '../../pipeline/engine/crew/least-memory.js';
import { explainMemory, type NamedBuffer, PHASE_MEMORY } from '../../pipeline/engine/memory/phase-memory.js';
import { isClocked } from '../../pipeline/game/clocked.js';
import { planSlices } from '../../pipeline/game/plan.js';
import { GRAPH } from '../../pipeline/graph/graph-game.js';
import { dividedBudget, IMPORT_MEMORY } from '../../pipeline/graph/memory.js';
import type { Job } from '../asked/job.js';
import { slicesOf } from '../cli/options.js';
import { print, printJson } from '../cli/output.js';
import { budgetOf, type SettingValues } from '../cli/settings.js';
import { tableText } from '../ui/document.js';
import { bytes } from '../ui/numbers.js';

/** Prints the buffers of one worker, or one rank, for the largest slice of the job. */
export async function explain(job: Job, json: boolean): Promise<void> {
  const { game, metric, memory, fanIn, batch, engine, propagate: strategy, workers = 1 } = job;
  const slices = planSlices(game, slicesOf(job.endings)).map(({ slice }) => game.slice(slice));
  const largest = slices.reduce((most, slice) => (slice.size > most.size ? slice : most));
  const whole = { memory, fanIn, batchRows: batch };
  const sharers =
    engine === 'local' ? sharersOf({ game, metric, strategy, budget: whole }, largest, workers) : 1;
  const budget = partitionBudget(whole, sharers, largest);
  const buffers = explainMemory(budget);
  const least = isClocked(metric) ? undefined : leastMemory(game, largest, strategy, metric);
  await printBuffers(
    { game: game.name, slice: largest.name, memory, sharers, engine, buffers, least },
    budget.memory,
    json,
  );
}

/** The same for a graph or keyed game, which is imported first. */
export async function explainGraph(
  slice: string,
  { memory, workers, engine }: Pick<SettingValues, 'memory' | 'workers' | 'engine'>,
  json: boolean,
): Promise<void> {
  // Under clocks, or with captures, no graph is played.
  const { clocked, unconvert, 'convert by rows': byRows, ...phases } = PHASE_MEMORY;
  const whole = budgetOf(memory);
  const sharers = engine === 'local' ? workers : 1;
  const budget = dividedBudget(whole, sharers);
  const buffers = explainMemory(budget, { ...IMPORT_MEMORY, ...phases });
  await printBuffers(
    { game: GRAPH, slice, memory: whole.memory, sharers, engine, buffers },
    budget.memory,
    json,
  );
}

interface Explained {
  readonly game: string;
  readonly slice: string;
  readonly memory: number;
  /** Ranks have as much each as is asked for; threads share it. */
  readonly sharers: number;
  readonly engine: string;
  readonly buffers: readonly NamedBuffer[];
  /** What a worker or rank needs for a slice of wide parts. */
  readonly least?: LeastMemory | undefined;
}

async function printBuffers({ engine, ...explained }: Explained, each: number, json: boolean): Promise<void> {
  const { game, slice, memory, sharers, buffers, least } = explained;
  const needed = least !== undefined && least.bytes > 0 ? least : undefined;
  if (json) {
    await printJson({ game, slice, memory, sharers, each, ...(needed && { least: needed }), buffers });
    return;
  }
  const whose = engine === 'local' ? `each of ${sharers} workers` : 'each rank';
  const most = needed === undefined ? '' : `; each needs at least ${bytes(needed.bytes)} (${needed.phase})`;
  await print(`${slice}: ${bytes(each)} for ${whose}, divided again in each phase${most}\n\n`);
  await print(`${tableText({ columns: ['phase', 'buffer', 'memory'], rows: rowsOf(buffers) })}\n`);
}

function rowsOf(buffers: readonly NamedBuffer[]): string[][] {
  return buffers.map(({ phase, buffer, bytes: size }, i) => [
    buffers[i - 1]?.phase === phase ? '' : phase,
    buffer,
    bytes(size),
  ]);
}

/** The frontier: what was labelled in the last round. In memory while it is small; and kept as event runs for `finish`. */
import type { Budget } from '../../operators/core/budget.js';
import { newSpool, type Spool } from '../../operators/runs/spool.js';
import type { Batch, Cursor } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { FLOWS } from '../events.js';
import { firstMajor } from '../majors.js';
import { type Context, runName } from './context.js';
import type { EventRuns } from './event-runs.js';

/** An empty frontier, majors of flows, that may hold so much in memory. */
export function newFrontier({ scratch, counters }: Context, { memory, batchRows }: Budget): Spool {
  return newSpool({ payload: [], memory, scratch, batchRows, counters });
}

/** Appends the events of a ply, and seals the frontier. */
export async function loadFrontier(
  runs: EventRuns,
  ply: number,
  { slice, parts }: Context,
  into: Spool,
): Promise<void> {
  for (const flowNumber of FLOWS) {
    const events = shifted(runs.cursor(ply, flowNumber, parts), firstMajor(slice, flowNumber));
    for await (const batch of events) await into.append(batch.major, batch.length, batch.minor, []);
  }
  await into.seal();
}

/** The event run of the context's parts whose first ply is `ply`. */
export function openFrontierRun(context: Context, ply: number): Promise<RunWriter> {
  const { store, budget, counters, slice } = context;
  return createRun(
    store,
    runName(context, `frontier-${ply}`),
    { kind: 'events', dense: false, columns: [], strict: true, meta: { slice: slice.name } },
    { batchRows: budget.batchRows, counters },
  );
}

/** The same rows under majors greater by `by`. */
export async function* shifted(source: Cursor, by: number): AsyncGenerator<Batch> {
  for await (const batch of source) yield { ...batch, major: batch.major + by };
}

/** The frontier: positions labelled in the last round. In memory while it is small; and kept as event runs for `finish`. */
import type { Arrays } from '../../operators/core/arrays.js';
import type { Budget } from '../../operators/core/budget.js';
import { Spool } from '../../operators/runs/spool.js';
import type { ColumnSpec } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { FLOWS } from '../game/events.js';
import { firstMajor } from '../game/majors.js';
import { type Context, runName } from './context.js';
import { type EventRuns, shifted } from './event-runs.js';
import { newSetsOfKeys } from './sets.js';

/** The payload of a frontier: nothing if its rows are keys, SET_COLUMNS if they are sets. */
export type FrontierColumns = readonly ColumnSpec[];

/** Sets are fewer than keys, and `finish` reads the batches of a ply again and again: a batch of sets has fewer rows. */
const SETS_OF_BATCH = 1 / 8;

function batchRowsOf(columns: FrontierColumns, { batchRows }: Budget): number {
  return columns.length === 0 ? batchRows : Math.max(1, Math.floor(batchRows * SETS_OF_BATCH));
}

/** An empty frontier, majors of flows, that may hold so much in memory, of `arrays`. */
export function newFrontier(
  { scratch, counters }: Context,
  budget: Budget,
  columns: FrontierColumns,
  arrays: Arrays,
): Spool {
  const { memory } = budget;
  const batchRows = batchRowsOf(columns, budget);
  return new Spool({ payload: columns, memory, scratch, batchRows, counters, arrays });
}

/** Appends the events of a ply, and seals the frontier. `columns` are those of the frontier; keys become sets if need be. */
export async function loadFrontier(
  runs: EventRuns,
  ply: number,
  { slice, parts }: Context,
  into: Spool,
  columns: FrontierColumns,
): Promise<void> {
  const setsOfKeys = newSetsOfKeys();
  for (const flowNumber of FLOWS) {
    const events = shifted(runs.cursor(ply, flowNumber, parts), firstMajor(slice, flowNumber));
    for await (const batch of events) {
      const { major } = batch;
      if (batch.payload.length === columns.length) {
        await into.append(major, batch.length, batch.minor, batch.payload);
        continue;
      }
      const { length, minor, low, high } = setsOfKeys(batch);
      await into.append(major, length, minor, [low, high]);
    }
  }
  await into.seal();
}

/** The event run of the context's parts whose first ply is `ply`. */
export function openFrontierRun(context: Context, ply: number, columns: FrontierColumns): Promise<RunWriter> {
  const { store, budget, counters, slice } = context;
  return createRun(
    store,
    runName(context, `frontier-${ply}`),
    { kind: 'events', dense: false, columns, strict: true, meta: { slice: slice.name } },
    { batchRows: batchRowsOf(columns, budget), counters },
  );
}

/**
 * A round of a partition, by itself: everything it needs is in the store when it begins, and everything it makes is there
 * when it ends. Partitions of a slice can so be labelled by any machines, and exchange nothing but runs:
 *
 *   requests for the partition, a segment of every partition's request run ─ interleave ─┐
 *   last frontier of the partition ─ unmoves that stay in their part ────────────────────┤
 *   conversions due ─────────────────────────────────────────────────────────────────────┤
 *   label runs, with the deltas of earlier rounds laid over ────────────────────── join ─┴─▶ frontier, delta or new runs
 *   frontier ─ expand, distribute, gather ─▶ one request run for the next round, ordered by predecessor
 *
 * The label runs are written anew when deltas have grown to a fraction of them: then a round that changes much costs
 * what it changes, and one that changes little does not pay for the rest. Strategy is `count` (see rounds.ts).
 */
import { share } from '../../operators/core/budget.js';
import { createPool } from '../../operators/distribute/pool.js';
import { distribute, releaseSegments } from '../../operators/distribute.js';
import { expand } from '../../operators/expand.js';
import { gather } from '../../operators/gather.js';
import { interleave } from '../../operators/interleave.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Grouped } from '../../operators/runs/types.js';
import { createRun, type RunWriter } from '../../operators/runs/writer.js';
import { newArrays } from '../../operators/sort/arrays.js';
import { eventNumber, FLOWS, LOSS_FLOWS, sideOf, unmoveFlow, WIN_FLOWS } from '../events.js';
import { closeWon, countDown } from '../labels.js';
import type { EventRun, LabelDelta, LabelRuns, RequestRun } from '../manifest.js';
import { type Context, runName } from './context.js';
import { EXPAND_ROWS } from './convert.js';
import { concerning, openEventRuns } from './event-runs.js';
import { loadFrontier, newFrontier, openFrontierRun, shifted } from './frontier.js';
import { CHANGE_BYTES, createChanges, openDeltas } from './label-deltas.js';
import { labelFlow, newLabelScratch, unmoveKernel, unmovesWithin } from './label-flow.js';
import { commitPlanes, disposePlanes, openPlanes } from './label-planes.js';

/** How memory is divided; cursors of request runs and batches have the rest. */
export const SHARES = { labels: 0.4, pool: 0.2, order: 0.2, frontier: 0.05, requests: 0.1 };
/** Deltas are given up for new label runs when they hold this fraction of the counts' bytes, */
const DELTA_FRACTION = 0.25;
/** or are so many: each costs a look at its directory and its segments whenever labels are read. */
export const MAX_DELTAS = 24;

/** What a partition knows between two rounds. */
export interface PartitionLabels {
  readonly labels: LabelRuns;
  readonly deltas: readonly LabelDelta[];
}

export interface PartitionRound extends PartitionLabels {
  /** The frontier of the partition; null if nothing was labelled. */
  readonly events: EventRun | null;
  readonly requests: RequestRun | null;
  readonly won: [number, number];
  readonly lost: [number, number];
  /** Requests that stayed in their part, and are in no run. */
  readonly stayed: number;
}

/**
 * @param frontier the events of round `ply` - 1 in the partition, the mates if that is 0; null if there are none.
 * @param before the labels of the partition before the round.
 * @param conversionRuns those of the partition.
 * @param requests the request runs that all partitions made for round `ply`.
 * @param partitions how many partitions the slice has: as many request runs are merged at once.
 */
export async function roundOfPartition(
  context: Context,
  ply: number,
  before: PartitionLabels,
  frontier: EventRun | null,
  conversionRuns: readonly EventRun[],
  requests: readonly RequestRun[],
  partitions: number,
): Promise<PartitionRound> {
  const { slice, parts, budget, counters, store } = context;
  const due = conversionRuns.filter(({ first, last }) => first <= ply && ply <= last);
  const conversions = await openEventRuns(context, due);
  const readers: RunReader[] = [];
  for (const run of requests) {
    readers.push(await openRun(store, run, { counters, expect: { kind: REQUESTS } }));
  }
  const last = await openEventRuns(context, frontier === null ? [] : [frontier]);
  const anew = isDeltaTooLarge(context, before, expectedChanges(context, readers, frontier?.rows ?? 0));
  const overlays = await openDeltas(context, before.deltas);
  const planes = openPlanes(context, before.labels, budget.memory * SHARES.labels, overlays);
  const next = newFrontier(context, SHARES.frontier);
  const labelScratch = newLabelScratch(slice);
  const output = await openFrontierRun(context, ply);
  const changes = anew ? undefined : await createChanges(context, ply);
  const result = { won: [0, 0] as [number, number], lost: [0, 0] as [number, number], stayed: 0 };

  /** Requests for the partition of one flow, by part, with the conversions that are due. */
  function requestsOf(flowNumber: number): Grouped {
    const base = flowNumber * slice.parts;
    const range = { from: base + parts.from, to: base + parts.to };
    const converted = shifted(conversions.cursor(ply, flowNumber, parts), base);
    const lastOfFlow = last.cursor(ply - 1, unmoveFlow(flowNumber), parts);
    const within = unmovesWithin(slice, flowNumber, lastOfFlow, 0, (rows) => {
      result.stayed += rows;
    });
    return interleave([within, ...readers.map((reader) => reader.cursor(range)), converted]);
  }

  async function label(flowNumber: number, close: typeof closeWon): Promise<number> {
    const labelled = async (part: number, length: number, keys: Uint32Array): Promise<void> => {
      await next.append(flowNumber * slice.parts + part, length, keys, []);
      await output.append(eventNumber(ply, flowNumber) * slice.parts + part, length, keys, []);
    };
    const counted = changes?.counted.bind(null, sideOf(flowNumber));
    const listener = counted === undefined ? { labelled } : { labelled, counted };
    return labelFlow(slice, planes, flowNumber, requestsOf(flowNumber), close, listener, labelScratch);
  }

  try {
    for (const flowNumber of WIN_FLOWS) result.won[sideOf(flowNumber)] = await label(flowNumber, closeWon);
    for (const flowNumber of LOSS_FLOWS) result.lost[sideOf(flowNumber)] = await label(flowNumber, countDown);
    await next.seal();
    const events = await closeFrontierRun(context, ply, output);
    let after: PartitionLabels;
    if (changes === undefined) {
      after = { labels: await commitPlanes(context, planes, ply), deltas: [] };
    } else {
      const won = result.won[0] + result.won[1] > 0 ? events : null;
      const delta = { ply, counts: await changes.close(), won };
      const changed = delta.counts !== null || delta.won !== null;
      after = { labels: before.labels, deltas: changed ? [...before.deltas, delta] : before.deltas };
    }
    // Their memory is free for the expansion.
    await disposePlanes(planes);
    return {
      ...after,
      ...result,
      events,
      requests: await expandFrontier(context, ply + 1, next, partitions),
    };
  } catch (error) {
    await output.abort();
    await changes?.abort();
    throw error;
  } finally {
    await disposePlanes(planes);
    await next.dispose();
  }
}

/**
 * The conversions of the partition out of those of all, as one run. Once, before round 1: the runs of all partitions are
 * for all parts and plies, and to open them in every round would cost far more than what is in them.
 */
export async function collectConversions(context: Context, runs: readonly EventRun[]): Promise<EventRun[]> {
  const { slice, parts, store, budget, counters } = context;
  const relevant = concerning(runs, parts);
  if (relevant.length <= 1) return relevant;
  const events = await openEventRuns(context, relevant);
  const name = runName(context, 'conversions-due');
  const writer = await createRun(
    store,
    name,
    { kind: 'events', dense: false, columns: [], strict: false, meta: { slice: slice.name } },
    { batchRows: budget.batchRows, counters },
  );
  try {
    let last = 0;
    for (let ply = 1; events.mayHold(ply); ply++) {
      for (const flowNumber of FLOWS) {
        const base = eventNumber(ply, flowNumber) * slice.parts;
        for await (const batch of events.cursor(ply, flowNumber, parts)) {
          await writer.append(base + batch.major, batch.length, batch.minor, []);
          last = ply;
        }
      }
    }
    if (writer.rows === 0) {
      await writer.abort();
      return [];
    }
    const { crc, rows } = await writer.close();
    return [{ name, crc, ...parts, first: 1, last, rows }];
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The requests that the mates of a partition make: those of round 1. */
export async function expandMates(
  context: Context,
  mates: readonly EventRun[],
  partitions: number,
): Promise<RequestRun | null> {
  const runs = await openEventRuns(context, mates);
  const frontier = newFrontier(context, SHARES.frontier);
  try {
    await loadFrontier(runs, 0, context, frontier);
    return await expandFrontier(context, 1, frontier, partitions);
  } finally {
    await frontier.dispose();
  }
}

/** Run kind: requests; major = flow * parts + part of the predecessor, which may be repeated. */
const REQUESTS = 'requests';

/** Writes the requests of a frontier, for round `ply`, as one run; null if there are none. */
async function expandFrontier(
  context: Context,
  ply: number,
  frontier: Spool,
  partitions: number,
): Promise<RequestRun | null> {
  const { slice, budget, scratch, counters, store } = context;
  if (frontier.rows === 0) return null;
  const env = { budget: share(budget, SHARES.order), scratch, counters, arrays: newArrays() };
  const pool = createPool(budget.memory * SHARES.pool, { shared: false });
  const majors = FLOWS.length * slice.parts;
  const segments = await distribute(
    expand(frontier.cursor(), unmoveKernel(slice), { rows: EXPAND_ROWS, payload: 0 }),
    { majors, payload: 0, pool },
    env,
  );
  const name = runName(context, `requests-${ply}`);
  const writer = await createRun(
    store,
    name,
    { kind: REQUESTS, dense: false, columns: [], strict: false, meta: { slice: slice.name } },
    { batchRows: requestBatchRows(context, partitions), counters },
  );
  try {
    for await (const batch of gather([{ segments, pool }], { from: 0, to: majors }, 0, env)) {
      await writer.append(batch.major, batch.length, batch.minor, []);
    }
    if (writer.rows === 0) {
      await writer.abort();
      return null;
    }
    const { crc, rows } = await writer.close();
    return { name, crc, rows };
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    await releaseSegments(segments, env);
  }
}

/** The next round holds a record batch of every request run. */
function requestBatchRows({ budget }: Context, partitions: number): number {
  const rows = Math.floor((budget.memory * SHARES.requests) / (4 * partitions));
  return Math.max(1, Math.min(budget.batchRows, rows));
}

/** Requests that a position of the frontier makes in its own part, about. */
const STAYING = 8;

/** Requests that count down in the partition, those that stay estimated: about as many counts change, conversions aside. */
function expectedChanges(
  { slice, parts }: Context,
  readers: readonly RunReader[],
  frontierRows: number,
): number {
  let rows = slice.local === undefined ? 0 : STAYING * frontierRows;
  for (const reader of readers) {
    for (const flowNumber of LOSS_FLOWS) {
      for (let part = parts.from; part < parts.to; part++) {
        rows += reader.segmentRows(flowNumber * slice.parts + part);
      }
    }
  }
  return rows;
}

function isDeltaTooLarge({ slice, parts }: Context, { deltas }: PartitionLabels, expected: number): boolean {
  let positions = 0;
  for (let part = parts.from; part < parts.to; part++) positions += 2 * slice.partSize(part);
  const rows = deltas.reduce((sum, { counts }) => sum + (counts?.rows ?? 0), expected);
  return deltas.length >= MAX_DELTAS || rows * CHANGE_BYTES > DELTA_FRACTION * positions;
}

async function closeFrontierRun(context: Context, ply: number, writer: RunWriter): Promise<EventRun | null> {
  if (writer.rows === 0) {
    await writer.abort();
    return null;
  }
  const { name, crc, rows } = await writer.close();
  return { name, crc, ...context.parts, first: ply, last: ply, rows };
}

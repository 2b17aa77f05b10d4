/** The state of a partition from round to round (rounds.ts), and the requests that it sends and gets. */

import { type Arrays, newArrays } from '../../operators/core/arrays.js';
import type { Interval } from '../../operators/core/interval.js';
import { interleave } from '../../operators/interleave.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { Grouped, RowSource } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { MOST_KERNEL_BYTES, type RowKernels } from '../contract/game.js';
import { unmoveFlow } from '../formats/events.js';
import { firstMajor, majorsIn, majorsOf } from '../formats/majors.js';
import type { EventRun, LabelRuns, PartRun } from '../formats/manifest.js';
import type { Parcel, Transport } from '../partition/transport.js';
import type { Context } from './context.js';
import { type EventRuns, openEventRuns, shifted } from './event-runs.js';
import { type Frontiers, openFrontiers } from './frontiers.js';
import { type Labels, newLabels } from './label-flow.js';
import { mostPlaneBytes, openPlanes } from './label-planes.js';
import { memoryOf } from './memory.js';
import type { RoundMoves } from './round-moves.js';
import { keysOfSets, SET_COLUMNS } from './sets.js';

export interface RoundsState {
  readonly labels: LabelRuns;
  /** Event runs that hold all that was labelled before ply `nextPly`. */
  readonly events: readonly EventRun[];
  readonly conversions: readonly EventRun[];
  readonly turns: readonly EventRun[];
  /** The edge runs of all parts, if the slice has no unmoves. */
  readonly edges: readonly PartRun[];
  readonly nextPly: number;
}

export interface RoundPartition {
  readonly context: Context;
  readonly moves: RoundMoves;
  readonly transport: Transport;
  readonly env: SortEnv & { readonly arrays: Arrays };
  /** Bytes of the rows of a shipment that are held in memory. */
  readonly shipmentMemory: number;
  readonly conversions: EventRuns;
  readonly turns: EventRuns;
  /** Null: the partition labels by keys. */
  readonly byRows: ReturnType<RowKernels['open']> | null;
  readonly labels: Labels;
  readonly frontiers: Frontiers;
  /** Strategy `lookup`: the positions that might be lost in this round. */
  candidates: Spool | undefined;
  /** Requests of this round that stayed in their part. */
  stayed: number;
}

export async function openRoundPartition(
  context: Context,
  state: RoundsState,
  moves: RoundMoves,
  transport: Transport,
): Promise<RoundPartition> {
  const { slice, strategy, budget, scratch, counters } = context;
  const memory = memoryOf('rounds', budget);
  const conversions = await openEventRuns(context, state.conversions);
  const turns = await openEventRuns(context, state.turns);
  const { countPlanes } = state.labels;
  const labelMemory =
    countPlanes === null ? memory.labels.memory : Math.min(memory.labels.memory, MOST_KERNEL_BYTES);
  const byRows =
    countPlanes === null ? null : moves.rows!.open(mostPlaneBytes(context, countPlanes, labelMemory));
  const planes = openPlanes(context, state.labels, labelMemory, byRows?.allocate);
  const buffers = transport.turns + (strategy === 'count' ? 0 : 2);
  return {
    context,
    moves,
    transport,
    env: { budget: memory.order, scratch, counters, arrays: newArrays() },
    shipmentMemory: memory.requests.memory / buffers,
    conversions,
    turns,
    byRows,
    labels: newLabels(slice, planes),
    frontiers: await openFrontiers(context, state, memory.frontier, byRows === null ? [] : SET_COLUMNS),
    candidates: undefined,
    stayed: 0,
  };
}

/** The payload columns of requests that are sets. */
export const setColumns: readonly string[] = SET_COLUMNS.map(({ name }) => name);

/** A parcel: its name, the buffer it lies in, the majors of a part, and the payload columns. */
interface Sent {
  readonly name: string;
  readonly buffer: string;
  readonly units: number;
  readonly columns: readonly string[];
}

/** Sends rows with majors of `units` groups. */
export async function send(
  { context: { slice }, transport, env, shipmentMemory }: RoundPartition,
  { name, buffer, units, columns }: Sent,
  rows: RowSource,
  again: boolean,
): Promise<Parcel> {
  await transport.release(buffer, env);
  const receivedBy = (of: Interval) => Array.from({ length: units }, (_, unit) => majorsOf(slice, unit, of));
  const shipment = {
    what: name,
    majors: majorsIn(slice, units),
    receivedBy,
    columns,
    // Rows that are received by major and have no columns are packed, which takes an order.
    byMajor: columns === setColumns,
    memory: shipmentMemory,
    buffer,
  };
  return transport.send(rows, shipment, env, again);
}

/**
 * The keys of the conversions that come due at ply n. Labels of a slice that an earlier version began are counted by keys,
 * whatever its conversions are.
 */
export function conversionKeys(
  { context: { parts }, conversions }: RoundPartition,
  ply: number,
  flowNumber: number,
): Grouped {
  return keysOfSets(conversions.cursor(ply, flowNumber, parts));
}

/** Requests for this partition's parts of one flow, by part, with the conversions of ply n. */
export function requestsOf(
  partition: RoundPartition,
  ply: number,
  flowNumber: number,
  requests: readonly Parcel[],
): Grouped {
  const { context, conversions, env, frontiers, moves, transport } = partition;
  const { slice, parts } = context;
  const unmoved = unmoveFlow(flowNumber);
  const frontier = frontiers.current().cursor(majorsOf(slice, unmoved, parts));
  const inputs = [...transport.receiveByMajor(requests, majorsOf(slice, flowNumber, parts), 0, env)];
  const within = moves.within?.(flowNumber, frontier, firstMajor(slice, unmoved), (rows) => {
    partition.stayed += rows;
  });
  if (within !== undefined) inputs.push(within);
  if (conversions.mayHold(ply)) {
    inputs.push(shifted(conversionKeys(partition, ply, flowNumber), firstMajor(slice, flowNumber)));
  }
  const all = interleave(inputs);
  return moves.excess?.sift(flowNumber, all) ?? all;
}

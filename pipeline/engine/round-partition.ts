/** The state of a partition from round to round (rounds.ts), and the requests that it sends and gets. */

import { type Arrays, newArrays } from '../../operators/core/arrays.js';
import type { Interval } from '../../operators/core/interval.js';
import type { Spool } from '../../operators/runs/spool.js';
import type { RowSource } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { unmoveFlow } from '../game/events.js';
import { firstMajor, majorsIn, majorsOf } from '../game/majors.js';
import type { EventRun, LabelRuns, PartRun } from '../game/manifest.js';
import type { WorkRun } from '../game/slice-objects.js';
import type { Parcel } from '../game/step-manifests.js';
import type { Context } from './context.js';
import { type EventRuns, openEventRuns } from './event-runs.js';
import { type Frontiers, openFrontiers } from './frontiers.js';
import type { Striking } from './label-flow.js';
import { type LabelPlanes, labelMemoryOf, openPlanes } from './label-planes.js';
import { memoryOf } from './memory.js';
import type { RoundMoves } from './round-moves.js';
import type { Transport } from './transport.js';

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
  readonly planes: LabelPlanes;
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
  const { strategy, budget, scratch, counters } = context;
  const memory = memoryOf('rounds', budget);
  const conversions = await openEventRuns(context, state.conversions);
  const turns = await openEventRuns(context, state.turns);
  const labelMemory = labelMemoryOf(context, state.labels);
  const buffers = transport.turns + (strategy === 'count' ? 0 : 2);
  return {
    context,
    moves,
    transport,
    env: { budget: memory.order, scratch, counters, arrays: newArrays() },
    shipmentMemory: memory.requests.memory / buffers,
    conversions,
    turns,
    planes: openPlanes(context, state.labels, labelMemory, moves.allocate),
    frontiers: await openFrontiers(context, state, memory.frontier, moves.columns),
    candidates: undefined,
    stayed: 0,
  };
}

/** A parcel: its name, the buffer it lies in, the majors of a part, and the payload columns. */
interface Sent {
  readonly name: WorkRun;
  readonly buffer: string;
  readonly units: number;
  readonly columns: readonly string[];
  /** Whether the rows of a major may come in any order. */
  readonly byMajor: boolean;
}

/** Sends rows with majors of `units` groups. */
export async function send(
  { context: { slice }, transport, env, shipmentMemory }: RoundPartition,
  { name, buffer, units, columns, byMajor }: Sent,
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
    byMajor,
    memory: shipmentMemory,
    buffer,
  };
  return transport.send(rows, shipment, env, again);
}

/** What strikes this partition's parts of one flow in round `ply`. */
export function strikingOf(
  { context, conversions, env, frontiers, moves, transport }: RoundPartition,
  ply: number,
  flowNumber: number,
  requests: readonly Parcel[],
): Striking {
  const { slice, parts } = context;
  const unmoved = unmoveFlow(flowNumber);
  const payload = moves.columns.length as 0 | 2;
  const sent = transport.receiveByMajor(requests, majorsOf(slice, flowNumber, parts), payload, env);
  const frontier = moves.staysWithin
    ? {
        batches: frontiers.current().cursor(majorsOf(slice, unmoved, parts)),
        first: firstMajor(slice, unmoved),
      }
    : null;
  return {
    requests: { sent, first: firstMajor(slice, flowNumber) },
    frontier,
    conversions: conversions.mayHold(ply) ? conversions.cursor(ply, flowNumber, parts) : null,
  };
}

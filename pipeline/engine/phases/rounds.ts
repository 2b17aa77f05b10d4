/**
 * Rounds: round n labels the positions that are won or lost in n plies. Where the goal is one side's (stipulation.ts), positions are lost for the
 * side that is to be mated, and won for the other, whatever the two want.
 *
 * The frontier of round n - 1 is expanded by unmoves into requests, or joined with the edges to it (edges.ts). A
 * predecessor of a lost position is won; a predecessor of a won position might be lost. Requests that leave their part are
 * distributed to the parts. With the requests that stay, and the events that join round n (frontier-rule.ts), they are applied to the
 * labels, part by part.
 *
 * Requests and frontiers are sets of rows (rows.ts), keys where a row has one position. A request takes one off the out-counts
 * of open positions; those that reach zero are lost. So requests need no successor column, and no order in a part, whose labels
 * are in the cache. lookup.ts finds losses in another way.
 *
 * Work is cut by parts. A partition expands the frontier of its own parts and labels its own parts. An exchange carries requests
 * from one partition to another (exchange.ts). Every partition must have finished one call before any begins the next.
 */

import { type Arrays, newArrays } from '../../../operators/core/arrays.js';
import { assert } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { type ExpandKernel, expand } from '../../../operators/expand.js';
import { type VisitedInput, visitInterleaved } from '../../../operators/interleave.js';
import type { Batch, Grouped, RowSource } from '../../../operators/runs/types.js';
import type { SortEnv } from '../../../operators/sort/env.js';
import { FLOWS, kindOf, sideOf, unmoveFlow } from '../../game/events.js';
import type { RowKernels, RowLabels, Side } from '../../game/game.js';
import { type Labelling, labellingOf } from '../../game/labelling.js';
import { firstMajor, groupOf, majorsIn, majorsOf, type Parts, partOf } from '../../game/majors.js';
import type { EventRun, LabelRuns, PartRun } from '../../game/manifest.js';
import type { CommittedPart, Labelled, Parcel } from '../../game/step-manifests.js';
import type { Context } from '../memory/context.js';
import { EXPAND_ROWS } from '../memory/context.js';
import { EventRuns, type Frontier, Frontiers } from '../memory/event-runs.js';
import { LabelPlanes } from '../memory/label-planes.js';
import { memoryOf } from '../memory/phase-memory.js';
import { areSets, columnsOf, payloadOf, repeatsIn, setsOf } from '../memory/rows.js';
import { type Carrier, Exchange, type Shipment } from './exchange.js';

export interface RoundsState {
  readonly labels: LabelRuns;
  /** Event runs that hold all that was labelled before ply `nextPly`. */
  readonly events: readonly EventRun[];
  readonly conversions: readonly EventRun[];
  /** The edge runs of all parts, if the slice has no unmoves. */
  readonly edges: readonly PartRun[];
  readonly nextPly: number;
}

/** What a round labels by. */
export interface Received {
  /** The parcels of all partitions. */
  readonly requests: readonly Parcel[];
  /** Under `lookup`: the askers that escape. */
  readonly escapes: readonly Parcel[];
  /** The event that joins the round by the frontier rule; null: none. */
  readonly event: number | null;
}

/** The rows of a slice, and the requests that strike them. */
export interface RoundMoves {
  readonly rows: RowKernels;
  readonly labels: RowLabels;
  /** The unmoves of a frontier that `strikeWithin` leaves out, as requests (majors of flows) in no order. */
  requests(frontier: Frontier, arrays: Arrays): RowSource;
}

/** Requests by the unmoves of kernels. */
export function unmovesOf(
  slice: Parts,
  rows: RowKernels,
  labels: RowLabels,
  { by }: Pick<Labelling, 'by'>,
): RoundMoves {
  const kernel: ExpandKernel = (batch, from, out) => {
    const { low, high } = setsOf(out);
    const emission = { length: out.length, major: out.major, minor: out.minor, low, high };
    const range = { from, to: batch.length };
    const origin = groupOf(slice, batch.major);
    const flow = unmoveFlow(origin);
    const bias = firstMajor(slice, flow);
    const part = partOf(slice, batch.major);
    const done = labels.unmovesBeyond(sideOf(origin), part, setsOf(batch), range, bias, emission, by[flow]!);
    out.length = emission.length;
    return done;
  };
  const payload = columnsOf(rows).length;
  return {
    rows,
    labels,
    requests: (frontier, arrays) => expand(frontier.cursor(), kernel, { rows: EXPAND_ROWS, payload, arrays }),
  };
}

/** Rows that strike the parts of a flow. `shift` is added to majors, which then are parts. */
interface Strikes {
  readonly batches: Grouped;
  readonly shift: number;
  /** Whether the labels are struck by the unmoves of the rows that stay in their part, not by the rows themselves. */
  readonly within?: boolean;
}

/** What is done as one part is struck after the other. */
interface PartVisitor {
  enter(part: number): Promise<void>;
  leave(part: number): Promise<void>;
}

/** A shipment whose majors are those of `units` groups. */
interface Sent extends Omit<Shipment, 'majors' | 'receivedBy' | 'memory'> {
  readonly units: number;
}

/** The state of a partition from round to round. */
export interface OpenedRounds<Moves extends RoundMoves> {
  readonly context: Context;
  readonly moves: Moves;
  readonly exchange: Exchange;
  readonly env: SortEnv & { readonly arrays: Arrays };
  readonly conversions: EventRuns;
  readonly planes: LabelPlanes;
  readonly frontiers: Frontiers;
}

export async function beginRounds<Moves extends RoundMoves>(
  context: Context,
  state: RoundsState,
  moves: Moves,
  carrier: Carrier,
): Promise<OpenedRounds<Moves>> {
  const { budget, scratch, counters } = context;
  const { labels, rows } = moves;
  const memory = memoryOf('rounds', budget);
  const env = { budget: memory.order, scratch, counters, arrays: newArrays() };
  return {
    context,
    moves,
    exchange: new Exchange(carrier, env),
    env,
    conversions: await EventRuns.open(context, state.conversions),
    planes: new LabelPlanes(context, rows, state.labels, (bytes) => labels.allocate(bytes)),
    frontiers: await Frontiers.open(context, rows, state, memory.frontier),
  };
}

/** The bits of a side by part, null of other partitions' parts and of those that are not in memory. */
function unwonInMemory({ slice, parts }: Context, { unwon }: LabelPlanes, side: Side) {
  return Array.from({ length: slice.parts }, (_, part) =>
    part < parts.from || part >= parts.to ? null : unwon[side].inMemory(part),
  );
}

/** The rounds of one partition. `again`: as in {@link Exchange.send}. */
export class Rounds<Moves extends RoundMoves = RoundMoves> {
  /** Shipments of a round, beside the requests, that are under way at the same time. */
  protected readonly otherShipments: number = 0;
  /** Requests of this round that stayed in their part. Those that were left out because their positions have labels are counted elsewhere. */
  private stayed = 0;

  constructor(protected readonly opened: OpenedRounds<Moves>) {}

  /** Sends the requests of round `ply`: the unmoves of the frontier of ply - 1. */
  expand(ply: number, again: boolean): Promise<Parcel> {
    assert(ply >= 1, 'round 0 is the mates');
    const { context, env, exchange, frontiers, moves, planes } = this.opened;
    if (moves.rows.width > 1)
      for (const side of [0, 1] as const)
        moves.labels.takeUnlabelled(side, unwonInMemory(context, planes, side));
    const columns = columnsOf(moves.rows).map(({ name }) => name);
    const sent = {
      what: `requests-${ply}` as const,
      buffer: `requests-${ply % exchange.turns}`,
      units: FLOWS.length,
      columns,
      // Rows without columns are packed, which takes an order.
      byMajor: columns.length > 0,
    };
    return this.send(sent, moves.requests(frontiers.current, env.arrays), again);
  }

  /** `lookup` only: selects the positions that might be lost, and has them ask for their successors. */
  ask(_ply: number, _requests: readonly Parcel[], _again: boolean): Promise<Parcel> {
    throw new Error('rounds that count ask for no successors');
  }

  /** `lookup` only: answers questions about this partition's parts; answers are the escapes. */
  answer(_ply: number, _asked: readonly Parcel[], _again: boolean): Promise<Parcel> {
    throw new Error('rounds that count ask for no successors');
  }

  /** Labels this partition's parts: in the bits what any move labels, in the counts what all moves label. */
  async label(ply: number, received: Received): Promise<Labelled> {
    const { moves, planes, frontiers, context } = this.opened;
    const { slice } = context;
    const { labels, rows } = moves;
    const labelling = labellingOf(context.metric);
    planes.memory.turn();
    const labelled: [[number, number], [number, number]] = [
      [0, 0],
      [0, 0],
    ];
    const { counters } = this.opened.context;
    const { pagesMet, pagesChanged } = counters;
    for (const flowNumber of FLOWS) {
      const side = sideOf(flowNumber);
      const kind = kindOf(flowNumber);
      const by = labelling.by[flowNumber];
      if (by === null) continue;
      const plane = planes[by === 'any' ? 'unwon' : 'counts'][side];
      const strikes = await (by === 'any'
        ? this.strikesOf(flowNumber, received)
        : this.losing(flowNumber, received));
      await this.strikeParts(flowNumber, strikes, {
        async enter(part) {
          labels.label(by, side, await plane.load(part), part);
        },
        async leave(part) {
          // Counts may go down without a label; bits change only where something is labelled.
          if (by === 'all' || labels.hasLabelled()) plane.dirty();
          while (labels.hasLabelled()) {
            const found = labels.drain();
            labelled[kind][side] += found.positions - repeatsIn(slice, part, found, rows);
            await frontiers.record(ply, flowNumber, part, found.length, found.minor, payloadOf(rows, found));
          }
        },
      });
    }
    await frontiers.advance();
    const [won, lost] = labelled;
    const stayed = this.stayed + labels.takeLeftOut();
    this.stayed = 0;
    const met = counters.pagesMet - pagesMet;
    return { won, lost, stayed, met, changed: counters.pagesChanged - pagesChanged };
  }

  /** Writes labels and the frontiers since the last commit durably. @param done whether no round follows. */
  async commit(nextPly: number, done: boolean): Promise<CommittedPart> {
    const { frontiers, planes } = this.opened;
    const frontier = await frontiers.commit(nextPly);
    return { labels: await planes.commit(nextPly, done), frontier };
  }

  async close(): Promise<void> {
    const { exchange, frontiers, planes, moves } = this.opened;
    await frontiers.close();
    await planes.dispose();
    moves.labels.close();
    await exchange.close();
  }

  protected async send({ units, ...sent }: Sent, rows: RowSource, again: boolean): Promise<Parcel> {
    const { context, exchange } = this.opened;
    const { slice, budget } = context;
    await exchange.release(sent.buffer);
    const shipment = {
      ...sent,
      majors: majorsIn(slice, units),
      receivedBy: (of: Interval) => Array.from({ length: units }, (_, unit) => majorsOf(slice, unit, of)),
      memory: memoryOf('rounds', budget).requests.memory / (exchange.turns + this.otherShipments),
    };
    return exchange.send(rows, shipment, again);
  }

  /** Strikes the positions of a flow that are lost. */
  protected losing(flowNumber: number, received: Received): Promise<Strikes[]> {
    return this.strikesOf(flowNumber, received);
  }

  /** What strikes this partition's parts of one flow: requests of all senders, unmoves that stay, the event that joins the round. */
  protected async strikesOf(
    flowNumber: number,
    { requests, event }: Pick<Received, 'requests' | 'event'>,
  ): Promise<Strikes[]> {
    const { context, conversions, exchange, frontiers, moves } = this.opened;
    const { slice, parts } = context;
    const payload = columnsOf(moves.rows).length as 0 | 2;
    const sent = await exchange.receiveByMajor(requests, majorsOf(slice, flowNumber, parts), payload);
    const strikes: Strikes[] = sent.map((batches) => ({ batches, shift: -firstMajor(slice, flowNumber) }));
    if (moves.labels.strikesWithin) {
      const unmoved = unmoveFlow(flowNumber);
      const batches = frontiers.current.cursor(majorsOf(slice, unmoved, parts));
      strikes.push({ batches, shift: -firstMajor(slice, unmoved), within: true });
    }
    if (event !== null && conversions.mayHold(event))
      strikes.push({ batches: conversions.cursor(event, flowNumber, parts), shift: 0 });
    return strikes;
  }

  /**
   * Strikes the parts of a flow: one sweep over those that have requests. A part's requests need no order, since its labels are in
   * the cache while they are looked at.
   */
  protected async strikeParts(
    flowNumber: number,
    strikes: readonly Strikes[],
    { enter, leave }: PartVisitor,
  ): Promise<void> {
    const { labels } = this.opened.moves;
    const from = sideOf(unmoveFlow(flowNumber));
    let part = -1;

    async function turnTo(next: number): Promise<void> {
      if (part >= 0) await leave(part);
      part = next;
      await enter(part);
    }

    const strike = (batch: Batch) => {
      if (areSets(batch)) labels.strikeRows(setsOf(batch), batch.length);
      else labels.strikeKeys(batch.minor, batch.length);
    };
    const strikeWithin = (batch: Batch) => {
      this.stayed += labels.strikeWithin(from, part, setsOf(batch), batch.length);
    };
    const inputs = strikes.map(({ batches, shift, within }): VisitedInput => {
      const visit = within === true ? strikeWithin : strike;
      return {
        batches,
        shift,
        visit(batch, major) {
          if (major === part) visit(batch);
          else return turnTo(major).then(() => visit(batch));
        },
      };
    });
    await visitInterleaved(inputs);
    if (part >= 0) await leave(part);
  }
}

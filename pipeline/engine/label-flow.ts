/** The work of a round on one flow (pipeline/game/events.ts): requests and conversions strike the labels of its parts. */
import { type VisitedInput, visitInterleaved } from '../../operators/interleave.js';
import type { Batch, Grouped } from '../../operators/runs/types.js';
import { Kind, kindOf, sideOf, unmoveFlow } from '../game/events.js';
import type { LabelPlanes } from './label-planes.js';
import type { RoundMoves } from './round-moves.js';

/** Takes which keys, or sets with their halves as `payload`, of a part were labelled; ascending, also from call to call. */
export type LabelListener = (
  part: number,
  length: number,
  minor: Uint32Array,
  payload: readonly Uint32Array[],
) => Promise<void>;

/** Keys or sets that strike the parts of a flow. `first`: the major of the first part. */
export interface Striking {
  /** Requests that were sent, of some senders. */
  readonly requests: { readonly sent: readonly Grouped[]; readonly first: number };
  /** The frontier whose unmoves the flow gets, in order, if some of them stay in their part. */
  readonly frontier: { readonly batches: Grouped; readonly first: number } | null;
  /** Majors are parts. */
  readonly conversions: Grouped | null;
}

/** What is done as one part is struck after the other. */
export interface PartVisitor {
  enter(part: number): Promise<void>;
  leave(part: number): Promise<void>;
}

/**
 * Strikes the parts of a flow: one sweep over those that have requests. A part's requests need no order, since its labels are in the
 * cache while they are looked at. Returns how many requests stayed in their part.
 */
export async function strikeParts(
  moves: RoundMoves,
  flowNumber: number,
  { requests, frontier, conversions }: Striking,
  { enter, leave }: PartVisitor,
): Promise<number> {
  const from = sideOf(unmoveFlow(flowNumber));
  let part = -1;
  let stayed = 0;

  async function turnTo(next: number): Promise<void> {
    if (part >= 0) await leave(part);
    part = next;
    await enter(part);
  }

  function struck(batches: Grouped, first: number, strike: (batch: Batch) => void): VisitedInput {
    return {
      batches,
      shift: -first,
      visit(batch, major) {
        if (major === part) strike(batch);
        else return turnTo(major).then(() => strike(batch));
      },
    };
  }

  const strike = (batch: Batch) => moves.strike(batch);
  const inputs = requests.sent.map((sent) => struck(sent, requests.first, strike));
  if (frontier !== null) {
    const strikeWithin = (batch: Batch) => {
      stayed += moves.strikeWithin(from, part, batch);
    };
    inputs.push(struck(frontier.batches, frontier.first, strikeWithin));
  }
  if (conversions !== null) inputs.push(struck(conversions, 0, strike));
  await visitInterleaved(inputs);
  if (part >= 0) await leave(part);
  return stayed;
}

/** Labels what strikes the parts of a flow: wins in the bits, losses in the counts. */
export async function labelFlow(
  flowNumber: number,
  planes: LabelPlanes,
  moves: RoundMoves,
  striking: Striking,
  listener: LabelListener,
): Promise<{ labelled: number; stayed: number }> {
  const wins = kindOf(flowNumber) === Kind.win;
  const side = sideOf(flowNumber);
  const plane = planes[wins ? 'unwon' : 'counts'][side];
  let labelled = 0;
  const stayed = await strikeParts(moves, flowNumber, striking, {
    async enter(part) {
      moves.turnTo(wins ? 'won' : 'lost', side, part, await plane.load(part));
    },
    async leave(part) {
      // Counts may go down without a loss; bits change only where something is won.
      if (!wins || moves.hasLabelled()) plane.dirty();
      labelled += await moves.drain((length, minor, payload) => listener(part, length, minor, payload));
    },
  });
  return { labelled, stayed };
}

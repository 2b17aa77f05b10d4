/**
 * The work of a round by rows (pipeline/contract/row-kernels.ts). A request is a set: these positions of a row have an unmove
 * to the part. Sets that stay in a part strike its labels at once. The others are sent, with their halves as payload.
 */
import type { Arrays } from '../../operators/core/arrays.js';
import { type ExpandKernel, expand } from '../../operators/expand.js';
import { type VisitedInput, visitInterleaved } from '../../operators/interleave.js';
import type { Batch, Grouped, RowSource } from '../../operators/runs/types.js';
import type { RowLabels } from '../contract/game.js';
import { Kind, kindOf, sideOf, unmoveFlow } from '../formats/events.js';
import { firstMajor, groupOf, type Parts, partOf } from '../formats/majors.js';
import { EXPAND_ROWS } from './convert.js';
import type { LabelListener } from './label-flow.js';
import type { LabelPlanes } from './label-planes.js';
import type { Frontier } from './round-moves.js';
import { areSets, SET_COLUMNS, setsOf } from './sets.js';

/** The unmoves of a frontier that leave their part, as sets in no order; majors of flows. */
export function requestRows(slice: Parts, labels: RowLabels, frontier: Frontier, arrays: Arrays): RowSource {
  const kernel: ExpandKernel = (batch, from, out) => {
    const [low, high] = out.payload as [Uint32Array, Uint32Array];
    const emission = { length: out.length, major: out.major, minor: out.minor, low, high };
    const range = { from, to: batch.length };
    const origin = groupOf(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajor(slice, unmoveFlow(origin));
    const side = sideOf(origin);
    const done = labels.unmovesBeyond(side, part, setsOf(batch), range, bias, emission);
    out.length = emission.length;
    return done;
  };
  return expand(frontier.cursor(), kernel, { rows: EXPAND_ROWS, payload: SET_COLUMNS.length, arrays });
}

/** Sets that strike the parts of a flow. `first`: the major of the first part. */
export interface Striking {
  /** Sets that were sent, of some senders. */
  readonly requests: { readonly sent: readonly Grouped[]; readonly first: number };
  /** The frontier whose unmoves the flow gets, in order. */
  readonly frontier: { readonly batches: Grouped; readonly first: number };
  /** Majors are parts. */
  readonly conversions: Grouped | null;
}

/** As `labelFlow`, by rows. Returns how many positions were labelled, and how many sets stayed in their part. */
export async function labelRows(
  flowNumber: number,
  planes: LabelPlanes,
  labels: RowLabels,
  { requests, frontier, conversions }: Striking,
  listener: LabelListener,
): Promise<{ labelled: number; stayed: number }> {
  const wins = kindOf(flowNumber) === Kind.win;
  const plane = planes[wins ? 'unwon' : 'counts'][sideOf(flowNumber)];
  const from = sideOf(unmoveFlow(flowNumber));
  let part = -1;
  let labelled = 0;
  let stayed = 0;

  async function leave(): Promise<void> {
    // Counts may go down without a loss; bits change only where something is won.
    if (part >= 0 && (!wins || labels.hasLabelled())) plane.dirty();
    while (labels.hasLabelled()) {
      const { length, minor, low, high, positions } = labels.drain();
      labelled += positions;
      await listener(part, length, minor, [low, high]);
    }
  }

  async function enter(major: number): Promise<void> {
    await leave();
    part = major;
    labels.label(wins ? 'won' : 'lost', sideOf(flowNumber), await plane.load(part));
  }

  function struck(batches: Grouped, first: number, strike: (batch: Batch) => void): VisitedInput {
    return {
      batches,
      shift: -first,
      visit(batch, major) {
        if (major === part) strike(batch);
        else return enter(major).then(() => strike(batch));
      },
    };
  }

  const inputs = requests.sent.map((sent) =>
    struck(sent, requests.first, (batch) => labels.strikeRows(setsOf(batch), batch.length)),
  );
  inputs.push(
    struck(frontier.batches, frontier.first, (batch) => {
      stayed += labels.strikeWithin(from, part, setsOf(batch), batch.length);
    }),
  );
  if (conversions !== null) {
    const strike = (batch: Batch) => {
      if (areSets(batch)) labels.strikeRows(setsOf(batch), batch.length);
      else labels.strikeKeys(batch.minor, batch.length);
    };
    inputs.push(struck(conversions, 0, strike));
  }
  await visitInterleaved(inputs);
  await leave();
  return { labelled, stayed };
}

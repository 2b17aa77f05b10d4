/**
 * The work of a round by rows (pipeline/contract/row-kernels.ts). A request is a set: these positions of a row have an unmove
 * to the part. Sets that stay in a part strike its labels at once. The others are sent, with their halves as payload.
 */
import type { Arrays } from '../../operators/core/arrays.js';
import { type ExpandKernel, expand } from '../../operators/expand.js';
import { interleave } from '../../operators/interleave.js';
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

/** Sets that strike the parts of a flow; majors are parts. */
export interface Striking {
  /** Sets that were sent. */
  readonly requests: Grouped;
  /** The frontier whose unmoves the flow gets, in order. */
  readonly frontier: Grouped;
  readonly conversions: Grouped | null;
}

interface Struck extends Batch {
  /** Returns how many sets stayed in the part. */
  readonly strike: (batch: Batch) => number;
}

async function* each(source: Grouped, strike: Struck['strike']): AsyncGenerator<Struck> {
  for await (const batch of source) yield { ...batch, strike };
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
  const inputs = [
    each(requests, (batch) => {
      labels.strikeRows(setsOf(batch), batch.length);
      return 0;
    }),
    each(frontier, (batch) => labels.strikeWithin(from, batch.major, setsOf(batch), batch.length)),
  ];
  if (conversions !== null) {
    const strike = (batch: Batch) => {
      if (areSets(batch)) labels.strikeRows(setsOf(batch), batch.length);
      else labels.strikeKeys(batch.minor, batch.length);
      return 0;
    };
    inputs.push(each(conversions, strike));
  }
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

  for await (const batch of interleave(inputs)) {
    if (batch.major !== part) {
      await leave();
      part = batch.major;
      labels.label(wins ? 'won' : 'lost', sideOf(flowNumber), await plane.load(part));
    }
    stayed += batch.strike(batch);
  }
  await leave();
  return { labelled, stayed };
}

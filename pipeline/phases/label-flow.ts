/** What a round does with one flow (pipeline/events.ts): labels by ordered keys, and the unmoves of what was labelled. */
import type { Batch, Cursor, Rows } from '../../operators/runs/types.js';
import { flow, Kind, kindOf, opponent, sideOf } from '../events.js';
import type { Emission, Slice } from '../game.js';
import type { closeWon } from '../labels.js';
import type { LabelPlanes } from './label-planes.js';

export interface LabelListener {
  /** keys[0..length) of a part were labelled; ascending, in this call and from call to call. */
  labelled(part: number, length: number, keys: Uint32Array): Promise<void>;
  /**
   * Where changes are kept apart from the planes: keys[0..length) (ascending, with repeats) of a part were counted, and
   * `counts` is its plane now. Blocks are not marked as changed then.
   */
  counted?(part: number, length: number, keys: Uint32Array, counts: Uint8Array): Promise<void>;
}

/**
 * Labels what `source` (keys of the parts of one flow, ordered; majors of the flow) brings: wins in the bits, losses in
 * the counts. Returns how many were labelled. One sweep over the blocks that have keys.
 */
export async function labelFlow(
  slice: Slice,
  planes: LabelPlanes,
  flowNumber: number,
  source: Cursor,
  close: typeof closeWon,
  listener: LabelListener,
): Promise<number> {
  const wins = kindOf(flowNumber) === Kind.win;
  const plane = planes[wins ? 'unwon' : 'counts'][sideOf(flowNumber)];
  let keys = new Uint32Array(0);
  let total = 0;
  for await (const batch of source) {
    const part = batch.major - flowNumber * slice.parts;
    const rows = await plane.load(part);
    if (keys.length < batch.length) keys = new Uint32Array(batch.length * 1.5);
    const closed = close(rows, batch.minor, batch.length, keys);
    if (listener.counted === undefined) {
      // A count may go down without a loss; bits change only where something is won.
      if (closed > 0 || !wins) plane.dirty();
    } else if (!wins) await listener.counted(part, batch.length, batch.minor, rows);
    if (closed > 0) await listener.labelled(part, closed, keys);
    total += closed;
  }
  return total;
}

/** Predecessors of won positions might be lost, predecessors of lost positions are won. */
export function unmoveKernel(slice: Slice) {
  const source = new Uint32Array(0);
  return (batch: Batch, from: number, out: Rows): number => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const origin = Math.floor(batch.major / slice.parts);
    const side = sideOf(origin);
    const to = flow(kindOf(origin) === Kind.win ? Kind.loss : Kind.win, opponent(side));
    const part = batch.major - origin * slice.parts;
    const done = slice.unmoves(side, part, batch.minor, from, batch.length, to * slice.parts, emission);
    out.length = emission.length;
    return done;
  };
}

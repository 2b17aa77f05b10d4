/** What a round does with one flow (pipeline/events.ts): it labels by keys. */
import type { Grouped } from '../../operators/runs/types.js';
import { Kind, kindOf, sideOf } from '../events.js';
import type { SliceIndex } from '../game.js';
import type { closeWon } from '../labels.js';
import { firstMajor, type Parts } from '../majors.js';
import { type KeySet, newKeySet } from './key-set.js';
import type { LabelPlanes } from './label-planes.js';

export interface LabelListener {
  /** keys[0..length) of a part were labelled; ascending, in this call and from call to call. */
  labelled(part: number, length: number, keys: Uint32Array): Promise<void>;
  /**
   * Where changes are kept apart from the planes: keys[0..length) (ascending, each once) of a part were counted, and
   * `counts` is its plane now. Blocks are not marked as changed then.
   */
  counted?(part: number, length: number, keys: Uint32Array, counts: Uint8Array): Promise<void>;
}

/** What is used again from flow to flow. */
export interface LabelScratch {
  readonly labelled: KeySet;
  readonly counted: KeySet;
  /** At least `length` words. */
  keys(length: number): Uint32Array;
}

export function newLabelScratch(slice: Pick<SliceIndex, 'width'>): LabelScratch {
  let keys = new Uint32Array(0);
  return {
    labelled: newKeySet(slice.width),
    counted: newKeySet(slice.width),
    keys(length) {
      if (keys.length < length) keys = new Uint32Array(Math.ceil(length * 1.5));
      return keys;
    },
  };
}

/**
 * Labels what `source` (keys of the parts of one flow, by part; majors of the flow) brings: wins in the bits, losses in
 * the counts. Returns how many were labelled. One sweep over the blocks that have keys; a part's keys need no order,
 * since its labels are in the cache while they are looked at.
 */
export async function labelFlow(
  slice: Parts,
  planes: LabelPlanes,
  flowNumber: number,
  source: Grouped,
  close: typeof closeWon,
  listener: LabelListener,
  scratch: LabelScratch,
): Promise<number> {
  const wins = kindOf(flowNumber) === Kind.win;
  const plane = planes[wins ? 'unwon' : 'counts'][sideOf(flowNumber)];
  const apart = wins ? undefined : listener.counted;
  const { labelled, counted } = scratch;
  let rows = new Uint8Array(0);
  const first = firstMajor(slice, flowNumber);
  let part = -1;
  let total = 0;

  async function leave(): Promise<void> {
    if (part < 0) return;
    if (apart !== undefined) await counted.drain((length, keys) => apart(part, length, keys, rows));
    total += await labelled.drain((length, keys) => listener.labelled(part, length, keys));
  }

  for await (const batch of source) {
    if (batch.major - first !== part) {
      await leave();
      part = batch.major - first;
      rows = (await plane.load(part)) as typeof rows;
    }
    const keys = scratch.keys(batch.length);
    const closed = close(rows, batch.minor, batch.length, keys);
    labelled.add(keys, closed);
    if (apart !== undefined) counted.add(batch.minor, batch.length);
    // A count may go down without a loss; bits change only where something is won.
    else if ((closed > 0 || !wins) && listener.counted === undefined) plane.dirty();
  }
  await leave();
  return total;
}

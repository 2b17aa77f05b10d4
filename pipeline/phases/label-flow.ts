/** The work of a round on one flow (pipeline/formats/events.ts): it labels by keys. */
import type { Grouped } from '../../operators/runs/types.js';
import type { SliceIndex } from '../contract/game.js';
import { Kind, kindOf, sideOf } from '../formats/events.js';
import type { closeWon } from '../formats/labels.js';
import { firstMajor, type Parts } from '../formats/majors.js';
import { PartKeySet } from './key-set.js';
import type { LabelPlanes } from './label-planes.js';

/** Takes which keys, or sets with their halves as `payload`, of a part were labelled; ascending, also from call to call. */
export type LabelListener = (
  part: number,
  length: number,
  minor: Uint32Array,
  payload: readonly Uint32Array[],
) => Promise<void>;

/** The labels of a context's parts, and the buffers that all flows use. */
export interface Labels {
  readonly planes: LabelPlanes;
  readonly labelled: PartKeySet;
  /** At least `length` words. */
  keys(length: number): Uint32Array;
}

export function newLabels({ width }: Pick<SliceIndex, 'width'>, planes: LabelPlanes): Labels {
  let keys = new Uint32Array(0);
  return {
    planes,
    labelled: new PartKeySet(width),
    keys(length) {
      if (keys.length < length) keys = new Uint32Array(Math.ceil(length * 1.5));
      return keys;
    },
  };
}

/**
 * Labels what `source` (keys of the parts of one flow, by part; majors of the flow) brings: wins in the bits, losses in
 * the counts. Returns how many were labelled. One sweep over the blocks that have keys. A part's keys need no order,
 * since its labels are in the cache while they are looked at.
 */
export async function labelFlow(
  slice: Parts,
  flowNumber: number,
  { planes, labelled, keys: scratch }: Labels,
  source: Grouped,
  close: typeof closeWon,
  listener: LabelListener,
): Promise<number> {
  const wins = kindOf(flowNumber) === Kind.win;
  const plane = planes[wins ? 'unwon' : 'counts'][sideOf(flowNumber)];
  let rows = new Uint8Array(0);
  const first = firstMajor(slice, flowNumber);
  let part = -1;
  let total = 0;

  async function leave(): Promise<void> {
    if (part < 0) return;
    total += await labelled.drain((length, keys) => listener(part, length, keys, []));
  }

  for await (const batch of source) {
    if (batch.major - first !== part) {
      await leave();
      part = batch.major - first;
      rows = (await plane.load(part)) as typeof rows;
    }
    const keys = scratch(batch.length);
    const closed = close(rows, batch.minor, batch.length, keys);
    labelled.add(keys, closed);
    // A count may go down without a loss; bits change only where something is won.
    if (closed > 0 || !wins) plane.dirty();
  }
  await leave();
  return total;
}

/** What a round does with one flow (pipeline/events.ts): labels by keys, and the unmoves of what was labelled. */
import { assert } from '../../operators/core/errors.js';
import type { Batch, Cursor, Grouped, Rows } from '../../operators/runs/types.js';
import { Kind, kindOf, sideOf, unmoveFlow } from '../events.js';
import type { Emission, KeyEmission, Slice } from '../game.js';
import type { closeWon } from '../labels.js';
import { firstMajor, groupOf, majorOf, partOf } from '../majors.js';
import { EXPAND_ROWS } from './convert.js';
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

export function newLabelScratch(slice: Slice): LabelScratch {
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
  slice: Slice,
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

/** The unmoves that must be sent to other parts: all, or those that leave the part if the game tells them apart. The game has some. */
export function unmoveKernel(slice: Slice) {
  const source = new Uint32Array(0);
  const unmoves = slice.local?.unmovesBeyond ?? slice.unmoves;
  assert(unmoves !== undefined, `${slice.name} has unmoves`);
  return (batch: Batch, from: number, out: Rows): number => {
    const emission: Emission = { length: out.length, major: out.major, minor: out.minor, source };
    const origin = groupOf(slice, batch.major);
    const part = partOf(slice, batch.major);
    const bias = firstMajor(slice, unmoveFlow(origin));
    const done = unmoves(sideOf(origin), part, batch.minor, from, batch.length, bias, emission);
    out.length = emission.length;
    return done;
  };
}

/**
 * The unmoves that stay in their part, for one flow: nothing has to be sent or ordered. `frontier` has majors `shift`
 * greater than parts, those that come out are of the flow. Calls `count` with the numbers of rows.
 */
export async function* unmovesWithin(
  slice: Slice,
  flowNumber: number,
  frontier: Cursor,
  shift: number,
  count: (rows: number) => void,
): Grouped {
  const { local } = slice;
  if (local === undefined) return;
  const side = sideOf(unmoveFlow(flowNumber));
  const out: KeyEmission = { length: 0, minor: new Uint32Array(EXPAND_ROWS) };
  for await (const batch of frontier) {
    const part = batch.major - shift;
    for (let from = 0; from < batch.length; ) {
      out.length = 0;
      from = local.unmovesWithin(side, part, batch.minor, from, batch.length, out);
      if (out.length === 0) continue;
      count(out.length);
      yield { major: majorOf(slice, flowNumber, part), length: out.length, minor: out.minor, payload: [] };
    }
  }
}

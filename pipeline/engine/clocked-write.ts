/**
 * Writes the runs of a table of dtm50 that give values by clock (clock-runs.ts). Ladders are numbered by their rungs, so that numbers,
 * and the digests over them, are the same whoever made them.
 */
import { createHash } from 'node:crypto';
import type { Counters } from '../../operators/core/counters.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side, SliceIndex } from '../game/game.js';
import type { ClockRuns, PartRun } from '../game/manifest.js';
import { runObject } from '../game/slice-objects.js';
import { describeLadders, describeNumbers } from '../tables/clock-runs.js';
import { BROKEN_LADDER, DRAWN_LADDER, FIRST_FREE, type Ladders, MATED_LADDER } from '../tables/ladders.js';
import { digestOfParts } from '../tables/writer.js';

export interface WrittenClocks {
  readonly store: Store;
  /** The folder of the slice in the store (`slicePrefix`). */
  readonly prefix: string;
  readonly attempt: string;
  readonly slice: SliceIndex;
  readonly batchRows: number;
  readonly counters: Counters;
}

/** The numbers of ladders, by the old ones, that those have who sort the rungs of all; ladders that nobody holds are left out. */
function canonicalNumbers(ladders: Ladders, sides: readonly [Uint32Array, Uint32Array]) {
  const { count, plies, until, parent } = ladders;
  const isHeld = new Uint8Array(count);
  for (const side of sides) for (let i = 0; i < side.length; i++) isHeld[side[i]] = 1;
  // Parents are made before their children.
  for (let ladder = count - 1; ladder >= FIRST_FREE; ladder--)
    if (isHeld[ladder] === 1) isHeld[parent[ladder]] = 1;
  const numbers = new Uint32Array(count);
  const order: number[] = [];
  numbers[BROKEN_LADDER] = BROKEN_LADDER;
  numbers[MATED_LADDER] = MATED_LADDER;
  let placed = [DRAWN_LADDER];
  const children = new Map<number, number[]>();
  for (let ladder = FIRST_FREE; ladder < count; ladder++) {
    if (isHeld[ladder] === 0) continue;
    const of = children.get(parent[ladder]);
    if (of === undefined) children.set(parent[ladder], [ladder]);
    else of.push(ladder);
  }
  // By the number of rungs, then by the ladder without the last one, then by the last one.
  while (placed.length > 0) {
    const next: number[] = [];
    for (const ladder of placed) {
      const under = children.get(ladder) ?? [];
      under.sort((a, b) => plies[a] - plies[b] || until[a] - until[b]);
      for (const child of under) {
        numbers[child] = FIRST_FREE + order.length;
        order.push(child);
        next.push(child);
      }
    }
    placed = next;
  }
  return { numbers, order };
}

/** Writes the ladders of all positions of a slice, by index. */
export async function writeClocks(
  env: WrittenClocks,
  ladders: Ladders,
  sides: readonly [Uint32Array, Uint32Array],
): Promise<ClockRuns> {
  const { slice, store, prefix, attempt } = env;
  const { numbers, order } = canonicalNumbers(ladders, sides);
  const type = FIRST_FREE + order.length <= 0x10000 ? 'u16' : 'u32';
  const runs: [PartRun[], PartRun[]] = [[], []];
  const digests: [string, string] = ['', ''];
  for (const side of [0, 1] as const) {
    const name = `${prefix}/${runObject(`clocks-${side}`, { from: 0, to: slice.parts }, attempt)}`;
    const written = await writeNumbers(env, name, side, type, (index) => numbers[sides[side][index]]);
    runs[side] = [written.run];
    digests[side] = digestOfParts(written.partDigests);
  }
  const name = `${prefix}/${runObject('ladders', { from: 0, to: slice.parts }, attempt)}`;
  const { crc, digest } = await writeLadders(store, name, env, ladders, { numbers, order });
  return {
    type,
    numbers: runs,
    digests,
    ladders: { name, crc },
    ladderCount: FIRST_FREE + order.length,
    ladderDigest: digest,
  };
}

async function writeNumbers(
  { slice, store, batchRows, counters }: WrittenClocks,
  name: string,
  side: Side,
  type: 'u16' | 'u32',
  numberOf: (index: number) => number,
): Promise<{ run: PartRun; partDigests: string[] }> {
  const writer = await createRun(
    store,
    name,
    {
      dense: true,
      columns: [{ name: 'ladder', type }],
      strict: true,
      ...describeNumbers(slice.name, side),
    },
    { batchRows, counters },
  );
  const partDigests: string[] = [];
  return orAbort(writer, async () => {
    for (let part = 0; part < slice.parts; part++) {
      const size = slice.partSize(part);
      const column = type === 'u16' ? new Uint16Array(size) : new Uint32Array(size);
      for (let key = 0; key < size; key++) column[key] = numberOf(part * slice.width + key);
      partDigests.push(
        createHash('sha256')
          .update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
          .digest('hex'),
      );
      await writer.append(part, size, null, [column]);
    }
    const { crc } = await writer.close();
    return { run: { name, crc, from: 0, to: slice.parts }, partDigests };
  });
}

async function writeLadders(
  store: Store,
  name: string,
  { slice, batchRows, counters }: WrittenClocks,
  { plies, until, parent }: Ladders,
  { numbers, order }: ReturnType<typeof canonicalNumbers>,
): Promise<{ crc: string; digest: string }> {
  const columns = {
    parent: Uint32Array.from(order, (ladder) => numbers[parent[ladder]]),
    plies: Uint16Array.from(order, (ladder) => plies[ladder]),
    until: Uint8Array.from(order, (ladder) => until[ladder]),
  };
  const hash = createHash('sha256');
  for (const column of Object.values(columns)) hash.update(new Uint8Array(column.buffer));
  const writer = await createRun(
    store,
    name,
    {
      dense: true,
      columns: [
        { name: 'parent', type: 'u32' },
        { name: 'plies', type: 'u16' },
        { name: 'until', type: 'u8' },
      ],
      strict: true,
      ...describeLadders(slice.name),
    },
    { batchRows, counters },
  );
  return orAbort(writer, async () => {
    if (order.length > 0) await writer.append(0, order.length, null, Object.values(columns));
    const { crc } = await writer.close();
    return { crc, digest: hash.digest('hex') };
  });
}

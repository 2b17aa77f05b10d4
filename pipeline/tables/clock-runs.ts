/**
 * The runs of a table of dtm50 that give values by clock, beside its values, which are those at clock 0. A dense run for each side
 * has the number of every position's ladder; one run has the ladders. Ladders are numbered by their rungs, so that the numbers, and
 * the digests over them, do not depend on the solver.
 */
import { createHash } from 'node:crypto';
import { type Counters, newCounters } from '../../operators/core/counters.js';
import { DamageError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import { openRun } from '../../operators/runs/reader.js';
import type { Column } from '../../operators/runs/types.js';
import { createRun } from '../../operators/runs/writer.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import type { SliceIndex } from '../game/game.js';
import type { ClockRuns } from '../game/manifest.js';
import { runObject } from '../game/slice-objects.js';
import { BROKEN_LADDER, DRAWN_LADDER, FIRST_FREE, Ladders, MATED_LADDER } from './ladders.js';
import { openSides, type Table } from './table.js';
import type { TableColumn } from './value-table.js';
import { digestOfParts, type NewTable, writeSides } from './writer.js';

const METRIC = 'dtm50';
const LADDERS = {
  dense: true,
  columns: [
    { name: 'parent', type: 'u32' },
    { name: 'plies', type: 'u16' },
    { name: 'until', type: 'u8' },
  ],
  strict: true,
} as const;

/** The metadata of the run of the ladders. */
function describeLadders(slice: string) {
  return { kind: 'ladders', meta: { slice, metric: METRIC } };
}

/** The values of a table of dtm50 by clock. */
export interface OpenClocks {
  readonly ladders: Ladders;
  /** Numbers of the ladders of positions. */
  readonly numbers: TableColumn;
}

/**
 * Opens the values by clock of a table of dtm50.
 * @param most limit of ladders in memory.
 * @throws DamageError if the table has none, or impossible ones.
 */
export async function openClocks(
  store: Store,
  { slice, manifest: { clocks } }: Table<SliceIndex>,
  counters: Counters = newCounters(),
  most?: number,
): Promise<OpenClocks> {
  if (clocks === undefined) throw new DamageError(slice.name, 'has a table of dtm50 without values by clock');
  const { type, numbers: runs } = clocks;
  const numbers = openSides(store, { slice, metric: METRIC, type, runs }, 'clocks', counters);
  return { ladders: await readLadders(store, clocks, slice.name, counters, most), numbers };
}

async function readLadders(
  store: Store,
  { ladders: ref, ladderCount }: ClockRuns,
  slice: string,
  counters: Counters,
  most: number | undefined,
): Promise<Ladders> {
  const ladders = new Ladders(most);
  const reader = await openRun(store, ref, { counters, expect: describeLadders(slice) });
  const fault = (what: string) => new DamageError(objectName(store, ref.name), what);
  if (reader.rows !== ladderCount - FIRST_FREE)
    throw fault(`has ${reader.rows} ladders, not ${ladderCount - FIRST_FREE}`);
  if (reader.rows === 0) return ladders;
  for await (const { length, columns } of reader.denseCursor()) {
    const [parent, plies, until] = columns as [Column, Column, Column];
    for (let i = 0; i < length; i++) {
      const number = ladders.count;
      const isRoot = parent[i] === DRAWN_LADDER;
      const isChild = parent[i] >= FIRST_FREE && parent[i] < number;
      if (!isRoot && !isChild) throw fault(`ladder ${number} goes on from none`);
      if (isChild && (plies[i] <= ladders.plies[parent[i]] || until[i] <= ladders.until[parent[i]]))
        throw fault(`ladder ${number} does not rise`);
      if (ladders.raised(parent[i], plies[i], until[i]) !== number)
        throw fault(`ladder ${number} comes twice`);
    }
  }
  return ladders;
}

/** A table whose parts are all written by one worker. */
type NewClocks = Omit<NewTable, 'slice' | 'metric' | 'run'> & {
  readonly slice: SliceIndex;
  readonly attempt: string;
};

/** Writes the ladders of all positions of a slice, by index. */
export async function writeClocks(
  env: NewClocks,
  ladders: Ladders,
  sides: readonly [Uint32Array, Uint32Array],
): Promise<ClockRuns> {
  const { slice } = env;
  const { numbers, order } = canonicalNumbers(ladders, sides);
  const ladderCount = FIRST_FREE + order.length;
  const type = ladderCount <= 0x10000 ? 'u16' : 'u32';
  const table = { ...env, metric: METRIC, run: 'clocks' } as const;
  const { values, partDigests } = await writeSides(table, type, async (writer, side) => {
    for (let part = 0; part < slice.parts; part++) {
      const first = part * slice.width;
      const own = sides[side].subarray(first, first + slice.partSize(part));
      const column = type === 'u16' ? new Uint16Array(own.length) : new Uint32Array(own.length);
      for (let key = 0; key < own.length; key++) column[key] = numbers[own[key]];
      await writer.append(part, column);
    }
  });
  const digests: ClockRuns['digests'] = [digestOfParts(partDigests[0]), digestOfParts(partDigests[1])];
  return {
    type,
    numbers: values,
    digests,
    ladderCount,
    ...(await writeLadders(env, ladders, numbers, order)),
  };
}

/**
 * Numbers the ladders that positions hold: by how many rungs they have, then by the ladder without the last one, then by the last one.
 * @returns the numbers by the old ones, and the old ones in the order of the numbers.
 */
function canonicalNumbers(ladders: Ladders, sides: readonly [Uint32Array, Uint32Array]) {
  const { count, plies, until, parent } = ladders;
  const isHeld = new Uint8Array(count);
  for (const side of sides) for (let i = 0; i < side.length; i++) isHeld[side[i]] = 1;
  // Parents are made before their children.
  for (let ladder = count - 1; ladder >= FIRST_FREE; ladder--)
    if (isHeld[ladder] === 1) isHeld[parent[ladder]] = 1;
  const rungs = new Uint8Array(count);
  const byRungs: number[][] = [];
  for (let ladder = FIRST_FREE; ladder < count; ladder++) {
    if (isHeld[ladder] === 0) continue;
    rungs[ladder] = rungs[parent[ladder]] + 1;
    (byRungs[rungs[ladder]] ??= []).push(ladder);
  }
  const numbers = new Uint32Array(count);
  numbers[BROKEN_LADDER] = BROKEN_LADDER;
  numbers[MATED_LADDER] = MATED_LADDER;
  const order: number[] = [];
  for (const alike of byRungs.slice(1)) {
    alike.sort(
      (a, b) => numbers[parent[a]] - numbers[parent[b]] || plies[a] - plies[b] || until[a] - until[b],
    );
    for (const ladder of alike) numbers[ladder] = FIRST_FREE - 1 + order.push(ladder);
  }
  return { numbers, order };
}

async function writeLadders(
  { store, prefix, attempt, slice, batchRows, counters }: NewClocks,
  { plies, until, parent }: Ladders,
  numbers: Uint32Array,
  order: readonly number[],
): Promise<Pick<ClockRuns, 'ladders' | 'ladderDigest'>> {
  const name = `${prefix}/${runObject('ladders', { from: 0, to: slice.parts }, attempt)}`;
  const columns = [
    Uint32Array.from(order, (ladder) => numbers[parent[ladder]]),
    Uint16Array.from(order, (ladder) => plies[ladder]),
    Uint8Array.from(order, (ladder) => until[ladder]),
  ];
  const hash = createHash('sha256');
  for (const column of columns) hash.update(new Uint8Array(column.buffer));
  const shape = { ...LADDERS, ...describeLadders(slice.name) };
  const writer = await createRun(store, name, shape, { batchRows, counters });
  return orAbort(writer, async () => {
    if (order.length > 0) await writer.append(0, order.length, null, columns);
    const { crc } = await writer.close();
    return { ladders: { name, crc }, ladderDigest: hash.digest('hex') };
  });
}

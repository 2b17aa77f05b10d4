/** Sets of positions of a row (pipeline/game/row-kernels.ts) as rows of runs: minors are rows, the payload is the set. */
import { newBatch } from '../../operators/runs/rows.js';
import type { Batch, ColumnSpec, Grouped } from '../../operators/runs/types.js';
import type { MoveKernel, RowKernels, SetColumns } from '../game/game.js';

/** A slice that may have kernels by rows. */
export interface MayHaveRows {
  readonly unmoves?: MoveKernel | undefined;
  readonly rowKernels?: RowKernels | undefined;
}

/** The kernels by rows of a slice, if it has any. They make unmoves, so a slice without unmoves does without them. */
export function rowKernelsOf({ unmoves, rowKernels }: MayHaveRows): RowKernels | undefined {
  return unmoves === undefined ? undefined : rowKernels;
}

/** The payload of rows that are sets. */
export const SET_COLUMNS: readonly ColumnSpec[] = [
  { name: 'low', type: 'u32' },
  { name: 'high', type: 'u32' },
];

/** Whether the rows of a batch are sets; else keys. */
export function areSets({ payload }: Batch): boolean {
  return payload.length === SET_COLUMNS.length;
}

/** The sets of a batch. */
export function setsOf({ minor, payload }: Batch): SetColumns {
  const [low, high] = payload as [Uint32Array, Uint32Array];
  return { minor, low, high };
}

/** The batches, keys in place of sets; keys of a set ascend. */
export async function* keysOfSets(batches: Grouped): AsyncGenerator<Batch> {
  for await (const batch of batches) yield areSets(batch) ? batchOfKeys(batch) : batch;
}

/** Keys in place of the sets of a batch. */
export function batchOfKeys(batch: Batch): Batch {
  const sets = setsOf(batch);
  const minor = new Uint32Array(positionsIn(sets, batch.length));
  let n = 0;
  for (let i = 0; i < batch.length; i++) {
    for (const [first, half] of [
      [64 * sets.minor[i], sets.low[i]],
      [64 * sets.minor[i] + 32, sets.high[i]],
    ]) {
      for (let rest = half; rest !== 0; rest &= rest - 1) minor[n++] = first + 31 - Math.clz32(rest & -rest);
    }
  }
  return newBatch(batch.major, n, minor, []);
}

/** How many positions sets have together. */
export function positionsIn({ low, high }: Omit<SetColumns, 'minor'>, length: number): number {
  let positions = 0;
  for (let i = 0; i < length; i++) positions += bitsIn(low[i]) + bitsIn(high[i]);
  return positions;
}

/** The bits of a word that are set (Warren, Hacker's Delight, section 5-1). */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

type Sets = SetColumns & { readonly length: number };

/** The keys of a batch, ascending and each once, as sets. */
export const setsOfKeys = (batch: Batch): Sets => newSetsOfKeys()(batch);

/** As {@link setsOfKeys}, in arrays that are used again: sets are valid until the next batch. A round has thousands of batches. */
export function newSetsOfKeys(): (batch: Batch) => Sets {
  let room: SetColumns = newSetColumns(0);
  return ({ minor: keys, length }) => {
    if (room.minor.length < length) room = newSetColumns(length);
    return { ...room, length: joinKeys(keys, length, room) };
  };
}

const newSetColumns = (length: number): SetColumns => ({
  minor: new Uint32Array(length),
  low: new Uint32Array(length),
  high: new Uint32Array(length),
});

/** Writes keys to `into` as sets; returns how many sets these are. */
function joinKeys(keys: Uint32Array, length: number, { minor, low, high }: SetColumns): number {
  let n = -1;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    if (n < 0 || minor[n] !== key >>> 6) {
      minor[++n] = key >>> 6;
      low[n] = 0;
      high[n] = 0;
    }
    const half = (key & 32) === 0 ? low : high;
    half[n] |= 1 << (key & 31);
  }
  return n + 1;
}

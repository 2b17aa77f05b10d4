/**
 * The second column of a table: a number for each position (pipeline/game/labelling.ts says of what), a byte, beside its value. 0 where the goal cannot be
 * reached, 1 at the goal itself; 255 stands for as many or more.
 */
import type { Counters } from '../../operators/core/counters.js';
import { newCounters } from '../../operators/core/counters.js';
import { assert, DamageError } from '../../operators/core/errors.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side, SliceIndex } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';
import { openSides, type Table } from './table.js';
import { tableManifestName } from './table-names.js';

export interface OpenNumbers {
  /** Numbers of the positions of the parts [from, to), in order: columns[0], a `Uint8Array`. */
  numbers(side: Side, from: number, to: number, reading?: Reading): DenseCursor;
  /** An owned block of numbers that contains `key`. */
  block(side: Side, part: number, key: number): Promise<DenseBatch>;
}

/** Opens the numbers of a table whose stipulation has them. @throws DamageError if the table has none. */
export function openNumbers(
  store: Store,
  { slice, manifest }: { readonly slice: SliceIndex; readonly manifest: TableManifest },
  counters: Counters = newCounters(),
): OpenNumbers {
  const { game, metric, numbers } = manifest;
  if (numbers === undefined)
    throw new DamageError(
      objectName(store, tableManifestName(game, metric, slice.name)),
      `is the manifest of a table of ${metric} without numbers`,
    );
  const opened = openSides(store, { slice, metric, type: 'u8', runs: numbers.runs }, 'numbers', counters);
  return { numbers: opened.values, block: opened.block };
}

/** The number of one position. */
export async function numberAt(
  { block }: OpenNumbers,
  side: Side,
  part: number,
  key: number,
): Promise<number> {
  const { first, columns } = await block(side, part, key);
  return columns[0][key - first];
}

/** Values and numbers of the parts [from, to) together: columns [codes, numbers]. */
export async function* valuesWithNumbers(
  { slice, values }: Pick<Table<SliceIndex>, 'slice' | 'values'>,
  { numbers }: OpenNumbers,
  side: Side,
  from: number,
  to: number,
  readings: readonly [Reading?, Reading?] = [],
): DenseCursor {
  const others = numbers(side, from, to, readings[1])[Symbol.asyncIterator]();
  let at: DenseBatch | undefined;
  try {
    for await (const { major, first, length, columns } of values(side, from, to, readings[0])) {
      for (let done = 0; done < length; ) {
        const key = first + done;
        if (at === undefined || at.major < major || at.first + at.length <= key) {
          const next = await others.next();
          assert(!next.done, `${slice.name} has a number for each value`);
          at = next.value;
        }
        assert(at.major === major && at.first <= key, `numbers of ${slice.name} go by index`);
        const begin = key - at.first;
        const count = Math.min(length - done, at.length - begin);
        const some = [columns[0].subarray(done, done + count), at.columns[0].subarray(begin, begin + count)];
        yield { major, first: key, length: count, columns: some };
        done += count;
      }
    }
  } finally {
    await others.return?.();
  }
}

/** Reads the numbers of a table side by side with its values. Web pages import this file, so it opens no files itself. */
import { assert } from '../../operators/core/errors.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import type { Side, SliceIndex } from '../game/game.js';
import type { TableColumn, ValueTable } from './value-table.js';

type Values = Pick<ValueTable<SliceIndex>, 'slice' | 'values'>;

/** Values and numbers, bytes of a `Uint8Array`, of the parts [from, to) together: columns [codes, numbers]. Without numbers, the values alone: [codes]. */
export function valuesWithNumbers(
  table: Values,
  numbers: TableColumn | undefined,
  side: Side,
  from: number,
  to: number,
  readings: readonly (Reading | undefined)[] = [],
): DenseCursor {
  return numbers === undefined
    ? table.values(side, from, to, readings[0])
    : together(table, numbers, side, from, to, readings);
}

async function* together(
  { slice, values }: Values,
  numbers: TableColumn,
  side: Side,
  from: number,
  to: number,
  readings: readonly (Reading | undefined)[],
): DenseCursor {
  const others = numbers.values(side, from, to, readings[1])[Symbol.asyncIterator]();
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

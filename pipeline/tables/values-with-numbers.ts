/** Reads the numbers of a table side by side with its values. Web pages import this file, so it opens no files itself. */
import { assert } from '../../operators/core/errors.js';
import { inStep } from '../../operators/in-step.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { DenseCursor } from '../../operators/runs/types.js';
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
  const [own, others] = [values(side, from, to, readings[0]), numbers.values(side, from, to, readings[1])];
  for await (const { length, rows } of inStep(own, others)) {
    const [value, number] = rows;
    assert(value !== null && number !== null, `${slice.name} has a number for each value`);
    const { major } = value.batch;
    const first = value.batch.first + value.at;
    assert(
      number.batch.major === major && number.batch.first + number.at === first,
      `numbers of ${slice.name} go by index`,
    );
    const columns = [value, number].map(({ batch, at }) => batch.columns[0].subarray(at, at + length));
    yield { major, first, length, columns };
  }
}

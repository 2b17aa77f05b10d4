/** Both sides of a table in step, where (part, key) is the same placement of men with either side to move. */
import { assert, UserError } from '../../operators/core/errors.js';
import { inStep, type RowsFrom } from '../../operators/in-step.js';
import type { DenseBatch } from '../../operators/runs/types.js';
import type { Game } from '../game/game.js';
import { withoutRepeats } from '../game/repeats.js';
import type { ValueColumn } from '../game/value.js';
import type { ValueTable } from '../tables/value-table.js';

/**
 * The values of the keys [first, first + length) of a part, broken where one repeats another's position; views that are valid until the next
 * are asked for.
 */
export interface ValuePair {
  readonly part: number;
  readonly first: number;
  readonly length: number;
  /** With side 0 and with side 1 to move. */
  readonly codes: readonly [ValueColumn, ValueColumn];
}

/** Throws UserError for games in which the sides to move do not share the index. */
export function requireSharedIndex({ name, sidesShareIndex }: Game): void {
  if (sidesShareIndex === true) return;
  throw new UserError(
    `mutual zugzwangs are not looked for in ${name}: the index of a position depends on who is to move`,
  );
}

/** One pass over the table, scan(2N), in the memory of two batches. StorageError if the table is damaged. */
export async function* pairedValues(table: ValueTable): AsyncGenerator<ValuePair> {
  const { slice } = table;
  for await (const { length, rows } of inStep(
    table.values(0, 0, slice.parts),
    table.values(1, 0, slice.parts),
  )) {
    const [a, b] = rows;
    assert(a !== null && b !== null, 'both sides of a table have as many values');
    const { major: part } = a.batch;
    const first = a.batch.first + a.at;
    assert(part === b.batch.major && first === b.batch.first + b.at, 'both sides of a table are in step');
    const codesOf = ({ batch, at }: RowsFrom<DenseBatch>) =>
      withoutRepeats(slice, part, first, (batch.columns[0] as ValueColumn).subarray(at, at + length));
    yield { part, first, length, codes: [codesOf(a), codesOf(b)] };
  }
}

/** Both sides of a table in step, where (part, key) is the same placement of men with either side to move. */
import { assert, UserError } from '../../operators/core/errors.js';
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
export function needSharedIndex({ name, sidesShareIndex }: Game): void {
  if (sidesShareIndex === true) return;
  throw new UserError(
    `mutual zugzwangs are not looked for in ${name}: the index of a position depends on who is to move`,
  );
}

/** One pass over the table, scan(2N), in the memory of two batches. StorageError if the table is damaged. */
export async function* pairedValues(table: ValueTable): AsyncGenerator<ValuePair> {
  const cursors = ([0, 1] as const).map((side) =>
    table.values(side, 0, table.slice.parts)[Symbol.asyncIterator](),
  );
  const batches: (DenseBatch | undefined)[] = [undefined, undefined];
  const done = [0, 0];
  try {
    for (;;) {
      for (const side of [0, 1] as const) {
        const batch = batches[side];
        if (batch !== undefined && done[side] < batch.length) continue;
        const next = await cursors[side].next();
        batches[side] = next.done === true ? undefined : next.value;
        done[side] = 0;
      }
      const [a, b] = batches;
      if (a === undefined && b === undefined) return;
      assert(a !== undefined && b !== undefined, 'both sides of a table have as many values');
      const [doneA, doneB] = done as [number, number];
      const first = a.first + doneA;
      assert(a.major === b.major && first === b.first + doneB, 'both sides of a table are in step');
      const length = Math.min(a.length - doneA, b.length - doneB);
      const codesOf = ({ columns }: DenseBatch, from: number) =>
        withoutRepeats(
          table.slice,
          a.major,
          first,
          (columns[0] as ValueColumn).subarray(from, from + length),
        );
      const codes = [codesOf(a, doneA), codesOf(b, doneB)] as const;
      yield { part: a.major, first, length, codes };
      done[0] = doneA + length;
      done[1] = doneB + length;
    }
  } finally {
    for (const cursor of cursors) await cursor.return?.(undefined);
  }
}

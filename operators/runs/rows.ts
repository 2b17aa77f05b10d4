import { type Arrays, newArrays } from '../core/arrays.js';
import { newColumns } from '../core/columns.js';
import { keepShape } from '../core/keep-shape.js';
import type { Batch, Column, Rows } from './types.js';

/** Empty unordered rows of a fixed capacity. */
export function newRows(capacity: number, payload: number): Rows {
  const columns = newColumns(capacity, payload);
  return { length: 0, major: new Uint32Array(capacity), minor: columns.minor, payload: columns.payload };
}

/** The same, with arrays that are taken from `arrays` and have to be given back. */
export function borrowRows(
  capacity: number,
  payload: number,
  arrays: Arrays = newArrays(),
): { readonly rows: Rows; readonly giveBack: () => void } {
  const taken: Uint32Array[] = [];
  const take = (): Uint32Array => {
    taken.push(arrays.take(capacity));
    return taken[taken.length - 1].subarray(0, capacity);
  };
  const columns = newColumns(capacity, payload, take);
  return {
    rows: { length: 0, major: take(), minor: columns.minor, payload: columns.payload },
    giveBack() {
      for (const array of taken.splice(0)) arrays.give(array);
    },
  };
}

/** The rows [from, to) of a batch, as a view. */
export function slice(batch: Batch, from: number, to: number): Batch {
  if (from === 0 && to === batch.length) return batch;
  return newBatch(batch.major, to - from, batch.minor.subarray(from, to), views(batch.payload, from, to));
}

/**
 * A batch. All are made here, so that they are of one shape. V8 compiles loops over batches for the shapes that it has met, and
 * again for one more. A number that may have been a fraction would be another shape, too.
 */
export function newBatch(
  major: number,
  length: number,
  minor: Uint32Array,
  payload: readonly Column[],
): Batch {
  return { major: major >>> 0, length: length >>> 0, minor, payload };
}

keepShape(newBatch(0, 0, new Uint32Array(0), []));

/** The columns behind that of the minors. */
export function payloadOf(columns: readonly Column[]): Column[] {
  const payload: Column[] = [];
  for (let c = 1; c < columns.length; c++) payload.push(columns[c]);
  return payload;
}

/** The rows [from, to) of columns. Arrays are of one shape, which those of `map` are not. */
export function views<C extends Column>(columns: readonly C[], from: number, to: number): C[] {
  const cut: C[] = [];
  for (let c = 0; c < columns.length; c++) cut.push(columns[c].subarray(from, to) as C);
  return cut;
}

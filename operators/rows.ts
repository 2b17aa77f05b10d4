import type { Batch, Cursor, RowSource, Rows } from './runs/types.js';

/** Empty unordered rows of a fixed capacity. */
export function newRows(capacity: number, payload: number): Rows {
  return {
    length: 0,
    major: new Uint32Array(capacity),
    minor: new Uint32Array(capacity),
    payload: Array.from({ length: payload }, () => new Uint32Array(capacity)),
  };
}

/** The rows [from, to) of a batch, as a view. */
export function slice(batch: Batch, from: number, to: number): Batch {
  if (from === 0 && to === batch.length) return batch;
  return {
    major: batch.major,
    length: to - from,
    minor: batch.minor.subarray(from, to),
    payload: batch.payload.map((column) => column.subarray(from, to)),
  };
}

/** The rows of an ordered cursor whose payload is u32 as unordered rows, `capacity` at a time. */
export async function* rowsOf(cursor: Cursor, capacity: number, payload: number): RowSource {
  const rows = newRows(capacity, payload);
  for await (const batch of cursor) {
    for (let from = 0; from < batch.length; from += capacity) {
      const to = Math.min(batch.length, from + capacity);
      rows.length = to - from;
      rows.major.fill(batch.major, 0, rows.length);
      rows.minor.set(batch.minor.subarray(from, to));
      for (let c = 0; c < payload; c++) rows.payload[c].set(batch.payload[c].subarray(from, to));
      yield rows;
    }
  }
}

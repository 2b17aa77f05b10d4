import { copyWords } from './copy-words.js';

/** The u32 columns of rows that share a major, for the in-memory sorts. All have at least the same capacity. */
export interface Columns {
  readonly minor: Uint32Array;
  readonly payload: readonly Uint32Array[];
}

/** New columns of `rows` rows with `payload` payload columns, each as `take` gives it. */
export function newColumns(
  rows: number,
  payload: number,
  take: (rows: number) => Uint32Array = (words) => new Uint32Array(words),
): Columns {
  const columns: Uint32Array[] = [];
  for (let c = 0; c < payload; c++) columns.push(take(rows));
  return { minor: take(rows), payload: columns };
}

/** Copies rows [from, to) of `source` to row `at` of `target`. */
export function copyRows(source: Columns, from: number, to: number, target: Columns, at: number): void {
  copyWords(source.minor, from, to - from, target.minor, at);
  for (let c = 0; c < source.payload.length; c++)
    copyWords(source.payload[c], from, to - from, target.payload[c], at);
}

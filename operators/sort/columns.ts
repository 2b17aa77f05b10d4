/** The u32 columns of rows that share a major, for the in-memory sorts. All have at least the same capacity. */
export interface Columns {
  readonly minor: Uint32Array;
  readonly payload: readonly Uint32Array[];
}

/** New columns of `rows` rows with `payload` payload columns. */
export function newColumns(rows: number, payload: number): Columns {
  return {
    minor: new Uint32Array(rows),
    payload: Array.from({ length: payload }, () => new Uint32Array(rows)),
  };
}

/** Copies rows [from, to) of `source` to row `at` of `target`. */
export function copyRows(source: Columns, from: number, to: number, target: Columns, at: number): void {
  target.minor.set(source.minor.subarray(from, to), at);
  for (let c = 0; c < source.payload.length; c++) {
    target.payload[c].set(source.payload[c].subarray(from, to), at);
  }
}

/**
 * Values as tables hold them: one signed integer a position, from the mover's side.
 *   n > 0: won in n plies;  0: drawn;  n < 0: lost in -n - 1 plies (-1: lost now);  the type's minimum: broken index.
 * A column is i8 when every value fits, else i16. Under the metric `wdl` wins are 1 and losses -1, plies unknown.
 */
export const metrics = ['wdl', 'dtm', 'dtc', 'dtw'] as const;
export type Metric = (typeof metrics)[number];

/** Whether plies are counted on through conversions, to the end of the game: to mate (`dtm`), to the end (`dtw`). */
export function countsThrough(metric: Metric): boolean {
  return metric === 'dtm' || metric === 'dtw';
}

export type ValueColumn = Int8Array | Int16Array;

/** The least ply count that needs i16. */
export const WIDE_PLIES = 127;

/** The code of a broken index in a column of the given type. */
export function brokenCode(type: 'i8' | 'i16'): number {
  return type === 'i8' ? -128 : -32768;
}

export function brokenIn(column: ValueColumn): number {
  return column.BYTES_PER_ELEMENT === 1 ? -128 : -32768;
}

export type Wdl = 'win' | 'draw' | 'loss';

export interface Value {
  readonly wdl: Wdl;
  /** Plies to the end that the metric counts to; null for draws, and under `wdl`. */
  readonly plies: number | null;
}

/** Decodes a code that is not broken. */
export function decodeValue(code: number, metric: Metric): Value {
  if (code === 0) return { wdl: 'draw', plies: null };
  const plies = metric === 'wdl' ? null : code > 0 ? code : -code - 1;
  return { wdl: code > 0 ? 'win' : 'loss', plies };
}

/**
 * What a successor's value makes of its predecessor by one move: the code for the mover of the predecessor.
 * `conversion`: whether the move leaves the slice. DTM and DTW count on through conversions; DTC and WDL start anew, the
 * position after a conversion having depth 0 (Wendroff et al. 1993, section 2, as "max-to-win").
 */
export function backUp(code: number, metric: Metric, conversion: boolean): number {
  if (code === 0) return 0;
  const plies = !countsThrough(metric) && conversion ? 0 : code > 0 ? code : -code - 1;
  return code < 0 ? plies + 1 : -(plies + 1) - 1;
}

/**
 * Orders codes by what the mover prefers, in 16 bits: more is better. Wins by fewer plies, then draws, then losses by
 * more. At least 1; `BROKEN_RANK` is the rank of no code.
 */
export function preference(code: number): number {
  return code > 0 ? 0x10000 - code : code === 0 ? 0x8000 : Math.min(-code, BROKEN_RANK - 1);
}

/** What may stand for a broken index among ranks. */
export const BROKEN_RANK = 0x7fff;

/** The inverse of {@link preference}. */
export function fromPreference(rank: number): number {
  return rank > 0x8000 ? 0x10000 - rank : rank === 0x8000 ? 0 : -rank;
}

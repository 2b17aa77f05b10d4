/**
 * Puts rows in order whose keys are spread evenly, as mixed keys are (ids.ts). One pass brings each near its place,
 * by the upper bits of its key, and insertion does the rest. Keys that are not spread are put in order as well, but
 * slowly.
 */

/** Rows by columns: a key of two words, and a number. */
export interface SpreadRows {
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly number: Uint32Array;
}

/** Rows that begin with the same bits, on average: so many or half as many. */
const TOGETHER_BITS = 2;
const MOST_BITS = 16;

export function newSpreadRows(length: number): SpreadRows {
  const column = () => new Uint32Array(length);
  return { first: column(), second: column(), number: column() };
}

/** Bytes of a row. */
export const SPREAD_BYTES = 12;

/** Puts `length` rows in order of their keys, into `out`. */
export function sortSpread(rows: SpreadRows, out: SpreadRows, length: number): void {
  const bits = Math.min(MOST_BITS, Math.max(1, 32 - Math.clz32(length) - TOGETHER_BITS));
  scatter(rows, out, length, 32 - bits);
  insertSpread(out, length);
}

function scatter(rows: SpreadRows, out: SpreadRows, length: number, shift: number): void {
  const { first, second, number } = rows;
  const starts = startsOf(first, length, shift);
  for (let i = 0; i < length; i++) {
    const at = starts[first[i] >>> shift]++;
    out.first[at] = first[i];
    out.second[at] = second[i];
    out.number[at] = number[i];
  }
}

/** Where the rows of each digit begin. */
function startsOf(first: Uint32Array, length: number, shift: number): Uint32Array {
  const starts = new Uint32Array((0xffffffff >>> shift) + 1);
  for (let i = 0; i < length; i++) starts[first[i] >>> shift]++;
  for (let digit = 0, start = 0; digit < starts.length; digit++) {
    const count = starts[digit];
    starts[digit] = start;
    start += count;
  }
  return starts;
}

/** Puts rows in order that are near their places. */
export function insertSpread({ first, second, number }: SpreadRows, length: number): void {
  for (let i = 1; i < length; i++) {
    const a = first[i];
    const b = second[i];
    let at = i;
    while (at > 0 && (first[at - 1] > a || (first[at - 1] === a && second[at - 1] > b))) at--;
    if (at === i) continue;
    const own = number[i];
    for (let to = i; to > at; to--) {
      first[to] = first[to - 1];
      second[to] = second[to - 1];
      number[to] = number[to - 1];
    }
    first[at] = a;
    second[at] = b;
    number[at] = own;
  }
}

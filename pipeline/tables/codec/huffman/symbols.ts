/** The alphabet of run lengths: 0 is a miss, 1…9,999 are lengths, 10,000 is the escape. */
export const MISS = 0;
export const ESCAPE = 10_000;
export const ALPHABET = ESCAPE + 1;
/** Bits of the length that follows an escape. */
export const ESCAPE_BITS = 32;
/** Bits of the state that a block begins with. */
export const STATE_BITS = 3;

/** The symbol of a run of `length` positions. */
export function symbolOf(length: number): number {
  return Math.min(length, ESCAPE);
}

/**
 * The value of a run as predicted, that of the run before the previous one, or the only other one it can have.
 * Neighbouring runs differ, and so must `previous` and `beforePrevious`.
 */
export function runValue(miss: boolean, previous: number, beforePrevious: number): number {
  return miss ? 3 - previous - beforePrevious : beforePrevious;
}

/** The three bits for first runs of these values; `second` is -1 if there is none. */
export function stateOf(first: number, second: number): number {
  return 2 * first + (second > otherValues(first)[0] ? 1 : 0);
}

/** The values of the first two runs. */
export function valuesOf(state: number): readonly [number, number] {
  const first = state >>> 1;
  return [first, otherValues(first)[state & 1]];
}

function otherValues(value: number): readonly [number, number] {
  return value === 0 ? [1, 2] : value === 1 ? [0, 2] : [0, 1];
}

/** Meanings of a metric's codes (pipeline/game/value.ts), in tables that codes of either width are looked up in. */
import { decodeValue, type Metric, type Value, type Wdl } from '../game/value.js';

/** Code + ZERO is the index of a {@link codeTable}. */
export const ZERO = 1 << 15;

/** `of` each code of at most 16 bits that is not broken; at the index of the broken one of 16 bits is 0. */
export function codeTable(metric: Metric, of: (value: Value) => number): Uint8Array {
  const table = new Uint8Array(2 * ZERO);
  for (let code = 1 - ZERO; code < ZERO; code++) table[code + ZERO] = of(decodeValue(code, metric));
  return table;
}

/** The results that a position can have under a metric, from the mover's best to his worst. */
export function resultsOf(metric: Metric): Wdl[] {
  const words = new Set<Wdl>();
  for (let code = 1; code < ZERO; code++) words.add(decodeValue(code, metric).wdl);
  words.add(decodeValue(0, metric).wdl);
  for (let code = 1 - ZERO; code < 0; code++) words.add(decodeValue(code, metric).wdl);
  return [...words];
}

/** 1: the side to move would win, under the 50-move rule or without it; -1: the other side; 0: a draw. */
export function signOf(result: Wdl): -1 | 0 | 1 {
  if (result === 'draw') return 0;
  return result.endsWith('win') ? 1 : -1;
}

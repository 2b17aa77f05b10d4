/** Keys as rows of reachable sets, and back. */
import type { Batch, Rows } from '../../operators/runs/types.js';
import type { KeyWords } from '../../pipeline/games/yours/keyed/key-words.js';
import { keyOfMixedWords } from '../../pipeline/graph/ids.js';
import { readMixed, writeKey } from '../../pipeline/graph/spread.js';

const words: KeyWords = { high: 0, low: 0 };

/** Writes a key to row `at`. */
export function writeBigKey(key: bigint, out: Rows, at: number): void {
  writeKey({ high: Number(key >> 32n), low: Number(key & 0xffffffffn) }, out, at);
}

/** The key of row `at`. */
export function readBigKey(batch: Batch, at: number): bigint {
  readMixed(batch, at, words);
  return keyOfMixedWords(words);
}

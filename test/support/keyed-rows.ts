/** Keys as rows of reachable sets, and back. */
import type { Batch, Rows } from '../../operators/runs/types.js';
import { KEY_BITS, newKey, splitKey, upperWords } from '../../pipeline/games/yours/keyed/key-words.js';
import { mixKey, unmixedOf } from '../../pipeline/graph/ids.js';
import { readMixed, writeMixed } from '../../pipeline/graph/spread.js';

/** Writes a key of so many bits to row `at`. */
export function writeBigKey(big: bigint, out: Rows, at: number, bits = KEY_BITS): void {
  const key = newKey(bits);
  splitKey(big, key);
  mixKey(key, 0);
  writeMixed(key, out, at);
}

/** The key of row `at`. */
export function readBigKey(batch: Batch, at: number, bits = KEY_BITS): bigint {
  const key = newKey(bits);
  readMixed(batch, at, key);
  return unmixedOf(key, 0);
}

/**
 * Different keys of so many bits, more than 64. The lowest two words of all are the same once they are mixed by seed 0, or of so many that
 * follow each other.
 */
export function keysOfOneHash(count: number, bits: number, together = count): bigint[] {
  return Array.from({ length: count }, (_, i) => {
    const key = newKey(bits);
    key.high = Math.imul(0x12345678, 1 + Math.floor(i / together));
    key.low = 0x9abcdef;
    key.upper[i % upperWords(bits)] = i + 1;
    return unmixedOf(key, 0);
  });
}

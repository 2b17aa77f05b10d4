/** Estimates how many bits symbols take, without a codebook: enough to compare orders of the same symbols. */
import { WDL_VALUES } from '../symbols.js';
import { ALPHABET, extraBitsOf, KINDS, tokenSymbol } from './alphabet.js';
import { newParser } from './parser.js';
import { usedRows } from './row-state.js';

/** @returns the entropy of the tokens, each after the kind of the one before it, and the bits of their lengths. */
export function estimateBits(symbols: Uint8Array, rows: readonly number[]): number {
  const parser = newParser(usedRows(rows), WDL_VALUES);
  const seen = Array.from({ length: 3 * (KINDS + 1) }, () => new Float64Array(ALPHABET));
  let bits = 0;
  parser.startBlock();
  for (let from = 0; from <= symbols.length; ) {
    from += parser.feed(symbols.subarray(from));
    const ending = from === symbols.length;
    while (parser.next(ending)) {
      if (parser.full()) {
        parser.startBlock();
        continue;
      }
      const { kind, length } = parser.token;
      const symbol = tokenSymbol(kind, length);
      seen[3 * parser.state.kind + parser.state.last][symbol]++;
      bits += extraBitsOf[symbol];
      parser.accept();
    }
    if (ending) break;
  }
  return seen.reduce((sum, counts) => sum + entropyOf(counts), bits);
}

function entropyOf(counts: Float64Array): number {
  let total = 0;
  let bits = 0;
  for (const count of counts) {
    if (count === 0) continue;
    total += count;
    bits -= count * Math.log2(count);
  }
  return total === 0 ? 0 : bits + total * Math.log2(total);
}

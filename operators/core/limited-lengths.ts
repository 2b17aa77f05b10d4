/**
 * Lengths of an optimal prefix code in which no word is longer than a limit: package-merge (Larmore & Hirschberg
 * 1990). What Schaeffer et al. 2003, section 3.3, take from Turpin & Moffat 1995 gives the same lengths.
 *
 * A symbol is a coin for every word length 1…limit, worth its frequency. At each length, from the longest on, the
 * coins are merged by worth with packages of two of the length before. The n - 1 cheapest packages of length 1 hold
 * as many coins of a symbol as its word has bits. The coins of every length are the same, and the cheapest come
 * first. So it is enough to note at each length which of the merged are coins. So a number says which ones are taken.
 */
import { assert } from './errors.js';

/**
 * The word length of each symbol, 0 for frequency 0. A lone symbol gets length 1.
 * @param frequencies no more than 2^limit of them above 0, their sum a safe integer. O(limit · n) time and memory.
 */
export function limitedLengths(frequencies: ArrayLike<number>, limit: number): Uint8Array {
  const lengths = new Uint8Array(frequencies.length);
  const symbols: number[] = [];
  for (let symbol = 0; symbol < frequencies.length; symbol++) {
    if (frequencies[symbol] > 0) symbols.push(symbol);
  }
  const n = symbols.length;
  assert(n <= 2 ** limit, `${n} words have room in ${limit} bits`);
  if (n <= 1) {
    for (const symbol of symbols) lengths[symbol] = 1;
    return lengths;
  }
  symbols.sort((a, b) => frequencies[a] - frequencies[b] || a - b);
  const coins = Float64Array.from(symbols, (symbol) => frequencies[symbol]);

  /** Per length, from the longest on: which of the merged are packages. */
  const isPackage: Uint8Array[] = [];
  let merged = coins;
  isPackage.push(new Uint8Array(n));
  for (let length = limit - 1; length >= 1; length--) {
    const packages = Math.floor(merged.length / 2);
    const next = new Float64Array(n + packages);
    const marks = new Uint8Array(n + packages);
    for (let i = 0, coin = 0, pack = 0; i < next.length; i++) {
      const worth = pack < packages ? merged[2 * pack] + merged[2 * pack + 1] : Number.POSITIVE_INFINITY;
      if (coin < n && coins[coin] <= worth) next[i] = coins[coin++];
      else {
        next[i] = worth;
        marks[i] = 1;
        pack++;
      }
    }
    merged = next;
    isPackage.push(marks);
  }

  let taken = 2 * n - 2;
  for (const marks of isPackage.reverse()) {
    let packages = 0;
    for (let i = 0; i < taken; i++) packages += marks[i];
    for (let coin = 0; coin < taken - packages; coin++) lengths[symbols[coin]]++;
    taken = 2 * packages;
  }
  return lengths;
}

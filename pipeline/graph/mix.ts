/** The finaliser of MurmurHash3: every bit of a word changes about half of those that come out. One to one. */
export function mixed(word: number): number {
  let x = word ^ (word >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return x ^ (x >>> 16);
}

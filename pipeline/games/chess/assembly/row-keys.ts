/** Keys that come in and differ in their last digit only, the square of a single man. */
import { bit, KEYS, word } from './tables';

/** The first key behind those that `takeRow` took last. */
export let behindRow: i32 = 0;

/** Takes the keys of the row of key `from`, before `end`, and returns their last digits. A key that comes again is left: it is a position of its own. */
export function takeRow(from: i32, end: i32): u64 {
  const row = word(KEYS, from) >> 6;
  let set: u64 = 0;
  let i = from;
  for (; i < end && word(KEYS, i) >> 6 === row; i++) {
    const last = bit(word(KEYS, i) & 63);
    if (set & last) break;
    set |= last;
  }
  behindRow = i;
  return set;
}

/** Koistinen's distance code of whole words: see ../distance-code.ts. */

/** Numbers that the last call of `encodeWords` coded, and the last of them. */
let numbersCoded: i32 = 0;
let last: i32 = 0;

export function encoded(): i32 {
  return numbersCoded;
}

export function lastEncoded(): i32 {
  return last;
}

/** Codes the positions of `words` words that are in `mask` too, with distances from number `from`; returns how many bytes. */
export function encodeWords(set: usize, mask: usize, words: i32, from: i32, out: usize): i32 {
  let at = out;
  last = from;
  numbersCoded = 0;
  for (let i = 0; i < words; i++) {
    const offset = (i as usize) << 3;
    for (let rest = load<u64>(set + offset) & load<u64>(mask + offset); rest; rest &= rest - 1) {
      const number = (i << 6) + (ctz(rest) as i32);
      let distance = number - last;
      for (; distance > 255; distance -= 255) store<u8>(at++, 0);
      store<u8>(at++, distance as u8);
      last = number;
      numbersCoded++;
    }
  }
  return (at - out) as i32;
}

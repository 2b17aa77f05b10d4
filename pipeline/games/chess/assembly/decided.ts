/** Decided positions of a table, as sets of those in a row whose codes (pipeline/game/value.ts) are alike. */
import { putDigit, sendDigit } from './numbers';
import { KEYS, MAJOR, putWord, ROWS, SOURCE, squaresAt } from './tables';

/** The codes that are like the one looked at. */
let least: i32 = 0;
let greatest: i32 = 0;

/**
 * Reads the codes of `count` rows from SOURCE on, bytes or, if `wide`, two bytes each. Only positions of the sets from KEYS on are
 * wanted. Sets go to MINOR, LOW and HIGH, a code of theirs to MAJOR, their number to ROWS. Codes of a result are alike if their plies
 * are: all up to `alike`, and all above, are alike unless it is 0. Stops when more than `room` went out; returns the rows done.
 */
export function decidedSets(firstRow: i32, count: i32, wide: bool, alike: i32, room: i32): i32 {
  let n = 0;
  let row = 0;
  for (; row < count && n <= room; row++) {
    let rest = squaresAt(KEYS, row);
    if (rest === 0) continue;
    const codes = SOURCE + ((row as usize) << (wide ? 7 : 6));
    least = greatest = 0;
    rest &= ~likes(codes, wide);
    least = greatest = wide ? -32768 : -128;
    rest &= ~likes(codes, wide);
    while (rest) {
      const at = ctz(rest) as usize;
      const code = wide ? (load<i16>(codes + (at << 1)) as i32) : (load<i8>(codes + at) as i32);
      compareWith(code, wide, alike);
      const set = rest & likes(codes, wide);
      rest ^= set;
      sendDigit(0);
      putWord(MAJOR, n, code);
      putDigit(n++, firstRow + row, set);
    }
  }
  putWord(ROWS, 0, n);
  return row;
}

function compareWith(code: i32, wide: bool, alike: i32): void {
  least = greatest = code;
  if (alike === 0) return;
  const most = wide ? 32767 : 127;
  if (code > 0) {
    least = code <= alike ? 1 : alike + 1;
    greatest = code <= alike ? min(alike, most) : most;
  } else {
    least = -code - 1 <= alike ? max(-alike - 1, -most) : -most;
    greatest = -code - 1 <= alike ? -1 : -alike - 2;
  }
}

/** The positions of a row whose codes are from `least` to `greatest`. */
function likes(codes: usize, wide: bool): u64 {
  let set: u64 = 0;
  if (!wide) {
    const low = i8x16.splat(least as i8);
    const high = i8x16.splat(greatest as i8);
    for (let quarter = 0; quarter < 4; quarter++) {
      const some = v128.load(codes + ((quarter as usize) << 4));
      const bits = i8x16.bitmask(v128.and(i8x16.ge_s(some, low), i8x16.le_s(some, high))) as u32 as u64;
      set |= bits << ((quarter as u64) << 4);
    }
    return set;
  }
  const low = i16x8.splat(least as i16);
  const high = i16x8.splat(greatest as i16);
  for (let eighth = 0; eighth < 8; eighth++) {
    const some = v128.load(codes + ((eighth as usize) << 4));
    const bits = i16x8.bitmask(v128.and(i16x8.ge_s(some, low), i16x8.le_s(some, high))) as u32 as u64;
    set |= bits << ((eighth as u64) << 3);
  }
  return set;
}

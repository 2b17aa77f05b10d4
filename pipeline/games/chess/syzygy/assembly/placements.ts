/** Files' values on their way to placements: where the squares of the men are digits, in each order of like men. */
import { addAlike, beginAlike, numberAlike } from './alike';
import { BOARD, decode, indexAt } from './numbers';
import { men } from './row-men';
import { ALIKE, PAIRS } from './rows';
import { putIn } from './scatter';
import { SYMMETRY, word } from './tables';

/**
 * In words: the place of the kings in PAIRS; placements of a pair of kings. The orders of like men; what least squares take from a
 * placement. The weight of the like men that are one number, and their least square. Two words of nothing. The man of each man of the
 * file with the colours exchanged (8 words). Then the weights of the men in each order, 8 words each.
 */
export const PLACEMENTS: usize = memory.data((16 + 8 * 128) * 4, 16);
const SQUARES: usize = memory.data(8, 16);

/**
 * Puts `count` values (u16) of a file, from an index on of the subtable of a leading pawn's file. A row says `says` + the value,
 * or + `most` of greater ones. `isTurned`: the colours are exchanged.
 */
export function placeFile(
  pawnFile: i32,
  from: u64,
  values: usize,
  count: i32,
  most: i32,
  says: i32,
  isTurned: bool,
): void {
  const index = indexAt(0);
  for (let i = 0; i < count; i++) {
    decode(index, pawnFile, from + (i as u64));
    for (let man = 0; man < men; man++) {
      const own = load<u8>(BOARD + man);
      if (isTurned) store<u8>(SQUARES + word(PLACEMENTS, 8 + man), own ^ 56);
      else store<u8>(SQUARES + man, own);
    }
    const white = load<u8>(SQUARES) as i32;
    const black = load<u8>(SQUARES + 1) as i32;
    const packed = word(PAIRS + (word(PLACEMENTS, 0) as usize), white * 64 + black);
    if (packed < 0) continue;
    const is = says + min(load<u16>(values + (i << 1)) as i32, most);
    const symmetry = packed & 7;
    placeOrders(packed >> 4, symmetry, is);
    // The reflection leaves kings on the long diagonal where they are.
    if ((packed & 8) !== 0) placeOrders(packed >> 4, symmetry ^ 4, is);
  }
}

function placeOrders(pair: i32, symmetry: i32, says: i32): void {
  const map = SYMMETRY + (symmetry << 6);
  const first = (pair as i64) * (word(PLACEMENTS, 1) as i64) - (word(PLACEMENTS, 3) as i64);
  const orders = word(PLACEMENTS, 2);
  const alikeWeight = word(PLACEMENTS, 4);
  const leastAlike = word(PLACEMENTS, 5);
  for (let order = 0; order < orders; order++) {
    const weights = PLACEMENTS + ((16 + order * 8) << 2);
    let placement = 0;
    beginAlike();
    for (let man = 2; man < men; man++) {
      const square = load<u8>(map + load<u8>(SQUARES + man)) as i32;
      const times = word(weights, man);
      if (times === ALIKE) addAlike(square - leastAlike);
      else placement += square * times;
    }
    if (alikeWeight > 0) placement += alikeWeight * numberAlike();
    putIn(0, first + (placement as i64), says);
  }
}

/** No value yet; several of WDL, with the greatest in the other bits; several of DTZ. */
const NONE: u32 = 15;
const SEVERAL: u32 = 8;
const SEVERAL_PLIES: u16 = 1023;

/** Adds rows, outcome + 8 * side, to bytes of two nibbles. */
export function gatherOutcomes(rows: usize, count: i32, into: usize): void {
  for (let i = 0; i < count; i++) {
    const is = load<u32>(rows + (i << 2));
    const at = into + (is >> 12);
    const right = (is >> 1) & 4;
    const outcome = is & 7;
    const byte = load<u8>(at) as u32;
    const before = (byte >> right) & 15;
    let after = outcome;
    if (before !== NONE && before !== outcome) after = SEVERAL | max(before & 7, outcome);
    store<u8>(at, ((byte & ~(15 << right)) | (after << right)) as u8);
  }
}

/** Adds rows, value + 1024 * file of the leading pawn, to words of all ones. */
export function gatherPlies(rows: usize, count: i32, into: usize): void {
  for (let i = 0; i < count; i++) {
    const is = load<u32>(rows + (i << 2));
    const at = into + ((is >> 12) << 1);
    const says = (is & 4095) as u16;
    const before = load<u16>(at);
    store<u16>(at, before === 0xffff || before === says ? says : says | SEVERAL_PLIES);
  }
}

/**
 * Following moves at once, in slices that lie in memory (resident.ts). Kernels write no row, but look at the value of
 * the position that they emit.
 */
import { NARROW_RANKS, OWN_RANKS, VALUES, WIDE, WIDE_RANKS, word } from './tables';

/** Whether conversions are followed; else they are written. */
export let follows: bool = false;
/** i16, by index: values of the slice's other side, if moves there are followed; else such moves are written. */
export let nearValues: usize = 0;
/** The rank of the best move found. */
export let best: i32 = 0;
/** Moves followed since `beginFollowing`. */
export let followed: i64 = 0;

export function beginFollowing(): void {
  follows = true;
  followed = 0;
}

export function endFollowing(): void {
  follows = false;
  nearValues = 0;
}

/** Moves within the slice are followed, too. */
export function followNear(values: usize): void {
  nearValues = values;
}

export function setBest(known: i32): void {
  best = known;
}

/** Follows a conversion to a position of a table, if the table is held. */
export function follow(table: i32, index: i32): void {
  followed++;
  const values = word(VALUES, table) as usize;
  if (values === 0) return;
  const at = index as u32 as usize;
  const rank = load<u8>(WIDE + table)
    ? (load<u16>(WIDE_RANKS + ((load<u16>(values + (at << 1)) as usize) << 1)) as i32)
    : (load<u16>(NARROW_RANKS + ((load<u8>(values + at) as usize) << 1)) as i32);
  best = max(best, rank);
}

/** Follows a move within the slice. */
export function followIn(index: i32): void {
  followed++;
  const code = load<u16>(nearValues + ((index as u32 as usize) << 1)) as usize;
  best = max(best, load<u16>(OWN_RANKS + (code << 1)) as i32);
}

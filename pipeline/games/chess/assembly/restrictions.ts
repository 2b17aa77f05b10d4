/**
 * Moves that are forbidden to one side (--never of tables for one position): squares that its men do not leave, do not enter, or do not
 * capture on. A table of placements has them for each of its placements (places.ts).
 */
import { bit } from './tables';

/** Where those of what stands are, 0 if there are none, and whose they are. */
let restrictions: usize = 0;
let restricted: i32 = 0;
/** What {@link restrict} found: squares that no man of the mover leaves, and that none enters. */
export let neverFrom: u64 = 0;
export let neverTo: u64 = 0;
/** Whether there are any, or captures that are not made. */
export let isRestricted: bool = false;

/** Sets those of what stands. They count once `restrict` has turned to a side. */
export function standRestricted(at: usize, whose: i32): void {
  restrictions = at;
  restricted = whose;
}

/** Turns to the restrictions of a side in what stands. */
export function restrict(side: i32): void {
  restrictBy(restrictions, restricted, side);
}

/** Turns to those of `whose` at an address of a table of placements, if that is the side. */
export function restrictBy(at: usize, whose: i32, side: i32): void {
  standRestricted(at, whose);
  isRestricted = at !== 0 && side === whose;
  neverFrom = isRestricted ? load<u64>(restrictions) : 0;
  neverTo = isRestricted ? load<u64>(restrictions, 8) : 0;
}

/** Whether no man of the mover goes from a square to another. Where it takes one there, see {@link neverTakes}, too. */
export function isNever(square: i32, target: i32): bool {
  return ((neverFrom & bit(square)) | (neverTo & bit(target))) !== 0;
}

/** The squares on which no man of a kind captures. */
export function neverTakes(kind: i32): u64 {
  return isRestricted ? load<u64>(restrictions + ((kind as usize) << 3), 16) : 0;
}

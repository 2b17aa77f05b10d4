/** Writing rows. */

import { follow, followIn, follows, nearValues } from './follow';
import { Space } from './space';
import { rankSet } from './squares';
import { MAJOR, MINOR, putWord, ROWS } from './tables';

/** Rows written by this call, and the bias of those that come. */
export let rows: i32 = 0;
let bias: i32 = 0;

export function beginRows(): void {
  rows = 0;
}

export function endRows(): void {
  putWord(ROWS, 0, rows);
}

export function setBias(value: i32): void {
  bias = value;
}

/** Emits an index of a space that conversions lead to. */
export function putConversion(space: Space, index: i64): void {
  if (follows) follow(space.to, index as i32);
  else put(space, index);
}

/** Emits an index of a space. */
function put(space: Space, index: i64): void {
  const shift = space.shift as i64;
  const part = (index >> shift) as i32;
  putWord(MINOR, rows, (index as i32) & ((((1 as i64) << shift) - 1) as i32));
  putWord(MAJOR, rows, bias + part);
  rows++;
}

/** The index of a position, given by the number of the placement of its men, its kings, and all men. */
export function indexOf(space: Space, placement: i64, kings: i32, enemyKings: i32, men: i32): i64 {
  return (
    placement * space.kings +
    (rankSet(kings, ~men) as i64) * space.enemyKingSets +
    (rankSet(enemyKings, ~(men | kings)) as i64)
  );
}

/** Emits a position of the slice itself. */
export function putMove(space: Space, index: i64): void {
  if (nearValues !== 0) followIn(index as i32);
  else put(space, index);
}

/** Emits a position of the slice itself: see `indexOf`. */
export function putKings(space: Space, placement: i64, kings: i32, enemyKings: i32, men: i32): void {
  putMove(space, indexOf(space, placement, kings, enemyKings, men));
}

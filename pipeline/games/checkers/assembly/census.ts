/** The kernels `census` and `dontCares`: of all indices of an interval. */
import { captures, findCaptures } from './captures';
import {
  begin,
  enemyKings,
  enemyMen,
  kings,
  men,
  read,
  readNext,
  turnedEnemyMen,
  turnedKings,
  turnedMen,
} from './place';
import { Space } from './space';
import { downLeft, downRight, landings, turned, upLeft, upRight } from './squares';
import { CONVERSIONS, COUNTS, HERE, LOST, OPEN, putWord } from './tables';

/** Reads the indices from `first` on, for i = 0, 1, … */
export function readOnwards(first: i64, i: i32): void {
  if (i === 0) read(first);
  else readNext(first + i);
}

/**
 * Counts the moves of the positions [first, first + count): COUNTS, CONVERSIONS, OPEN, of whole bytes. `key` is the
 * key of the position `first`. Returns how many are lost; their keys are at LOST.
 */
export function census(first: f64, count: i32, key: i32): i32 {
  const space = changetype<Space>(HERE);
  const leading = space.leading;
  const following = space.following;
  begin();
  let lost = 0;
  let open = 0;
  for (let i = 0; i < count; i++) {
    readOnwards(first as i64, i);
    const enemies = enemyMen | enemyKings;
    const empty = ~(men | kings | enemies);
    let moves: i32;
    let conversions: i32;
    if (landings(men, kings, enemies, empty) !== 0) {
      findCaptures(men, kings, enemies);
      moves = conversions = captures;
    } else {
      const advances = men & leading;
      const steps = (men & following) | kings;
      conversions = popcnt(upLeft(advances) & empty) + popcnt(upRight(advances) & empty);
      moves = conversions + popcnt(upLeft(steps) & empty) + popcnt(upRight(steps) & empty);
      if (kings !== 0) moves += popcnt(downLeft(kings) & empty) + popcnt(downRight(kings) & empty);
    }
    store<u8>(COUNTS + i, moves as u8);
    store<u8>(CONVERSIONS + i, conversions as u8);
    putWord(LOST, lost, key + i);
    lost += (moves === 0) as i32;
    open |= ((moves !== 0) as i32) << (i & 7);
    store<u8>(OPEN + (i >> 3), open as u8);
    if ((i & 7) === 7) open = 0;
  }
  return lost;
}

/** Marks at COUNTS where either player captures, or would if it were his turn. */
export function dontCares(first: f64, count: i32): void {
  begin();
  for (let i = 0; i < count; i++) {
    readOnwards(first as i64, i);
    const own = men | kings;
    const enemies = enemyMen | enemyKings;
    const empty = ~(own | enemies);
    const captures =
      landings(men, kings, enemies, empty) !== 0 ||
      landings(turnedEnemyMen, turned(enemyKings), turnedMen | turnedKings, turned(empty)) !== 0;
    store<u8>(COUNTS + i, captures as u8);
  }
}

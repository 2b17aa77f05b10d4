/** Captures: ../captures.ts, in the same order. */
import { backOrigins, downLeft, downRight, LAST_RANK, menOrigins, upLeft, upRight } from './squares';
import { putWord } from './tables';

/** No position of up to ten pieces comes near it. */
const MOST_CAPTURES = 128;

/** i32: what the mover has after each of the captures found last, and what it took. */
export const CAPTURED_MEN: usize = memory.data(128 * 4, 16);
export const CAPTURED_KINGS: usize = memory.data(128 * 4, 16);
export const TAKEN: usize = memory.data(128 * 4, 16);
export let captures: i32 = 0;

/** Finds all complete captures of the player who moves up. */
export function findCaptures(men: i32, kings: i32, enemies: i32): void {
  captures = 0;
  const empty = ~(men | kings | enemies);
  let origins = (men | kings) & menOrigins(enemies, empty);
  if (kings !== 0) origins |= kings & backOrigins(enemies, empty);
  for (; origins !== 0; origins &= origins - 1) {
    const origin = origins & -origins;
    follow(origin, (kings & origin) !== 0, men & ~origin, kings & ~origin, enemies, 0, empty | origin);
  }
}

/** Follows the jumps of a piece on `at`, taken off `men` and `kings`. Returns whether there are any. */
function follow(at: i32, isKing: bool, men: i32, kings: i32, enemies: i32, taken: i32, empty: i32): bool {
  let over = upLeft(at) & enemies;
  let to = upLeft(over) & empty;
  let jumps = to;
  if (to !== 0) jump(over, to, isKing, men, kings, enemies, taken, empty);
  over = upRight(at) & enemies;
  to = upRight(over) & empty;
  jumps |= to;
  if (to !== 0) jump(over, to, isKing, men, kings, enemies, taken, empty);
  if (!isKing) return jumps !== 0;
  over = downLeft(at) & enemies;
  to = downLeft(over) & empty;
  jumps |= to;
  if (to !== 0) jump(over, to, isKing, men, kings, enemies, taken, empty);
  over = downRight(at) & enemies;
  to = downRight(over) & empty;
  jumps |= to;
  if (to !== 0) jump(over, to, isKing, men, kings, enemies, taken, empty);
  return jumps !== 0;
}

/** A jump: the capture goes on from there, or it is complete. */
function jump(
  over: i32,
  to: i32,
  isKing: bool,
  men: i32,
  kings: i32,
  enemies: i32,
  taken: i32,
  empty: i32,
): void {
  const crowned = !isKing && (to & LAST_RANK) !== 0;
  if (!crowned && follow(to, isKing, men, kings, enemies & ~over, taken | over, empty)) return;
  if (captures === MOST_CAPTURES) unreachable();
  const becomesKing = isKing || crowned;
  putWord(CAPTURED_MEN, captures, becomesKing ? men : men | to);
  putWord(CAPTURED_KINGS, captures, becomesKing ? kings | to : kings);
  putWord(TAKEN, captures, taken | over);
  captures++;
}

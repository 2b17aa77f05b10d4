/** The census by keys, of slices that census.ts cannot do by rows: positions are classified one by one. */

import {
  checks,
  findChecks,
  isLegal,
  kingTargets,
  passantTakers,
  pawnCaptures,
  pawnSteps,
  permitted,
} from './attacks';
import { attacksOver } from './attacks-over';
import { GROUP_SLOT, PASSANT } from './index-tables';
import {
  diagonal,
  groups,
  imageRank,
  menAt,
  menOf,
  OF_GROUP,
  occupied,
  pairBase,
  pawnsOf,
  place,
  taker,
} from './position';
import { KING, REFLECTION, squaresAt, word } from './tables';

/** u8, by position: what became of it (as Status in pipeline/game/game.ts), its legal moves, and those that leave the slice. */
export const MOST_CENSUS: i32 = 4096;
export const STATUS: usize = memory.data(4096, 16);
export const ALL_MOVES: usize = memory.data(4096, 16);
export const LEAVING: usize = memory.data(4096, 16);

const OPEN: u8 = 1;
const LOST: u8 = 2;
const DRAWN: u8 = 3;

/** Squares where pawns become something else. */
const LAST_RANKS: u64 = ((0xff000000 as u64) << 32) | 255;

let moves: i32 = 0;
let leaving: i32 = 0;

/** Classifies the keys [first, first + count) of a part. */
export function keyCensus(side: i32, part: i32, first: i32, count: i32): void {
  for (let i = 0; i < count; i++) {
    let status: u8 = 0;
    moves = 0;
    leaving = 0;
    if (place(part, first + i) && isLegal(side) && isCanonical(first + i)) {
      findChecks(side);
      countMoves(side);
      if (moves > 0) status = OPEN;
      else status = checks > 0 ? LOST : DRAWN;
    }
    store<u8>(STATUS + (i as usize), status);
    store<u8>(ALL_MOVES + (i as usize), moves as u8);
    store<u8>(LEAVING + (i as usize), leaving as u8);
  }
}

/** Whether the key is not greater than that of the mirror image. */
function isCanonical(key: i32): bool {
  return !diagonal || pairBase + imageRank(REFLECTION) >= key;
}

function countMoves(side: i32): void {
  const theirs = menOf(1 - side);
  for (let g = 0; g < groups; g++) {
    const slot = word(GROUP_SLOT, g);
    if (slot >> 3 !== side || (slot & 7) >= KING) continue;
    for (let men = squaresAt(OF_GROUP, g); men; men &= men - 1) {
      const square = ctz(men) as i32;
      add(attacksOver(slot & 7, square, occupied) & ~menOf(side) & permitted(square), theirs);
    }
  }
  add(kingTargets(side), theirs);
  for (let men = pawnsOf(side); men; men &= men - 1) {
    const square = ctz(men) as i32;
    const targets = (pawnSteps(side, square) | pawnCaptures(side, square)) & permitted(square);
    const found = (popcnt(targets) + 3 * popcnt(targets & LAST_RANKS)) as i32;
    moves += found;
    leaving += found;
  }
  if (taker < 0) return;
  moves += popcnt(passantTakers(side, ctz(menAt(1 - side, PASSANT)) as i32, occupied)) as i32;
  leaving = moves;
}

/** Adds the moves of a piece or king. */
function add(targets: u64, theirs: u64): void {
  moves += popcnt(targets) as i32;
  leaving += popcnt(targets & theirs) as i32;
}

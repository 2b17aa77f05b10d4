/**
 * Audits of the placements of a pair of kings, a row of 64 at a time. Each kernel returns the placement that is wrong, or -1. The block
 * of a pair holds bytes of outcomes (rows.ts), bytes of zeroing moves (below) or words of plies.
 */
import { attackedLanes, freeLanes, placeRow } from './row-men';
import {
  ALL,
  CAPTURES,
  ILLEGAL,
  LEAST,
  MOST,
  makeMoves,
  NO_OUTCOME,
  PLIES_ONLY,
  QUIET,
  ZEROING,
} from './rows';

/** Positions that were derived since it was set to 0. */
export let positions: i32 = 0;
/** At the placement that was found: what the file says and what its moves say, which two numbers bound. */
export let foundSays: i32 = 0;
export let foundLeast: i32 = 0;
export let foundMost: i32 = 0;

function found(at: i32, says: i32, least: i32, most: i32): i32 {
  foundSays = says;
  foundLeast = least;
  foundMost = most;
  return at;
}

/** Whether the cells of a position and its mirror image differ, and the greatest of them, as gatherOutcomes leaves it. */
const SEVERAL: u8 = 8;
const NO_CELL: u8 = 15;

/**
 * Turns cells into the outcomes that programs find, for a side to move. An outcome is the stored one, or that of the
 * best capture, and ILLEGAL where there is no position. Finds positions whose mirror image has another stored outcome.
 */
export function resolveOutcomes(white: i32, black: i32, rows: i32, side: i32, block: usize): i32 {
  const right = (side << 2) as u8;
  let wrong = -1;
  for (let number = 0; number < rows; number++) {
    const row = block + (number << 6);
    if (!placeRow(white, black, number)) {
      memory.fill(row, ILLEGAL | (ILLEGAL << 4), 64);
      continue;
    }
    const legal = freeLanes() & ~attackedLanes(1 - side);
    makeMoves(CAPTURES, side, row);
    for (let lane = 0; lane < 64; lane++) {
      const byte = load<u8>(row + lane);
      const stored = (byte >> right) & 15;
      let is: u8 = ILLEGAL;
      if (((legal >> lane) & 1) !== 0) {
        const after = load<u8>(ZEROING + lane);
        const best: u8 = after <= 4 ? 4 - after : 0;
        is = stored & 7;
        if (stored === NO_CELL || (stored >= SEVERAL && best < is)) {
          if (wrong < 0) wrong = found((number << 6) + lane, stored, side, side);
          is = NO_OUTCOME;
        } else if (is !== NO_OUTCOME) is = max(is, best);
      }
      store<u8>(row + lane, (byte & ~(15 << right)) | (is << right));
    }
  }
  return wrong;
}

/** The outcome of a position by its moves: the least in the low half, the most in the high half of a word. */
function boundsOf(quiet: i32, zeroing: i32, isCheck: bool): i32 {
  let least = -1;
  let most = -1;
  if (zeroing <= 4) least = most = 4 - zeroing;
  if (quiet <= 4) {
    // A win in the 100 plies of the rule is one ply longer before a quiet move, hence perhaps no win any more.
    least = max(least, quiet === 0 ? 3 : 4 - quiet);
    most = max(most, quiet === 4 ? 1 : 4 - quiet);
  }
  if (quiet >= (ILLEGAL as i32) && zeroing >= (ILLEGAL as i32)) least = most = isCheck ? 0 : 2;
  return (least & 0xffff) | (most << 16);
}

/** In `zeroing`, by side a nibble: the value that the best zeroing move leads to, ILLEGAL of none; NO_MOVES. */
const NO_MOVES: u8 = 6;

/** Derives the outcomes of a side to move, and writes what is known of zeroing moves. */
export function judgeOutcomes(
  white: i32,
  black: i32,
  rows: i32,
  side: i32,
  block: usize,
  zeroing: usize,
): i32 {
  const right = (side << 2) as u8;
  const left = ((1 - side) << 2) as u8;
  for (let number = 0; number < rows; number++) {
    if (!placeRow(white, black, number)) continue;
    const row = block + (number << 6);
    makeMoves(ALL, side, row);
    for (let lane = 0; lane < 64; lane++) {
      const byte = load<u8>(row + lane);
      const stored = (byte >> right) & 15;
      if (stored === ILLEGAL) continue;
      positions++;
      const quiet = load<u8>(QUIET + lane) as i32;
      const zero = load<u8>(ZEROING + lane);
      const bounds = boundsOf(quiet, zero as i32, ((byte >> left) & 15) === ILLEGAL);
      const least = (bounds << 16) >> 16;
      const most = bounds >> 16;
      if ((stored as i32) < least || (stored as i32) > most)
        return found((number << 6) + lane, stored as i32, least, most);
      const at = zeroing + (number << 6) + lane;
      const isStuck = quiet >= (ILLEGAL as i32) && zero >= ILLEGAL;
      const is = isStuck ? NO_MOVES : min(zero, ILLEGAL);
      store<u8>(at, (load<u8>(at) & ~(15 << right)) | (is << right));
    }
  }
  return -1;
}

/** u16, at (file of the leading pawn * 5 + outcome) * 1024 + value: plies as below; NO_PLIES if the file says none. */
export const STORED: usize = memory.data(4 * 5 * 1024 * 2, 16);

/**
 * Plies are words: 2 * plies, and 1 more if there may be one more; WON of who wins. NO_PLIES, between those that lose and those that
 * win, where there are none.
 */
const NO_PLIES: u16 = 0x7fff;
const WON: u16 = 0x8000;
const RULE: i32 = 100;
/** In the bytes of zeroing moves: whether the file stores the plies of Black to move. */
const STORES_BLACK: u8 = 8;

/**
 * Makes of what cells hold (u16 from gatherPlies) the plies that programs find: where a zeroing move wins as much they need no file.
 * `blackFiles`: the files of the leading pawn with values of Black to move, as bits; `marks`: whether that is to be noted.
 */
export function decodePlies(
  size: i32,
  blackFiles: i32,
  marks: bool,
  outcomes: usize,
  zeroing: usize,
  plies: usize,
): i32 {
  let wrong = -1;
  for (let i = 0; i < size; i++) {
    const cell = load<u16>(plies + (i << 1)) as i32;
    // No index has the position, so it is none.
    if (cell === 0xffff) {
      store<u16>(plies + (i << 1), NO_PLIES);
      continue;
    }
    const file = cell >> 10;
    const side = (blackFiles >> file) & 1;
    const right = (side << 2) as u8;
    const outcome = ((load<u8>(outcomes + i) >> right) & 15) as i32;
    const zero = load<u8>(zeroing + i);
    if (marks && side > 0) store<u8>(zeroing + i, zero | STORES_BLACK);
    let is: u16 = NO_PLIES;
    if (outcome <= 4 && outcome !== 2) {
      const best = (zero >> right) & 7;
      if (best === NO_MOVES) is = 0;
      else if (outcome > 2 && best < 2 && 4 - (best as i32) === outcome)
        is = outcome === 4 ? 2 : 2 * (RULE as u16) + 2;
      else {
        is = load<u16>(STORED + (((file * 5 + outcome) * 1024 + (cell & 1023)) << 1));
        if (is === NO_PLIES && wrong < 0) wrong = found(i, outcome, side, (cell & 1023) === 1023 ? 1 : 0);
      }
      if (is !== NO_PLIES && outcome > 2) is |= WON;
    }
    store<u16>(plies + (i << 1), is);
  }
  return wrong;
}

let least: i32 = 0;
let most: i32 = 0;

/** Sets what moves say of the plies of a position; false if no move keeps its win. */
function bound(lane: i32, outcome: i32, zero: i32): bool {
  const isCursed = outcome === 1 || outcome === 3;
  const byZeroing = zero <= 4 ? (zero === 0 || zero === 4 ? 1 : RULE + 1) : -1;
  if (outcome > 2) {
    const after = load<u16>(LEAST + (lane << 1)) as i32;
    least = most = 0x7fff;
    if (after < (NO_PLIES as i32)) {
      least = (after >> 1) + 1;
      most = ((after + 1) >> 1) + 1;
    }
    if (zero < 2) {
      least = min(least, byZeroing);
      most = min(most, byZeroing);
    }
    if (least === 0x7fff) return false;
  } else {
    const after = load<u16>(MOST + (lane << 1)) as i32;
    least = most = 0;
    if (after >= (WON as i32)) {
      const plies = after - (WON as i32);
      least = (plies >> 1) + 1;
      most = ((plies + 1) >> 1) + 1;
    }
    if (zero > 2 && zero <= 4) {
      least = max(least, byZeroing);
      most = max(most, byZeroing);
    }
  }
  if (isCursed) least = max(least, RULE + 1);
  else most = min(most, RULE);
  return true;
}

/** Derives plies of the side to move that files leave out, from those of the other. */
export function derivePlies(
  white: i32,
  black: i32,
  rows: i32,
  side: i32,
  outcomes: usize,
  zeroing: usize,
  after: usize,
  into: usize,
): i32 {
  const right = (side << 2) as u8;
  const wanted: u8 = side > 0 ? 0 : STORES_BLACK;
  for (let number = 0; number < rows; number++) {
    if (!placeRow(white, black, number)) continue;
    const first = number << 6;
    let isMade = false;
    for (let at = first; at < first + 64; at++) {
      const zero = load<u8>(zeroing + at);
      const outcome = ((load<u8>(outcomes + at) >> right) & 15) as i32;
      if ((zero & STORES_BLACK) !== wanted || outcome > 4 || outcome === 2) continue;
      if (!isMade) makeMoves(PLIES_ONLY, side, after + (first << 1));
      isMade = true;
      // Who wins by no move: the position before it shows it.
      if (!bound(at - first, outcome, ((zero >> right) & 7) as i32)) continue;
      // The outcome is on the other side of the 50-move rule.
      if (least > most) return found(at, outcome, least, most);
      const plies = (2 * least + (most > least ? 1 : 0)) as u16;
      store<u16>(into + (at << 1), outcome > 2 ? plies | WON : plies);
    }
  }
  return -1;
}

/** Compares the stored plies of a side to move with the plies derived from the other side's. */
export function comparePlies(
  white: i32,
  black: i32,
  rows: i32,
  side: i32,
  outcomes: usize,
  zeroing: usize,
  after: usize,
  stored: usize,
): i32 {
  const right = (side << 2) as u8;
  const wanted: u8 = side > 0 ? STORES_BLACK : 0;
  for (let number = 0; number < rows; number++) {
    if (!placeRow(white, black, number)) continue;
    const first = number << 6;
    let isMade = false;
    for (let at = first; at < first + 64; at++) {
      const zero = load<u8>(zeroing + at);
      const outcome = ((load<u8>(outcomes + at) >> right) & 15) as i32;
      if ((zero & STORES_BLACK) !== wanted || outcome > 4) continue;
      positions++;
      if (outcome === 2) continue;
      if (!isMade) makeMoves(PLIES_ONLY, side, after + (first << 1));
      isMade = true;
      const is = (load<u16>(stored + (at << 1)) & ~WON) as i32;
      const says = is >> 1;
      if (!bound(at - first, outcome, ((zero >> right) & 7) as i32)) return found(at, says, 0, -1);
      if (says > most || says + (is & 1) < least) return found(at, says, least, most);
    }
  }
  return -1;
}

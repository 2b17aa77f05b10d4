/**
 * The kernels of slices that lie in memory (pipeline/game/resident-kernels.ts). Their positions go by their
 * indices. Their own values are words of 16 bits, and those of other slices are columns of tables.
 */

import { advance, capture } from './conversions';
import { beginFollowing, best, endFollowing, followed, followNear, setBest } from './follow';
import { quietMoves } from './moves';
import { begin, enemyKings, enemyMen, kings, men } from './place';
import { beginRuns, nextRun, readInRun, runCount, runFirst } from './runs';
import { Space } from './space';
import { downLeft, downRight, landings, upLeft, upRight } from './squares';
import { HERE, KEYS, MINOR, MOST_KEYS, MOST_ROWS, putWord, ROWS, TARGET, THERE, word } from './tables';
import { unmoves } from './unmoves';

/** Added to the moves of a position that are not known to be lost, while it has no value. Values are less. */
const UNDECIDED: i32 = 0x4000;
const LOST_NOW: i32 = -1;
const DRAWN_RANK: i32 = 0x8000;
/** No position has more moves. */
const ROOM: i32 = MOST_ROWS - 128;

/** Spaces of both sides of the slice. */
export const SPACES: usize = memory.data(2 * 80, 16);
/**
 * usize, by side. STATES, i16, by index: values, or what is not known to be lost. BESTS, u16, by index: the rank of
 * the best move found.
 */
export const STATES: usize = memory.data(2 * 4, 16);
export const BESTS: usize = memory.data(2 * 4, 16);
/** usize, by flow (pipeline/game/events.ts): i32, by ply: how many positions its best conversions decide then. */
export const EVENTS: usize = memory.data(4 * 4, 16);
/** usize, at 4 * (ply & 1) + flow: bits of the positions labelled at a ply, in whole words of 64. */
export const FRONTIERS: usize = memory.data(8 * 4, 16);
/** i32, likewise: how many they are. */
export const LABELLED: usize = memory.data(8 * 4, 16);
function addressOf(table: usize, i: i32): usize {
  return word(table, i) as usize;
}

/** Positions of a side are read from now on. */
function turnTo(side: i32): void {
  memory.copy(HERE, SPACES + (side as usize) * TARGET, TARGET);
  memory.copy(THERE, SPACES + ((1 - side) as usize) * TARGET, TARGET);
  begin();
}

/** Moves looked at, or predecessors, since it was asked last. */
let requests: i64 = 0;

export function takeRequests(): f64 {
  const taken = requests as f64;
  requests = 0;
  return taken;
}

/** Raises the best of all positions of a side by their conversions to tables that are held. */
export function raiseAll(side: i32, size: i32): void {
  const bests = addressOf(BESTS, side);
  beginPass(side, size);
  while (nextRun()) {
    for (let i = 0; i < runCount; i++) {
      readInRun(i);
      const at = bests + (((runFirst + i) as usize) << 1);
      setBest(load<u16>(at) as i32);
      const enemies = enemyMen | enemyKings;
      const empty = ~(men | kings | enemies);
      if (landings(men, kings, enemies, empty) !== 0) capture(enemies);
      else if (men !== 0) advance(empty);
      store<u16>(at, best as u16);
    }
  }
  endFollowing();
}

/** All positions of a side are read, run after run. */
function beginPass(side: i32, size: i32): void {
  turnTo(side);
  beginRuns(size);
  beginFollowing();
}

/**
 * As `raiseAll`, and then: the count of moves of each position that are not known to be lost, its conversions being one. The number
 * of events of each ply, at EVENTS; and what is lost at ply 0.
 */
export function settleAll(side: i32, size: i32, plies: i32): void {
  const bests = addressOf(BESTS, side);
  const states = addressOf(STATES, side);
  beginPass(side, size);
  while (nextRun()) {
    for (let i = 0; i < runCount; i++) {
      readInRun(i);
      const index = runFirst + i;
      const at = (index as usize) << 1;
      setBest(load<u16>(bests + at) as i32);
      settle(side, index, followConversions(), states + at, plies);
      store<u16>(bests + at, best as u16);
    }
  }
  endFollowing();
}

/** Follows the conversions of the position that was read; returns its steps in the slice, and one more if it has conversions. */
function followConversions(): i32 {
  const here = changetype<Space>(HERE);
  const enemies = enemyMen | enemyKings;
  const empty = ~(men | kings | enemies);
  if (landings(men, kings, enemies, empty) !== 0) {
    capture(enemies);
    return 1;
  }
  const steps = countSteps((men & here.following) | kings, empty);
  const advances = men & here.leading;
  if (((upLeft(advances) | upRight(advances)) & empty) === 0) return steps;
  advance(empty);
  return steps + 1;
}

/**
 * Raises the best of the positions of a side by all that is held and by their moves in the slice. Returns how many
 * positions have another value than that gives them. Else they say no more than who wins.
 */
export function compareAll(side: i32, size: i32, plies: bool): i32 {
  const states = addressOf(STATES, side);
  const bests = addressOf(BESTS, side);
  beginPass(side, size);
  followNear(addressOf(STATES, 1 - side));
  let wrong = 0;
  while (nextRun()) {
    for (let i = 0; i < runCount; i++) {
      readInRun(i);
      const at = ((runFirst + i) as usize) << 1;
      setBest(load<u16>(bests + at) as i32);
      const before = followed;
      followAll();
      const hasMoves = best !== 0 || followed !== before;
      const code = hasMoves ? codeOf(best) : LOST_NOW;
      const stored = load<i16>(states + at) as i32;
      const right = plies ? stored === code : sign(stored) === sign(code);
      wrong += !right as i32;
    }
  }
  requests += followed;
  endFollowing();
  return wrong;
}

/** Follows all moves of the position that was read. */
function followAll(): void {
  const enemies = enemyMen | enemyKings;
  const empty = ~(men | kings | enemies);
  if (landings(men, kings, enemies, empty) !== 0) {
    capture(enemies);
    return;
  }
  if (men !== 0) advance(empty);
  quietMoves(empty);
}

/** The value of a position whose best move has a rank. */
function codeOf(rank: i32): i32 {
  if (rank === DRAWN_RANK) return 0;
  return rank > DRAWN_RANK ? 0x10000 - rank : -rank;
}

function sign(code: i32): i32 {
  return ((code > 0) as i32) - ((code < 0) as i32);
}

/** How many steps kings and men that are not on the leading rank have. */
function countSteps(movers: i32, empty: i32): i32 {
  const steps = popcnt(upLeft(movers) & empty) + popcnt(upRight(movers) & empty);
  if (kings === 0) return steps;
  return steps + popcnt(downLeft(kings) & empty) + popcnt(downRight(kings) & empty);
}

function settle(side: i32, index: i32, moves: i32, state: usize, plies: i32): void {
  if (moves === 0) {
    store<i16>(state, LOST_NOW as i16);
    mark(addressOf(FRONTIERS, 2 + side), index);
    putWord(LABELLED, 2 + side, word(LABELLED, 2 + side) + 1);
    return;
  }
  store<i16>(state, (UNDECIDED + moves) as i16);
  if (best === 0 || best === DRAWN_RANK) return;
  const ply = plyOf(best);
  if (ply >= plies) unreachable();
  const events = addressOf(EVENTS, best > DRAWN_RANK ? side : 2 + side);
  putWord(events, ply, word(events, ply) + 1);
}

/** Sets the bit of an index. */
function mark(bits: usize, index: i32): void {
  const at = bits + ((index >>> 3) as usize);
  store<u8>(at, ((load<u8>(at) as i32) | (1 << (index & 7))) as u8);
}

/** Positions whose best conversion has a rank are won or lost at that ply (pipeline/game/value.ts); and the ranks, by flow. */
function plyOf(rank: i32): i32 {
  return rank > DRAWN_RANK ? 0x10000 - rank : rank - 1;
}

function rankOf(ply: i32, flow: i32): i32 {
  return flow < 2 ? 0x10000 - ply : ply + 1;
}

/** Labels what is won or lost at a ply. `plies`: how many there may be events of; `size`: positions of a side. */
export function round(ply: i32, plies: i32, size: i32): void {
  const now = 4 * (ply & 1);
  for (let flow = 0; flow < 4; flow++) {
    putWord(LABELLED, now + flow, 0);
    if (ply < plies && word(addressOf(EVENTS, flow), ply) > 0) strikeEvents(ply, flow, size);
    strikePredecessors(ply, flow, (size + 63) >>> 6);
  }
}

/**
 * Strikes the positions that conversions decide at a ply. They are searched for among all best conversions, eight at a time: lists of
 * them would take as much memory as all else.
 */
function strikeEvents(ply: i32, flow: i32, size: i32): void {
  const bests = addressOf(BESTS, flow & 1);
  const rank = i16x8.splat(rankOf(ply, flow) as i16);
  let left = word(addressOf(EVENTS, flow), ply);
  let found = 0;
  for (let first = 0; first < size && left > 0; first += 8) {
    let bits = i16x8.bitmask(i16x8.eq(v128.load(bests + ((first as usize) << 1)), rank));
    if (bits === 0) continue;
    left -= popcnt(bits);
    for (; bits !== 0; bits &= bits - 1) putWord(MINOR, found++, first + ctz(bits));
    if (found <= MOST_ROWS - 8) continue;
    strike(ply, flow, MINOR, found);
    found = 0;
  }
  strike(ply, flow, MINOR, found);
}

/** Strikes the positions of a flow that have moves to what was labelled a ply before. */
function strikePredecessors(ply: i32, flow: i32, words: i32): void {
  // As `unmoveFlow` of pipeline/game/events.ts.
  const before = 4 * (~ply & 1) + (flow ^ 3);
  if (word(LABELLED, before) === 0) return;
  const frontier = addressOf(FRONTIERS, before);
  turnTo(~flow & 1);
  let keys = 0;
  for (let i = 0; i < words; i++) {
    const at = frontier + ((i as usize) << 3);
    let set = load<u64>(at);
    if (set === 0) continue;
    store<u64>(at, 0);
    for (; set; set &= set - 1) putWord(KEYS, keys++, (i << 6) | (ctz(set) as i32));
    if (keys > MOST_KEYS - 64) keys = strikeBehind(ply, flow, keys);
  }
  while (keys > 0) keys = strikeBehind(ply, flow, keys);
}

/** Strikes the predecessors of most of the positions at KEYS; returns how many positions are left there. */
function strikeBehind(ply: i32, flow: i32, keys: i32): i32 {
  const done = unmoves(0, keys, 0, ROOM);
  const left = keys - done;
  const found = word(ROWS, 0);
  requests += found as i64;
  strike(ply, flow, MINOR, found);
  if (left > 0) memory.copy(KEYS, KEYS + ((done as usize) << 2), (left as usize) << 2);
  return left;
}

/** States are read in one go, so that none is waited for. */
function strike(ply: i32, flow: i32, indices: usize, count: i32): void {
  const states = addressOf(STATES, flow & 1);
  const now = 4 * (ply & 1) + flow;
  const frontier = addressOf(FRONTIERS, now);
  const wins = flow < 2;
  const value = wins ? ply : -ply - 1;
  let labelled = 0;
  for (let i = 0; i < count; i++) {
    const index = word(indices, i);
    const at = states + ((index as u32 as usize) << 1);
    const state = load<i16>(at) as i32;
    if (state < UNDECIDED) continue;
    if (wins || state === UNDECIDED + 1) {
      store<i16>(at, value as i16);
      mark(frontier, index);
      labelled++;
    } else store<i16>(at, (state - 1) as i16);
  }
  putWord(LABELLED, now, word(LABELLED, now) + labelled);
}

/** Writes values [first, first + count) of a side as a column of a table: what has none is drawn. */
export function writeValues(side: i32, first: i32, count: i32, wide: bool, plies: bool, to: usize): void {
  const states = addressOf(STATES, side) + ((first as usize) << 1);
  for (let i = 0; i < count; i++) {
    const state = load<i16>(states + ((i as usize) << 1)) as i32;
    let code = state >= UNDECIDED ? 0 : state;
    if (!plies) code = ((code > 0) as i32) - ((code < 0) as i32);
    if (wide) store<i16>(to + ((i as usize) << 1), code as i16);
    else store<i8>(to + (i as usize), code as i8);
  }
}

/** Reads values [first, first + count) of a side from a column of a table of 8 bits, or of 16. */
export function readValues(side: i32, first: i32, count: i32, wide: bool, from: usize): void {
  const states = addressOf(STATES, side) + ((first as usize) << 1);
  for (let i = 0; i < count; i++) {
    const code = wide
      ? (load<i16>(from + ((i as usize) << 1)) as i32)
      : (load<i8>(from + (i as usize)) as i32);
    store<i16>(states + ((i as usize) << 1), code as i16);
  }
}

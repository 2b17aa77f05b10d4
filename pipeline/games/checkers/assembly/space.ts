/**
 * The index of the positions of a slice that a player sees (../space.ts), without a table of the sets of men. Such tables
 * would be large, and one would be needed for each slice. The placements of men before a set are a sum over its squares, as
 * the rank of a set is. What the squares add depends on the men before them that stand where the other player's men may.
 */
import { rankSet, ranksBelow } from './squares';
import { allocate, BINOMIAL, BINOMIAL_ROW, binomial, putWord, word } from './tables';

/** A space, and how its indices are cut into parts. */
@unmanaged
export class Space {
  /** Index of the bias: 2 * dependency + side. */
  to: i32;
  /** Whether it is the end of the game, which has one position. */
  over: i32;
  ownKings: i32;
  enemyKings: i32;
  ownMen: i32;
  enemyMen: i32;
  /** The ranks below that of the mover's leading man, and that rank; none without men. */
  following: i32;
  leading: i32;
  /** The other player's men, as that player sees them: the ranks below that of the leading man. */
  enemyFollowing: i32;
  /** C(n, enemyMen) by n. */
  enemyRow: usize;
  /** Where the table of the men begins, and its first row (see `menTable`). */
  zones: usize;
  table: usize;
  /** Placements of men that come before those whose leading man stands on the rank. */
  first: i64;
  /** Placements of the kings for each of the men, and of the other player's for each of the mover's. */
  kings: i64;
  enemyKingSets: i64;
  /** index = (part << shift) + key. */
  shift: i32;
}

/** Squares that men may stand on. */
const SQUARES = 28;
const ROW = SQUARES * 8;
/** Men on the leading rank of the other player's men: 0 to 4. */
const LEADING = 5;

/** Tables made so far, at (ownMen * 11 + enemyMen) * 7 + enemyRank. */
const MADE: usize = memory.data(11 * 11 * 7 * 4, 16);

/** Placements of the enemy's men if `leading` of the squares of its leading rank are taken and `below` of those below it. */
function enemyMenSets(enemyMen: i32, enemyRank: i32, leading: i32, below: i32): i64 {
  if (enemyMen === 0) return 1;
  const free = max(4 * enemyRank - below, 0);
  return (binomial(max(free + 4 - leading, 0), enemyMen) - binomial(free, enemyMen)) as i64;
}

/**
 * The table of the men. By square, it has what the state grows by if a man stands there (i32). Then it has, in the
 * row of each state, the placements by square (i64). They are those of the sets of the men left whose squares are all
 * below that square. A state says how many men are left, those of greater squares being done. It says how many of the
 * others stand on the leading rank of the other player's men, and below it. States are numbered by the offset of
 * their rows.
 */
function menTable(ownMen: i32, enemyMen: i32, enemyRank: i32): usize {
  const known = (ownMen * 11 + enemyMen) * 7 + enemyRank;
  if (word(MADE, known) !== 0) return word(MADE, known);
  const belows = ownMen + 1;
  const zones = allocate(SQUARES * 4 + (ownMen + 1) * LEADING * belows * ROW);
  putWord(MADE, known, zones as i32);
  const table = zones + SQUARES * 4;
  const leadingRank = 7 - enemyRank;
  for (let square = 0; square < SQUARES; square++) {
    const zone = square >> 2 === leadingRank ? belows : square >> 2 > leadingRank ? 1 : 0;
    putWord(zones, square, (zone - LEADING * belows) * ROW);
  }
  let row = table;
  for (let left = 0; left <= ownMen; left++) {
    for (let leading = 0; leading < LEADING; leading++) {
      for (let below = 0; below < belows; below++, row += ROW) {
        let sum: i64 = left === 0 ? enemyMenSets(enemyMen, enemyRank, leading, below) : 0;
        for (let square = 0; square < SQUARES; square++) {
          store<i64>(row + square * 8, sum);
          if (left === 0) continue;
          const isBelow = square >> 2 > leadingRank;
          // States that there are not, more men than squares, add nothing.
          if (isBelow ? below + 1 === belows : square >> 2 === leadingRank && leading + 1 === LEADING)
            continue;
          sum += load<i64>(row + word(zones, square) + square * 8);
        }
      }
    }
  }
  return zones;
}

/** Writes the end of the game at an address. */
export function describeEnd(at: usize, to: i32): void {
  const space = changetype<Space>(at);
  space.to = to;
  space.over = 1;
}

/** Writes the space of a shape (../classes.ts) at an address. */
export function describe(
  at: usize,
  to: i32,
  ownKings: i32,
  enemyKings: i32,
  ownMen: i32,
  enemyMen: i32,
  ownRank: i32,
  enemyRank: i32,
  shift: i32,
): void {
  const space = changetype<Space>(at);
  space.to = to;
  space.over = 0;
  space.ownKings = ownKings;
  space.enemyKings = enemyKings;
  space.ownMen = ownMen;
  space.enemyMen = enemyMen;
  space.following = ranksBelow(ownRank);
  space.leading = ownMen === 0 ? 0 : ranksBelow(ownRank + 1) ^ ranksBelow(ownRank);
  space.enemyFollowing = ranksBelow(enemyRank);
  space.enemyRow = BINOMIAL + (enemyMen as usize) * BINOMIAL_ROW;
  space.zones = menTable(ownMen, enemyMen, enemyRank);
  space.table = space.zones + SQUARES * 4 + ownMen * LEADING * (ownMen + 1) * ROW;
  space.first = ownMen === 0 ? 0 : load<i64>(space.table + 4 * ownRank * 8);
  const free = 32 - ownMen - enemyMen;
  space.enemyKingSets = binomial(free - ownKings, enemyKings) as i64;
  space.kings = (binomial(free, ownKings) as i64) * space.enemyKingSets;
  space.shift = shift;
}

/** The number of arrangements before those in which the other player's leading man is where it should be, for these own men. */
export function enemyFirst(space: Space, turnedMen: i32): i32 {
  if (space.enemyMen === 0) return 0;
  return word(space.enemyRow, popcnt(space.enemyFollowing & ~turnedMen));
}

/** The number of a placement of the men, whose leading men must stand on their ranks. Times `kings`, an index. */
export function menIndex(space: Space, men: i32, turnedMen: i32, turnedEnemyMen: i32): i64 {
  let sum: i64 = (rankSet(turnedEnemyMen, ~turnedMen) - enemyFirst(space, turnedMen)) as i64;
  if (men === 0) return sum;
  sum -= space.first;
  let row = space.table;
  for (let rest = men; rest !== 0; ) {
    const square = 31 - clz(rest);
    sum += load<i64>(row + square * 8);
    row += word(space.zones, square);
    rest ^= 1 << square;
  }
  return sum;
}

/** The men of the mover in a placement of the men, and the placements with the same. */
export let menRead: i32 = 0;
export let menFrom: i64 = 0;
export let menPlacements: i64 = 0;

/** Finds the set of the mover's men of a placement: see above. */
export function readMen(space: Space, placement: i64): void {
  menRead = 0;
  let rest = placement + space.first;
  let row = space.table;
  let square = SQUARES - 1;
  for (let left = space.ownMen; left > 0; left--, square--) {
    while (load<i64>(row + square * 8) > rest) square--;
    rest -= load<i64>(row + square * 8);
    row += word(space.zones, square);
    menRead |= 1 << square;
  }
  menFrom = placement - rest;
  menPlacements = load<i64>(row);
}

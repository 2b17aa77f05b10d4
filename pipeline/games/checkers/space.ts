/**
 * The index of the positions of a slice with a given player to move, without gaps (Lake, Schaeffer & Lu 1994,
 * appendix B). Everything is seen by the mover. An index is made of the mover's men, the other player's men, the
 * mover's kings and the other player's kings. The first is the most significant. Each is the rank of a set of squares
 * among those that the sets before it left free. Sets are in colexicographic order. Squares are counted from the side
 * of the board that the men come from (kings: the mover's). Sets of men whose leading man stands further back are the
 * first in that order. So those with it on the wanted rank are an interval.
 */

import { assert } from '../../../operators/core/errors.js';
import { lastAtMost } from '../../../operators/core/search.js';
import { nameOf, type Shape } from './classes.js';
import { lowest, popcount, ranksBelow, turned } from './squares.js';

/** BINOMIAL[k * 33 + n] = C(n, k). */
export const BINOMIAL = new Float64Array(33 * 33);
for (let n = 0; n <= 32; n++) {
  BINOMIAL[n] = 1;
  for (let k = 1; k <= n; k++) {
    BINOMIAL[k * 33 + n] = BINOMIAL[k * 33 + n - 1] + BINOMIAL[(k - 1) * 33 + n - 1];
  }
}

export function binomial(n: number, k: number): number {
  return BINOMIAL[k * 33 + n];
}

/** Rank of a set of squares among the sets of as many squares that `taken` leaves free. */
export function rankSet(squares: number, taken: number): number {
  let rank = 0;
  let row = 33;
  for (let rest = squares; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    rank += BINOMIAL[row + 31 - Math.clz32(bit) - popcount(taken & (bit - 1))];
    row += 33;
  }
  return rank;
}

const ranked: Uint32Array[] = [];

/** All sets of `count` of 32 squares by rank. Those among fewer squares are the first of them. */
export function setsOf(count: number): Uint32Array {
  if (ranked[count] === undefined) {
    const sets = new Uint32Array(binomial(32, count));
    let set = 2 ** count - 1;
    for (let i = 0; i < sets.length; i++) {
      sets[i] = set;
      // The next greater number with as many bits.
      const low = set & -set;
      const up = (set + low) >>> 0;
      set = up === 0 ? 0 : (up | (((up ^ set) >>> 2) / (low >>> 0))) >>> 0;
    }
    ranked[count] = sets;
  }
  return ranked[count];
}

/** The set that has the numbers `numbers` (as bits) among the squares that `taken` leaves free. */
export function deposit(numbers: number, taken: number): number {
  if (taken === 0) return numbers;
  let squares = 0;
  let before = 0;
  let rest = taken;
  for (let todo = numbers; todo !== 0; todo &= todo - 1) {
    let square = lowest(todo) + before;
    while (rest !== 0 && lowest(rest) <= square) {
      rest &= rest - 1;
      before++;
      square++;
    }
    squares |= 1 << square;
  }
  return squares;
}

/** The sets of `count` men on the ranks up to `rank`, with at least one on it. */
function menSets(count: number, rank: number): { first: number; sets: number } {
  if (count === 0) return { first: 0, sets: 1 };
  const first = binomial(4 * rank, count);
  return { first, sets: binomial(4 * rank + 4, count) - first };
}

export interface CheckersSpace {
  readonly shape: Shape;
  /** Positions. */
  readonly size: number;
  /** Placements of the kings, the same for each placement of the men. */
  readonly kings: number;
  readonly enemyKings: number;
  /** C(4 * ownRank, ownMen): what the ranks of the sets of men begin with. */
  readonly firstMen: number;
  /** By number of the set of own men: the placements of men before it; the last value is their number. */
  offsets(): Float64Array;
}

/** Placements of the enemy's men when `upTo` of the squares up to its leading rank are taken, `below` of them below it. */
function enemyMenSets({ enemyMen, enemyRank }: Shape, upTo: number, below: number): number {
  if (enemyMen === 0) return 1;
  return binomial(4 * enemyRank + 4 - upTo, enemyMen) - binomial(4 * enemyRank - below, enemyMen);
}

/** How many placements of the men there are: by how many own men stand where the other player's may. */
function menPlacements(shape: Shape): number {
  const { ownMen, ownRank, enemyRank } = shape;
  if (ownMen === 0) return enemyMenSets(shape, 0, 0);
  // Sets of men on the first `squares` squares; squares from 4 * (7 - enemyRank) on concern the enemy's men.
  const upTo = (squares: number): number => {
    const leading = Math.min(Math.max(squares - 4 * (7 - enemyRank), 0), 4);
    const below = Math.max(squares - 4 * (8 - enemyRank), 0);
    const free = squares - leading - below;
    let sum = 0;
    for (let a = 0; a <= Math.min(leading, ownMen); a++) {
      for (let b = 0; a + b <= ownMen && b <= below; b++) {
        const sets = binomial(leading, a) * binomial(below, b) * binomial(free, ownMen - a - b);
        if (sets > 0) sum += sets * enemyMenSets(shape, a + b, b);
      }
    }
    return sum;
  };
  return upTo(4 * ownRank + 4) - upTo(4 * ownRank);
}

/** By the men of the shape: {@link CheckersSpace.offsets}. Spaces that differ in kings only share them. */
const offsetsOfMen = new Map<number, Float64Array>();

function makeOffsets(shape: Shape, placements: number): Float64Array {
  const { ownMen, enemyMen, ownRank, enemyRank } = shape;
  const menDigits = ((ownMen * 11 + enemyMen) * 7 + ownRank) * 7 + enemyRank;
  const known = offsetsOfMen.get(menDigits);
  if (known !== undefined) return known;
  const { first, sets } = menSets(ownMen, ownRank);
  const leadingZone = turned(ranksBelow(enemyRank + 1));
  const belowZone = turned(ranksBelow(enemyRank));
  const numbers = setsOf(ownMen);
  const made = new Float64Array(sets + 1);
  for (let i = 0; i < sets; i++) {
    const men = numbers[first + i];
    made[i + 1] = made[i] + enemyMenSets(shape, popcount(men & leadingZone), popcount(men & belowZone));
  }
  assert(made[sets] === placements, 'the placements of men are as many as the formula says');
  offsetsOfMen.set(menDigits, made);
  return made;
}

const spaces = new Map<string, CheckersSpace>();

/** The index of the slice that its mover sees so; {@link nameOf} names it. */
export function spaceOf(shape: Shape): CheckersSpace {
  const name = nameOf(shape);
  let space = spaces.get(name);
  if (space === undefined) spaces.set(name, (space = newSpace(shape)));
  return space;
}

function newSpace(shape: Shape): CheckersSpace {
  const { ownKings, enemyKings, ownMen, enemyMen, ownRank } = shape;
  const free = 32 - ownMen - enemyMen;
  const enemyKingSets = binomial(free - ownKings, enemyKings);
  const kings = binomial(free, ownKings) * enemyKingSets;
  const placements = menPlacements(shape);
  const size = placements * kings;
  assert(Number.isSafeInteger(size), `${size} positions can be numbered`);
  let offsets: Float64Array | undefined;
  return {
    shape,
    size,
    kings,
    enemyKings: enemyKingSets,
    firstMen: menSets(ownMen, ownRank).first,
    offsets: () => (offsets ??= makeOffsets(shape, placements)),
  };
}

/** A position as the mover sees it, with the same squares turned round beside it. */
export interface CheckersPlacement {
  men: number;
  kings: number;
  enemyMen: number;
  enemyKings: number;
  turnedMen: number;
  turnedKings: number;
  turnedEnemyMen: number;
  turnedEnemyKings: number;
}

/** The number of arrangements before those in which the other player's leading man is where it should be, for these own men. */
function enemyFirst({ enemyMen, enemyRank }: Shape, turnedMen: number): number {
  if (enemyMen === 0) return 0;
  return BINOMIAL[enemyMen * 33 + 4 * enemyRank - popcount(turnedMen & ranksBelow(enemyRank))];
}

/** The number of a placement of the men, whose leading men must stand on their ranks. Times `kings`, an index. */
export function menIndex(
  space: CheckersSpace,
  offsets: Float64Array,
  men: number,
  turnedMen: number,
  turnedEnemyMen: number,
): number {
  return (
    offsets[rankSet(men, 0) - space.firstMen] +
    rankSet(turnedEnemyMen, turnedMen) -
    enemyFirst(space.shape, turnedMen)
  );
}

/** The index of a position with this placement of men (`men`: the squares of all of them) and these kings. */
export function indexWith(
  space: CheckersSpace,
  placement: number,
  men: number,
  kings: number,
  enemyKings: number,
): number {
  return placement * space.kings + rankSet(kings, men) * space.enemyKings + rankSet(enemyKings, men | kings);
}

/** The index of a position, whose leading men must stand on the ranks of the space. */
export function indexOf(
  space: CheckersSpace,
  { men, kings, enemyMen, enemyKings }: Pick<CheckersPlacement, 'men' | 'kings' | 'enemyMen' | 'enemyKings'>,
): number {
  const placement = menIndex(space, space.offsets(), men, turned(men), turned(enemyMen));
  return indexWith(space, placement, men | enemyMen, kings, enemyKings);
}

/** Reads indices; fastest in ascending order, since what has not changed is not read again. */
export interface Unranker {
  /** The position last read. */
  readonly place: CheckersPlacement;
  read(index: number): void;
}

export function newUnranker(space: CheckersSpace): Unranker {
  const { shape } = space;
  const place: CheckersPlacement = {
    men: 0,
    kings: 0,
    enemyMen: 0,
    enemyKings: 0,
    turnedMen: 0,
    turnedKings: 0,
    turnedEnemyMen: 0,
    turnedEnemyKings: 0,
  };
  const menNumbers = setsOf(shape.ownMen);
  const enemyMenNumbers = setsOf(shape.enemyMen);
  const kingNumbers = setsOf(shape.ownKings);
  const enemyKingNumbers = setsOf(shape.enemyKings);
  let offsets: Float64Array | undefined;
  let menSet = 0;
  let placement = -1;
  let ownKings = -1;

  function readMen(next: number): void {
    placement = next;
    ownKings = -1;
    offsets ??= space.offsets();
    if (offsets[menSet] > next || offsets[menSet + 1] <= next)
      menSet = lastAtMost(offsets, next, offsets.length - 1);
    const men = menNumbers[space.firstMen + menSet] | 0;
    place.men = men;
    place.turnedMen = turned(men);
    const number = next - offsets[menSet] + enemyFirst(shape, place.turnedMen);
    place.turnedEnemyMen = deposit(enemyMenNumbers[number], place.turnedMen);
    place.enemyMen = turned(place.turnedEnemyMen);
  }

  return {
    place,
    read(index) {
      const next = Math.floor(index / space.kings);
      if (next !== placement) readMen(next);
      const rest = index - next * space.kings;
      const own = Math.floor(rest / space.enemyKings);
      const men = place.men | place.enemyMen;
      if (own !== ownKings) {
        ownKings = own;
        place.kings = deposit(kingNumbers[own], men);
        place.turnedKings = turned(place.kings);
      }
      place.enemyKings = deposit(enemyKingNumbers[rest - own * space.enemyKings], men | place.kings);
      place.turnedEnemyKings = turned(place.enemyKings);
    },
  };
}

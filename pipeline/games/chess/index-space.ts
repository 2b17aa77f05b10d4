import { assert } from '../../../operators/core/errors.js';
import {
  ALL_BOARDS,
  allPairs,
  filePairs,
  Kind,
  type KingNumbers,
  PAIR_BOARDS,
  REFLECTION,
  SYMMETRY,
  whiteKings,
} from './geometry.js';
import { shapeOf, sliceOf } from './shape.js';

/**
 * Like men of a side share one digit of the index: C(64, count) values, or, of pawns on one rank, C(8, count) sets of
 * files. If the last group is of pieces, its man on the greatest square has a digit of its own, so that the index ends with rows of 64.
 * That makes C(64, count - 1) * 64 values; where another man of the group stands on a greater square, the index is no position. If all men
 * are pawns, the black king is the last group.
 */
export interface MenGroup {
  readonly side: 0 | 1;
  readonly kind: number;
  readonly count: number;
  /** Number of its first man; the others follow. */
  readonly first: number;
  /** The square of a pawn's rank on the a-file; -1 for other men. */
  readonly rank: number;
}

/** A digit of the index: `count` men from the number `first` on, as a set of squares, or of files of the rank whose a-file `base` is. */
export interface Digit {
  readonly first: number;
  readonly count: number;
  readonly base: number;
  readonly stride: number;
}

/**
 * The index space of a slice, the same for both sides to move: (pair of kings, placement of the men). The placement
 * is a mixed-radix number with a digit for each group of like men. Pawns come first, then groups of several men, and
 * single men last, so the last digits are plain squares. A part is `pairsPerPart` consecutive pairs of kings. Keys
 * are below 2^30.
 */
export interface Space {
  readonly name: string;
  readonly groups: readonly MenGroup[];
  /** The canonical pairs of kings, and how boards come to have one of them. */
  readonly pairs: KingNumbers;
  /**
   * Men besides the kings, and of each man its kind, side and group. A king that is in a group has the next number, but is not counted.
   */
  readonly men: number;
  readonly kindOf: Uint8Array;
  readonly sideOf: Uint8Array;
  readonly groupOf: Uint8Array;
  /** Numbers of the men of each side. */
  readonly menOf: readonly [Uint8Array, Uint8Array];
  /** By group: its first man, its size and the weight of its digit. */
  readonly groupFirst: Int32Array;
  readonly groupCount: Int32Array;
  readonly groupStride: Int32Array;
  /** The digits of the placement. */
  readonly digits: readonly Digit[];
  /** How many groups are pawns. */
  readonly pawnGroups: number;
  /** Whether the last digit is the square of a piece or king, so that 64 positions are a row. */
  readonly hasRows: boolean;
  /** Whether it is the black king's. */
  readonly kingRuns: boolean;
  readonly placements: number;
  readonly pairsPerPart: number;
  readonly parts: number;
  readonly width: number;
  readonly size: number;
  /** By pair of kings: its part, and its first key there. */
  readonly pairPart: Int32Array;
  readonly pairBase: Int32Array;
}

/** BINOMIAL[k * 65 + n] = C(n, k), k to 5. */
export const BINOMIAL = new Int32Array(6 * 65);
for (let n = 0; n <= 64; n++) {
  BINOMIAL[n] = 1;
  for (let k = 1; k < 6 && n > 0; k++) {
    BINOMIAL[k * 65 + n] = BINOMIAL[k * 65 + n - 1] + BINOMIAL[(k - 1) * 65 + n - 1];
  }
}

export function binomial(n: number, k: number): number {
  return BINOMIAL[k * 65 + n];
}

const sets: Int32Array[] = [];

/** The sets of `count` squares (2 to 5) by rank: squares ascending, six bits each, the least in the lowest bits. */
export function squareSets(count: number): Int32Array {
  if (!sets[count]) {
    const all = new Int32Array(binomial(64, count));
    let packed = 0;
    for (let i = 0; i < count; i++) packed |= i << (6 * i);
    for (let rank = 0; rank < all.length; rank++) {
      all[rank] = packed;
      // The next set in rank order: the lowest square that can go up one does, those below it return to the start.
      let i = 0;
      while (i < count - 1 && ((packed >> (6 * i)) & 63) + 1 === ((packed >> (6 * i + 6)) & 63)) i++;
      packed += 1 << (6 * i);
      for (let j = 0; j < i; j++) packed = (packed & ~(63 << (6 * j))) | (j << (6 * j));
    }
    sets[count] = all;
  }
  return sets[count];
}

const ordered = new Uint8Array(8);

/** Rank of the placement of the men on `squares` (by number of the man) moved by a symmetry. */
export function placementRank(space: Space, squares: Uint8Array, symmetry: number): number {
  const map = symmetry << 6;
  const groups = space.groupCount.length;
  let rank = 0;
  for (let g = 0; g < groups; g++) {
    const count = space.groupCount[g];
    const first = space.groupFirst[g];
    const files = g < space.pawnGroups ? 7 : 63;
    for (let i = 0; i < count; i++) {
      const square = SYMMETRY[map + squares[first + i]] & files;
      let j = i;
      for (; j > 0 && ordered[j - 1] > square; j--) ordered[j] = ordered[j - 1];
      ordered[j] = square;
    }
    const hasRow = g === groups - 1 && space.hasRows;
    let digit = 0;
    for (let i = 0; i < (hasRow ? count - 1 : count); i++) digit += BINOMIAL[(i + 1) * 65 + ordered[i]];
    if (hasRow) digit = digit * 64 + ordered[count - 1];
    rank = (rank + Math.imul(digit, space.groupStride[g])) | 0;
  }
  return rank;
}

/**
 * The (pair, rank) of a board with kings on `white` and `black`, which must not touch; of two that mirror images with the same kings have, the
 * lesser.
 */
export function canonicalPlace(
  space: Space,
  white: number,
  black: number,
  squares: Uint8Array,
): { pair: number; rank: number } {
  const pair = space.pairs.pairOf[white * 64 + black];
  assert(pair >= 0, 'kings are not adjacent');
  const symmetry = space.pairs.symmetryOf[white * 64 + black];
  let rank = placementRank(space, squares, symmetry);
  if (hasImages(space, pair)) rank = Math.min(rank, placementRank(space, squares, symmetry ^ REFLECTION));
  return { pair, rank };
}

/** Whether positions with the kings of a pair and their mirror images at the long diagonal have an index each. */
export function hasImages({ pawnGroups }: Space, pair: number): boolean {
  return pawnGroups === 0 && PAIR_BOARDS[pair] !== ALL_BOARDS;
}

/** Names the changes of the index since versions that numbered such slices otherwise; see SliceIndex. */
export function numberingOf(space: Space): string | undefined {
  if (!space.hasRows) return undefined;
  if (space.pawnGroups === 0) return 'both images';
  return space.kingRuns || hasTwins(space) ? 'rows' : undefined;
}

/** Whether there are men like the one whose square is the last digit. */
export function hasTwins({ hasRows, groupCount }: Space): boolean {
  return hasRows && groupCount[groupCount.length - 1] > 1;
}

/** Writes the squares of the men of a placement into `squares`. */
export function placeMen(space: Space, rank: number, squares: Uint8Array): void {
  for (const { first, count, base, stride } of space.digits) {
    const digit = Math.floor(rank / stride);
    rank -= digit * stride;
    if (count === 1) squares[first] = base + digit;
    else {
      // Sets of files come first among the sets of squares: those of squares 0 to 7.
      const packed = squareSets(count)[digit];
      for (let i = 0; i < count; i++) squares[first + i] = base + ((packed >> (6 * i)) & 63);
    }
  }
}

/** The groups of pawns of a slice, the pawn that may be captured en passant first. */
function groupPawns(name: string): Omit<MenGroup, 'first'>[] {
  const { ranks, taker } = shapeOf(name);
  const groups: Omit<MenGroup, 'first'>[] = [];
  for (const side of [0, 1] as const) {
    for (const row of new Set(ranks[side])) {
      const rank = 8 * (row - 1);
      let count = ranks[side].filter((other) => other === row).length;
      if (taker === 1 - side && row === (side === 0 ? 4 : 5)) {
        groups.unshift({ side, kind: Kind.passant, count: 1, rank });
        count--;
      }
      if (count > 0) groups.push({ side, kind: Kind.pawn, count, rank });
    }
  }
  return groups;
}

function groupMen(name: string): MenGroup[] {
  const { men } = shapeOf(name);
  const pieces: Omit<MenGroup, 'first'>[] = [];
  for (const side of [0, 1] as const) {
    for (const letter of new Set(men[side].replaceAll('P', ''))) {
      const count = men[side].split(letter).length - 1;
      pieces.push({ side, kind: 'QRBN'.indexOf(letter), count, rank: -1 });
    }
  }
  const several = pieces.filter((g) => g.count > 1);
  const single = pieces.filter((g) => g.count === 1);
  // A smaller last group costs fewer values.
  if (single.length === 0) several.sort((a, b) => b.count - a.count);
  let first = 0;
  const pawns = groupPawns(name);
  if (pieces.length === 0 && pawns.length > 0) single.push({ side: 1, kind: Kind.king, count: 1, rank: -1 });
  return [...pawns, ...several, ...single].map((group) => {
    first += group.count;
    return { ...group, first: first - group.count };
  });
}

const spaces = new Map<string, Space>();

/** The index space of the ending with this canonical name. */
export function spaceOf(name: string): Space {
  const known = spaces.get(name);
  if (known) return known;
  assert(sliceOf(shapeOf(name)).slice === name, `${name} is the canonical name of a slice`);
  const groups = groupMen(name);
  const kingRuns = groups.at(-1)?.kind === Kind.king;
  const men = groups.reduce((sum, group) => sum + group.count, kingRuns ? -1 : 0);
  const pawnGroups = groups.filter((group) => group.rank >= 0).length;
  const pairs = kingRuns ? whiteKings : pawnGroups > 0 ? filePairs : allPairs;
  const pairCount = pairs.white.length;
  const hasRows = groups.length > pawnGroups;
  const groupStride = new Int32Array(groups.length);
  const digits: Digit[] = [];
  let placements = 1;
  for (const [g, { first, count, rank }] of [...groups.entries()].reverse()) {
    groupStride[g] = placements;
    const base = Math.max(0, rank);
    const addDigit = (from: number, many: number) => {
      digits.unshift({ first: from, count: many, base, stride: placements });
      placements *= binomial(rank >= 0 ? 8 : 64, many);
    };
    if (g < groups.length - 1 || !hasRows) addDigit(first, count);
    else {
      addDigit(first + count - 1, 1);
      if (count > 1) addDigit(first, count - 1);
    }
  }
  const perMan = (of: (group: MenGroup, g: number) => number) =>
    Uint8Array.from(groups.flatMap((group, g) => new Array<number>(group.count).fill(of(group, g)))).subarray(
      0,
      men,
    );
  const sideOf = perMan((group) => group.side);
  const numbers = Array.from({ length: men }, (_, man) => man);
  const pairsPerPart = Math.min(pairCount, Math.max(1, Math.floor(2 ** 18 / placements)));
  const space: Space = {
    name,
    groups,
    pairs,
    pawnGroups,
    men,
    kindOf: perMan((group) => group.kind),
    sideOf,
    groupOf: perMan((_, g) => g),
    menOf: [
      Uint8Array.from(numbers.filter((man) => sideOf[man] === 0)),
      Uint8Array.from(numbers.filter((man) => sideOf[man] === 1)),
    ],
    groupFirst: Int32Array.from(groups, (group) => group.first),
    groupCount: Int32Array.from(groups, (group) => group.count),
    groupStride,
    digits,
    hasRows,
    kingRuns,
    placements,
    pairsPerPart,
    parts: Math.ceil(pairCount / pairsPerPart),
    width: pairsPerPart * placements,
    size: pairCount * placements,
    pairPart: Int32Array.from({ length: pairCount }, (_, pair) => Math.floor(pair / pairsPerPart)),
    pairBase: Int32Array.from({ length: pairCount }, (_, pair) => (pair % pairsPerPart) * placements),
  };
  spaces.set(name, space);
  return space;
}

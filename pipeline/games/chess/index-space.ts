import { assert } from '../../../operators/core/errors.js';
import {
  ALL_BOARDS,
  allPairs,
  filePairs,
  Kind,
  type KingNumbers,
  REFLECTION,
  SYMMETRY,
  whiteKings,
} from './geometry.js';
import { filesOnRank, type Man, type Placements } from './placements.js';
import { namingOf, shapeOf, sliceOf } from './shape.js';

/**
 * Like pieces of a side share one digit of the index: C(64, count) values. Pawns have one by a table of placements. If the last group is of
 * pieces, its man on the greatest square has a digit of its own, so that the index ends with rows of 64.
 * That makes C(64, count - 1) * 64 values; where another man of the group stands on a greater square, the index is no position. If all men
 * are pawns, the black king is the last group.
 */
export interface MenGroup {
  readonly men: readonly Man[];
  /** Number of its first man; the others follow. */
  readonly first: number;
  /** Of pawns; null of pieces. */
  readonly places: Placements | null;
}

/** A digit of the index: `count` men from the number `first` on, as a set of squares or, of pawns, as a placement. */
export interface Digit extends Pick<MenGroup, 'first' | 'places'> {
  readonly count: number;
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
    const { places } = space.groups[g];
    if (places !== null) {
      rank += places.numberOf(squares, first, symmetry) * space.groupStride[g];
      continue;
    }
    for (let i = 0; i < count; i++) {
      const square = SYMMETRY[map + squares[first + i]];
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
export function hasImages({ pawnGroups, pairs }: Space, pair: number): boolean {
  return pawnGroups === 0 && pairs.boards[pair] !== ALL_BOARDS;
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
  for (const { first, count, places, stride } of space.digits) {
    const digit = Math.floor(rank / stride);
    rank -= digit * stride;
    if (places !== null) squares.set(places.all[digit], first);
    else if (count === 1) squares[first] = digit;
    else {
      const packed = squareSets(count)[digit];
      for (let i = 0; i < count; i++) squares[first + i] = (packed >> (6 * i)) & 63;
    }
  }
}

type NewGroup = Omit<MenGroup, 'first'>;

/** The groups of pawns of a slice by ranks, the pawn that may be captured en passant first. */
function groupPawns(name: string): NewGroup[] {
  const { ranks, taker } = shapeOf(name);
  const groups: NewGroup[] = [];
  const groupOf = (man: Man, count: number, row: number): NewGroup => {
    const places = filesOnRank(man, count, 8 * (row - 1));
    return { men: places.men, places };
  };
  for (const side of [0, 1] as const) {
    for (const row of new Set(ranks[side])) {
      let count = ranks[side].filter((other) => other === row).length;
      if (taker === 1 - side && row === (side === 0 ? 4 : 5)) {
        groups.unshift(groupOf({ side, kind: Kind.passant }, 1, row));
        count--;
      }
      if (count > 0) groups.push(groupOf({ side, kind: Kind.pawn }, count, row));
    }
  }
  return groups;
}

function groupPieces(name: string): NewGroup[] {
  const { men } = shapeOf(name);
  const pieces: NewGroup[] = [];
  for (const side of [0, 1] as const) {
    for (const letter of new Set(men[side].replaceAll('P', ''))) {
      const like = [...men[side]].filter((other) => other === letter);
      pieces.push({ men: like.map(() => ({ side, kind: 'QRBN'.indexOf(letter) })), places: null });
    }
  }
  const several = pieces.filter((g) => g.men.length > 1);
  const single = pieces.filter((g) => g.men.length === 1);
  // A smaller last group costs fewer values.
  if (single.length === 0) several.sort((a, b) => b.men.length - a.men.length);
  return [...several, ...single];
}

const spaces = new Map<string, Space>();

/** The index space of the slice with this name, made when it is asked for first: by `make` if it may be that of a root (root-slices.ts). */
export function spaceOf(name: string, make: (name: string) => Space = newSpaceOf): Space {
  let space = spaces.get(name);
  if (space === undefined) spaces.set(name, (space = make(name)));
  return space;
}

/** The index space of the slice with this canonical name. */
export function newSpaceOf(name: string): Space {
  assert(sliceOf(shapeOf(name), namingOf(name)).slice === name, `${name} is the canonical name of a slice`);
  return newSpace(name, name, groupPawns(name));
}

const BLACK_KING: NewGroup = { men: [{ side: 1, kind: Kind.king }], places: null };

/** An index space with the pieces of the slice of a canonical name, and with groups of pawns. */
export function newSpace(name: string, pieces: string, pawns: readonly NewGroup[]): Space {
  const pieceGroups = groupPieces(pieces);
  const kingRuns = pieceGroups.length === 0 && pawns.length > 0;
  let men = 0;
  const groups = [...pawns, ...pieceGroups, ...(kingRuns ? [BLACK_KING] : [])].map((group): MenGroup => {
    men += group.men.length;
    return { ...group, first: men - group.men.length };
  });
  if (kingRuns) men--;
  const pawnGroups = pawns.length;
  const pairs = kingRuns ? whiteKings : pawnGroups > 0 ? filePairs : allPairs;
  const pairCount = pairs.white.length;
  const hasRows = groups.length > pawnGroups;
  const groupStride = new Int32Array(groups.length);
  const digits: Digit[] = [];
  let placements = 1;
  for (const [g, { first, men, places }] of [...groups.entries()].reverse()) {
    groupStride[g] = placements;
    const addDigit = (from: number, count: number) => {
      digits.unshift({ first: from, count, places, stride: placements });
      placements *= places?.all.length ?? binomial(64, count);
    };
    if (g < groups.length - 1 || !hasRows) addDigit(first, men.length);
    else {
      addDigit(first + men.length - 1, 1);
      if (men.length > 1) addDigit(first, men.length - 1);
    }
  }
  const each = groups.flatMap((group) => group.men).slice(0, men);
  const sideOf = Uint8Array.from(each, ({ side }) => side);
  const numbers = Array.from({ length: men }, (_, man) => man);
  const pairsPerPart = Math.min(pairCount, Math.max(1, Math.floor(2 ** 18 / placements)));
  return {
    name,
    groups,
    pairs,
    pawnGroups,
    men,
    kindOf: Uint8Array.from(each, ({ kind }) => kind),
    sideOf,
    groupOf: Uint8Array.from(groups.flatMap(({ men }, g) => men.map(() => g)).slice(0, men)),
    menOf: [
      Uint8Array.from(numbers.filter((man) => sideOf[man] === 0)),
      Uint8Array.from(numbers.filter((man) => sideOf[man] === 1)),
    ],
    groupFirst: Int32Array.from(groups, (group) => group.first),
    groupCount: Int32Array.from(groups, (group) => group.men.length),
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
}

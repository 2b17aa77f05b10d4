/**
 * The geometry of the board as tables: rays, lines between squares, the eight symmetries and the 462 pairs of kings.
 * Squares are numbered rank * 8 + file, a1 = 0, h1 = 7, h8 = 63. Sets of squares are two 32-bit words, ranks 1 to 4
 * in `low` and ranks 5 to 8 in `high`.
 */

/** Kinds of men as the kernels number them. A passant is a pawn that may be captured en passant. */
export const Kind = { queen: 0, rook: 1, bishop: 2, knight: 3, king: 4, pawn: 5, passant: 6 } as const;

const ORTHOGONAL = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];
const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, -1],
  [-1, 1],
];
const JUMPS = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];
const STEPS: readonly (readonly number[][])[] = [
  [...ORTHOGONAL, ...DIAGONAL],
  ORTHOGONAL,
  DIAGONAL,
  JUMPS,
  [...ORTHOGONAL, ...DIAGONAL],
];

/** The squares of the ray from `square` (exclusive) to the edge, nearest first; one square for kings and knights. */
function ray(kind: number, square: number, file: number, rank: number): number[] {
  const squares: number[] = [];
  let f = (square & 7) + file;
  let r = (square >> 3) + rank;
  while (f >= 0 && f < 8 && r >= 0 && r < 8) {
    squares.push(r * 8 + f);
    if (kind === Kind.knight || kind === Kind.king) break;
    f += file;
    r += rank;
  }
  return squares;
}

/**
 * All rays of a man of some kind on some square, one after the other: the steps of (kind, square) are
 * RAYS[RAY_START[kind * 64 + square] .. RAY_START[kind * 64 + square + 1]). A step packs the square it reaches (bits
 * 0-5), and how many steps it is from the end of its ray, itself included (bits 6-8). Adding the number of steps to the
 * step's own number gives the first step of the next ray.
 */
export const RAY_START = new Int32Array(5 * 64 + 1);
export const RAYS = buildRays();

function buildRays(): Int32Array {
  const steps: number[] = [];
  for (let kind = 0; kind < 5; kind++) {
    for (let square = 0; square < 64; square++) {
      RAY_START[kind * 64 + square] = steps.length;
      for (const [file, rank] of STEPS[kind]) {
        const squares = ray(kind, square, file, rank);
        squares.forEach((to, i) => {
          steps.push(to | ((squares.length - i) << 6));
        });
      }
    }
  }
  RAY_START[5 * 64] = steps.length;
  return Int32Array.from(steps);
}

/** The words of the set {square}. */
export const BIT_LOW = Int32Array.from({ length: 64 }, (_, s) => (s < 32 ? 1 << s : 0));
export const BIT_HIGH = Int32Array.from({ length: 64 }, (_, s) => (s < 32 ? 0 : 1 << (s - 32)));

/**
 * How two squares are related, at from * 64 + to. Bit 0 is the same rank or file, bit 1 the same diagonal, bit 2 a
 * knight's jump, bit 3 neighbours.
 */
export const LINE = new Uint8Array(4096);
/** Squares strictly between two squares of a line; empty for unrelated squares. */
export const BETWEEN_LOW = new Int32Array(4096);
export const BETWEEN_HIGH = new Int32Array(4096);

for (const [kind, bit] of [
  [Kind.rook, 1],
  [Kind.bishop, 2],
  [Kind.knight, 4],
  [Kind.king, 8],
]) {
  for (let from = 0; from < 64; from++) {
    for (const [file, rank] of STEPS[kind]) {
      let low = 0;
      let high = 0;
      for (const to of ray(kind, from, file, rank)) {
        LINE[from * 64 + to] |= bit;
        if (kind === Kind.king) continue;
        BETWEEN_LOW[from * 64 + to] = low;
        BETWEEN_HIGH[from * 64 + to] = high;
        low |= BIT_LOW[to];
        high |= BIT_HIGH[to];
      }
    }
  }
}

/**
 * The symmetries of the board, at symmetry * 64 + square. Bit 0 mirrors files, bit 1 then mirrors ranks, bit 2 then
 * reflects at the a1-h8 diagonal. So symmetry 0 is the identity, and symmetry ^ 4 is symmetry followed by the
 * reflection.
 */
export const SYMMETRY = new Uint8Array(8 * 64);
export const REFLECTION = 4;
for (let symmetry = 0; symmetry < 8; symmetry++) {
  for (let square = 0; square < 64; square++) {
    const file = symmetry & 1 ? 7 - (square & 7) : square & 7;
    const rank = symmetry & 2 ? 7 - (square >> 3) : square >> 3;
    SYMMETRY[symmetry * 64 + square] = symmetry & 4 ? file * 8 + rank : rank * 8 + file;
  }
}
/** The mirror image of a square at the a1-h8 diagonal. */
export const REFLECT = SYMMETRY.subarray(REFLECTION * 64, REFLECTION * 64 + 64);

/** Pairs of kings up to some of the symmetries. */
export interface KingPairs {
  /** By canonical pair: the squares of the kings. */
  readonly white: Uint8Array;
  readonly black: Uint8Array;
  /** For any two squares of kings, at white * 64 + black: the canonical pair, or -1 if they touch or coincide. */
  readonly pairOf: Int16Array;
  /** The symmetry that brings the kings to that pair, the identity where possible. */
  readonly symmetryOf: Uint8Array;
  /** All symmetries that bring them there, as bits: two where both kings stand on one long diagonal and there are no pawns, else one. */
  readonly imagesOf: Uint8Array;
  /**
   * By canonical pair, as bits: the symmetries that `symmetryOf` undoes, so that an index stands for the images of its board under these. If
   * both kings stand on the long diagonal and there are no pawns, they are the four that do not reflect. The reflected board has the same kings, and an
   * index of its own.
   */
  readonly boards: Uint8Array;
}

/** Pairs of kings, or squares of the white king by which pairs are numbered. */
export interface KingNumbers extends Omit<KingPairs, 'black'> {
  readonly black: Uint8Array | null;
}

/**
 * The canonical pairs of kings without pawns. The white king is in the triangle a1-d1-d4, and the black king not
 * adjacent. If the white king stands on the a1-h8 diagonal, the black king is on or below it.
 */
export const PAIRS = 462;
export const PAIR_WHITE = new Uint8Array(PAIRS);
export const PAIR_BLACK = new Uint8Array(PAIRS);
export const PAIR_OF = new Int16Array(4096).fill(-1);
export const PAIR_SYMMETRY = new Uint8Array(4096);
export const ALL_BOARDS = 255;
export const allPairs: KingPairs = {
  white: PAIR_WHITE,
  black: PAIR_BLACK,
  pairOf: PAIR_OF,
  symmetryOf: PAIR_SYMMETRY,
  imagesOf: new Uint8Array(4096),
  boards: new Uint8Array(PAIRS),
};
/** b1: no two symmetries bring it to the same square. */
const OFF_CENTRE = 1;

/**
 * Pairs that are alike on the board get numbers far apart: the n-th is number n * 283 modulo 462. So every interval of
 * numbers holds about the same mixture, and members and partitions, which take intervals, have equal work in each round.
 */
const STRIDE = 283;

function numberPairs(): void {
  let count = 0;
  for (let white = 0; white < 28; white++) {
    const file = white & 7;
    const rank = white >> 3;
    if (file > 3 || rank > file) continue;
    for (let black = 0; black < 64; black++) {
      if (white === black || LINE[white * 64 + black] & 8) continue;
      if (file === rank && black > REFLECT[black]) continue;
      const pair = (count++ * STRIDE) % PAIRS;
      PAIR_WHITE[pair] = white;
      PAIR_BLACK[pair] = black;
      PAIR_OF[white * 64 + black] = pair;
    }
  }
  const canonical = PAIR_OF.slice();
  for (let symmetry = 7; symmetry >= 0; symmetry--) {
    for (let kings = 0; kings < 4096; kings++) {
      const white = SYMMETRY[symmetry * 64 + (kings >> 6)];
      const black = SYMMETRY[symmetry * 64 + (kings & 63)];
      if (canonical[white * 64 + black] < 0) continue;
      PAIR_OF[kings] = canonical[white * 64 + black];
      PAIR_SYMMETRY[kings] = symmetry;
      allPairs.imagesOf[kings] |= 1 << symmetry;
    }
  }
  for (let pair = 0; pair < PAIRS; pair++) {
    for (let symmetry = 0; symmetry < 8; symmetry++) {
      const [white, black, other] = [PAIR_WHITE[pair], PAIR_BLACK[pair], OFF_CENTRE].map(
        (square) => SYMMETRY[symmetry * 64 + square],
      );
      const back = PAIR_SYMMETRY[white * 64 + black];
      if (SYMMETRY[back * 64 + other] === OFF_CENTRE) allPairs.boards[pair] |= 1 << symmetry;
    }
  }
}
numberPairs();

/**
 * The canonical pairs with pawns, whose direction and ranks leave one symmetry, that of the files. The white king is
 * on files a to d, and the black king not adjacent. Numbered as the others, the n-th 1115 n modulo 1806.
 */
function pairsByFiles(): KingPairs {
  const pairs = 1806;
  const white = new Uint8Array(pairs);
  const black = new Uint8Array(pairs);
  const pairOf = new Int16Array(4096).fill(-1);
  const symmetryOf = new Uint8Array(4096);
  let count = 0;
  for (let kings = 0; kings < 4096; kings++) {
    const [own, other] = [kings >> 6, kings & 63];
    if ((own & 7) > 3 || own === other || LINE[kings] & 8) continue;
    const pair = (count++ * 1115) % pairs;
    white[pair] = own;
    black[pair] = other;
    const mirrored = (SYMMETRY[64 + own] << 6) | SYMMETRY[64 + other];
    pairOf[kings] = pairOf[mirrored] = pair;
    symmetryOf[mirrored] = 1;
  }
  const imagesOf = symmetryOf.map((symmetry) => 1 << symmetry);
  return { white, black, pairOf, symmetryOf, imagesOf, boards: new Uint8Array(pairs).fill(3) };
}
export const filePairs = pairsByFiles();

/** The squares of the white king with pawns, the n-th having the number 13 n modulo 32: the black king is a man like others. */
function squaresByFiles(): KingNumbers {
  const white = new Uint8Array(32);
  const pairOf = new Int16Array(4096).fill(-1);
  for (let n = 0; n < 32; n++) white[(13 * n) % 32] = 8 * (n >> 2) + (n & 3);
  for (let kings = 0; kings < 4096; kings++) {
    const square = SYMMETRY[64 * filePairs.symmetryOf[kings] + (kings >> 6)];
    if (filePairs.pairOf[kings] >= 0) pairOf[kings] = white.indexOf(square);
  }
  return { ...filePairs, white, black: null, pairOf };
}
export const whiteKings = squaresByFiles();

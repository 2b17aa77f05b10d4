/**
 * Placements of men, by which audits go: the two kings up to the symmetries, then a digit for each other man, its
 * square. The last digit is that of the row man, and placements that differ in it are a row. Up to three men that are
 * alike, except the row man, are one number (assembly/alike.ts), the first of the digits. Other like men stand in
 * each of their orders.
 */

import type { Side } from '../../../../game/game.js';
import { allPairs, filePairs, type KingPairs, PAIR_DIAGONAL } from '../../geometry.js';
import { bytesAt, type Kernels, writeWords } from '../kernels.js';
import { BLACK, type Material, PAWN } from '../material.js';

export interface Placements {
  readonly material: Material;
  /** 1 with pawns, which leave one symmetry. */
  readonly kind: 0 | 1;
  /** White's and Black's square of each pair of kings, by number. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Placements of a pair of kings, a multiple of 64. */
  readonly block: number;
  readonly size: number;
  /** Men by weight, the row man last. */
  readonly digits: readonly number[];
  /** How many of the first digits are like men that are one number, 0 or from two on; its weight. */
  readonly alike: number;
  readonly alikeWeight: number;
  /** By man: the weight of its digit (0 of kings, ALIKE of those that are one number), its least square, how many squares it has. */
  readonly weights: readonly number[];
  readonly least: readonly number[];
  readonly values: readonly number[];
  /** The sum of the least squares by weight, by which placements are lower. */
  readonly taken: number;
}

/** Kings that are neighbours in moves get neighbouring numbers: those with the same black king. */
interface Numbered {
  readonly pairs: readonly (readonly [number, number])[];
  /** At white * 64 + black: number * 16 + 8 if the reflection leaves both in place + symmetry; -1 where they touch. */
  readonly packed: Int32Array;
}

function numbered({ white, black, pairOf, symmetryOf }: KingPairs, diagonal: Uint8Array): Numbered {
  const order = [...white.keys()].sort((a, b) => black[a] - black[b] || white[a] - white[b]);
  const numbers = new Int32Array(order.length);
  for (const [number, pair] of order.entries()) numbers[pair] = number;
  const packed = Int32Array.from(pairOf, (pair, kings) =>
    pair < 0 ? -1 : numbers[pair] * 16 + (diagonal[pair] ? 8 : 0) + symmetryOf[kings],
  );
  return { pairs: order.map((pair) => [white[pair], black[pair]] as const), packed };
}

/** Without, and with pawns. */
const NUMBERED = [numbered(allPairs, PAIR_DIAGONAL), numbered(filePairs, new Uint8Array(1806))] as const;

/** The number of a pair of kings that do not touch, and the symmetry that brings them there. */
export function pairOf(kind: 0 | 1, white: number, black: number): { number: number; symmetry: number } {
  const packed = NUMBERED[kind].packed[white * 64 + black];
  return { number: packed >> 4, symmetry: packed & 7 };
}

export function placementsOf(material: Material): Placements {
  const { men } = material;
  const isPawn = (man: number) => men[man] % BLACK === PAWN;
  // Knights have the fewest moves of their own, which are made square by square.
  const byMoves = [...men.keys()]
    .slice(2)
    .sort((a, b) => Number(isPawn(b)) - Number(isPawn(a)) || (men[b] % BLACK) - (men[a] % BLACK));
  const row = byMoves.at(-1);
  const like = likeMen(men, byMoves.slice(0, -1));
  const digits = [...like, ...byMoves.filter((man) => !like.includes(man))];
  const weights = men.map(() => 0);
  const least = men.map((_, man) => (isPawn(man) && man !== row ? 8 : 0));
  const values = least.map((from) => 64 - 2 * from);
  let block = 1;
  for (const man of digits.slice(like.length).reverse()) {
    weights[man] = block;
    block *= values[man];
  }
  const taken = digits.reduce((sum, man) => sum + weights[man] * least[man], 0);
  const alikeWeight = like.length === 0 ? 0 : block;
  if (like.length > 0) block *= waysAlike(like.length, values[like[0]]);
  for (const man of like) weights[man] = ALIKE;
  const kind = material.leadingPawns.length > 0 ? 1 : 0;
  const { pairs } = NUMBERED[kind];
  const size = block * pairs.length;
  const alike = like.length;
  return { material, kind, pairs, block, size, digits, alike, alikeWeight, weights, least, values, taken };
}

/** As in assembly/rows.ts. */
const ALIKE = -1;
/** Men that are one number at most, as in assembly/alike.ts. */
const MOST_ALIKE = 3;

/** The most men of these that are alike, if two are. */
function likeMen(men: readonly number[], some: readonly number[]): number[] {
  let most: number[] = [];
  for (const man of some) {
    const like = some.filter((other) => men[other] === men[man]).slice(0, MOST_ALIKE);
    if (like.length > Math.max(1, most.length)) most = like;
  }
  return most;
}

/** How many ways so many like men have to stand on so many squares, as in assembly/alike.ts. */
function waysAlike(men: number, squares: number): number {
  let ways = 1;
  for (let man = 0; man < men; man++) ways = (ways * (squares + man)) / (man + 1);
  return ways;
}

/** The squares of the men of a placement. */
export function squaresOf(
  { pairs, digits, alike, alikeWeight, weights, least, values }: Placements,
  pair: number,
  at: number,
): Uint8Array {
  const squares = new Uint8Array(digits.length + 2);
  squares.set(pairs[pair]);
  for (const man of digits.slice(alike)) {
    squares[man] = (Math.floor(at / weights[man]) % values[man]) + least[man];
  }
  let number = alike > 0 ? Math.floor(at / alikeWeight) : 0;
  for (let left = alike; left > 0; left--) {
    let greatest = 0;
    while (waysAlike(left, greatest + 1) <= number) greatest++;
    number -= waysAlike(left, greatest);
    const man = digits[left - 1];
    squares[man] = greatest + least[man];
  }
  return squares;
}

/** The orders of like men that have placements of their own: of each man, the man whose digit it takes. */
function ordersOf({ material: { men }, weights }: Placements): number[][] {
  let orders: number[][] = [[]];
  for (const [man, code] of men.entries()) {
    orders = orders.flatMap((order) =>
      [...men.keys()]
        .filter((other) => men[other] === code && !order.includes(other))
        .map((other) => [...order.slice(0, man), other]),
    );
  }
  const isRising = (order: number[]) => {
    const like = order.filter((other) => weights[other] === ALIKE);
    return like.every((other, i) => i === 0 || like[i - 1] < other);
  };
  return orders.filter(isRising);
}

/** For each man of a material with like sides, the man that it is with the colours exchanged. */
export function turnedMen({ men }: Material): number[] {
  const half = men.length / 2 - 1;
  return men.map((_, man) => (man < 2 ? 1 - man : man < 2 + half ? man + half : man - half));
}

/** The pairs of kings after moves of a side's king, and as they are. */
export function kingsNear([white, black]: readonly [number, number], side: Side): [number, number][] {
  const found: [number, number][] = [[white, black]];
  const king = side === 0 ? white : black;
  for (let to = 0; to < 64; to++) {
    if (to === king || Math.abs((to & 7) - (king & 7)) > 1 || Math.abs((to >> 3) - (king >> 3)) > 1) continue;
    const [w, b] = side === 0 ? [to, black] : [white, to];
    if (NUMBERED[0].packed[w * 64 + b] >= 0) found.push([w, b]);
  }
  return found;
}

const STRAIGHT = [8, 1, -8, -1];
const OBLIQUE = [9, -7, -9, 7];
const JUMPS = [17, 10, -6, -15, -17, -10, 6, 15];

/** Sets the kernels to the men of placements. */
export function setPlacements(
  kernels: Kernels,
  { material: { men }, digits, alike, values, least }: Placements,
): void {
  const { wasm } = kernels;
  const next = bytesAt(kernels, wasm.NEXT.value, 16 * 64);
  for (const [direction, step] of [...STRAIGHT, ...OBLIQUE, ...JUMPS].entries()) {
    for (let square = 0; square < 64; square++) {
      const to = square + step;
      const files = Math.abs((to & 7) - (square & 7));
      next[direction * 64 + square] = to < 0 || to > 63 || files > 2 ? 64 : to;
    }
  }
  writeWords(kernels, 'PAIRS', NUMBERED[0].packed);
  writeWords(kernels, 'PAIRS', NUMBERED[1].packed, 4096);
  bytesAt(kernels, wasm.MAN_KIND.value, men.length).set(men.map((code) => code % BLACK));
  bytesAt(kernels, wasm.MAN_SIDE.value, men.length).set(men.map((code) => (code > BLACK ? 1 : 0)));
  writeWords(kernels, 'DIGIT_MAN', digits);
  writeWords(
    kernels,
    'DIGIT_VALUES',
    digits.map((man) => values[man]),
  );
  writeWords(
    kernels,
    'DIGIT_LEAST',
    digits.map((man) => least[man]),
  );
  wasm.setMen(men.length, digits.at(-1)!, alike);
}

/** Bytes from one place of kings in PAIRS to the next. */
export const PAIRS_BYTES = 4096 * 4;

/** Sets the kernels to send values of files to placements. */
export function setOrders(kernels: Kernels, placements: Placements): void {
  const { material, kind, block, digits, alike, alikeWeight, weights, least, taken } = placements;
  const orders = ordersOf(placements);
  const turned = material.symmetric ? turnedMen(material) : material.men.map((_, man) => man);
  const leastAlike = alike > 0 ? least[digits[0]] : 0;
  const words = [
    ...[kind * PAIRS_BYTES, block, orders.length, taken],
    ...[alikeWeight, leastAlike, 0, 0],
    ...turned,
  ];
  for (let i = words.length; i < 16; i++) words.push(0);
  for (const order of orders) {
    const row = order.map((man) => weights[man]);
    words.push(...row, ...new Array<number>(8 - row.length).fill(0));
  }
  writeWords(kernels, 'PLACEMENTS', words);
}

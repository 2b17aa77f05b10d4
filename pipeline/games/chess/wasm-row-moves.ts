/** The moves by rows of endings without pawns, in WebAssembly (assembly/row-moves.ts, row-captures.ts, rank-codes.ts). */
import type { RowMoves, RowRanks, Side, WideScale } from '../../game/game.js';
import type { CaptureTable } from './captures.js';
import { LINE, PAIR_BLACK, PAIR_OF, PAIR_WHITE } from './geometry.js';
import type { Space } from './index-space.js';
import { aligned, allocatorOf, giveBack, takeArena } from './wasm-arena.js';
import { type SpaceExports, writeCaptures, writeSpace } from './wasm-kernels.js';

interface Exports extends SpaceExports {
  completeRanks(side: number, part: number, count: number, ranks: number): void;
  raiseByRows(side: number, part: number, count: number, bias: number, captures: boolean, best: number): void;
  rankCodes(count: number, at: number, plies: boolean): number;
  expectRanks(count: number, at: number, plies: boolean): void;
  countWrong(
    count: number,
    best: number,
    expected: number,
    counts: number,
    drawn: number,
    broken: number,
  ): number;
  movesAdded(): number;
  setScale(plies: number, most: number, first: number, step: number): void;
  rankWords(count: number, from: number, to: number, expects: boolean): number;
}

/** Only for an index whose last digit is a single man. */
export function createRowMoves(space: Space, captures: CaptureTable): RowMoves {
  return {
    open: (bytes) => openRanks(space, captures, bytes),
    inOrder: (side) => partsInOrder(space, side),
    weights: [weightOf(space, 0), weightOf(space, 1)],
  };
}

/**
 * The king, the census and the reading of a part, and the moves of each kind of man, Q, R, B and N. Measured in
 * KQQKN, KQRKR and KBBKN.
 */
const WEIGHT_OF_PART = 3;
const WEIGHT_OF_MOVES = [8, 4, 7, 5];

function weightOf({ kindOf, menOf }: Space, side: Side): number {
  return menOf[side].reduce((sum, man) => sum + WEIGHT_OF_MOVES[kindOf[man]], WEIGHT_OF_PART);
}

/** How much larger allocations may be than the bytes asked for, all together. */
const ROUNDING = 1 << 16;

function openRanks(space: Space, captures: CaptureTable, bytes: number): RowRanks {
  const arena = takeArena<Exports>(bytes + ROUNDING);
  const { wasm, bias: biases } = arena;
  writeSpace(wasm, space);
  writeCaptures(wasm, captures);
  const { buffer } = wasm.memory;
  const allocate = allocatorOf(arena, bytes + ROUNDING);
  const ranksAt = new Int32Array(buffer, wasm.RANKS_AT.value, wasm.MOST_MAJORS.value);

  return {
    allocate: (size) => new Uint8Array(buffer, allocate(size), size),
    behind: (side, part, bias, conversionBias) =>
      partsBehind(space, captures, side, part, bias, conversionBias),
    rankCodes: (codes, plies) => wasm.rankCodes(codes.length, codes.byteOffset, plies) !== 0,
    expectRanks(codes, plies) {
      wasm.expectRanks(codes.length, codes.byteOffset, plies);
    },
    rankWords: (codes, scale, expects, to) => rankWords(wasm, codes, scale, expects, to),
    complete(side, part, ranks) {
      wasm.completeRanks(side, part, ranks.length, ranks.byteOffset);
    },
    raise(side, part, bias, conversionBias, ranks, best) {
      for (let i = 0; i < conversionBias.length; i++) biases[i] = conversionBias[i];
      ranksAt.fill(0);
      let taking = false;
      for (const [major, { byteOffset }] of ranks) {
        ranksAt[major] = byteOffset;
        taking ||= major >= conversionBias[0];
      }
      wasm.raiseByRows(side, part, best.length, bias, taking, best.byteOffset);
    },
    countWrong(best, expected, counts, drawn, broken) {
      const wrong = wasm.countWrong(
        best.length,
        best.byteOffset,
        expected.byteOffset,
        counts.byteOffset,
        drawn,
        broken,
      );
      return { wrong, moves: wasm.movesAdded() };
    },
    close() {
      giveBack(arena);
    },
  };
}

/** Through the buffers of keys by moves: codes in by MAJOR, ranks out by MINOR. */
function rankWords(
  wasm: Exports,
  codes: Int16Array,
  { plies, most, first, step }: WideScale,
  expects: boolean,
  to: Uint8Array,
): boolean {
  const room = wasm.MOST_ROWS.value;
  const words = new Int16Array(wasm.memory.buffer, wasm.MAJOR.value, room);
  const ranks = new Uint8Array(wasm.memory.buffer, wasm.MINOR.value, room);
  wasm.setScale(plies, most, first, step);
  let untold = false;
  for (let from = 0; from < codes.length; from += room) {
    const some = codes.subarray(from, from + room);
    words.set(some);
    // Vectors are filled with draws, which every scale has.
    words.fill(0, some.length, aligned(some.length));
    untold = wasm.rankWords(some.length, wasm.MAJOR.value, wasm.MINOR.value, expects) !== 0 || untold;
    to.set(ranks.subarray(0, some.length), from);
  }
  return untold;
}

/** Pairs of kings, white * 64 + black, that the moves of `side` in a part lead to: as they stand, and after steps of the king. */
function pairsBehind(space: Space, side: Side, part: number): { standing: number[]; stepped: number[] } {
  const standing: number[] = [];
  const stepped: number[] = [];
  const end = Math.min(PAIR_WHITE.length, (part + 1) * space.pairsPerPart);
  for (let pair = part * space.pairsPerPart; pair < end; pair++) {
    const white = PAIR_WHITE[pair];
    const black = PAIR_BLACK[pair];
    const king = side === 0 ? white : black;
    standing.push((white << 6) | black);
    for (let to = 0; to < 64; to++) {
      if ((LINE[(king << 6) | to] & 8) === 0) continue;
      const kings = side === 0 ? (to << 6) | black : (white << 6) | to;
      if (PAIR_OF[kings] >= 0) stepped.push(kings);
    }
  }
  return { standing, stepped };
}

function partsBehind(
  space: Space,
  captures: CaptureTable,
  side: Side,
  part: number,
  bias: number,
  conversionBias: ArrayLike<number>,
): ReturnType<RowRanks['behind']> {
  const { standing, stepped } = pairsBehind(space, side, part);
  const own = new Set([bias + part]);
  for (const kings of stepped) own.add(bias + space.pairPart[PAIR_OF[kings]]);
  const dependencies = new Set<number>();
  captures.byMan.forEach(({ dependency, target, flipped }, taken) => {
    if (space.sideOf[taken] === side) return;
    const first = conversionBias[2 * dependency + (flipped ? side : 1 - side)];
    for (const kings of [...standing, ...stepped]) {
      const there = flipped ? ((kings & 63) << 6) | (kings >> 6) : kings;
      dependencies.add(first + target.pairPart[PAIR_OF[there]]);
    }
  });
  return { own: [...own], dependencies: [...dependencies] };
}

/**
 * Steps of the king lead to parts where the other king stands as it does. If the white king leaves its triangle, the board is turned.
 * Then the other king stands on an image of its square. So parts are ordered by the images of the other king's squares, and then
 * by these squares.
 */
function partsInOrder({ pairsPerPart, parts }: Space, side: Side): number[] {
  const [moving, standing] = side === 0 ? [PAIR_WHITE, PAIR_BLACK] : [PAIR_BLACK, PAIR_WHITE];
  const keys = Array.from({ length: parts }, (_, part) => {
    const first = part * pairsPerPart;
    const last = Math.min(first + pairsPerPart, PAIR_WHITE.length) - 1;
    const images = [imageOf(standing[first]), imageOf(standing[last])].sort((a, b) => a - b);
    return [...images, standing[first], moving[first]].reduce((key, square) => key * 64 + square, 0);
  });
  return Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b]);
}

/** The least of the images of a square under the symmetries of the board. */
function imageOf(square: number): number {
  const file = Math.min(square & 7, 7 - (square & 7));
  const rank = Math.min(square >> 3, 7 - (square >> 3));
  return Math.min(file, rank) * 8 + Math.max(file, rank);
}

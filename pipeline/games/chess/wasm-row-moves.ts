/** The moves by rows in WebAssembly: assembly/row-moves.ts and rank-codes.ts. */
import { aligned, allocatorOf } from '../../../operators/core/wasm.js';
import type { RowMoves, RowRanks, Side } from '../../game/game.js';
import type { ValueColumn } from '../../game/value.js';
import type { Change, Changes } from './changes.js';
import { LINE } from './geometry.js';
import type { Space } from './index-space.js';
import { type Kernels, kernelNumbering, retire, takeArena, writeSlice } from './wasm-instance.js';

/** The moves of a slice whose last digit is the square of a piece. */
export function rowMovesOf(space: Space, changes: Changes): RowMoves {
  return {
    open: (bytes, numbers) => openRanks(space, changes, bytes, numbers),
    inOrder: (side) => partsInOrder(space, side),
    weights: [weightOf(space, 0), weightOf(space, 1)],
  };
}

/**
 * The king, the census and the reading of a part, and the moves of each kind of man, Q, R, B and N. Measured in
 * KQQKN, KQRKR and KBBKN; a pawn and one that may be captured en passant are taken for a knight and a half.
 */
const WEIGHT_OF_PART = 3;
const WEIGHT_OF_MOVES = [8, 4, 7, 5, 0, 8, 8];

function weightOf({ kindOf, menOf }: Space, side: Side): number {
  return menOf[side].reduce((sum, man) => sum + WEIGHT_OF_MOVES[kindOf[man]], WEIGHT_OF_PART);
}

/** How much larger allocations may be than the bytes asked for, all together. */
const ROUNDING = 1 << 16;

function openRanks(
  space: Space,
  { all }: Changes,
  bytes: number,
  numbers?: Parameters<RowMoves['open']>[1],
): RowRanks {
  const majors = mostMajors(space, all);
  const room = bytes + 4 * majors + ROUNDING;
  const arena = takeArena(room);
  const { wasm, bias: biases } = arena;
  writeSlice(wasm, space, all);
  const { buffer } = wasm.memory;
  const allocate = allocatorOf(arena.wasm, room);
  const ranksAt = new Int32Array(buffer, allocate(4 * majors), majors);
  wasm.placeRanks(ranksAt.byteOffset);
  wasm.countNumbers(kernelNumbering(numbers?.numbering ?? null));
  wasm.placeNumbers(numbers?.own ?? 0, numbers?.dependencies ?? 0, numbers?.best ?? 0);

  return {
    allocate: (size) => new Uint8Array(buffer, allocate(size), size),
    behind: (side, part, bias, conversionBias) => partsBehind(space, all, side, part, bias, conversionBias),
    rankCodes: (codes, table, ranks) => rankCodes(wasm, codes, table, ranks),
    complete(side, part, ranks) {
      wasm.completeRanks(side, part, ranks.length, ranks.byteOffset);
    },
    raise(side, part, from, bias, conversionBias, ranks, best) {
      for (let i = 0; i < conversionBias.length; i++) biases[i] = conversionBias[i];
      ranksAt.fill(0);
      let leaving = false;
      for (const [major, { byteOffset }] of ranks) {
        ranksAt[major] = byteOffset;
        leaving ||= major >= conversionBias[0];
      }
      wasm.raiseByRows(side, part, from, best.length, bias, leaving, best.byteOffset);
    },
    countWrong(side, part, from, best, expected, { drawn, mated, broken, unsolved = drawn }, itsNumbers) {
      const wrong = wasm.countWrong(
        side,
        part,
        from,
        best.length,
        best.byteOffset,
        expected.byteOffset,
        drawn,
        mated,
        broken,
        unsolved,
        best.byteOffset + (numbers?.best ?? 0),
        itsNumbers?.byteOffset ?? 0,
      );
      return { wrong, positions: wasm.positionsCompared() };
    },
    close: () => retire(arena),
  };
}

/**
 * Ranks of codes, see {@link RowRanks.rankCodes}. Kernels reach linear memory alone, and the codes lie elsewhere, so they are copied piece by
 * piece to the buffer that kernels use for rows on their way out, which is free meanwhile.
 */
function rankCodes(wasm: Kernels, codes: ValueColumn, table: Uint8Array, ranks: Uint8Array): boolean {
  const isWide = codes.BYTES_PER_ELEMENT === 2;
  const room = wasm.MOST_ROWS.value;
  const staged = new (isWide ? Int16Array : Int8Array)(wasm.memory.buffer, wasm.MAJOR.value, room);
  let isComplete = true;
  for (let from = 0; from < codes.length; from += room) {
    const some = codes.subarray(from, from + room);
    staged.set(some);
    // Fours are filled with draws, which have a rank.
    staged.fill(0, some.length, aligned(some.length));
    const at = ranks.byteOffset + from;
    isComplete =
      wasm.rankCodes(some.length, staged.byteOffset, isWide, table.byteOffset, at) !== 0 && isComplete;
  }
  return isComplete;
}

/** Parts of the slice and its dependencies, of both sides. */
function mostMajors(space: Space, changes: readonly Change[]): number {
  const parts = new Map(changes.map(({ dependency, target }) => [dependency, target.parts]));
  return 2 * [...parts.values()].reduce((sum, each) => sum + each, space.parts);
}

/** Pairs of kings, white * 64 + black, that the moves of `side` in a part lead to: as they stand, and after steps of the king. */
function pairsBehind(
  { pairs: { white, black, pairOf }, pairsPerPart }: Space,
  side: Side,
  part: number,
): { standing: number[]; stepped: number[] } {
  const standing: number[] = [];
  const stepped: number[] = [];
  const end = Math.min(white.length, (part + 1) * pairsPerPart);
  for (let pair = part * pairsPerPart; pair < end; pair++) {
    for (const other of black === null ? SQUARES : [black[pair]]) {
      const kings = (white[pair] << 6) | other;
      if (pairOf[kings] < 0) continue;
      standing.push(kings);
      const king = side === 0 ? white[pair] : other;
      for (const to of SQUARES) {
        if ((LINE[(king << 6) | to] & 8) === 0) continue;
        const after = side === 0 ? (to << 6) | other : (white[pair] << 6) | to;
        if (pairOf[after] >= 0) stepped.push(after);
      }
    }
  }
  return { standing, stepped };
}

const SQUARES = Array.from({ length: 64 }, (_, square) => square);

function partsBehind(
  space: Space,
  changes: readonly Change[],
  side: Side,
  part: number,
  bias: number,
  conversionBias: ArrayLike<number>,
): ReturnType<RowRanks['behind']> {
  const { standing, stepped } = pairsBehind(space, side, part);
  const own = new Set([bias + part]);
  for (const kings of stepped) own.add(bias + space.pairPart[space.pairs.pairOf[kings]]);
  const dependencies = new Set<number>();
  for (const { side: mover, dependency, target, flipped, byPiece, assumed } of changes) {
    if (mover !== side) continue;
    const first = conversionBias[2 * dependency + (flipped ? side : 1 - side)];
    if (assumed) {
      dependencies.add(first + part);
      continue;
    }
    for (const kings of byPiece ? [...standing, ...stepped] : standing) {
      const there = flipped ? flippedKings(kings) : kings;
      dependencies.add(first + target.pairPart[target.pairs.pairOf[there]]);
    }
  }
  return { own: [...own], dependencies: [...dependencies] };
}

/** The kings with the colours and the ranks exchanged, since pawns go up the board. */
function flippedKings(kings: number): number {
  return (((kings & 63) << 6) | (kings >> 6)) ^ ((56 << 6) | 56);
}

/**
 * Steps of the king lead to parts where the other king stands as it does. If the white king leaves its triangle, the board is turned.
 * Then the other king stands on an image of its square. So parts are ordered by the images of the other king's squares, and then
 * by these squares.
 */
function partsInOrder({ pairs, pairsPerPart, parts, pawnGroups }: Space, side: Side): number[] {
  const black = pairs.black ?? pairs.white;
  const [moving, standing] = side === 0 ? [pairs.white, black] : [black, pairs.white];
  const imageOf = pawnGroups > 0 ? mirrored : leastImage;
  const keys = Array.from({ length: parts }, (_, part) => {
    const first = part * pairsPerPart;
    const last = Math.min(first + pairsPerPart, pairs.white.length) - 1;
    const images = [imageOf(standing[first]), imageOf(standing[last])].sort((a, b) => a - b);
    return [...images, standing[first], moving[first]].reduce((key, square) => key * 64 + square, 0);
  });
  return Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b]);
}

/** The lesser of a square and its mirror image in the files. */
function mirrored(square: number): number {
  return Math.min(square, square ^ 7);
}

/** The least of the images of a square under the symmetries of the board. */
function leastImage(square: number): number {
  const file = Math.min(square & 7, 7 - (square & 7));
  const rank = Math.min(square >> 3, 7 - (square >> 3));
  return Math.min(file, rank) * 8 + Math.max(file, rank);
}

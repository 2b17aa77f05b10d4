/** The kernels of an audit find by rows of 64 positions what the rules find board by board, whatever positions are worth. */
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Swap } from '../../operators/storage/swap.js';
import { SYMMETRY } from '../../pipeline/games/chess/geometry.js';
import {
  type ChessBoard,
  isCapture,
  LETTERS,
  legalMoves,
  PAWN,
  play,
} from '../../pipeline/games/chess/rules.js';
import { inOrder } from '../../pipeline/games/chess/shape.js';
import {
  type Placements,
  pairOf,
  placementsOf,
  setPlacements,
  squaresOf,
} from '../../pipeline/games/chess/syzygy/audit/placements.js';
import {
  changesOf,
  materialAfter,
  newReach,
  type Outcomes,
  targetOf,
} from '../../pipeline/games/chess/syzygy/audit/targets.js';
import {
  bytesAt,
  type Kernels,
  layOut,
  newKernels,
  writeWords,
} from '../../pipeline/games/chess/syzygy/kernels.js';
import {
  BLACK,
  type Material,
  materialNamed,
  materialOf,
} from '../../pipeline/games/chess/syzygy/material.js';
import { boardOf } from '../../pipeline/games/chess/syzygy/read/mirrors.js';
import { sweep } from '../support/long.js';

const MEMORY = 64 << 20;
const NONE = 7;
const SIDES = [0, 1] as const;
const newTestKernels = () => newKernels(MEMORY, newScratch(memoryStore(), 'scratch'));

/** A number that men on squares have in any order, of a code and a square. */
const MIX = Array.from(
  { length: 16 * 64 },
  (_, i) => Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(i + 77, 0x85ebca6b),
);

/** Outcomes, White's to move in the low half, of a sum of such numbers. */
function worth(sum: number): number {
  const mixed = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
  const bits = (mixed ^ (mixed >>> 13)) >>> 0;
  return (bits % 5) | ((Math.floor(bits / 5) % 5) << 4);
}

/** Blocks of made-up outcomes; kernels say which positions are none: they find no captures. */
function inventedOutcomes(marker: Kernels, material: Material): Outcomes {
  const placements = placementsOf(material);
  const { block, pairs, digits } = placements;
  const swap: Swap = {
    read(offset, into) {
      const pair = offset / block;
      const [white, black] = pairs[pair];
      const allocate = layOut(marker);
      const at = allocate(block);
      const bytes = bytesAt(marker, at, block);
      for (let i = 0; i < block; i++) {
        const squares = squaresOf(placements, pair, i);
        let sum = pair;
        for (const man of digits) sum += MIX[material.men[man] * 64 + squares[man]];
        bytes[i] = worth(sum);
      }
      setPlacements(marker, placements);
      const nothing = allocate(64);
      bytesAt(marker, nothing, 64).fill(NONE * 17);
      const table = allocate(4 * 1806);
      new Int32Array(marker.wasm.memory.buffer, table, 1806).fill(nothing);
      for (let target = 0; target < 512; target++) {
        writeWords(marker, 'TARGETS', [table, ...new Array<number>(15).fill(0)], target * 16);
      }
      for (const side of SIDES) marker.wasm.resolveOutcomes(white, black, block / 64, side, at);
      into.set(bytes);
    },
    write: () => {},
    remove: () => {},
  };
  return { placements, blocks: { swap, bytes: block, count: pairs.length } };
}

/** The made-up outcome of a board for the side to move, captures en passant aside. */
function outcomeIn({ squares, side }: ChessBoard): number {
  const men: { code: number; square: number }[] = [];
  for (const [square, man] of squares.entries()) {
    if (man !== 0) men.push({ code: PAWN + 1 - Math.abs(man) + (man < 0 ? BLACK : 0), square });
  }
  const others = men.filter(({ code }) => code % BLACK !== 6);
  if (others.length === 0) return 2;
  const letters = (isBlack: boolean) =>
    inOrder(
      others
        .filter(({ code }) => code > BLACK === isBlack)
        .map(({ code }) => LETTERS[PAWN + 1 - (code % BLACK)])
        .join(''),
    );
  const { kind } = placementsOf(materialOf(letters(false), letters(true)));
  const king = (code: number) => men.find((man) => man.code === code)!.square;
  const { number, symmetry } = pairOf(kind, king(6), king(14));
  let sum = number;
  for (const { code, square } of others) sum += MIX[code * 64 + SYMMETRY[symmetry * 64 + square]];
  return (worth(sum) >> (4 * side)) & 15;
}

/** The same, of a board that may have a right to capture en passant. */
function valueAfter(board: ChessBoard): number {
  const { passant, ...plain } = board;
  const stored = outcomeIn(plain);
  if (passant === undefined) return stored;
  const isPassing = (move: { from: number; to: number }) =>
    move.to === passant &&
    Math.abs(board.squares[move.from]) === PAWN &&
    board.squares[move.to] === 0 &&
    (move.from & 7) !== (move.to & 7);
  const moves = legalMoves(board);
  const best = Math.max(...moves.filter(isPassing).map((move) => 4 - outcomeIn(play(board, move))));
  return moves.every(isPassing) ? best : Math.max(best, stored);
}

/** The least of what moves lead to: by moves that zero nothing, and by those that do. */
function byRules(board: ChessBoard): [number, number] {
  const least: [number, number] = [NONE, NONE];
  for (const move of legalMoves(board)) {
    const which = isCapture(board, move) || Math.abs(board.squares[move.from]) === PAWN ? 1 : 0;
    least[which] = Math.min(least[which], valueAfter(play(board, move)));
  }
  return least;
}

function layTargets(kernels: Kernels, marker: Kernels, placements: Placements, own: Outcomes) {
  const made = new Map<string, Outcomes>();
  const targets = changesOf(placements.material).map(({ number, men }) => {
    const after = materialAfter(men);
    if (after !== null && !made.has(after.name)) made.set(after.name, inventedOutcomes(marker, after));
    return targetOf(number, men, after === null ? null : made.get(after.name)!);
  });
  setPlacements(kernels, placements);
  const { wasm, host } = kernels;
  const squares = bytesAt(kernels, wasm.BOARD.value, placements.material.men.length);
  host.hasMoves = (side) => legalMoves(boardOf(placements.material, squares, side as 0 | 1)).length;
  return newReach(kernels, placements, targets, { blocks: own.blocks, isPlies: false }, 0);
}

describe('moves by rows', () => {
  it.each(sweep(['KPvK', 'KPvKP'], ['KQvKR', 'KNNNvK', 'KNNvKB', 'KBBvKN', 'KRPvKP', 'KPPvKP', 'KRRPvK']))(
    'are those of the rules: %s',
    (name) => {
      const [kernels, marker] = [newTestKernels(), newTestKernels()];
      const { wasm } = kernels;
      const material = materialNamed(name)!;
      const placements = placementsOf(material);
      const own = inventedOutcomes(marker, material);
      const reach = layTargets(kernels, marker, placements, own);
      let seed = 7;
      const next = (limit: number) => {
        seed = (seed * 48_271) % 0x7fffffff;
        return seed % limit;
      };
      const counts = { positions: 0, passant: 0 };
      for (const pair of [0, next(placements.pairs.length)]) {
        const [white, black] = placements.pairs[pair];
        for (const side of SIDES) {
          reach.use(pair, side);
          for (let i = 0; i < 60; i++) {
            const row = next(placements.block / 64);
            if (!wasm.placeRow(white, black, row)) continue;
            const values = reach.own(pair) + 64 * row;
            wasm.makeMoves(1, side, values);
            for (let lane = 0; lane < 64; lane++) {
              if (((bytesAt(kernels, values + lane, 1)[0] >> (4 * side)) & 15) === NONE) continue;
              const board = boardOf(material, squaresOf(placements, pair, 64 * row + lane), side);
              const found = [wasm.QUIET, wasm.ZEROING].map(({ value }) =>
                Math.min(NONE, bytesAt(kernels, value + lane, 1)[0]),
              );
              const wanted = byRules(board);
              if (found.some((value, i) => value !== wanted[i]))
                expect(found, `${JSON.stringify([...board.squares])} ${side}`).toEqual(wanted);
              counts.positions++;
              if (legalMoves(board).some((move) => play(board, move).passant !== undefined)) counts.passant++;
            }
          }
        }
      }
      expect(counts.positions).toBeGreaterThan(500);
      if (name.includes('PvKP')) expect(counts.passant).toBeGreaterThan(10);
    },
  );
});

import { describe, expect, it } from 'vitest';
import type { Address, Side } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { illegality } from '../../../../pipeline/games/chess/fen.js';
import {
  hasTwins,
  placeMen,
  placementRank,
  spaceOf,
  squareSets,
} from '../../../../pipeline/games/chess/index-space.js';
import type { ChessBoard } from '../../../../pipeline/games/chess/rules.js';
import { ifShort, LONG, LONGEST, sweep } from '../../../support/long.js';
import { legalKeys, partCensus, randomNumbers } from './kernel-rows.js';

const SIDES: readonly Side[] = [0, 1];

/** The board with each square moved, and the colours exchanged if asked. */
function transformed(board: ChessBoard, move: (square: number) => number, exchange: boolean): ChessBoard {
  const squares = new Int8Array(64);
  for (let square = 0; square < 64; square++) {
    squares[move(square)] = exchange ? -board.squares[square] : board.squares[square];
  }
  return { squares, side: (exchange ? 1 - board.side : board.side) as Side };
}

const quarterTurn = (square: number) => (square & 7) * 8 + (7 - (square >> 3));
const mirror = (square: number) => square ^ 7;

/** Legal boards of an ending by brute force: white kings of the triangle stand for 4 (on a diagonal) or 8 squares. Like men follow each other. */
function countBoards(men: readonly number[], side: Side): number {
  const squares = new Int8Array(64);
  const board = { squares, side };
  const place = (i: number): number => {
    if (i === men.length) return illegality(board) === null ? 1 : 0;
    let count = 0;
    const first = i > 0 && men[i] === men[i - 1] ? squares.lastIndexOf(men[i]) + 1 : 0;
    for (let square = first; square < 64; square++) {
      if (squares[square] !== 0) continue;
      squares[square] = men[i];
      count += place(i + 1);
      squares[square] = 0;
    }
    return count;
  };
  let total = 0;
  for (let square = 0; square < 28; square++) {
    const file = square & 7;
    const rank = square >> 3;
    if (file > 3 || rank > file) continue;
    squares[square] = 1;
    total += (file === rank ? 4 : 8) * place(0);
    squares[square] = 0;
  }
  return total;
}

/** The boards of all positions by the census and the orbit sizes, and the positions up to symmetry. */
function countOrbits(name: string, side: Side): { boards: number; positions: number } {
  const slice = chess.slice(name);
  let boards = 0;
  let positions = 0;
  for (let part = 0; part < slice.parts; part++) {
    const keys = legalKeys(slice, side, part);
    const sizes = new Uint8Array(keys.length);
    slice.orbitSizes(part, keys, keys.length, sizes);
    for (const size of sizes) {
      boards += size;
      if (size > 0) positions++;
    }
  }
  return { boards, positions };
}

describe('index space', () => {
  it.each(['KQK', 'KQKR', 'KBBK', 'KRRKN', 'KNNNK', 'KQRKBN', 'KBBKNN', 'KQRBKRN', 'KNNNNKQ', 'KRRKBBN'])(
    '%s: placements are ranked one to one',
    (given) => {
      const space = spaceOf(chess.ending(given).slices[0]);
      expect(space.parts * space.width).toBeGreaterThanOrEqual(space.size);
      expect((space.parts - 1) * space.width).toBeLessThan(space.size);
      expect(space.width).toBeLessThanOrEqual(2 ** 30);
      const random = randomNumbers(99);
      const squares = new Uint8Array(8);
      for (let sample = 0; sample < 2000; sample++) {
        const rank = sample === 0 ? space.placements - 1 : random() % space.placements;
        placeMen(space, rank, squares);
        const back = placementRank(space, squares, 0);
        if (hasTwins(space) && squares[space.men - 2] >= squares[space.men - 1]) continue;
        if (back !== rank) expect(back).toBe(rank);
      }
    },
  );

  it('lists sets of squares in ascending order', () => {
    for (const count of [2, 3, 4]) {
      const all = squareSets(count);
      let disordered = 0;
      for (const packed of all) {
        for (let i = 1; i < count; i++) {
          if (((packed >> (6 * i)) & 63) <= ((packed >> (6 * i - 6)) & 63)) disordered++;
        }
      }
      expect(disordered).toBe(0);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it.each(sweep(['KRKN', 'KBBK', 'KQKQ', 'KNNNKQQ'], ['KQK', 'KRRKBN', 'KQRBKNN']))(
    '%s: symmetric boards have one address, and the address gives the board back',
    (given) => {
      const slice = chess.slice(chess.ending(given).slices[0]);
      const random = randomNumbers(given.length + given.charCodeAt(1));
      let legal = 0;
      for (let sample = 0; sample < 20_000 && legal < 1000; sample++) {
        const part = random() % slice.parts;
        const at: Address = {
          slice: slice.name,
          side: (random() & 1) as Side,
          part,
          key: random() % slice.partSize(part),
        };
        let board = chess.board(at);
        if (board.squares.filter((man) => man !== 0).length !== slice.name.length) continue;
        if (illegality(board)) continue;
        legal++;
        const home = chess.locate(board);
        expect(chess.locate(chess.board(home))).toEqual(home);
        for (let symmetry = 0; symmetry < 8; symmetry++) {
          board = transformed(board, symmetry === 4 ? mirror : quarterTurn, false);
          expect(chess.locate(board)).toEqual(home);
        }
        // A symmetric name keeps its colours: both sides of it are stored.
        if (given === 'KQKQ') continue;
        expect(chess.locate(transformed(board, (square) => square, true))).toEqual(home);
        const flipped = chess.board(home, true);
        expect(flipped).toEqual(transformed(chess.board(home), (square) => square ^ 56, true));
      }
      expect(legal).toBeGreaterThan(300);
    },
  );

  it.each([
    ['KK', [-1]],
    ['KQK', [2, -1]],
    ['KRK', [3, -1]],
    ['KNK', [5, -1]],
    ...(LONGEST
      ? ([
          ['KBNK', [4, 5, -1]],
          ['KQKR', [2, -3, -1]],
        ] as const)
      : []),
  ] as const)('%s: orbits of canonical positions make up all legal boards', (name, men) => {
    for (const side of SIDES) expect(countOrbits(name, side).boards).toBe(countBoards(men, side));
  });

  it.skipIf(!LONG)(`counts each board of two like men once${ifShort}`, () => {
    for (const side of SIDES) expect(countOrbits('KNNK', side).boards).toBe(countBoards([5, 5, -1], side));
  });

  it('finds the 28,056 positions of KRK with black to move, as published (UCI King-Rook vs. King)', () => {
    expect(countOrbits('KRK', 1).positions).toBe(28_056);
  });

  it('finds mates and stalemates', () => {
    const count = (name: string, status: number) =>
      partCensus(chess.slice(name), 1, 0).status.filter((found) => found === status).length;
    // 27 positions of KRK, up to symmetry, are mates (the published data set's class "zero").
    expect(count('KRK', 2)).toBe(27);
    expect(count('KNK', 2)).toBe(0);
    expect(count('KBK', 2)).toBe(0);
  });
});

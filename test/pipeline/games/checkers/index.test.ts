/** The index of a slice: every position has one, none is left out, and they are in the documented order. */

import { describe, expect, it } from 'vitest';
import type { Address, Game, Side } from '../../../../pipeline/game/game.js';
import { halfOf } from '../../../../pipeline/game/views.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { shapeOf } from '../../../../pipeline/games/checkers/classes.js';
import type { CheckersBoard } from '../../../../pipeline/games/checkers/fen.js';
import { classesOf, hasBothSides, positionsOf } from '../../../oracle/checkers/classes.js';
import { mirrored } from '../../../oracle/checkers/rules.js';
import { randomFrom } from '../../../support/graph-game.js';
import { ifShort, LONG } from '../../../support/long.js';
import { addressKey, boardKey, SIDES, toBoard } from './boards.js';

/** Squares of figure 9 as the mover sees them, ascending; with `back`, as the other player sees them. */
function squaresOf(set: number, side: Side, back: boolean): number[] {
  const squares: number[] = [];
  const isTurned = (side === 1) !== back;
  for (let i = 0; i < 32; i++) if (((set >>> (isTurned ? 31 - i : i)) & 1) === 1) squares.push(i);
  return squares;
}

/** The sets of squares that an index is made of, from the most to the least significant. */
function setsOf({ blackMen, blackKings, whiteMen, whiteKings, side }: CheckersBoard): number[][] {
  const [men, kings, enemyMen, enemyKings] =
    side === 0 ? [blackMen, blackKings, whiteMen, whiteKings] : [whiteMen, whiteKings, blackMen, blackKings];
  return [
    squaresOf(men, side, false),
    squaresOf(enemyMen, side, true),
    squaresOf(kings, side, false),
    squaresOf(enemyKings, side, false),
  ];
}

/** Compares by the greatest square in which two sets of as many squares differ, most significant sets first. */
function compare(a: number[][], b: number[][]): number {
  for (let set = 0; set < a.length; set++) {
    for (let i = a[set].length - 1; i >= 0; i--) {
      if (a[set][i] !== b[set][i]) return a[set][i] - b[set][i];
    }
  }
  return 0;
}

/** Whether the pieces are those of the slice's name, as the player to move sees it. */
function isOf(name: string, side: Side, [men, enemyMen, kings, enemyKings]: number[][]): boolean {
  const { ownKings, enemyKings: theirKings, ownMen, enemyMen: theirMen, ownRank, enemyRank } = shapeOf(name);
  const rank = (squares: number[]) => (squares.length === 0 ? 0 : Math.floor(squares.at(-1)! / 4));
  const mine = [kings.length, men.length, rank(men)].join();
  const theirs = [enemyKings.length, enemyMen.length, rank(enemyMen)].join();
  const strong = [ownKings, ownMen, ownRank].join();
  const weak = [theirKings, theirMen, enemyRank].join();
  return side === 0 ? mine === strong && theirs === weak : mine === weak && theirs === strong;
}

function addressOf(name: string, side: Side, index: number): Address {
  const { width } = checkers.slice(name);
  return { slice: name, side, part: Math.floor(index / width), key: index % width };
}

/** Looks at the indices [first, first + length): each gives a position of the slice that gives the index back. */
function walk(name: string, side: Side, first: number, length: number): void {
  const here = halfOf(checkers as Game, name, side).repeats ? 0 : side;
  let before: number[][] | undefined;
  for (let index = first; index < first + length; index++) {
    const address = addressOf(name, side, index);
    const board = checkers.board(address);
    const sets = setsOf(board);
    const { slice, side: sideThere, part, key } = checkers.locate(board);
    const isRight =
      slice === name &&
      sideThere === here &&
      part === address.part &&
      key === address.key &&
      board.side === side &&
      isOf(name, side, sets) &&
      (before === undefined || compare(before, sets) < 0);
    if (!isRight) expect({ address, board, sets, before }).toBe('a position after the one before');
    before = sets;
  }
}

describe('index to board and back', () => {
  it(`every position up to ${LONG ? 'three' : 'two'} pieces, in order, without gaps`, () => {
    for (const { slices } of checkers.endingsUpTo(LONG ? 3 : 2)) {
      for (const name of slices) for (const side of SIDES) walk(name, side, 0, checkers.slice(name).size);
    }
  });

  /** A stretch of indices of some slices, for each class up to eight pieces. */
  it.each([4, 5, 6, 7, 8])('samples of %i pieces', (pieces) => {
    const random = randomFrom(pieces);
    const classes = checkers.endingsUpTo(pieces).filter(({ name }) => {
      return [...name].reduce((sum, digit) => sum + Number(digit), 0) === pieces;
    });
    for (const { slices } of classes) {
      for (const name of new Set([slices[0], slices.at(-1)!, slices[random(slices.length)]])) {
        const { size } = checkers.slice(name);
        for (const side of SIDES) {
          const length = Math.min(size, 40);
          walk(name, side, 0, length);
          walk(name, side, size - length, length);
          for (let i = 0; i < (LONG ? 4 : 2); i++) {
            walk(name, side, Math.floor((random(2 ** 30) / 2 ** 30) * (size - length)), length);
          }
        }
      }
    }
  });
});

describe('boards', () => {
  const classes = [...classesOf(2), ...classesOf(3)].filter(hasBothSides);

  it.skipIf(!LONG)(`of up to three pieces have an address each, which no other has${ifShort}`, () => {
    const seen = new Set<string>();
    let boards = 0;
    for (const name of classes) {
      for (const position of positionsOf(name)) {
        const address = checkers.locate(toBoard(position));
        expect(halfOf(checkers as Game, address.slice, address.side).class).toBe(name);
        seen.add(addressKey(address));
        boards++;
      }
    }
    expect(seen.size).toBe(boards);
    expect(boards).toBe(3_488 + 196_032);
  });

  it('have the address of their mirror images, and the address gives both back', () => {
    for (const name of classes) {
      let i = 0;
      for (const position of positionsOf(name)) {
        if (i++ % (LONG ? 7 : 17) !== 0) continue;
        const board = toBoard(position);
        const image = toBoard(mirrored(position));
        const address = checkers.locate(board);
        const found = [address.side, 1 - address.side].map((side) =>
          boardKey(checkers.board(address, side === 1)),
        );
        if (
          addressKey(checkers.locate(image)) !== addressKey(address) ||
          found[0] !== boardKey(board) ||
          found[1] !== boardKey(image)
        ) {
          expect({ address, found }).toEqual({ address, found: [boardKey(board), boardKey(image)] });
        }
      }
    }
  });

  it('of a side without pieces are the end of the game', () => {
    for (const text of ['W:W:BK3', 'W:W:B3', 'B:W18,K5:B']) {
      expect(checkers.locate(checkers.parse(text))).toEqual({ slice: '0000', side: 0, part: 0, key: 0 });
      expect(checkers.terminal(checkers.parse(text))).toBe('lost');
      expect(checkers.moves(checkers.parse(text))).toEqual([]);
    }
    const { size, parts, dependencies } = checkers.slice('0000');
    expect([size, parts, dependencies]).toEqual([1, 1, []]);
  });
});

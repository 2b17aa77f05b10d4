/** The sizes of classes and slices are those that the authors of the index published. */
import { describe, expect, it } from 'vitest';
import type { Game } from '../../../../pipeline/game/game.js';
import { halfOf } from '../../../../pipeline/game/views.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { exists, type Shape, shapeOf } from '../../../../pipeline/games/checkers/classes.js';
import { isPlausible } from '../../../../pipeline/games/checkers/plausible.js';
import { spaceOf } from '../../../../pipeline/games/checkers/space.js';
import {
  BY_PIECES,
  BY_SPLIT,
  FIVE_AGAINST_FIVE,
  LARGEST_FIVE_AGAINST_FIVE,
  PLAUSIBLE,
  SINGLE_SLICES,
  SLICES_OF_3212,
} from './published-sizes.js';

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);
const ranks = (men: number) => (men === 0 ? [0] : [0, 1, 2, 3, 4, 5, 6]);

/** A slice that is its own mirror image holds its positions with White to move as those with Black to move. */
function sizeOfBothSides(name: string): number {
  const { size } = checkers.slice(name);
  return halfOf(checkers as Game, name, 1).repeats ? size : 2 * size;
}

/** All slices of a class, also those named from White's side and those in which a side has no pieces. */
function slicesOf(ownKings: number, enemyKings: number, ownMen: number, enemyMen: number): Shape[] {
  return ranks(ownMen)
    .flatMap((ownRank) =>
      ranks(enemyMen).map((enemyRank) => ({ ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank })),
    )
    .filter(exists);
}

const sizeOf = (slices: readonly Shape[]) => sum(slices.map((shape) => spaceOf(shape).size));

/** All positions with these numbers of pieces of each side, of classes that are counted. */
function sizeOfSplit(black: number, white: number, counted: (shape: Shape) => boolean = () => true): number {
  let size = 0;
  for (let blackMen = 0; blackMen <= black; blackMen++) {
    for (let whiteMen = 0; whiteMen <= white; whiteMen++) {
      const slices = slicesOf(black - blackMen, white - whiteMen, blackMen, whiteMen);
      size += sizeOf(slices.filter(counted));
    }
  }
  return size;
}

describe('all positions', () => {
  it.each(BY_PIECES.map((size, i) => [i + 1, size]))('of %i pieces', (pieces, size) => {
    const splits = Array.from({ length: pieces + 1 }, (_, black) => sizeOfSplit(black, pieces - black));
    expect(sum(splits)).toBe(size);
  });

  it.each(BY_SPLIT)('of %i against %i pieces', (one, other, size) => {
    expect(sizeOfSplit(one, other) + (one === other ? 0 : sizeOfSplit(other, one))).toBe(size);
  });

  it.each(PLAUSIBLE)('of %i pieces that a proof may need', (pieces, size) => {
    const sizes = Array.from({ length: pieces + 1 }, (_, black) =>
      sizeOfSplit(black, pieces - black, isPlausible),
    );
    expect(sum(sizes)).toBe(size);
  });

  it('are in the slices of all endings, side by side', () => {
    const totals = new Map<number, number>();
    for (const { name, slices } of checkers.endingsUpTo(7)) {
      const pieces = sum([...name].map(Number));
      const size = sum(slices.map(sizeOfBothSides));
      totals.set(pieces, (totals.get(pieces) ?? 0) + size);
    }
    const published = [2, 3, 4, 5, 6, 7].map((pieces): [number, number] => {
      const splits = BY_SPLIT.filter(([one, other]) => one + other === pieces && other > 0);
      return [pieces, sum(splits.map(([, , size]) => size))];
    });
    expect([...totals]).toEqual(published);
  });
});

describe('slices', () => {
  it('are never empty, up to ten pieces', () => {
    const slices = checkers.endingsUpTo(10).flatMap((ending) => ending.slices);
    expect(slices.filter((name) => spaceOf(shapeOf(name)).size === 0)).toEqual([]);
    // Eight men on the first two ranks leave no square there.
    expect(slices).not.toContain('0081.16');
  });

  it.each(SINGLE_SLICES)('%s has %i positions', (name, size) => {
    expect(spaceOf(shapeOf(name)).size).toBe(size);
    expect(checkers.slice(checkers.ending(name).slices[0]).size).toBe(size);
  });

  it('of class 3212', () => {
    SLICES_OF_3212.forEach((row, i) => {
      row.forEach((size, j) => {
        const name = `3212.${6 - i}${6 - j}`;
        expect([name, checkers.slice(name).size]).toEqual([name, size]);
      });
    });
    expect(checkers.ending('3212').slices).toHaveLength(49);
    expect(sizeOf(slicesOf(3, 2, 1, 2))).toBe(11_799_496_800);
  });

  it.each(FIVE_AGAINST_FIVE)('of class %s: %i positions in %i', (name, published, count) => {
    const { slices } = checkers.ending(name);
    expect(slices).toHaveLength(count);
    expect(sum(slices.map(sizeOfBothSides))).toBe(published);
  });

  it.each(LARGEST_FIVE_AGAINST_FIVE)('%s and %s', (one, other, size) => {
    for (const name of [one, other]) {
      const fromZero = name.replace(/\.(.)(.)/, (_, own, enemy) => `.${own - 1}${enemy - 1}`);
      expect(checkers.slice(checkers.ending(fromZero).slices[0]).size).toBe(size);
    }
  });

  it('have parts that fit in 32 bits, all but the last of the same width', () => {
    for (const name of ['1100', '3200', '3212.06', '2222.66', '2233.66', '3223.66', '0055.44']) {
      const slice = checkers.slice(name);
      expect(slice.width).toBeLessThan(2 ** 32);
      expect(sum(Array.from({ length: slice.parts }, (_, part) => slice.partSize(part)))).toBe(slice.size);
      const sizes = Array.from({ length: slice.parts - 1 }, (_, part) => slice.partSize(part));
      expect(sizes.every((size) => size === slice.width)).toBe(true);
      expect(slice.partSize(slice.parts - 1)).toBeGreaterThan(0);
    }
  });
});

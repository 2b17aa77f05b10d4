/** Unmoves mirror moves, and the halves of a slice agree with their classes and with each other. */
import { describe, expect, it } from 'vitest';
import type { Game, Side, Slice } from '../../../../pipeline/game/game.js';
import { halfOf } from '../../../../pipeline/game/views.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { shapeOf } from '../../../../pipeline/games/checkers/classes.js';
import { conversionsOf } from '../../../../pipeline/games/checkers/conversions.js';
import { classOf, mirrorOf } from '../../../oracle/checkers/classes.js';
import { mirrored } from '../../../oracle/checkers/rules.js';
import { randomFrom } from '../../../support/graph-game.js';
import { LONGEST, sweep } from '../../../support/long.js';
import { SIDES, toPosition } from './boards.js';
import { emission, kernelSuccessors, keysOf } from './kernel-rows.js';

/** The multiset of all edges from p (with `side` to move) to q in a slice, as sorted numbers p * size + q. */
function edgesOf(slice: Slice, side: Side, kernel: 'moves' | 'unmoves'): Float64Array {
  const { size, width, parts } = slice;
  let edges = new Float64Array(1 << 16);
  let count = 0;
  const out = emission(1 << 14);
  const from = (kernel === 'moves' ? side : 1 - side) as Side;
  for (let part = 0; part < parts; part++) {
    const keys = keysOf(slice, part);
    for (let done = 0; done < keys.length; ) {
      out.length = 0;
      const first = done;
      // Only moves say which position a row is of.
      const to = kernel === 'moves' ? keys.length : first + 1;
      done = slice[kernel]!(from, part, keys, first, to, 9, out);
      if (count + out.length > edges.length) {
        const longer = new Float64Array(2 * edges.length);
        longer.set(edges);
        edges = longer;
      }
      for (let row = 0; row < out.length; row++) {
        const here = part * width + keys[kernel === 'moves' ? out.source[row] : first];
        const there = (out.major[row] - 9) * width + out.minor[row];
        edges[count++] = kernel === 'moves' ? here * size + there : there * size + here;
      }
    }
  }
  return edges.subarray(0, count).sort();
}

/** Whether two sorted arrays are the same; they are too long for `expect` to look at. */
function same(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

describe('unmoves mirror moves as multisets', () => {
  /** Compares both sides of a slice; returns how many edges there are. */
  function compare(name: string): number {
    const slice = checkers.slice(name);
    let edges = 0;
    for (const side of SIDES) {
      const forward = edgesOf(slice, side, 'moves');
      edges += forward.length;
      expect([name, side, same(forward, edgesOf(slice, side, 'unmoves'))]).toEqual([name, side, true]);
    }
    return edges;
  }

  it(`in every slice up to ${LONGEST ? 'three' : 'two'} pieces`, () => {
    for (const { name, slices } of checkers.endingsUpTo(LONGEST ? 3 : 2)) {
      const edges = slices.reduce((sum, slice) => sum + compare(slice), 0);
      // A lone man only advances, so man against man has no moves but conversions.
      if (name === '0011') expect(edges).toBe(0);
      else expect(edges).toBeGreaterThan(1000);
    }
  });

  it.each(
    sweep(
      ['2110.30', '1111.61', '0022.66'],
      ['2002.04', '1111.33', '1021.42'],
      ['2200', '0031.50', '1121.63'],
    ),
  )('in %s', (name) => expect(compare(name)).toBeGreaterThan(1000));
});

describe('halves of slices', () => {
  const slices = checkers.endingsUpTo(5).flatMap((ending) => ending.slices);

  it('are of the class that their positions have with Black to move', () => {
    const random = randomFrom(3);
    for (const name of slices) {
      const slice = checkers.slice(name);
      for (const side of SIDES) {
        const part = random(slice.parts);
        const key = random(slice.partSize(part));
        const position = toPosition(checkers.board({ slice: name, side, part, key }));
        const blacks = side === 0 ? position : mirrored(position);
        expect([name, halfOf(checkers as Game, name, side).class]).toEqual([name, classOf(blacks)]);
      }
    }
  });

  it('repeat each other where the mirror image of the slice is the slice', () => {
    for (const name of slices) {
      const [ownRank, enemyRank] = [name[5], name[6]];
      const isItsMirror = mirrorOf(name.slice(0, 4)) === name.slice(0, 4) && ownRank === enemyRank;
      expect([
        name,
        halfOf(checkers as Game, name, 0).repeats,
        halfOf(checkers as Game, name, 1).repeats,
      ]).toEqual([name, false, isItsMirror]);
    }
  });

  it('that repeat each other have the same moves and conversions', () => {
    for (const name of ['1100', '2200', '1111.33', '0022.22', '2211.44']) {
      const slice = checkers.slice(name);
      const keys = keysOf(slice, 0).subarray(0, 3000);
      const [black, white] = SIDES.map((side) => kernelSuccessors(slice, side, 0, keys));
      // As if Black moved: the other side of this slice; conversions are located as their mover sees them.
      const asBlack = white.map(({ moves, conversions }) => ({
        moves: moves.map((at) => at.replace(`${name} 0`, `${name} 1`)),
        conversions,
      }));
      expect(asBlack).toEqual(black);
    }
  });
});

describe('dependencies', () => {
  it('are known slices with their parts, listed once', () => {
    for (const name of [
      ...checkers.endingsUpTo(5).flatMap((ending) => ending.slices),
      ...['3222.66', '3322.66', '0055.66', '5500', '1144.16'],
    ]) {
      const { dependencies } = checkers.slice(name);
      const names = dependencies.map(({ slice }) => slice);
      expect(new Set(names).size).toBe(names.length);
      for (const { slice, parts } of dependencies) {
        if (checkers.slice(slice).parts !== parts) expect([name, slice, parts]).toBe('known');
        if (slice !== '0000') expect(checkers.ending(slice).slices).toEqual([slice]);
      }
    }
  });

  it.each([
    ['1100', ['0000']],
    ['2100', ['0000', '1100']],
    // The man is crowned or taken, or the king is.
    ['1001.06', ['0000', '1100']],
  ])('of %s', (name, expected) => {
    expect(checkers.slice(name).dependencies.map(({ slice }) => slice)).toEqual(expected);
  });

  it('lead to fewer pieces, fewer men, or a man further ahead', () => {
    for (const name of ['3222.43', '1111.60', '2121.35', '0033.22']) {
      const shape = shapeOf(name);
      for (const { after, takenKings, takenMen, crowned } of conversionsOf(shape)) {
        const pieces = after.ownKings + after.enemyKings + after.ownMen + after.enemyMen;
        expect(pieces).toBe(
          [...name.slice(0, 4)].reduce((sum, digit) => sum + Number(digit), 0) - takenKings - takenMen,
        );
        if (takenKings + takenMen + crowned > 0) continue;
        expect(after.enemyRank).toBe(shape.ownRank + 1);
      }
    }
  });
});

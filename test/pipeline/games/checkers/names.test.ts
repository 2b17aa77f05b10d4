/** Names of classes and slices. */
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { planSlices } from '../../../../pipeline/game/plan.js';
import { checkers } from '../../../../pipeline/games/checkers/checkers.js';
import { MOST_PIECES } from '../../../../pipeline/games/checkers/classes.js';
import { classesOf, hasBothSides, mirrorOf } from '../../../oracle/checkers/classes.js';

describe('names', () => {
  const of2110 = ['2110.60', '2110.50', '2110.40', '2110.30', '2110.20', '2110.10', '2110.00'];

  it.each<[string, string, boolean, string[]]>([
    ['2200', '2200', false, ['2200']],
    ['1200', '1200', true, ['2100']],
    ['2110', '2110', false, of2110],
    [' 2110\n', '2110', false, of2110],
    ['1201', '1201', true, of2110],
    ['1101', '1101', true, ['1110.60', '1110.50', '1110.40', '1110.30', '1110.20', '1110.10', '1110.00']],
    ['2110.50', '2110.50', false, ['2110.50']],
    ['1201.05', '1201.05', true, ['2110.50']],
    ['2011.53', '2011.53', false, ['2011.53']],
    ['0211.35', '0211.35', true, ['2011.53']],
    // The leading man further ahead makes the stronger side, if nothing else does.
    ['1111.53', '1111.53', false, ['1111.53']],
    ['1111.35', '1111.35', true, ['1111.53']],
    ['1111.33', '1111.33', false, ['1111.33']],
    // More pieces, then more kings.
    ['0021.06', '0021.06', false, ['0021.06']],
    ['1001.00', '1001.00', false, ['1001.00']],
    ['0110.60', '0110.60', true, ['1001.06']],
    // Ranks of no men are 0, and not needed.
    ['2200.00', '2200', false, ['2200']],
    // The end of the game.
    ['0000', '0000', false, ['0000']],
  ])('%j is %s, flipped: %s', (text, name, flipped, slices) => {
    expect(checkers.ending(text)).toMatchObject({ name, slices, flipped });
  });

  it.each([
    ['1111', 28],
    ['2111', 49],
    ['0022', 28],
    // Five men need two ranks.
    ['5005', 6],
    ['0055', 21],
    ['0150', 6],
  ])('class %s has %i slices', (name, count) => {
    const { slices } = checkers.ending(name);
    expect(slices).toHaveLength(count);
    expect(new Set(slices).size).toBe(count);
    for (const slice of slices) {
      expect(checkers.ending(slice)).toMatchObject({ name: slice, slices: [slice], flipped: false });
    }
  });

  it.each([
    ['', 'expected four digits'],
    ['211', 'expected four digits'],
    ['21100', 'expected four digits'],
    ['KQKR', 'expected four digits'],
    ['-110', 'expected four digits'],
    ['2110.', 'expected four digits'],
    ['2110.5', 'expected four digits'],
    ['2110.500', 'expected four digits'],
    ['2110/50', 'expected four digits'],
    ['2110.x0', 'expected four digits'],
    ['2000', 'a side has no pieces'],
    ['0202', 'a side has no pieces'],
    ['0000.00', 'a side has no pieces'],
    ['5600', '11 pieces, at most 10'],
    ['9999', '36 pieces, at most 10'],
    ['2110.51', 'White has no men, so its rank is 0'],
    ['1201.15', 'Black has no men, so its rank is 0'],
    ['1111.70', 'the ranks of leading men are 0 to 6'],
    ['1111.09', 'the ranks of leading men are 0 to 6'],
    ['0150.00', '5 men of Black do not fit on ranks 0 to 0'],
    ['1019.62', '11 pieces, at most 10'],
    ['1009.61', 'Black has no men'],
    ['1009.01', '9 men of White do not fit on ranks 0 to 1'],
  ])('%j is refused: %s', (text, reason) => {
    let message = '';
    try {
      checkers.ending(text);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      message = (error as Error).message;
    }
    expect(message).toContain(reason);
    expect(message).toContain(JSON.stringify(text));
    expect(message).not.toContain('\n');
  });
});

describe('all endings', () => {
  const namesUpTo = (pieces: number) => checkers.endingsUpTo(pieces).map(({ name }) => name);

  it('of two pieces', () => {
    expect(namesUpTo(1)).toEqual([]);
    expect(namesUpTo(2)).toEqual(['1100', '1001', '0011']);
  });

  it.each([3, 4, 7])('up to %i pieces have one of each class and its mirror image', (pieces) => {
    const expected: string[] = [];
    for (let n = 2; n <= pieces; n++) expected.push(...classesOf(n).filter(hasBothSides));
    const names = namesUpTo(pieces);
    const both = names.flatMap((name) => (mirrorOf(name) === name ? [name] : [name, mirrorOf(name)]));
    expect(both.sort()).toEqual(expected.sort());
  });

  it('come after all they lead to, slice by slice', () => {
    const slices = checkers.endingsUpTo(4).flatMap((ending) => ending.slices);
    // A plan keeps the order of the names asked for, unless something else must come first.
    const planned = planSlices(checkers, slices).map(({ slice }) => slice);
    expect(planned.filter((slice) => slice !== '0000')).toEqual(slices);
  });

  it('are of ten pieces at most', () => {
    expect(() => checkers.endingsUpTo(MOST_PIECES + 1)).toThrow(UserError);
    expect(namesUpTo(MOST_PIECES)).toContain('5500');
  });
});

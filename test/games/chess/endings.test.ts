import { describe, expect, it } from 'vitest';
import { UserError } from '../../../operators/core/errors.js';
import { chess } from '../../../pipeline/games/chess/chess.js';

describe('names of endings', () => {
  it.each([
    ['KQKR', 'KQKR', false],
    ['kqkr', 'KQKR', false],
    ['KQvKR', 'KQKR', false],
    [' KNKR ', 'KRKN', true],
    ['KKQ', 'KQK', true],
    ['KvKNB', 'KBNK', true],
    ['KNKBB', 'KBBKN', true],
    ['KNBKNB', 'KBNKBN', false],
    ['KBNKRN', 'KRNKBN', true],
    ['KRBKRN', 'KRBKRN', false],
    ['KQKQ', 'KQKQ', false],
    ['KK', 'KK', false],
    ['KQRBNNK', 'KQRBNNK', false],
  ])('%s is %s, flipped %s', (text, slice, flipped) => {
    expect(chess.ending(text)).toMatchObject({ slices: [slice], flipped });
  });

  it.each([
    ['KPK', 'pawns are not supported'],
    ['KQKRP', 'pawns are not supported'],
    ['KQQQQQQK', '8 men, at most 7'],
    ['KQ', "expected each side's king"],
    ['', "expected each side's king"],
    ['QKKR', "expected each side's king"],
    ['KQKRKB', "expected each side's king"],
    ['KQxKR', "expected each side's king"],
    ['pawn', "expected each side's king"],
  ])('%j is refused: %s', (text, reason) => {
    expect(() => chess.ending(text)).toThrow(UserError);
    expect(() => chess.ending(text)).toThrow(reason);
  });

  it('lists what captures lead to', () => {
    const names = (slice: string) =>
      chess
        .slice(slice)
        .dependencies.map((dependency) => dependency.slice)
        .sort();
    expect(names('KK')).toEqual([]);
    expect(names('KQK')).toEqual(['KK']);
    expect(names('KRKN')).toEqual(['KNK', 'KRK']);
    expect(names('KRKR')).toEqual(['KRK']);
    expect(names('KBBKN')).toEqual(['KBBK', 'KBKN']);
  });
});

import { describe, expect, it } from 'vitest';
import { UserError } from '../../../../operators/core/errors.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';

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
    ['KPKP.2', '1 ranks of pawns, expected 2'],
    ['KQKR.2', '1 ranks of pawns, expected 0'],
    ['KPK.8', 'pawns stand on ranks 2 to 7'],
    ['KPKep', 'capturing en passant takes a pawn of either side'],
    ['KPKPep.44', 'the side that may capture en passant is w or b after the ranks'],
    ['KPKP.44b', 'the side that may capture en passant is w or b after the ranks'],
    ['KPKPep.44w', 'both sides need a pawn on rank 5'],
    ['KPKPep.45b', 'both sides need a pawn on rank 4'],
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

  it.each([
    ['KPK.2', 'KPK.2', false],
    ['kkp.7', 'KPK.2', true],
    ['KPvKP.25', 'KPKP.47', true],
    ['KPKP.47', 'KPKP.47', false],
    ['KPPKR.62', 'KPPKR.26', false],
    ['KRKPP.37', 'KPPKR.26', true],
    ['KPKPep.55w', 'KPKPep.55w', false],
    ['KPKPEP.44B', 'KPKPep.55w', true],
  ])('%s is the slice %s, flipped %s', (text, slice, flipped) => {
    expect(chess.ending(text)).toMatchObject({ slices: [slice], flipped });
    const { exchanged, name } = chess.ending(text);
    expect(chess.ending(exchanged)).toMatchObject({ slices: [slice], exchanged: name });
  });

  it('a class has its slices', () => {
    expect(chess.ending('KKP')).toMatchObject({
      name: 'KKP',
      class: 'KKP',
      flipped: true,
      slices: ['KPK.7', 'KPK.6', 'KPK.5', 'KPK.4', 'KPK.3', 'KPK.2'],
      pieces: 3,
    });
    // 21 sets of two ranks; 36 pairs of ranks. 6 pairs are their own with the colours exchanged.
    expect(chess.ending('KPPK').slices).toHaveLength(21);
    expect(chess.ending('KPKP').slices).toHaveLength((36 + 6) / 2);
    expect(chess.ending('KQPKP').slices).toHaveLength(36);
    expect(chess.ending('KPKPep').slices).toEqual(['KPKPep.55w']);
    // A white pawn on rank 4, the other anywhere, and a black one on rank 4; or all of it on rank 5.
    expect(chess.ending('KPPKPep').slices).toHaveLength(6 + 6);
  });

  it('all endings of a number of men are listed, those that pawns promote to first', () => {
    const three = chess.endingsUpTo(3).map(({ name }) => name);
    expect(three).toEqual(['KQK', 'KRK', 'KBK', 'KNK', 'KPK']);
    const four = chess.endingsUpTo(4).map(({ name }) => name);
    expect(four.slice(5)).toHaveLength(30 + 1);
    expect(four.slice(-2)).toEqual(['KPKP', 'KPKPep']);
    expect(new Set(four).size).toBe(four.length);
    expect(
      chess.endingsUpTo(5).filter(({ pieces, class: of }) => pieces === 5 && !of.includes('ep')),
    ).toHaveLength(110);
  });

  it('the endings that captures lead to are listed', () => {
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
    expect(names('KPK.2')).toEqual(['KK', 'KPK.3', 'KPK.4']);
    expect(names('KPK.7')).toEqual(['KBK', 'KK', 'KNK', 'KQK', 'KRK']);
    // The white pawn goes to rank 3, where it may be captured, or to rank 4, perhaps passing the other; the other to rank 3.
    expect(names(chess.ending('KPKP.24').slices[0])).toEqual(
      ['KPK.2', 'KKP.4', 'KPKP.34', 'KPKP.44', 'KPKPep.44b', 'KPKP.23']
        .map((name) => chess.ending(name).slices[0])
        .sort(),
    );
  });
});

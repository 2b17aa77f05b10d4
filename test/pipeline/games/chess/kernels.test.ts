import { describe, expect, it } from 'vitest';
import type { Side } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { LONG, LONGEST, sweep } from '../../../support/long.js';
import {
  censusOf,
  compareWithRules,
  DIAGONAL_PAIRS,
  legalKeys,
  partCensus,
  randomNumbers,
} from './kernel-rows.js';

const SIDES: readonly Side[] = [0, 1];

describe('kernels against the plain rules', () => {
  it.each(sweep(['KK'], ['KNK', ...(LONGEST ? ['KQK', 'KRK', 'KBK'] : [])]))('%s, every index', (name) => {
    const slice = chess.slice(name);
    expect(slice.parts).toBe(1);
    for (const side of SIDES) expect(compareWithRules(name, side, 0, 0, slice.size)).toBeGreaterThan(400);
  });

  it.each(
    sweep(
      ['KQKR', 'KBNK', 'KNNK', 'KBBKN', 'KQBNKRN'],
      [
        'KBBK',
        'KNNNNK',
        'KRRKRR',
        'KRRKQBN',
        ...(LONGEST
          ? [
              'KRKN',
              'KRBKN',
              'KRRK',
              'KBBBK',
              'KNNKQ',
              'KQKBB',
              'KQKQ',
              'KQKB',
              'KQRKR',
              'KRRKQ',
              'KQQKQ',
              'KNNNKN',
              'KQRKBN',
              'KBBKNN',
              'KBBBKQR',
            ]
          : []),
      ],
    ).map((name) => chess.ending(name).slices[0]),
  )('%s, samples', (name) => {
    const slice = chess.slice(name);
    const random = randomNumbers(name.length * 1000 + name.charCodeAt(1) * 31 + name.charCodeAt(2));
    let legal = 0;
    for (let sample = 0; sample < (LONG ? 24 : 12); sample++) {
      const part = random() % slice.parts;
      const length = Math.min(150, slice.partSize(part));
      const first = random() % (slice.partSize(part) - length + 1);
      for (const side of SIDES) legal += compareWithRules(name, side, part, first, length);
    }
    // Kings both on the diagonal.
    for (let sample = 0; sample < 6; sample++) {
      const diagonal = DIAGONAL_PAIRS[random() % DIAGONAL_PAIRS.length];
      const space = slice.size / 462;
      const perPart = slice.width / space;
      const first = (diagonal % perPart) * space + (random() % (space - 100));
      for (const side of SIDES)
        legal += compareWithRules(name, side, Math.floor(diagonal / perPart), first, 100);
    }
    expect(legal).toBeGreaterThan(500);
  });

  it('censuses any interval like the whole part', () => {
    for (const name of ['KQKR', 'KBBK', 'KRRKQ']) {
      const slice = chess.slice(name);
      const random = randomNumbers(5);
      for (const side of SIDES) {
        const part = 1;
        const whole = partCensus(slice, side, part);
        for (let sample = 0; sample < 50; sample++) {
          const first = random() % (slice.partSize(part) - 300);
          const length = random() % 300;
          const some = censusOf(slice, side, part, first, length);
          expect(some.status).toEqual(whole.status.subarray(first, first + length));
          expect(some.moves).toEqual(whole.moves.subarray(first, first + length));
        }
      }
    }
  });

  it('stops before a position whose rows might not fit, and goes on from there', () => {
    const slice = chess.slice('KQKR');
    const keys = legalKeys(slice, 0, 1).slice(0, 500);
    const roomy = {
      length: 0,
      major: new Uint32Array(50_000),
      minor: new Uint32Array(50_000),
      source: new Uint32Array(50_000),
    };
    expect(slice.moves(0, 1, keys, 0, keys.length, 3, roomy)).toBe(keys.length);
    const tight = {
      length: 0,
      major: new Uint32Array(100),
      minor: new Uint32Array(100),
      source: new Uint32Array(100),
    };
    const minors: number[] = [];
    const sources: number[] = [];
    for (let from = 0; from < keys.length; ) {
      tight.length = 0;
      const next = slice.moves(0, 1, keys, from, keys.length, 3, tight);
      expect(next).toBeGreaterThan(from);
      minors.push(...tight.minor.subarray(0, tight.length));
      sources.push(...tight.source.subarray(0, tight.length));
      from = next;
    }
    expect(minors).toEqual([...roomy.minor.subarray(0, roomy.length)]);
    expect(sources).toEqual([...roomy.source.subarray(0, roomy.length)]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Side, Slice } from '../../../../pipeline/game/game.js';
import { createSlice } from '../../../../pipeline/games/chess/slice.js';
import { sweep } from '../../../support/long.js';
import { censusOf, emission, twoParts } from './kernel-rows.js';
import { plainSlice } from './plain/plain-kernels.js';

const KERNELS = ['moves', 'unmoves', 'unmovesWithin', 'unmovesBeyond', 'conversions'] as const;
const BIAS = 5;
const CONVERSION_BIAS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => i * 1000);

/**
 * Rows of a kernel, called again and again with room for a few positions only, in some fixed order. Values that a kernel does
 * not write are zero.
 */
function rowsOf(
  slice: Slice,
  kernel: (typeof KERNELS)[number],
  side: Side,
  part: number,
  keys: Uint32Array,
): string[] {
  const rows: string[] = [];
  const out = emission(slice.maxMoves * 7);
  const local = slice.local!;
  for (let from = 0; from < keys.length; ) {
    out.length = 0;
    const before = from;
    switch (kernel) {
      case 'unmovesWithin':
        from = local[kernel](side, part, keys, from, keys.length, out);
        break;
      case 'unmovesBeyond':
        from = local[kernel](side, part, keys, from, keys.length, BIAS, out);
        break;
      case 'conversions':
        from = slice.conversions(side, part, keys, from, keys.length, CONVERSION_BIAS, out);
        break;
      default:
        from = slice[kernel]!(side, part, keys, from, keys.length, BIAS, out);
    }
    expect(from).toBeGreaterThan(before);
    for (let i = 0; i < out.length; i++) rows.push(`${out.source[i]} ${out.major[i]} ${out.minor[i]}`);
  }
  return rows.sort();
}

/** Canonical legal keys of a few stretches of a part, and single ones between, ascending. */
function sampleKeys(slice: Slice, side: Side, part: number): Uint32Array {
  const size = slice.partSize(part);
  const keys: number[] = [];
  for (let i = 0; i < 12; i++) {
    const first = 64 * Math.floor((i * size) / (12 * 64));
    const length = Math.min(90, size - first);
    const { status } = censusOf(slice, side, part, first, length);
    const step = i % 3 === 2 ? 30 : 1;
    for (let j = 0; j < length; j += step) if (status[j] !== 0) keys.push(first + j);
  }
  return Uint32Array.from(new Set(keys)).sort();
}

describe('kernels in WebAssembly emit what the plain ones emit', () => {
  // Groups of one, two, three and four like men.
  it.each(
    sweep(
      ['KK', 'KNNK', 'KQKR', 'KNNNK'],
      ['KRK', 'KBBKN', 'KRRKR', 'KRKR', 'KBBKB', 'KBBKNN', 'KBNKN', 'KNNNNK'],
    ),
  )('%s', (name) => {
    const plain = plainSlice(name);
    const wasm = createSlice(name);
    for (const part of twoParts(name)) {
      for (const side of [0, 1] as const) {
        const keys = sampleKeys(plain, side, part);
        for (const kernel of KERNELS) {
          expect(rowsOf(wasm, kernel, side, part, keys), kernel).toEqual(
            rowsOf(plain, kernel, side, part, keys),
          );
        }
      }
    }
  });
});

/** Rows of `unconversions` from a part of a dependency, collected as by `rowsOf`. */
function backRowsOf(slice: Slice, side: Side, dependency: number, there: At, keys: Uint32Array): string[] {
  const rows: string[] = [];
  const out = emission(slice.maxMoves * 7);
  for (let from = 0; from < keys.length; ) {
    out.length = 0;
    const before = from;
    from = slice.unconversions!(side, dependency, there.side, there.part, keys, from, keys.length, BIAS, out);
    expect(from).toBeGreaterThan(before);
    for (let i = 0; i < out.length; i++) rows.push(`${out.major[i]} ${out.minor[i]}`);
  }
  return rows.sort();
}

interface At {
  readonly side: Side;
  readonly part: number;
}

describe('unconversions in WebAssembly emit what the plain ones emit', () => {
  // Rows there of the last man here, of another, of one of the kind that comes back, and none; colours exchanged and not.
  it.each(
    sweep(
      ['KNNK', 'KQKR', 'KBBKB'],
      [
        'KRK',
        'KRBKQ',
        'KQRKR',
        'KBBKN',
        'KRKR',
        'KRRKR',
        'KBBKNN',
        'KBNKN',
        'KNNNK',
        'KRRKB',
        'KQBKRN',
        'KRRNKBB',
        'KQRKQR',
        'KNNNNK',
      ],
    ),
  )('%s', (name) => {
    const plain = plainSlice(name);
    const wasm = createSlice(name);
    let emitted = 0;
    for (const [dependency, { slice }] of plain.dependencies.entries()) {
      const target = createSlice(slice);
      for (const part of twoParts(slice)) {
        for (const sideThere of [0, 1] as const) {
          const keys = sampleKeys(target, sideThere, part);
          for (const side of [0, 1] as const) {
            const there = { side: sideThere, part };
            const expected = backRowsOf(plain, side, dependency, there, keys);
            expect(backRowsOf(wasm, side, dependency, there, keys)).toEqual(expected);
            emitted += expected.length;
          }
        }
      }
    }
    expect(emitted).toBeGreaterThan(1000);
  });
});

describe('the census in WebAssembly counts what the plain one counts', () => {
  // Rows of the last man, of the least of two to four like men, and none; checks, pins and captures by and of all kinds.
  it.each(
    sweep(
      ['KK', 'KNK', 'KBBK', 'KQKR'],
      [
        'KRBKQ',
        'KRKN',
        'KBBKN',
        'KQRKR',
        'KQK',
        'KNNK',
        'KBNKN',
        'KRRKB',
        'KBBKNN',
        'KRRKRR',
        'KNNNK',
        'KQQQQK',
        'KQBKRN',
        'KRRNKBB',
      ],
    ),
  )('%s', (name) => {
    const plain = plainSlice(name);
    const wasm = createSlice(name);
    let legal = 0;
    for (const part of twoParts(name)) {
      const size = plain.partSize(part);
      for (const side of [0, 1] as const) {
        // Intervals begin and end anywhere in a row; one is longer than an instance takes at a time.
        for (const [i, length] of [9001, 1000, 777, 64, 63, 1].entries()) {
          const first = Math.floor((i * size) / 7) + 13 * i;
          const count = Math.min(length, size - first);
          const expected = censusOf(plain, side, part, first, count);
          expect(censusOf(wasm, side, part, first, count)).toEqual(expected);
          for (const status of expected.status) if (status !== 0) legal++;
        }
      }
    }
    expect(legal).toBeGreaterThan(400);
  });
});

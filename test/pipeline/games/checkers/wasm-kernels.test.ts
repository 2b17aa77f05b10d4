import { describe, expect, it } from 'vitest';
import { newCensus } from '../../../../pipeline/game/fill-census.js';
import type { Emission, Side, Slice } from '../../../../pipeline/game/game.js';
import { createSlice } from '../../../../pipeline/games/checkers/slice.js';
import { sweep } from '../../../support/long.js';
import { randomNumbers } from '../chess/kernel-rows.js';
import { plainSlice } from './plain/plain-kernels.js';

const KERNELS = ['moves', 'unmoves', 'conversions'] as const;
const SIDES = [0, 1] as const;
const BIAS = 5;

function emission(rows: number): Emission {
  return {
    length: 0,
    major: new Uint32Array(rows),
    minor: new Uint32Array(rows),
    source: new Uint32Array(rows),
  };
}

/** Rows of a kernel in the order in which they come, from one call or, with little room, from many. */
function rowsOf(
  slice: Slice,
  kernel: (typeof KERNELS)[number],
  side: Side,
  part: number,
  keys: Uint32Array,
  room: number,
): { majors: number[]; minors: number[]; sources: number[] } {
  const bias = slice.dependencies.flatMap((_, i) => [10_000 * i, 10_000 * i + 5_000]);
  const rows = { majors: [] as number[], minors: [] as number[], sources: [] as number[] };
  const out = emission(room);
  // The first key is not asked for.
  for (let from = 1; from < keys.length; ) {
    out.length = 0;
    const before = from;
    from =
      kernel === 'conversions'
        ? slice.conversions(side, part, keys, from, keys.length, bias, out)
        : slice[kernel]!(side, part, keys, from, keys.length, BIAS, out);
    expect(from).toBeGreaterThan(before);
    rows.majors.push(...out.major.subarray(0, out.length));
    rows.minors.push(...out.minor.subarray(0, out.length));
    // Nobody asks where unmoves come from.
    if (kernel !== 'unmoves') rows.sources.push(...out.source.subarray(0, out.length));
  }
  return rows;
}

/** The census and the marks of an interval; bytes that are not written stay as they were. */
function intervalOf(slice: Slice, side: Side, part: number, first: number, length: number) {
  const census = newCensus(length);
  slice.census(side, part, first, length, census);
  const brief = { ...newCensus(length), conversions: null };
  slice.census(side, part, first, length, brief);
  const marks = new Uint8Array(length).fill(7);
  slice.dontCares!(side, part, first, length, marks);
  return { census, brief, marks };
}

/** Keys of a few stretches of a part, and single ones between, ascending. */
function sampleKeys(slice: Slice, part: number, random: () => number): Uint32Array {
  const size = slice.partSize(part);
  const keys = new Set<number>([0, size - 1]);
  for (let i = 0; i < 6; i++) {
    const first = random() % size;
    for (let j = 0; j < 60; j++) keys.add(Math.min(first + j, size - 1));
  }
  for (let i = 0; i < 300; i++) keys.add(random() % size);
  return Uint32Array.from(keys).sort();
}

function compare(name: string): void {
  const plain = plainSlice(name);
  const wasm = createSlice(name);
  const random = randomNumbers(name.length * 7919 + Number(name));
  for (const part of new Set([0, random() % plain.parts, plain.parts - 1])) {
    const keys = sampleKeys(plain, part, random);
    const first = 8 * Math.floor((random() % plain.partSize(part)) / 16);
    const length = Math.min(700, plain.partSize(part) - first);
    for (const side of SIDES) {
      expect(intervalOf(wasm, side, part, first, length)).toEqual(
        intervalOf(plain, side, part, first, length),
      );
      for (const kernel of KERNELS) {
        const expected = rowsOf(plain, kernel, side, part, keys, 1 << 15);
        expect(rowsOf(wasm, kernel, side, part, keys, 1 << 15), kernel).toEqual(expected);
        const few = keys.subarray(0, 40);
        expect(rowsOf(wasm, kernel, side, part, few, plain.maxMoves + 3), kernel).toEqual(
          rowsOf(plain, kernel, side, part, few, plain.maxMoves + 3),
        );
      }
    }
  }
}

describe('kernels in WebAssembly emit what the plain ones emit, in the same order', () => {
  // Kings alone, in ones to fives; men of one side, of both, in each other's way; several parts; more than 2^32 positions.
  const few = [
    '1100',
    '3200',
    '5500',
    '0011.00',
    '0210.30',
    '0141.15',
    '0044.66',
    '2110.50',
    '2222.66',
    '0206.06',
  ];
  const more = [
    ...['2100', '3100', '2200', '5100', '1110.60', '1120.20', '1130.60', '0022.66', '0033.43'],
    ...['2211.35', '1212.64', '3212.06', '1313.51', '0071.61', '0045.66'],
  ];
  it.each(sweep(few, more))('%s', (name) => {
    compare(name);
  });

  it.each(sweep(['0120.30'], ['1111.21']))('all of %s, the census included', (name) => {
    const plain = plainSlice(name);
    const wasm = createSlice(name);
    const size = Math.min(plain.partSize(0), 20_000);
    const keys = Uint32Array.from({ length: size }, (_, key) => key);
    for (const side of SIDES) {
      expect(intervalOf(wasm, side, 0, 0, size)).toEqual(intervalOf(plain, side, 0, 0, size));
      for (const kernel of KERNELS) {
        const expected = rowsOf(plain, kernel, side, 0, keys, 1 << 14);
        const found = rowsOf(wasm, kernel, side, 0, keys, 1 << 14);
        for (const column of ['majors', 'minors', 'sources'] as const) {
          expect(
            Buffer.from(Uint32Array.from(found[column]).buffer).equals(
              Buffer.from(Uint32Array.from(expected[column]).buffer),
            ),
            kernel,
          ).toBe(true);
        }
      }
    }
  });
});

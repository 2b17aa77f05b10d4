/** The parts that files are made of. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../../../operators/storage/memory.js';
import { newScratch } from '../../../../../operators/storage/scratch.js';
import { type Arrangement, shapeOfIndex } from '../../../../../pipeline/games/chess/syzygy/arrangement.js';
import { ANY_UP_TO, settle } from '../../../../../pipeline/games/chess/syzygy/cells.js';
import { cityCrc128 } from '../../../../../pipeline/games/chess/syzygy/checksum/city-hash.js';
import { arrangementsOf } from '../../../../../pipeline/games/chess/syzygy/choose-arrangement.js';
import { huffmanCodes } from '../../../../../pipeline/games/chess/syzygy/huffman.js';
import { BoardIndices, setIndex } from '../../../../../pipeline/games/chess/syzygy/indices.js';
import {
  bytesAt,
  type Kernels,
  layOut,
  newKernels,
  symbolsAt,
} from '../../../../../pipeline/games/chess/syzygy/kernels.js';
import { type Material, materialOf } from '../../../../../pipeline/games/chess/syzygy/material.js';
import { Pairer, type Pairing, pairUp } from '../../../../../pipeline/games/chess/syzygy/pairing.js';
import { newSharedArena } from '../../../../../pipeline/games/chess/syzygy/pairing-arena.js';
import { bytesOfSymbols, newTape } from '../../../../../pipeline/games/chess/syzygy/tape.js';
import { LONG, LONGEST } from '../../../../support/long.js';
import { plainCityCrc128 } from './plain-city-hash.js';

/** Gives the index of a board in the subtable of its leading pawn's file. */
function encoder(material: Material, arrangement: Arrangement): (squares: Uint8Array) => number {
  const indices = new BoardIndices();
  const index = indices.add(material, arrangement);
  return (squares) => {
    indices.squares.set(squares);
    return indices.locate(index);
  };
}

/** Gives the squares of an index, by the kernels. */
function decoder(material: Material, arrangement: Arrangement, file: number): (index: number) => Uint8Array {
  return (index) => {
    setIndex(kernels, 1, material, arrangement);
    kernels.wasm.translate(file, BigInt(index), 1, layOut(kernels)(8));
    return bytesAt(kernels, kernels.wasm.BOARD.value, material.men.length).slice();
  };
}

describe('the index', () => {
  // Sizes by hand: 31,332 triples, 462 pairs of kings; pawns of the a-file to the d-file.
  it.each([
    { white: 'Q', black: '', count: 6, sizes: [31332] },
    { white: 'Q', black: 'R', count: 48, sizes: [31332 * 61] },
    { white: 'RR', black: '', count: 4, sizes: [(462 * 62 * 61) / 2] },
    { white: 'P', black: '', count: 6, sizes: [6, 6, 6, 6].map((lead) => lead * 63 * 62) },
    { white: 'P', black: 'P', count: 24, sizes: [6, 6, 6, 6].map((lead) => lead * 47 * 62 * 61) },
    { white: 'PP', black: '', count: 6, sizes: [252, 180, 108, 36].map((lead) => lead * 62 * 61) },
    {
      white: 'RP',
      black: 'PP',
      count: 120,
      sizes: [6, 6, 6, 6].map((lead) => lead * 47 * 23 * 61 * 60 * 59),
    },
  ])('of K$white v K$black maps to squares and back', ({ white, black, count, sizes }) => {
    const material = materialOf(white, black);
    const arrangements = arrangementsOf(material);
    expect(arrangements.length).toBe(count);
    for (const [file, size] of sizes.entries()) {
      for (const arrangement of [arrangements[0], arrangements.at(-1)!]) {
        expect(shapeOfIndex(material, arrangement, file).size).toBe(size);
        const encode = encoder(material, arrangement);
        const squaresOf = decoder(material, arrangement, file);
        for (let i = 0; i < size; i += 1 + Math.floor(size / 2000)) {
          const squares = squaresOf(i);
          const back = [new Set(squares).size, encode(squares)];
          if (back[0] !== squares.length || back[1] !== i) expect(back).toEqual([squares.length, i]);
        }
      }
    }
  });

  it.each(['Q/R', 'BB/N', 'RR/', 'PP/', 'BP/P', 'RP/PP', 'NNN/'])(
    'of K%s is by rows as board by board',
    (men) => {
      const [white, black] = men.split('/') as [string, string];
      const material = materialOf(white, black);
      const arrangements = arrangementsOf(material);
      const [from, to] = [arrangements[0], arrangements.at(-1)!];
      for (const file of material.leadingPawns.length > 0 ? [0, 3] : [0]) {
        const encode = encoder(material, from);
        const { size } = shapeOfIndex(material, to, file);
        expect(setIndex(kernels, 1, material, to)[file]).toBe(size);
        const squaresOf = decoder(material, to, file);
        setIndex(kernels, 0, material, from);
        const at = layOut(kernels)(8 * 256);
        for (let first = 0; first < size - 256; first += 1 + Math.floor(size / 20)) {
          kernels.wasm.translate(file, BigInt(first), 256, at);
          const found = Array.from(new BigInt64Array(kernels.wasm.memory.buffer, at, 256), Number);
          for (let i = 0; i < 256; i++) {
            const squares = squaresOf(first + i);
            if (found[i] !== encode(squares)) expect([i, found[i]]).toEqual([i, encode(squares)]);
          }
        }
      }
    },
  );

  it('has no symmetry left where men do not stand as their mirror image does', () => {
    const material = materialOf('Q', 'R');
    const encode = encoder(material, { groups: [[0, 1, 2], [3]], weights: [0, 1] });
    const [a1, c3, h8, e2, b5] = [0, 18, 63, 12, 33];
    expect(encode(Uint8Array.of(a1, c3, h8, e2))).not.toBe(encode(Uint8Array.of(a1, c3, h8, b5)));
    expect(encode(Uint8Array.of(a1, c3, e2, h8))).toBe(encode(Uint8Array.of(a1, c3, b5, h8)));
    const encodePawns = encoder(materialOf('PPP', ''), {
      groups: [[2, 3, 4], [0], [1]],
      weights: [0, 1, 2],
    });
    const [a7, h7, b4, g4, h3, a3] = [48, 55, 25, 30, 23, 16];
    const [h1, c8, f8] = [7, 58, 61];
    expect(encodePawns(Uint8Array.of(a1, c8, h7, b4, a7))).not.toBe(
      encodePawns(Uint8Array.of(h1, f8, a7, g4, h7)),
    );
    // The leader is on h7, so that the board is turned: it and its image have one index.
    expect(encodePawns(Uint8Array.of(a1, c8, h7, b4, h3))).toBe(
      encodePawns(Uint8Array.of(h1, f8, a7, g4, a3)),
    );
  });
});

function expand({ left, right, leaves }: Pairing, symbol: number): number[] {
  if (symbol < leaves) return [symbol];
  return [left[symbol], right[symbol]].flatMap((part) => expand({ left, right, leaves } as Pairing, part));
}

const kernels = newKernels(1 << 20, newScratch(memoryStore(), 'scratch'));
/** With little memory, so that pairs are counted by several scans. */
const pairer = new Pairer(newSharedArena(5 << 17), null);

function paired(
  symbols: Uint16Array,
  leaves: number,
  mostSymbols: number,
  by = pairer,
  mostListed = Infinity,
): Pairing {
  const tape = newTape(kernels.scratch);
  tape.append(bytesOfSymbols(symbols));
  return pairUp(by, { tape, length: symbols.length }, leaves, { leastCount: 2, mostSymbols, mostListed });
}

function symbolsOf({ sequence }: Pairing): Uint16Array {
  const symbols = new Uint16Array(sequence.length);
  sequence.tape.read(0, bytesOfSymbols(symbols));
  return symbols;
}

describe('recursive pairing', () => {
  it('makes of the same values sequences of about the same length by passes and by lists', () => {
    const random = fc.sample(fc.nat(999), { numRuns: LONGEST ? 40_000 : 20_000, seed: 7 });
    const often = new Array<number>(LONGEST ? 300_000 : 70_000).fill(5);
    const all = Uint16Array.from([...random, ...often, ...random, ...often.flatMap(() => [6, 7])]);
    const much = new Pairer(newSharedArena(160 << 20), null);
    const [byPasses, byLists] = [pairer, much].map((by) => paired(all, 1000, 4095, by));
    for (const pairing of [byPasses, byLists]) {
      expect(pairing.symbols).toBeGreaterThan(2000);
      expect([5, 6]).toContain(pairing.left[1000]);
      const values = [...symbolsOf(pairing)].flatMap((symbol) => expand(pairing, symbol));
      expect(Buffer.compare(bytesOfSymbols(Uint16Array.from(values)), bytesOfSymbols(all))).toBe(0);
    }
    expect(byLists.sequence.length).toBeLessThan(1.02 * byPasses.sequence.length);
  });

  it('keeps the values, in symbols of at most 256', () => {
    const values = fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 40 }), fc.boolean(), (phrases, times, byLists) => {
        const all = Array.from({ length: times }, () => phrases.flat()).flat();
        const pairing = paired(Uint16Array.from(all), 4, 60, pairer, byLists ? Infinity : 0);
        expect([...symbolsOf(pairing)].flatMap((symbol) => expand(pairing, symbol))).toEqual(all);
        expect(pairing.symbols).toBeLessThanOrEqual(60);
        for (let symbol = 0; symbol < pairing.symbols; symbol++) {
          expect(pairing.lengths[symbol]).toBe(expand(pairing, symbol).length);
          expect(pairing.lengths[symbol]).toBeLessThanOrEqual(256);
        }
      }),
      { numRuns: 60 },
    );
  });

  // Long runs go through passes in bulk; the pairs of the first are more than a count of 16 bits holds.
  it.each([
    { name: 'whole', run: 200_000, symbols: 9, length: 782 },
    { name: 'odd', run: 131_071, symbols: 9, length: 519 },
  ])('halves a run in each pass: $name', ({ run, symbols, length }) => {
    const pairing = paired(new Uint16Array(run), 1, 4095, pairer, 0);
    expect(pairing.symbols).toBe(symbols);
    expect(pairing.sequence.length).toBe(length);
    expect([...symbolsOf(pairing)].flatMap((symbol) => expand(pairing, symbol))).toHaveLength(run);
  });

  it('shortens repetitions strongly', () => {
    const all = Uint16Array.from({ length: 4096 }, (_, i) => (i % 4 === 0 ? 1 : 0));
    expect(paired(all, 2, 4095).sequence.length).toBe(16);
  });
});

describe('codes', () => {
  it('are shorter for what is frequent, of at most 32 bits, none the beginning of another', () => {
    const fibonacci = [1, 1];
    while (fibonacci.length < 45) fibonacci.push(fibonacci.at(-1)! + fibonacci.at(-2)!);
    const { codes, lengths, symbols, numbers } = huffmanCodes(Float64Array.from([0, ...fibonacci]));
    expect(lengths[0]).toBe(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(32);
    expect(symbols.at(-1)).toBe(0);
    const bits = fibonacci.map((_, i) => codes[i + 1].toString(2).padStart(lengths[i + 1], '0'));
    for (const [i, one] of bits.entries()) {
      expect(one.length).toBe(lengths[i + 1]);
      expect(bits.filter((other) => other.startsWith(one))).toEqual([one]);
      if (i > 0) expect(one.length).toBeLessThanOrEqual(bits[i - 1].length);
      expect(symbols[numbers[i]]).toBe(i);
    }
    // The code is complete.
    expect(bits.reduce((sum, one) => sum + 2 ** -one.length, 0)).toBe(1);
  });

  it('of a single symbol take a bit', () => {
    expect(huffmanCodes(Float64Array.of(0, 7)).lengths).toEqual(Uint8Array.of(0, 1));
  });
});

/** Settles cells, three at a time. */
function settledBy(by: Kernels, ranks: readonly number[], cells: readonly number[]) {
  const settled: number[] = [];
  let done = 0;
  const next = (at: number) => {
    const piece = cells.slice(done, done + 3);
    symbolsAt(by, at, piece.length).set(piece);
    done += piece.length;
    return piece.length;
  };
  const buffer = { at: layOut(by)(12), room: 3 };
  const runs = settle(by, Uint16Array.from(ranks), buffer, next, (symbols) => settled.push(...symbols));
  return { settled, runs };
}

describe('cells', () => {
  const cell = fc.oneof(
    fc.nat(2),
    fc.nat(2).map((most) => ANY_UP_TO + most),
  );
  const ranks = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });

  it('become symbols that fit, and count their runs', () => {
    fc.assert(
      fc.property(ranks, fc.array(cell, { minLength: 1, maxLength: 12 }), (ranked, cells) => {
        const { settled, runs } = settledBy(kernels, ranked, cells);
        const fits = (symbol: number, i: number) =>
          cells[i] < ANY_UP_TO ? symbol === cells[i] : symbol <= cells[i] - ANY_UP_TO;
        expect(settled.length).toBe(cells.length);
        expect(settled.every(fits)).toBe(true);
        expect(runs).toBe(settled.filter((symbol, i) => i === 0 || symbol !== settled[i - 1]).length);
      }),
    );
  });

  it('take the more frequent neighbour that fits, or the most frequent symbol that does', () => {
    const open = (most: number) => ANY_UP_TO + most;
    const settled = (...cells: number[]) => settledBy(kernels, [2, 0, 1], cells).settled;
    expect(settled(2, open(2), open(2), open(2), open(2), 1)).toEqual([2, 1, 1, 1, 1, 1]);
    expect(settled(1, open(2), 2)).toEqual([1, 1, 2]);
    expect(settled(2, open(2), open(0), 0)).toEqual([2, 0, 0, 0]);
    expect(settled(2, open(1), 2)).toEqual([2, 1, 2]);
    expect(settled(open(2), 0, open(2))).toEqual([0, 0, 0]);
    expect(settled(open(2), open(2))).toEqual([1, 1]);
  });
});

describe('the checksum', () => {
  // Those files have all positions drawn. Their checksums are published (syzygy1/tb, checksums/wdl345.txt).
  it.each([
    { name: 'KNvK.rtbw', man: 2, sum: 'b9eccbff19c677158e928b1b641248b7' },
    { name: 'KBvK.rtbw', man: 3, sum: '4b37ef623e69eadb6756777c16034e6f' },
  ])('of $name is the published one', ({ man, sum }) => {
    const bytes = new Uint8Array(64);
    const both = (code: number) => code * 17;
    bytes.set([0x71, 0xe8, 0x23, 0x5d, 0x31, 0, both(14), both(6), both(man), 0, 0x80, 2, 0x80, 2]);
    expect(Buffer.from(cityCrc128(bytes)).toString('hex')).toBe(sum);
    expect(Buffer.from(plainCityCrc128(bytes)).toString('hex')).toBe(sum);
  });

  it('of any number of bytes is what the plain form makes of them', () => {
    // Around a step of 40, a round of 240, the buffer of the kernels; pieces of 16 MiB, five of which have more than 128 bytes of sums.
    const lengths = [...Array.from({ length: 290 }, (_, i) => i + 1), 61_439, 61_440, 61_441, 200_003];
    const large = LONG ? [2 ** 24, 2 ** 24 + 1, 5 * 2 ** 24 + 7] : [];
    const differ = [...lengths, ...large].filter((length) => {
      const bytes = new Uint8Array(length);
      for (let i = 0; i < length; i++) bytes[i] = Math.imul(i + length, 0x9e3779b1) >>> 24;
      return Buffer.compare(cityCrc128(bytes), plainCityCrc128(bytes)) !== 0;
    });
    expect(differ).toEqual([]);
  });
});

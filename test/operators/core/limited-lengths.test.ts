import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitedLengths } from '../../../operators/core/limited-lengths.js';

/** Bits of all words by Huffman's own algorithm, without a limit: the sum of all weights that are joined. */
function huffmanBits(frequencies: readonly number[]): number {
  const weights = frequencies.filter((frequency) => frequency > 0);
  if (weights.length === 1) return weights[0];
  let bits = 0;
  while (weights.length > 1) {
    weights.sort((a, b) => b - a);
    const joined = weights.pop()! + weights.pop()!;
    weights.push(joined);
    bits += joined;
  }
  return bits;
}

function bitsOf(frequencies: readonly number[], lengths: Uint8Array): number {
  return frequencies.reduce((sum, frequency, symbol) => sum + frequency * lengths[symbol], 0);
}

function kraft(lengths: Uint8Array): number {
  return lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0);
}

/** The least bits of a code for few symbols with words of at most `limit` bits: all lengths are tried. */
function leastBits(frequencies: readonly number[], limit: number): number {
  let least = Number.POSITIVE_INFINITY;
  const lengths = new Uint8Array(frequencies.length);
  function choose(symbol: number): void {
    if (symbol === lengths.length) {
      if (kraft(lengths) <= 1) least = Math.min(least, bitsOf(frequencies, lengths));
      return;
    }
    for (let length = 1; length <= limit; length++) {
      lengths[symbol] = length;
      choose(symbol + 1);
    }
  }
  choose(0);
  return least;
}

const someFrequencies = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 200 });

describe('limited lengths', () => {
  test('are those of Huffman where the limit does not matter', () => {
    fc.assert(
      fc.property(someFrequencies, (frequencies) => {
        if (!frequencies.some((frequency) => frequency > 0)) return;
        const lengths = limitedLengths(frequencies, 30);
        expect(bitsOf(frequencies, lengths)).toBe(huffmanBits(frequencies));
      }),
    );
  });

  test('use the whole code space, and keep the limit', () => {
    fc.assert(
      fc.property(someFrequencies, fc.integer({ min: 8, max: 12 }), (frequencies, limit) => {
        const used = frequencies.filter((frequency) => frequency > 0).length;
        const lengths = limitedLengths(frequencies, limit);
        if (used > 1) expect(kraft(lengths)).toBe(1);
        expect(Math.max(...lengths)).toBeLessThanOrEqual(limit);
        frequencies.forEach((frequency, symbol) => {
          expect(lengths[symbol] > 0).toBe(frequency > 0);
        });
      }),
    );
  });

  test('are optimal under a limit that matters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 3, max: 4 }),
        (frequencies, limit) => {
          expect(bitsOf(frequencies, limitedLengths(frequencies, limit))).toBe(leastBits(frequencies, limit));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('of Fibonacci frequencies, which would need long words, are limited to twenty bits', () => {
    const frequencies = [1, 1];
    while (frequencies.length < 40) frequencies.push(frequencies.at(-1)! + frequencies.at(-2)!);
    const lengths = limitedLengths(frequencies, 20);
    expect(Math.max(...lengths)).toBe(20);
    expect(kraft(lengths)).toBe(1);
    expect(bitsOf(frequencies, lengths)).toBeGreaterThanOrEqual(huffmanBits(frequencies));
  });

  test('exist for one symbol and for none', () => {
    expect([...limitedLengths([0, 7, 0], 20)]).toEqual([0, 1, 0]);
    expect([...limitedLengths([0, 0], 20)]).toEqual([0, 0]);
  });
});

import { describe, expect, test } from 'vitest';
import { limitedLengths } from '../../../../../operators/core/limited-lengths.js';
import {
  canonicalWords,
  decodeWord,
  isPrefixCode,
  LONGEST_WORD,
  newDecodeTable,
} from '../../../../../pipeline/tables/codec/huffman/canonical.js';
import { coders, encode, numbers } from '../../samples.js';

describe('canonical words', () => {
  test('ascend by length, then by symbol', () => {
    const words = canonicalWords(Uint8Array.of(2, 0, 3, 1, 3));
    expect([...words]).toEqual([0b10, 0, 0b110, 0b0, 0b111]);
  });

  test('every word is decoded, whatever follows it', () => {
    const next = numbers(9);
    const frequencies = Array.from(
      { length: 3000 },
      (_, i) => Math.floor(2 ** 24 / (i + 1) ** 2) + (next() % 3),
    );
    const lengths = limitedLengths(frequencies, LONGEST_WORD);
    const table = newDecodeTable(lengths);
    const words = canonicalWords(lengths);
    expect(new Set(lengths).size).toBeGreaterThan(8);
    lengths.forEach((length, symbol) => {
      if (length === 0) return;
      const rest = next() >>> length;
      const decoded = decodeWord(table, (words[symbol] << (32 - length)) | rest);
      expect([decoded >>> 5, decoded & 31]).toEqual([symbol, length]);
    });
  });

  test('a window that begins with no word is reported', () => {
    expect(decodeWord(newDecodeTable(Uint8Array.of(1)), 0x80000000)).toBe(0);
    expect(decodeWord(newDecodeTable(new Uint8Array(4)), 0)).toBe(0);
  });

  test('lengths that are no prefix code are refused', () => {
    expect(isPrefixCode(Uint8Array.of(1, 1))).toBe(true);
    expect(isPrefixCode(Uint8Array.of(1, 1, 20))).toBe(false);
    expect(isPrefixCode(Uint8Array.of(21))).toBe(false);
  });
});

test('blocks begin with the three bits that make both predictions come true', () => {
  const states = [
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 2],
    [2, 0],
    [2, 1],
  ].map(([first, second]) => {
    const [block] = encode(coders.huffman, { dominant: 0, periods: [] }, [Uint8Array.of(first, second)]);
    return block.bytes[0] >>> 5;
  });
  expect(states).toEqual([0, 1, 2, 3, 4, 5]);
});

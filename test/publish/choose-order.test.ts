/** The order that a sample of a file's symbols is told to compress best in. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexOrder } from '../../pipeline/contract/index-order.js';
import { chooseOrder, newSpanSample } from '../../pipeline/publish/choose-order.js';
import { randomNumbers } from '../games/chess/kernel-rows.js';

test('a sample is whole spans of the file, ascending, whatever pieces the file comes in', () => {
  const sizes = fc.record({
    span: fc.integer({ min: 1, max: 60_000 }),
    spans: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1 << 17 }), ({ span, spans }, piece) => {
      const size = span * spans;
      const sample = newSpanSample(size, span);
      // Two bytes of the number of the span, low and high by turns: the sample tells which spans it has.
      const symbols = Uint8Array.from({ length: size }, (_, i) => {
        const number = Math.floor(i / span);
        return i % span === 0 ? number & 255 : number >>> 8;
      });
      for (let from = 0; from < size; from += piece) sample.add(symbols.subarray(from, from + piece));
      const held = sample.symbols;
      expect(held.length % span).toBe(0);
      expect(held.length).toBeGreaterThan(0);
      expect(2 * held.length).toBeGreaterThanOrEqual(Math.min(size, 1 << 18));
      if (span === 1) return;
      let before = -1;
      for (let first = 0; first < held.length; first += span) {
        const number = held[first] + 256 * held[first + 1];
        expect(number).toBeGreaterThan(before);
        expect(held.subarray(first + 1, first + span).every((high) => high === number >>> 8)).toBe(true);
        before = number;
      }
    }),
    { numRuns: 30 },
  );
});

test('the order with the longest runs is chosen, and that of the index where none is better', () => {
  const random = randomNumbers(5);
  const sides = 40;
  const span = sides * sides;
  /** Rows become columns. */
  const crossed: IndexOrder = {
    span,
    rows: [sides],
    placeOf: (index) => {
      const rest = index % span;
      return index - rest + (rest % sides) * sides + Math.floor(rest / sides);
    },
  };
  const same: IndexOrder = { ...crossed, placeOf: (index) => index };
  // Runs of a random length down each column.
  const columns = new Uint8Array(8 * span);
  for (let first = 0; first < columns.length; first += span) {
    for (let column = 0; column < sides; column++) {
      const length = random() % sides;
      for (let row = 0; row < length; row++) columns[first + row * sides + column] = 2;
    }
  }
  expect(chooseOrder(columns, [], [null, { ...same, rows: [] }, { ...crossed, rows: [] }])).toBe(2);
  expect(chooseOrder(columns, [], [null, { ...same, rows: [] }])).toBe(0);
  expect(chooseOrder(columns, [], [])).toBe(0);
});

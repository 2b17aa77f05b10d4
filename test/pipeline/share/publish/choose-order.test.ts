/** The order that a sample of a file's symbols is said to compress best in. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexOrder } from '../../../../pipeline/game/index-order.js';
import { chooseOrder, newSpanSample } from '../../../../pipeline/share/publish/choose-order.js';
import { randomNumbers } from '../../games/chess/kernel-rows.js';

test('a sample is whole spans of the file, ascending, whatever pieces the file comes in', () => {
  const sizes = fc.record({
    span: fc.integer({ min: 1, max: 20_000 }),
    spans: fc.integer({ min: 1, max: 200 }),
  });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1 << 17 }), ({ span, spans }, piece) => {
      const size = span * spans;
      const sample = newSpanSample(size, span);
      // The number of the span, and then zeros.
      const symbols = new Uint8Array(size);
      for (let number = 0; number < spans; number++) symbols[number * span] = number;
      for (let from = 0; from < size; from += piece) sample.add(symbols.subarray(from, from + piece));
      const held = sample.symbols;
      expect(held.length % span).toBe(0);
      expect(held.length).toBeGreaterThan(0);
      expect(2 * held.length).toBeGreaterThanOrEqual(Math.min(size, 1 << 18));
      let before = -1;
      let rest = 0;
      for (let first = 0; first < held.length; first += span) {
        const number = held[first];
        expect(number).toBeGreaterThan(before);
        rest += held.subarray(first + 1, first + span).reduce((sum, value) => sum + value, 0);
        before = number;
      }
      expect(rest).toBe(0);
    }),
    { numRuns: 15 },
  );
});

test('the order with the longest runs is chosen, and that of the index where none is better', () => {
  const random = randomNumbers(5);
  const sides = 40;
  const span = sides * sides;
  /** Rows become columns. */
  const crossed: IndexOrder = {
    span,
    periods: [sides],
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
  expect(chooseOrder(columns, [], [null, { ...same, periods: [] }, { ...crossed, periods: [] }])).toBe(2);
  expect(chooseOrder(columns, [], [null, { ...same, periods: [] }])).toBe(0);
  expect(chooseOrder(columns, [], [])).toBe(0);
});

import { expect, test } from 'vitest';
import { cluster, type Histogram } from '../../../../../pipeline/tables/codec/rows/clusters.js';

function histogram(counts: Record<number, number>): Histogram {
  return { symbols: Object.keys(counts).map(Number), counts: Object.values(counts) };
}

test('contexts that behave alike share a code, others do not', () => {
  const low = [900, 90, 700].map((n) => histogram({ 0: n, 1: n / 10, 2: n / 10 }));
  const high = [800, 500].map((n) => histogram({ 5: n / 10, 6: n, 7: n / 5 }));
  const { codeOf, frequencies } = cluster([low[0], high[0], low[1], high[1], low[2]], 8);
  expect([codeOf[2], codeOf[4]]).toEqual([codeOf[0], codeOf[0]]);
  expect(codeOf[3]).toBe(codeOf[1]);
  expect(codeOf[1]).not.toBe(codeOf[0]);
  expect([...frequencies[codeOf[0]]]).toEqual([1690, 169, 169, 0, 0, 0, 0, 0]);
  expect([...frequencies[codeOf[1]]]).toEqual([0, 0, 0, 0, 0, 130, 1300, 260]);
});

test('every context gets a code where there are more contexts than codes', () => {
  const histograms = Array.from({ length: 1000 }, (_, i) => histogram({ [i % 7]: i + 1, 9: 3 }));
  const { codeOf, frequencies } = cluster(histograms, 10);
  expect(frequencies.length).toBeLessThanOrEqual(128);
  expect(new Set(codeOf).size).toBe(frequencies.length);
  const sum = (symbol: number) => frequencies.reduce((total, of) => total + of[symbol], 0);
  expect(sum(9)).toBe(3000);
  expect(sum(0)).toBe(histograms.reduce((total, _, i) => total + (i % 7 === 0 ? i + 1 : 0), 0));
});

test('a rare context gets no code of its own', () => {
  const { codeOf } = cluster([histogram({ 0: 1000, 1: 1000 }), histogram({ 0: 3 })], 4);
  expect([...codeOf]).toEqual([0, 0]);
});

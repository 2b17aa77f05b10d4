/** Parts of a graph are dealt: in each interval of the slice's parts there is an even sample of the nodes. */
import { describe, expect, test } from 'vitest';
import { cutEvenly } from '../../../operators/core/interval.js';
import { graphGame } from '../../../pipeline/graph/graph-game.js';
import { DEALT_VERSION, IMPORT_VERSION, PART_NODES } from '../../../pipeline/graph/graph-layout.js';
import { newGraphManifest } from '../../../pipeline/graph/manifest.js';
import { isDealt, partOrderOf } from '../../../pipeline/graph/part-order.js';

const dealt = (parts: number) => partOrderOf({ nodes: parts * PART_NODES, version: DEALT_VERSION });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const counts = [1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 64, 100, 257, 4096];

test.each([
  [1, [0]],
  [2, [0, 1]],
  [3, [1, 0, 2]],
  [4, [0, 2, 1, 3]],
  [5, [1, 3, 2, 0, 4]],
  [8, [0, 4, 2, 6, 1, 5, 3, 7]],
])('%i parts are dealt in this order', (parts, order) => {
  expect([...dealt(parts).nodePart]).toEqual(order);
  expect(isDealt(parts * PART_NODES)).toBe(order.some((part, i) => part !== i));
});

test.each(counts)(
  '%i parts: each has one place, both directions agree, and the last keeps its place',
  (parts) => {
    const { nodePart, slicePart } = dealt(parts);
    expect([...nodePart].sort((a, b) => a - b)).toEqual(numbers(parts));
    expect(Array.from(nodePart, (part) => slicePart[part])).toEqual(numbers(parts));
    expect(nodePart[parts - 1]).toBe(parts - 1);
  },
);

/** The parts of an interval that are in another. */
const among = (order: Uint32Array, interval: { from: number; to: number }, from: number, to: number) =>
  order.subarray(interval.from, interval.to).filter((part) => from <= part && part < to).length;

test.each(counts)('%i parts: every partition has its share of parts that follow each other', (parts) => {
  const { nodePart } = dealt(parts);
  let worst = 0;
  for (const partitions of [2, 3, 4, 7, 16]) {
    for (const interval of cutEvenly(parts, partitions)) {
      const share = (interval.to - interval.from) / parts;
      for (const length of [2, 5, 16, 60].filter((each) => each <= parts)) {
        for (let from = 0; from + length <= parts; from += Math.ceil(parts / 50)) {
          const there = among(nodePart, interval, from, from + length);
          worst = Math.max(worst, Math.abs(there - share * length));
        }
      }
    }
  }
  // The discrepancy of van der Corput's numbers grows with the logarithm of their count.
  expect(worst).toBeLessThan(1 + Math.log2(parts) / 3);
});

test.each(counts.filter((parts) => parts >= 8))(
  '%i parts: aligned intervals have a part of each kind',
  (parts) => {
    const { nodePart } = dealt(parts);
    for (const width of [2, 4, 8]) {
      for (let to = parts; to - width >= 0; to -= width) {
        const here = [...nodePart.subarray(to - width, to)].sort((a, b) => a - b);
        const gaps = here.slice(1).map((part, i) => part - here[i]);
        // Where numbers were left out, an interval begins in the middle of an aligned one.
        expect(Math.max(...gaps)).toBeLessThanOrEqual((4 * parts) / width);
      }
    }
  },
);

describe('a graph', () => {
  const size = { name: 'street', nodes: 4 * PART_NODES + 7, partEdges: [10, 20, 30, 40, 50] };
  const addresses = numbers(5).map((part) => ({ slice: 'street', side: 0 as const, part, key: 3 }));

  test('is written with dealt parts', () => {
    const { slice, board } = graphGame({ ...size, version: DEALT_VERSION });
    const { partSize, parts, partWeights, numbering } = slice('street');
    expect(numbers(parts).map((part) => partSize(part) % PART_NODES)).toEqual([0, 0, 0, 0, 7]);
    expect(partWeights!.map((weight) => weight - partWeights![3])).toEqual([10, 30, 20, 0, 40]);
    expect(addresses.map((at) => board(at))).toEqual([1, 3, 2, 0, 4].map((part) => part * PART_NODES + 3));
    expect(numbering).toBe('dealt parts');
  });

  test('of an earlier version keeps its order', () => {
    const { slice, board } = graphGame({ ...size, version: IMPORT_VERSION });
    const { partWeights, numbering } = slice('street');
    expect(partWeights!.map((weight) => weight - partWeights![0])).toEqual([0, 10, 20, 30, 40]);
    expect(addresses.map((at) => board(at))).toEqual(numbers(5).map((part) => part * PART_NODES + 3));
    expect(numbering).toBeUndefined();
  });

  test('has the earlier version number where nothing is dealt', () => {
    const versionOf = (nodes: number) => newGraphManifest({ nodes } as never).version;
    expect([2 * PART_NODES, 2 * PART_NODES + 1].map(versionOf)).toEqual([IMPORT_VERSION, DEALT_VERSION]);
  });
});

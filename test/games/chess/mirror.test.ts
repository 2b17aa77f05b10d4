import { describe, expect, it } from 'vitest';
import type { Side, Slice } from '../../../pipeline/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { emission, legalKeys, partCensus } from './kernel-rows.js';

/** Edges (p, q) as index(p) * 2^24 + index(q), ascending; positions of a 3- or 4-man slice number less than 2^24. */
function forwardEdges(slice: Slice, side: Side, take: (index: number) => boolean): Float64Array {
  const edges: number[] = [];
  const out = emission(100_000);
  for (let part = 0; part < slice.parts; part++) {
    const keys = legalKeys(slice, side, part);
    for (let from = 0; from < keys.length; ) {
      out.length = 0;
      from = slice.moves(side, part, keys, from, keys.length, 0, out);
      for (let row = 0; row < out.length; row++) {
        const p = part * slice.width + keys[out.source[row]];
        const q = out.major[row] * slice.width + out.minor[row];
        if (take(q)) edges.push(p * 2 ** 24 + q);
      }
    }
  }
  return Float64Array.from(edges).sort();
}

/** The same edges found from the successors; predecessors that are no canonical legal positions are dropped. */
function backwardEdges(slice: Slice, side: Side, take: (index: number) => boolean): Float64Array {
  const legal = new Uint8Array(slice.size);
  for (let part = 0; part < slice.parts; part++) {
    for (const key of legalKeys(slice, side, part)) legal[part * slice.width + key] = 1;
  }
  const edges: number[] = [];
  const out = emission(slice.maxMoves + 20);
  for (let part = 0; part < slice.parts; part++) {
    const keys = legalKeys(slice, (1 - side) as Side, part);
    for (let i = 0; i < keys.length; i++) {
      const q = part * slice.width + keys[i];
      if (!take(q)) continue;
      out.length = 0;
      slice.unmoves((1 - side) as Side, part, keys, i, i + 1, 0, out);
      for (let row = 0; row < out.length; row++) {
        const p = out.major[row] * slice.width + out.minor[row];
        if (legal[p]) edges.push(p * 2 ** 24 + q);
      }
    }
  }
  return Float64Array.from(edges).sort();
}

describe('unmoves mirror moves as multisets', () => {
  it.each([
    ['KK', 1],
    ['KQK', 1],
    ['KRK', 1],
    ['KNK', 1],
    ['KBBK', 1],
    ['KNNK', 1],
    ['KQKR', 13],
    ['KBNK', 13],
    ['KRRK', 5],
    ['KRKR', 13],
  ] as const)('%s, one successor in %i', (name, sample) => {
    const slice = chess.slice(name);
    // All successors with both kings on the diagonal (the pairs of a1 are the first 33), and a sample of the others.
    const near = (33 * slice.size) / 462;
    const take = (index: number) => index % sample === 0 || (sample > 1 && index < near && index % 3 === 0);
    for (const side of [0, 1] as const) {
      const forward = forwardEdges(slice, side, take);
      const backward = backwardEdges(slice, side, take);
      expect(forward.length).toBeGreaterThan(1000);
      expect(backward.length).toBe(forward.length);
      expect(Buffer.compare(Buffer.from(forward.buffer), Buffer.from(backward.buffer))).toBe(0);
    }
  });

  it('counts in the census what moves emits', () => {
    const slice = chess.slice('KRKN');
    const out = emission(1_000_000);
    for (const side of [0, 1] as const) {
      const census = partCensus(slice, side, 2);
      const keys = legalKeys(slice, side, 2).slice(0, 20_000);
      out.length = 0;
      expect(slice.moves(side, 2, keys, 0, keys.length, 0, out)).toBe(keys.length);
      const counts = new Uint8Array(keys.length);
      for (let row = 0; row < out.length; row++) counts[out.source[row]]++;
      expect(counts).toEqual(Uint8Array.from(keys, (key) => census.moves[key]));
    }
  });
});

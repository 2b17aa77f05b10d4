import { describe, expect, it } from 'vitest';
import type { Side, Slice } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { sweep } from '../../../support/long.js';
import { emission, legalKeys, partCensus } from './kernel-rows.js';

/**
 * The multiset of edges (p, q) of a slice as sums of a hash of (p, q), modulo 2^32, and counts, by q modulo 4096.
 * Equal multisets have equal sums, different ones almost surely do not.
 */
interface Edges {
  readonly sums: Uint32Array;
  readonly counts: Uint32Array;
}

function addEdge(edges: Edges, p: number, q: number): void {
  let hash = Math.imul(p ^ (p >>> 15), 0x2c1b3c6d) ^ Math.imul(q ^ (q >>> 13), 0x297a2d39);
  hash = Math.imul(hash ^ (hash >>> 12), 0x85ebca6b);
  edges.sums[q & 4095] += hash ^ (hash >>> 15);
  edges.counts[q & 4095]++;
}

function newEdges(): Edges {
  return { sums: new Uint32Array(4096), counts: new Uint32Array(4096) };
}

function forwardEdges(slice: Slice, side: Side): Edges {
  const edges = newEdges();
  const out = emission(100_000);
  for (let part = 0; part < slice.parts; part++) {
    const keys = legalKeys(slice, side, part);
    for (let from = 0; from < keys.length; ) {
      out.length = 0;
      from = slice.moves(side, part, keys, from, keys.length, 0, out);
      for (let row = 0; row < out.length; row++) {
        const p = part * slice.width + keys[out.source[row]];
        addEdge(edges, p, out.major[row] * slice.width + out.minor[row]);
      }
    }
  }
  return edges;
}

/** The same edges found from the successors; predecessors that are no canonical legal positions are dropped. */
function backwardEdges(slice: Slice, side: Side): Edges {
  const legal = new Uint8Array(slice.size);
  for (let part = 0; part < slice.parts; part++) {
    for (const key of legalKeys(slice, side, part)) legal[part * slice.width + key] = 1;
  }
  const edges = newEdges();
  const out = emission(2 * slice.maxMoves);
  for (let part = 0; part < slice.parts; part++) {
    const keys = legalKeys(slice, (1 - side) as Side, part);
    for (let i = 0; i < keys.length; i++) {
      out.length = 0;
      slice.unmoves!((1 - side) as Side, part, keys, i, i + 1, 0, out);
      for (let row = 0; row < out.length; row++) {
        const p = out.major[row] * slice.width + out.minor[row];
        if (legal[p]) addEdge(edges, p, part * slice.width + keys[i]);
      }
    }
  }
  return edges;
}

describe('unmoves mirror moves as multisets', () => {
  it.each([
    ...sweep(['KK', 'KQK', 'KNK'], ['KRK', 'KNNK'], ['KBK', 'KQKR', 'KBBK', 'KRRK', 'KBNK']),
    ...sweep(['KPK.5', 'KPKP.65', 'KPPK.23'], [], ['KNPK.3', 'KQKP.2']),
  ])('%s, every edge', (name) => {
    const slice = chess.slice(name);
    for (const side of [0, 1] as const) {
      const forward = forwardEdges(slice, side);
      expect(forward.counts.reduce((sum, count) => sum + count)).toBeGreaterThan(1000);
      expect(backwardEdges(slice, side)).toEqual(forward);
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

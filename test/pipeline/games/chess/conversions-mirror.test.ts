import { describe, expect, it } from 'vitest';
import type { Side, Slice } from '../../../../pipeline/game/game.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { spaceOf } from '../../../../pipeline/games/chess/index-space.js';
import { LONGEST, sweep } from '../../../support/long.js';
import {
  boardAt,
  DIAGONAL_PAIRS,
  emission,
  kernelSuccessors,
  legalKeys,
  randomNumbers,
} from './kernel-rows.js';

const SIDES = [0, 1] as const;

/**
 * The multiset of conversions (p, q) with `side` to move. It has sums of a hash of (p, q) modulo 2^32 and counts, by
 * dependency and side to move there. Equal multisets have equal sums; different ones almost surely do not.
 */
interface Edges {
  readonly sums: Uint32Array;
  readonly counts: Uint32Array;
}

function newEdges(slice: Slice): Edges {
  const length = 2 * slice.dependencies.length;
  return { sums: new Uint32Array(length), counts: new Uint32Array(length) };
}

function addEdge(edges: Edges, group: number, p: number, q: number): void {
  let hash = Math.imul(p ^ (p >>> 15), 0x2c1b3c6d) ^ Math.imul(q ^ (q >>> 13), 0x297a2d39);
  hash = Math.imul(hash ^ (hash >>> 12), 0x85ebca6b);
  edges.sums[group] += hash ^ (hash >>> 15);
  edges.counts[group]++;
}

const DEPENDENCY_BIAS = 1 << 20;
const biasOf = (slice: Slice) =>
  Array.from({ length: 2 * slice.dependencies.length }, (_, group) => group * DEPENDENCY_BIAS);

function forwardEdges(slice: Slice, side: Side): Edges {
  const edges = newEdges(slice);
  const bias = biasOf(slice);
  const widths = slice.dependencies.map((dependency) => chess.slice(dependency.slice).width);
  const out = emission(100_000);
  for (let part = 0; part < slice.parts; part++) {
    const keys = legalKeys(slice, side, part);
    for (let from = 0; from < keys.length; ) {
      out.length = 0;
      from = slice.conversions(side, part, keys, from, keys.length, bias, out);
      for (let row = 0; row < out.length; row++) {
        const group = Math.floor(out.major[row] / DEPENDENCY_BIAS);
        const partThere = out.major[row] % DEPENDENCY_BIAS;
        addEdge(
          edges,
          group,
          part * slice.width + keys[out.source[row]],
          partThere * widths[group >> 1] + out.minor[row],
        );
      }
    }
  }
  return edges;
}

/** The same edges found from the positions of the dependencies. Only with pawns there may be illegal predecessors. */
function backwardEdges(slice: Slice, side: Side): Edges {
  const legal = new Uint8Array(slice.size);
  for (let part = 0; part < slice.parts; part++) {
    for (const key of legalKeys(slice, side, part)) legal[part * slice.width + key] = 1;
  }
  const edges = newEdges(slice);
  const out = emission(slice.maxMoves);
  slice.dependencies.forEach(({ slice: name }, dependency) => {
    const there = chess.slice(name);
    for (const sideThere of SIDES) {
      for (let part = 0; part < there.parts; part++) {
        const keys = legalKeys(there, sideThere, part);
        for (let i = 0; i < keys.length; i++) {
          out.length = 0;
          const done = slice.unconversions!(side, dependency, sideThere, part, keys, i, i + 1, 3, out);
          if (done !== i + 1) throw new Error('maxMoves is too few');
          for (let row = 0; row < out.length; row++) {
            const p = (out.major[row] - 3) * slice.width + out.minor[row];
            if (!legal[p] && spaceOf(slice.name).pawnGroups > 0) continue;
            if (!legal[p]) throw new Error(`${p} is broken or illegal`);
            addEdge(edges, 2 * dependency + sideThere, p, part * there.width + keys[i]);
          }
        }
      }
    }
  });
  return edges;
}

/** How often `unconversions` of a position of a dependency emits (part, key), with `side` to move. */
function timesBack(
  slice: Slice,
  side: Side,
  q: { dependency: number; side: Side; part: number; key: number },
): Map<string, number> {
  const out = emission(slice.maxMoves);
  slice.unconversions!(side, q.dependency, q.side, q.part, Uint32Array.of(7, q.key), 1, 2, 5, out);
  const times = new Map<string, number>();
  for (let row = 0; row < out.length; row++) {
    const p = `${out.major[row] - 5} ${out.minor[row]}`;
    times.set(p, (times.get(p) ?? 0) + 1);
  }
  return times;
}

/** A random index; one in three has both kings on the diagonal. */
function randomIndex(slice: Slice, random: () => number): { part: number; key: number } {
  const placements = slice.size / 462;
  const index =
    random() % 3 > 0
      ? random() % slice.size
      : DIAGONAL_PAIRS[random() % DIAGONAL_PAIRS.length] * placements + (random() % placements);
  return { part: Math.floor(index / slice.width), key: index % slice.width };
}

describe('unconversions mirror conversions as multisets', () => {
  it.each(sweep(['KQK', 'KNK'], ['KRK', 'KBK', ...(LONGEST ? ['KBBK', 'KRKR'] : [])]))(
    '%s, every edge',
    (name) => {
      const slice = chess.slice(name);
      for (const side of SIDES) expect(backwardEdges(slice, side)).toEqual(forwardEdges(slice, side));
    },
  );

  // Promotions, captures of pawns and by pawns, the last pawn of all, steps, double steps and captures en passant.
  it.each(
    sweep(
      ['KPK.7'],
      [
        ...(LONGEST ? ['KPPK.27', 'KPKP.27', 'KNKP.3', 'KPK.3', 'KPKP.54'] : []),
        'KPKPep.55w',
        'KPK.2',
        'KPKP.57',
      ],
    ),
  )(
    '%s, every edge',
    (name) => {
      const slice = chess.slice(name);
      for (const side of SIDES) expect(backwardEdges(slice, side)).toEqual(forwardEdges(slice, side));
    },
    60_000,
  );

  it.each(
    sweep(
      ['KBKN', 'KQKQ', 'KBBKB', 'KNNKN', 'KQRBKRN'],
      ['KQKR', 'KBBBK', 'KRRKQ', 'KQRKQR', 'KRRKBBB'],
      ['KQRKR', 'KRRKRR', 'KBBKN', 'KNNKNN', 'KBBBKN', 'KNNNNK'],
    ),
  )('%s, samples', (ending) => {
    const slice = chess.slice(chess.ending(ending).slices[0]);
    const random = randomNumbers(ending.length * 77 + ending.charCodeAt(2));
    let forward = 0;
    const wrong: string[] = [];
    // Of several like men most indices have them in another order, and are no position.
    for (let sample = 0; sample < 600 || (forward <= 20 && sample < 20_000); sample++) {
      const side = (sample % 2) as Side;
      const at = { slice: slice.name, side, ...randomIndex(slice, random) };
      if (boardAt(at) === null) continue;
      const { conversions } = kernelSuccessors(slice, at);
      for (const q of new Set(conversions)) {
        const [name, sideThere, part, key] = q.split(' ');
        const dependency = slice.dependencies.findIndex((each) => each.slice === name);
        const there = { dependency, side: Number(sideThere) as Side, part: Number(part), key: Number(key) };
        const times = timesBack(slice, side, there).get(`${at.part} ${at.key}`);
        const wanted = conversions.filter((each) => each === q).length;
        if (times !== wanted) wrong.push(`${at.part} ${at.key} to ${q}: ${times}, not ${wanted} times`);
        forward++;
      }
    }
    expect(wrong).toEqual([]);
    expect(forward).toBeGreaterThan(20);

    let backward = 0;
    slice.dependencies.forEach(({ slice: name }, dependency) => {
      for (let sample = 0; sample < 100 || (backward <= 100 && sample < 5000); sample++) {
        const sideThere = (sample % 2) as Side;
        const { part, key } = randomIndex(chess.slice(name), random);
        if (boardAt({ slice: name, side: sideThere, part, key }) === null) continue;
        const wanted = `${name} ${sideThere} ${part} ${key}`;
        for (const side of SIDES) {
          for (const [p, times] of timesBack(slice, side, { dependency, side: sideThere, part, key })) {
            const [partHere, keyHere] = p.split(' ').map(Number);
            const at = { slice: slice.name, side, part: partHere, key: keyHere };
            const emitted = kernelSuccessors(slice, at).conversions.filter((q) => q === wanted).length;
            if (boardAt(at) === null) wrong.push(`${p}, from ${wanted}: no position`);
            else if (emitted !== times) wrong.push(`${p} to ${wanted}: ${times}, not ${emitted} times`);
            backward++;
          }
        }
      }
    });
    expect(wrong).toEqual([]);
    expect(backward).toBeGreaterThan(100);
  });
});

describe('unconversions of rows are those of their positions', () => {
  // Runners that stay, take, become a piece, or are of the kind that is taken; colours exchanged and not.
  it.each(sweep(['KNKP.6', 'KBBKB'], ['KRPKR.4', 'KQPKR.2', 'KRPKR.7', 'KRPKP.57', 'KQRKR']))(
    '%s',
    (ending) => {
      const slice = chess.slice(chess.ending(ending).slices[0]);
      const out = emission(200_000);
      const rowsOf = (call: () => void) => {
        out.length = 0;
        call();
        return Float64Array.from(
          { length: out.length },
          (_, row) => 2 ** 32 * out.major[row] + out.minor[row],
        ).sort();
      };
      let emitted = 0;
      slice.dependencies.forEach(({ slice: name }, dependency) => {
        const there = chess.slice(name);
        const part = there.parts >> 1;
        for (const sideThere of SIDES) {
          const all = legalKeys(there, sideThere, part);
          const keys = all.subarray(all.length >> 1, (all.length >> 1) + 500);
          for (const side of SIDES) {
            const emit = (from: number, to: number) => {
              const done = slice.unconversions!(side, dependency, sideThere, part, keys, from, to, 2, out);
              expect(done).toBe(to);
            };
            const together = rowsOf(() => emit(0, keys.length));
            const separate = rowsOf(() => {
              for (const i of keys.keys()) emit(i, i + 1);
            });
            expect(together).toEqual(separate);
            emitted += together.length;
          }
        }
      });
      expect(emitted).toBeGreaterThan(1000);
    },
  );
});

/** The best of the moves by rows is that of the moves by keys, whatever ranks positions have. */

import { expect, it } from 'vitest';
import type { RowRanks, Side, Slice } from '../../../../pipeline/game/game.js';
import { dependencyMajors, firstMajorBehind, majorsIn } from '../../../../pipeline/game/majors.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { LONGEST, sweep } from '../../../support/long.js';
import { emission, legalKeys, randomNumbers, twoParts } from './kernel-rows.js';

const cases = sweep(
  ['KQKR', 'KBKNN', 'KBBK'],
  ['KRK', 'KNNNK', 'KNNKB'],
  ['KBKN', 'KQRKN', 'KBBKN', 'KQQK', 'KNKB', 'KRNKR', 'KNNNKQ'],
).flatMap((name) => {
  const canonical = chess.ending(name).slices[0];
  return [...new Set(twoParts(canonical))].map((part) => [canonical, part] as const);
});
/** Slices with pawns, each for what its moves do. */
const withPawns = sweep(
  // A promotion to a rook makes two like men; a double step may be answered en passant; men of both sides are taken, the last too.
  ['KPK.7', 'KPKP.45', 'KRPK.7', 'KBPKN.6', 'KPPKPep.555w'],
  ['KBBKP.3', 'KPK.2', 'KRPKPep.44b', 'KPPKR.22', 'KPKP.72'],
  [
    'KPPKPPep.4545b',
    'KRPKP.24',
    'KQQPK.7',
    'KPPKP.247',
    'KPPK.27',
    'KBPPK.57',
    'KPPKR.27',
    'KRPKP.72',
    'KQPKQ.7',
    'KNPKP.25',
    'KRPKP.45',
    'KPPKP.577',
    'KBNPK.2',
    'KPKPep.44b',
    'KNPKPep.55w',
    'KRPKRPep.44b',
  ],
).flatMap((name) => {
  const [canonical] = chess.ending(name).slices;
  const { parts } = chess.slice(canonical);
  return [...new Set(LONGEST ? [0, parts >> 1, parts - 1] : [parts >> 1])].map(
    (part) => [canonical, part] as const,
  );
});

/** Beginnings of the parts of all tables, as in verification. */
function conversionBiasOf(slice: Slice): number[] {
  return dependencyMajors(slice, majorsIn(slice, 2));
}

function partSizeOf(slice: Slice, major: number): number {
  const bias = conversionBiasOf(slice);
  if (major < bias[0]) return slice.partSize(major % slice.parts);
  const first = bias.findLastIndex((from) => from <= major);
  return chess.slice(slice.dependencies[first >> 1].slice).partSize(major - bias[first]);
}

/** Bytes of the ranks of all positions that a part leads to, and of a part. */
function bytesFor(slice: Slice, side: Side, part: number): number {
  const rows = slice.rowMoves!.open(0);
  const { own, dependencies } = rows.behind(
    side,
    part,
    firstMajorBehind(slice, side),
    conversionBiasOf(slice),
  );
  rows.close();
  return [...own, ...dependencies].reduce((sum, major) => sum + partSizeOf(slice, major), slice.width);
}

/** Random ranks of all positions that a part leads to, and of indices that are no legal position. */
function randomRanks(slice: Slice, rows: RowRanks, side: Side, part: number): Map<number, Uint8Array> {
  const random = randomNumbers(part + side + 1);
  const bias = firstMajorBehind(slice, side);
  const { own, dependencies } = rows.behind(side, part, bias, conversionBiasOf(slice));
  return new Map(
    [...own, ...dependencies].map((major) => {
      const ranks = rows.allocate(partSizeOf(slice, major));
      for (let key = 0; key < ranks.length; key++) ranks[key] = 1 + (random() % 255);
      return [major, ranks];
    }),
  );
}

/** The best rank of the moves of each key, by the kernels by keys. */
function bestByKeys(
  slice: Slice,
  side: Side,
  part: number,
  keys: Uint32Array,
  ranks: ReadonlyMap<number, Uint8Array>,
): number[] {
  const best = new Array<number>(keys.length).fill(0);
  const out = emission(64 * slice.maxMoves);
  const kernels = [
    (from: number) => slice.moves(side, part, keys, from, keys.length, firstMajorBehind(slice, side), out),
    (from: number) => slice.conversions(side, part, keys, from, keys.length, conversionBiasOf(slice), out),
  ];
  for (const kernel of kernels) {
    for (let from = 0; from < keys.length; ) {
      out.length = 0;
      from = kernel(from);
      for (let i = 0; i < out.length; i++) {
        const asker = out.source[i];
        best[asker] = Math.max(best[asker], ranks.get(out.major[i])![out.minor[i]]);
      }
    }
  }
  return best;
}

it.each([...cases, ...withPawns])(
  '%s, part %d: the best move by rows is that of the moves by keys',
  (name, part) => {
    const slice = chess.slice(name);
    for (const side of [0, 1] as const) {
      const all = legalKeys(slice, side, part);
      // Only one side may capture en passant.
      if (all.length === 0 && name.includes('ep')) continue;
      const keys = all.filter((_, i) => all.length < 50_000 || i % 11 === 0);
      const rows = slice.rowMoves!.open(bytesFor(slice, side, part));
      const ranks = randomRanks(slice, rows, side, part);
      const expected = bestByKeys(
        slice,
        side,
        part,
        keys,
        new Map([...ranks].map(([m, r]) => [m, r.slice()])),
      );
      expect(expected.some((rank) => rank > 0)).toBe(true);

      const there = firstMajorBehind(slice, side);
      for (const [major, bytes] of ranks) {
        if (major < 2 * slice.parts) rows.complete((1 - side) as Side, major - there, bytes);
      }
      const best = rows.allocate(slice.partSize(part));
      const raise = (some: ReadonlyMap<number, Uint8Array>, from = 0, of = best) =>
        rows.raise(side, part, from, there, conversionBiasOf(slice), some, of);
      best.fill(0);
      raise(ranks);
      expect(Array.from(keys, (key) => best[key])).toEqual(expected);

      // Reads one part after the other, as in little memory.
      best.fill(0);
      for (const one of ranks) raise(new Map([one]));
      expect(Array.from(keys, (key) => best[key])).toEqual(expected);

      // A stretch of rows after the other, as in less.
      const whole = best.slice();
      best.fill(0);
      for (let from = 0, rows64 = 1; from < best.length; from += 64 * rows64, rows64 = (7 * rows64) % 61)
        raise(ranks, from, best.subarray(from, from + 64 * rows64));
      expect(best.every((rank, key) => rank === whole[key])).toBe(true);
      rows.close();
    }
  },
);

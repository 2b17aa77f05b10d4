import { describe, expect, it } from 'vitest';
import type { KeyEmission } from '../../../pipeline/game.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { emission, legalKeys } from './kernel-rows.js';

const keyEmission = (rows: number): KeyEmission => ({
  length: 0,
  minor: new Uint32Array(rows),
  source: new Uint32Array(rows),
});

/** Rows (source, part, key) in some fixed order. */
function ordered(rows: [source: number, part: number, key: number][]) {
  return rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
}

describe('moves and unmoves divided by parts', () => {
  // Part 7 of KBBKN holds pairs of kings on the diagonal.
  it.each([
    ['KK', 0],
    ['KRK', 0],
    ['KQKR', 0],
    ['KNNK', 1],
    ['KBBKN', 7],
    ['KRRKR', 3],
    ['KNNNK', 5],
  ] as const)('%s, part %d', (name, part) => {
    const slice = chess.slice(name);
    const local = slice.local!;
    for (const side of [0, 1] as const) {
      const all = legalKeys(slice, side, part);
      const step = Math.max(1, Math.floor(all.length / 3000));
      const keys = all.filter((_, i) => i % step === 0);
      const out = emission(keys.length * slice.maxMoves);
      const within = keyEmission(out.minor.length);

      expect(slice.moves(side, part, keys, 0, keys.length, 0, out)).toBe(keys.length);
      const rowsOf = (rows: typeof out) =>
        Array.from({ length: rows.length }, (_, i): [number, number, number] => [
          rows.source[i],
          rows.major[i],
          rows.minor[i],
        ]);
      const moves = ordered(rowsOf(out));
      out.length = 0;
      local.movesWithin(side, part, keys, 0, keys.length, within);
      local.movesBeyond(side, part, keys, 0, keys.length, 0, out);
      const stay = Array.from({ length: within.length }, (_, i): [number, number, number] => [
        within.source[i],
        part,
        within.minor[i],
      ]);
      expect(ordered([...stay, ...rowsOf(out)])).toEqual(moves);

      for (let i = 0; i < keys.length; i += 10) {
        out.length = 0;
        within.length = 0;
        slice.unmoves(side, part, keys, i, i + 1, 0, out);
        const unmoves = ordered(rowsOf(out).map(([, p, key]) => [0, p, key]));
        out.length = 0;
        local.unmovesWithin(side, part, keys, i, i + 1, within);
        local.unmovesBeyond(side, part, keys, i, i + 1, 0, out);
        const stayed = Array.from(
          within.minor.subarray(0, within.length),
          (key): [number, number, number] => [0, part, key],
        );
        const away = rowsOf(out).map(([, p, key]): [number, number, number] => [0, p, key]);
        expect(ordered([...stayed, ...away])).toEqual(unmoves);
      }
    }
  });
});

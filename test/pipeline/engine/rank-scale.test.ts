/** Scales tell the values of a table apart, and kernels rank codes by their tables. */
import { expect, it } from 'vitest';
import { scalesOf } from '../../../pipeline/engine/memory/scales.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { numbers } from '../tables/samples.js';

it.each([1, 2])('kernels rank codes of %d bytes by a table', (bytes) => {
  const Codes = bytes === 1 ? Int8Array : Int16Array;
  const rows = chess.slice('KRK').rowMoves!.open(1 << 18);
  const next = numbers(7);
  const table = rows.allocate(2 ** (8 * bytes));
  for (let i = 0; i < table.length; i++) table[i] = 1 + (next() % 255);
  const rankOf = (code: number) => table[code & (table.length - 1)];
  const ranks = rows.allocate(30_000);
  for (const length of [1, 3, 64, 8192, 20_001]) {
    const codes = Codes.from(Array.from({ length }, next));
    expect(rows.rankCodes(codes, table, ranks)).toBe(true);
    expect([...ranks.subarray(0, length)]).toEqual([...codes].map(rankOf));
    // The last code has no rank.
    const last = codes[length - 1];
    const kept = rankOf(last);
    table[last & (table.length - 1)] = 0;
    expect(rows.rankCodes(codes, table, ranks)).toBe(false);
    expect([...ranks.subarray(0, length)]).toEqual([...codes].map(rankOf));
    table[last & (table.length - 1)] = kept;
  }
  rows.close();
});

const plies: [Metric, number, number, number][] = [
  ['dtm', 0, 0, 1],
  ['dtm', 126, 126, 1],
  ['dtm', 155, 155, 1],
  ['dtm', 244, 244, 1],
  ['dtm', 453, 31, 1],
  ['dtm', 517, 517, 3],
  ['dtc', 100, 126, 1],
  ['dtc', 126, 126, 2],
  ['dtc', 130, 130, 2],
  ['dtz', 141, 31, 1],
  ['dtz', 23, 127, 1],
  ['dtz', 0, 230, 1],
  ['dtz', 400, 400, 4],
];

it.each(plies)(
  'scales of %s tell codes apart: wins in %d and losses in %d plies by %d scales',
  (metric, wins, losses, count) => {
    const scales = scalesOf(metric, wins, losses);
    expect(scales.length).toBe(count);
    const codes = Array.from({ length: (1 << 16) - 1 }, (_, i) => i - 32767);
    const isOf = (code: number) =>
      code <= wins && code >= -losses - 1 && (metric !== 'dtm' || code === 0 || code % 2 !== 0);
    const ranked = codes.filter(isOf);
    for (const { rankOf, expects } of scales) {
      for (const code of codes) {
        const expected = isOf(code) ? rankOf(code) : 0;
        if (expects(code) !== expected) expect(`${code}: ${expects(code)}`).toBe(`${code}: ${expected}`);
      }
    }
    // Together they tell all values apart, and those of no position.
    const texts = ranked.map((code) => scales.map(({ expects }) => expects(code)).join());
    texts.push(scales.map(({ broken }) => broken).join());
    expect(new Set(texts).size).toBe(texts.length);
    // A code beyond those of the table is expected by none.
    for (const outcome of [wins + 1, wins + 2, 5000, -losses - 2, -losses - 3, -5000]) {
      const text = scales.map(({ rankOf }) => rankOf(outcome)).join();
      expect(texts).not.toContain(text);
    }
  },
);

it('the scale of wdl tells wins, draws and losses apart, whatever their plies', () => {
  const [scale, ...others] = scalesOf('wdl', 0, 0);
  expect(others).toEqual([]);
  const { drawn, broken, expects, rankOf } = scale;
  const [won, lost] = [expects(1), expects(-1)];
  expect(won).toBeGreaterThan(drawn);
  expect(drawn).toBeGreaterThan(lost);
  expect(lost).toBeGreaterThan(0);
  expect([won, drawn, lost]).not.toContain(broken);
  for (const rank of [expects, rankOf]) {
    expect([-127, -2, -1, 0, 1, 2, 127].map(rank)).toEqual([lost, lost, lost, drawn, won, won, won]);
  }
});

/**
 * The kernels make of codes what the scales say of the values that the codes stand for.
 */
import { expect, it } from 'vitest';
import { scalesOf } from '../../../pipeline/engine/verify-rows.js';
import type { RowRanks } from '../../../pipeline/game/game.js';
import { backUp, type Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';

function opened(bytes: number): RowRanks {
  return chess.slice('KRK').rowMoves!.open(bytes);
}

it.each(['dtm', 'dtc', 'wdl'] as const)('kernels rank codes of 8 bits as the scale of %s does', (metric) => {
  const rows = opened(512);
  const [scale] = scalesOf(metric, 'i8', 126, 126);
  const codes = Array.from({ length: 255 }, (_, i) => i - 128);
  const bytes = rows.allocate(256);
  bytes.set(Int8Array.from(codes));
  expect(rows.rankCodes(bytes, metric !== 'wdl')).toBe(false);
  const ranks = codes.map((code) => scale.rankOf(code === -128 ? 0 : backUp(code, metric, false)));
  expect([...bytes.subarray(0, 255)]).toEqual(ranks);

  bytes.set(Int8Array.from(codes));
  rows.expectRanks(bytes, metric !== 'wdl');
  const expected = codes.map((code) => (code === -128 ? scale.broken : scale.rankOf(code)));
  // Mated now: no move has a rank.
  if (metric !== 'wdl') expected[127] = 0;
  expect([...bytes.subarray(0, 255)]).toEqual(expected);
  if (metric !== 'wdl') expect(new Set(expected).size).toBe(255);

  bytes.fill(127);
  expect(rows.rankCodes(bytes, metric !== 'wdl')).toBe(true);
  rows.close();
});

const wide: [Metric, number, number, number][] = [
  ['dtm', 127, 127, 1],
  ['dtm', 155, 155, 1],
  ['dtm', 244, 244, 1],
  ['dtm', 453, 31, 1],
  ['dtm', 517, 517, 3],
  ['dtc', 130, 130, 2],
  ['dtz', 141, 31, 1],
  ['dtz', 23, 127, 1],
  ['dtz', 0, 230, 1],
  ['dtz', 400, 400, 4],
];

it.each(wide)(
  'kernels rank codes of 16 bits as scales do: %s of wins in %d and losses in %d plies by %d scales',
  (metric, wins, losses, count) => {
    const rows = opened(1 << 17);
    const scales = scalesOf(metric, 'i16', wins, losses);
    expect(scales.length).toBe(count);
    const codes = Int16Array.from({ length: 1 << 16 }, (_, i) => i - 32768);
    const isOf = (code: number, won: number, lost: number) =>
      code <= won && code >= -lost - 2 && (metric !== 'dtm' || code === 0 || code % 2 !== 0);
    const hasRank = (code: number) => isOf(code, wins, losses);
    /** Codes of the other player. */
    const hasRankThere = (code: number) => isOf(code, losses, wins);
    const ranked = codes.filter((code) => code === -32768 || hasRank(code));
    const rankedThere = codes.filter((code) => code === -32768 || hasRankThere(code));
    const seen = new Map<number, number[]>([...ranked].map((code) => [code, []]));
    const bytes = rows.allocate(1 << 16);
    for (const { wide, broken, rankOf } of scales) {
      expect(rows.rankWords(codes, wide!, false, bytes)).toBe(true);
      const ranks = Array.from(codes, (code) =>
        code === -32768 ? rankOf(0) : hasRankThere(code) ? rankOf(backUp(code, metric, false)) : 0,
      );
      expect([...bytes]).toEqual(ranks);

      expect(rows.rankWords(codes, wide!, true, bytes)).toBe(true);
      const expected = Array.from(codes, (code) =>
        code === -32768 ? broken : hasRank(code) && code !== -1 ? rankOf(code) : 0,
      );
      expect([...bytes]).toEqual(expected);
      for (const code of ranked) seen.get(code)!.push(expected[code + 32768]);

      expect(rows.rankWords(rankedThere, wide!, false, bytes)).toBe(false);
    }
    // Together they tell all values apart.
    const texts = [...seen].map(([, ranks]) => ranks.join());
    expect(new Set(texts).size).toBe(ranked.length);
    // A code beyond those of the table is expected by none but positions without a move, which have code -1.
    texts.splice(ranked.indexOf(-1), 1);
    for (const outcome of [wins + 1, wins + 2, 5000, -losses - 3, -losses - 4, -5000]) {
      const text = scales.map(({ rankOf }) => rankOf(outcome)).join();
      expect(texts).not.toContain(text);
    }
    rows.close();
  },
);

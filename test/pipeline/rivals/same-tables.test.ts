/** All solvers make the same tables: by sorting, by paging and by bit-parallel sets, slice by slice. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import type { TableManifest } from '../../../pipeline/game/manifest.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { solveBitboard } from '../../support/bitboard.js';
import { LONGEST, sweep } from '../../support/long.js';
import { solvePaged } from '../../support/paged.js';
import { endingsOf, solveChess } from '../../support/solving.js';

const THREE = 'three men';
/** Endings of more positions, whose kinds of conversions others have, too. */
const longest = (...endings: string[]) => (LONGEST ? endings : []);
/** Two like men, none, captures that win, lose and draw. `npm run bench -- --only rivals` compares all 4-man endings. */
const cases: readonly { metric: Metric; endings: readonly string[] }[] = [
  { metric: 'wdl', endings: sweep([], [THREE, ...longest('KNNK', 'KRKN')]) },
  { metric: 'dtm', endings: sweep([THREE, 'KNNK'], ['KQKR', ...longest('KBKN', 'KBBK', 'KRKN', 'KBNK')]) },
  { metric: 'dtc', endings: sweep([], [THREE, ...longest('KBBK', 'KRKN')]) },
  { metric: 'dtz', endings: sweep([], [THREE, 'KRKN', ...longest('KBKN')]) },
];
/** Takes it as long as all others together; paged/solve-slice.test.ts has it once. */
const SLOW_BY_PAGING = 'KQKR';

/** Fields of a manifest that all solvers have in common: all but those on how the work was done. */
function facts(table: TableManifest): object {
  const { rounds, requests, counters, values, ...same } = table;
  return { ...same, values: values.map((runs) => runs.map(({ from, to }) => ({ from, to }))) };
}

describe.each(cases.filter(({ endings }) => endings.length > 0))('$metric', ({ metric, endings }) => {
  const stores = { sort: memoryStore(), paged: memoryStore(), bitboard: memoryStore() };

  test.each(endings)('%s', { timeout: 240_000 }, async (name) => {
    const slices = name === THREE ? endingsOf(3) : [name];
    const sorted = (await solveChess(slices, { metric, store: stores.sort })).summaries;
    const bitboard = await solveBitboard(slices, { metric, store: stores.bitboard });
    expect(sorted.map(({ slice }) => slice)).toEqual(expect.arrayContaining(slices));
    for (const { slice, table } of sorted) {
      expect(facts(bitboard.get(slice)!.table)).toEqual(facts(table));
      if (slice === SLOW_BY_PAGING) continue;
      const paged = await solvePaged(chess, slice, metric, stores.paged);
      expect(facts(paged.table)).toEqual(facts(table));
    }
  });
});

test.each(sweep<Metric>(['dtm'], [], ['dtz']))(
  '%s of KPK, without the bit-parallel solver, which has no pawns',
  { timeout: 240_000 },
  async (metric) => {
    const { summaries } = await solveChess(chess.ending('KPK').slices, { metric });
    const store = memoryStore();
    expect(summaries).toHaveLength(11);
    for (const { slice, table } of summaries) {
      expect(facts((await solvePaged(chess, slice, metric, store)).table)).toEqual(facts(table));
    }
  },
);

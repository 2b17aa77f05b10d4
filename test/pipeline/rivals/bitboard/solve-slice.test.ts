/** The bit-parallel solver: interrupted, in groups of parts, in too little memory. Its tables: same-tables.test.ts. */
import { expect, test } from 'vitest';
import { newCounters } from '../../../../operators/core/counters.js';
import { UserError } from '../../../../operators/core/errors.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readManifest } from '../../../../pipeline/game/manifest.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { DifferencesManifest } from '../../../../pipeline/rivals/bitboard/differences.js';
import { newKernels } from '../../../../pipeline/rivals/bitboard/kernels.js';
import { layoutOf } from '../../../../pipeline/rivals/bitboard/set-layout.js';
import { solveBitboardSlice } from '../../../../pipeline/rivals/bitboard/solve-slice.js';
import { writeTable } from '../../../../pipeline/rivals/bitboard/write-table.js';
import { failingStore, solveBitboard } from '../../../support/bitboard.js';
import { sweep } from '../../../support/long.js';
import { budgetOf, MiB } from '../../../support/solving.js';

/** Calls again and again, each time with a store that fails a little later, until a call gets through. */
async function withInterruptions(slice: string, metric: 'dtm' | 'dtc', commitBytes: number) {
  const store = memoryStore();
  await solveBitboard([slice], { store, metric });
  const whole = (await solveBitboard([slice], { store, metric })).get(slice)!.table;
  for (const name of await store.list(`chess/${metric}/${slice}/`)) await store.delete(name);
  for (let calls = 1; ; calls++) {
    try {
      const result = (
        await solveBitboard([slice], { store: failingStore(store, calls + 2), metric, commitBytes })
      ).get(slice)!;
      return { result, calls, whole, left: await store.list(`chess/${metric}/${slice}/`) };
    } catch (error) {
      expect((error as Error).message).toBe('interrupted');
    }
  }
}

test.each(
  sweep<[string, 'dtm' | 'dtc', number]>(
    [['KNNK', 'dtm', 1]],
    [
      ['KRKN', 'dtm', 1 << 17],
      ['KBBK', 'dtc', 1 << 17],
    ],
  ),
)(
  '%s %s, interrupted at every object it writes, gives the same table',
  async (slice, metric, bytes) => {
    const { result, calls, whole, left } = await withInterruptions(slice, metric, bytes);
    expect(result.table.digests).toEqual(whole.digests);
    expect(calls).toBeGreaterThan(2);
    expect(result.counters.restarts).toBeGreaterThan(0);
    expect(result.counters.iterations).toBe(whole.counters.iterations);
    expect(left.filter((name) => name.includes('/steps/'))).toEqual([]);
  },
  120_000,
);

test('memory is counted, and a budget that is too small is refused', async () => {
  const store = memoryStore();
  await solveBitboard(['KRK', 'KNK'], { store });
  const needed = (await solveBitboard(['KRKN'], { store })).get('KRKN')!.counters.memory;
  expect(needed).toBeGreaterThan(8 * 462 * 64 * 8);
  await store.delete('chess/dtm/KRKN/table.json');
  const wall = () => 1;
  const fits = await solveBitboard(['KRKN'], { store, budget: budgetOf(needed), wall });
  expect(fits.get('KRKN')!.iterationMs).toHaveLength(fits.get('KRKN')!.counters.iterations);
  await store.delete('chess/dtm/KRKN/table.json');
  const refused = solveBitboard(['KRKN'], { store, budget: budgetOf(needed - 1) });
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow(/needs 3 MiB for KRKN; the budget is 2 MiB/);
});

test('a table assembled in groups of parts is the same', { timeout: 60_000 }, async () => {
  const store = memoryStore();
  const whole = (await solveBitboard(['KRKN'], { store })).get('KRKN')!.table;
  await store.delete('chess/dtm/KRKN/table.json');
  // The objects of a whole call: lists and their manifest, then the table's values.
  await expect(solveBitboard(['KRKN'], { store: failingStore(store, 2) })).rejects.toThrow('interrupted');
  const slice = chess.slice('KRKN');
  const step = await readManifest(
    store,
    'chess/dtm/KRKN/steps/bitboard/differences-00000.json',
    DifferencesManifest,
  );
  expect(step!.done).toBe(true);
  for (const parts of [1, 3]) {
    const bytes = parts * slice.width + 100;
    const kernels = newKernels(layoutOf('KRKN'), bytes + 16);
    const facts = await writeTable({
      kernels,
      slice,
      metric: 'dtm',
      store,
      prefix: 'other',
      differences: [step!],
      memory: kernels.take(bytes),
      batchRows: 1000,
      counters: newCounters(),
      report: () => {},
    });
    expect(facts.digests).toEqual(whole.digests);
    expect(facts.longestWin).toEqual(whole.longestWin);
  }
});

test('a dependency that is not solved is named', async () => {
  const options = {
    game: chess,
    metric: 'dtm' as const,
    store: memoryStore(),
    budget: budgetOf(MiB),
    progress: () => {},
  };
  await expect(solveBitboardSlice({ ...options, slice: 'KRK' })).rejects.toThrow(/KK is not solved for dtm/);
  await expect(solveBitboardSlice({ ...options, slice: 'KQRBKQ' })).rejects.toThrow(/5 men at most/);
});

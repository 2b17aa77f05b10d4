/**
 * The prober against whole tables, with a cache of any size.
 */
import { beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../../operators/storage/store.js';
import { backUp, brokenIn, type Metric, type ValueColumn } from '../../../../pipeline/game/value.js';
import { chess } from '../../../../pipeline/games/chess/chess.js';
import { mainLine } from '../../../../pipeline/tables/probe/main-line.js';
import { newProber } from '../../../../pipeline/tables/probe/prober.js';
import { needTable } from '../../../../pipeline/tables/table.js';
import { budgetOf, MiB, solveChess } from '../../../support/solving.js';

let store: Store;
beforeAll(async () => {
  const budget = { ...budgetOf(8 * MiB), batchRows: 1000 }; // many blocks
  ({ store } = await solveChess(['KQK', 'KRK'], { budget }));
  await solveChess(['KQK'], { budget, store, metric: 'dtc' });
});

const prober = (cacheBytes: number, metric: Metric = 'dtm') =>
  newProber({ game: chess, metric, store, cacheBytes });

test.each([0, 3000, 64 * MiB])(
  'gives the values of the table with a cache of %d bytes',
  async (cacheBytes) => {
    const table = await needTable(store, chess, 'dtm', 'KQK');
    const probing = prober(cacheBytes);
    let probed = 0;
    for (const side of [0, 1] as const) {
      for await (const batch of table.values(side, 0, table.slice.parts)) {
        const codes = (batch.columns[0] as ValueColumn).slice();
        for (let i = 0; i < batch.length; i += 191) {
          if (codes[i] === brokenIn(codes)) continue;
          const address = { slice: 'KQK', side, part: batch.major, key: batch.first + i };
          const found = await probing.probe(chess.board(address));
          expect(found.code).toBe(codes[i]);
          // The same position with the colours exchanged.
          expect((await probing.probe(chess.board(address, true))).code).toBe(codes[i]);
          probed++;
        }
      }
    }
    expect(probed).toBeGreaterThan(200);
  },
);

test('reads a block once while it is cached', async () => {
  let reads = 0;
  const counting: Store = {
    ...store,
    read(...args) {
      reads++;
      return store.read(...args);
    },
  };
  const probing = newProber({ game: chess, metric: 'dtm', store: counting, cacheBytes: MiB });
  const board = chess.parse('8/8/8/8/3k4/8/8/K6Q w - - 0 1');
  await probing.probe(board);
  const first = reads;
  await probing.probe(board);
  expect(first).toBeGreaterThan(0);
  expect(reads).toBe(first);
});

test('values of moves are those of their positions, backed up by one ply', async () => {
  const probing = prober(MiB);
  const { moves } = await probing.probe(chess.parse('8/8/8/8/3k4/8/8/K6R w - - 0 1'));
  for (const move of moves) {
    const after = await probing.probe(move.board);
    expect(move.code).toBe(backUp(after.code, 'dtm', move.conversion));
  }
});

test.each(['dtm', 'dtc'] as const)('a main line under %s counts down to mate', async (metric) => {
  const probing = prober(MiB, metric);
  const line = await mainLine(chess, probing, chess.parse('8/8/8/8/3k4/8/8/K6Q w - - 0 1'));
  expect(line.steps.length).toBe(line.start.plies);
  expect(line.steps.map(({ plies }) => plies)).toEqual(line.steps.map((_, i) => line.start.plies! - i));
  expect(chess.terminal(line.steps.at(-1)!.board)).toBe('lost');
});

test('a missing table is found once it exists', async () => {
  const board = chess.parse('8/8/8/8/3k4/8/8/K6N w - - 0 1');
  const probing = prober(MiB);
  await expect(probing.probe(board)).rejects.toThrow('KNK is not solved for dtm');
  await solveChess(['KNK'], { store });
  expect((await probing.probe(board)).wdl).toBe('draw');
});

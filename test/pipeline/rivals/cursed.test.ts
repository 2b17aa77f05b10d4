/**
 * Cursed wins in chess: KRKN over a table of KRK in which all wins take 80 plies more than they do. Small endings have none of
 * their own.
 */
import { expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { verifySlice } from '../../../pipeline/engine/crew/verify-slice.js';
import type { Game } from '../../../pipeline/game/game.js';
import {
  commitManifest,
  TableManifest as Manifest,
  type TableManifest,
} from '../../../pipeline/game/manifest.js';
import { brokenIn, decodeValue, type ValueColumn } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { solveBitboardSlice } from '../../../pipeline/rivals/bitboard/solve-slice.js';
import { mainLine } from '../../../pipeline/tables/probe/main-line.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { slicePrefix, tableManifestName } from '../../../pipeline/tables/table-names.js';
import { writeValues } from '../../../pipeline/tables/writer.js';
import { ifShort, LONG } from '../../support/long.js';
import { valuesOf } from '../../support/paged.js';
import { budgetOf, MiB, solveChess } from '../../support/solving.js';

const metric = 'dtz';

/** A store with the table of KNK and that of KRK, with wins and losses longer by some plies. */
async function below(longer: number): Promise<Store> {
  const { store } = await solveChess(['KRK', 'KNK'], { metric });
  const right = await needTable(store, chess, metric, 'KRK');
  const { manifest, slice } = right;
  const other = (await solveChess(['KNK'], { metric })).store;
  const values: TableManifest['values'] = [[], []];
  for (const side of [0, 1] as const) {
    const { run } = await writeValues(
      other,
      slicePrefix('chess', metric, 'KRK'),
      {
        slice: 'KRK',
        metric,
        side,
        type: 'i16',
        parts: { from: 0, to: slice.parts },
        partSize: slice.partSize(0),
      },
      { batchRows: 1 << 14, counters: newCounters() },
      async (writer) => {
        for await (const batch of right.values(side, 0, slice.parts)) {
          const column = batch.columns[0] as ValueColumn;
          const codes = Int16Array.from(column, (code) =>
            code === brokenIn(column) ? brokenIn(new Int16Array()) : code + longer * Math.sign(code),
          );
          await writer.append(batch.major, codes);
        }
      },
    );
    values[side] = [run];
  }
  const forged = { ...manifest, valueType: 'i16', values } as const;
  await commitManifest(other, tableManifestName('chess', metric, 'KRK'), forged, Manifest);
  return other;
}

test.skipIf(!LONG)(
  `two solvers make the same table of KRKN with cursed captures${ifShort}`,
  async () => {
    const store = await below(80);
    const budget = budgetOf(256 * MiB);
    const bits = memoryStore();
    for (const name of await store.list('')) {
      const bytes = new Uint8Array((await store.size(name))!);
      await store.read(name, 0, bytes);
      await bits.putIfAbsent(name, bytes);
    }
    const { table } = await solveBitboardSlice({
      game: chess,
      slice: 'KRKN',
      metric,
      store: bits,
      budget,
      progress() {},
    });
    const { summaries } = await solveChess(['KRKN'], { metric, store, budget });
    const sorted = summaries.find(({ slice }) => slice === 'KRKN')!.table;
    expect(table.digests).toEqual(sorted.digests);
    const engine = inlineEngine(chess as Game, store, newScratch(memoryStore(), 'scratch'));
    const how = { game: chess as Game, slice: 'KRKN', metric, engine, store, budget, progress() {} } as const;
    expect(await verifySlice(how)).toMatchObject({ wrong: 0 });
    const counts = { win: 0, 'cursed win': 0, draw: 0, 'blessed loss': 0, loss: 0 };
    for (const code of (await valuesOf(chess as Game, 'KRKN', metric, store)).flat()) {
      if (code !== null) counts[decodeValue(code, metric).wdl]++;
    }
    expect(counts.draw).toBeGreaterThan(0);
    for (const wdl of ['win', 'cursed win', 'blessed loss', 'loss'] as const) {
      expect(counts[wdl], wdl).toBeGreaterThan(1000);
    }
  },
  120_000,
);

test('a main line goes on to mate after a zeroing move', async () => {
  const { store } = await solveChess(['KRKN'], { metric });
  const prober = newProber({ game: chess, metric, store, cacheBytes: MiB });
  // The knight in the corner is lost.
  const line = await mainLine(chess, prober, chess.parse('8/8/8/8/8/1K6/1R6/n1k5 w - - 0 1'));
  expect(line).toMatchObject({ result: 'win', ruleDrawsAt: null });
  const zeroing = line.steps.findIndex(({ restarts }) => restarts);
  expect(line.steps.findIndex(({ conversion }) => conversion)).toBe(zeroing);
  expect(line.start.plies).toBe(zeroing + 1);
  expect(line.steps.length).toBeGreaterThan(zeroing + 1);
  expect(chess.terminal(line.steps.at(-1)!.board)).toBe('lost');
}, 120_000);

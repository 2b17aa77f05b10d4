import { expect, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { UserError } from '../../../operators/core/errors.js';
import { openRun } from '../../../operators/runs/reader.js';
import { createRun } from '../../../operators/runs/writer.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { describeMismatch, verifySlice } from '../../../pipeline/engine/crew/verify-slice.js';
import { PHASE_MEMORY } from '../../../pipeline/engine/memory/phase-memory.js';
import { clockedBytes } from '../../../pipeline/engine/phases/clocked.js';
import type { Game } from '../../../pipeline/game/game.js';
import { RULE_PLIES } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { scrub } from '../../../pipeline/share/scrub/scrub.js';
import { openClocks } from '../../../pipeline/tables/clock-runs.js';
import { BROKEN_LADDER, Ladders, MATED_LADDER } from '../../../pipeline/tables/ladders.js';
import { mainLine } from '../../../pipeline/tables/probe/main-line.js';
import { newProber } from '../../../pipeline/tables/probe/prober.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { forgeManifest } from '../../support/forging.js';
import { ifShort, LONG, LONGEST } from '../../support/long.js';
import { Death, mortal } from '../../support/mortal.js';
import { solveByRanks } from '../../support/ranks.js';
import { budgetOf, MiB, solveChess, solveGame } from '../../support/solving.js';

const METRIC = 'dtm50';
const TABLE = (slice: string) => `chess/${METRIC}/${slice}/table.json`;

test('ladders give the first rung that holds at a clock', () => {
  const ladders = new Ladders();
  const low = ladders.raised(0, 11, 40);
  const both = ladders.raised(low, 15, 60);
  expect([0, 40, 41, 60, 61].map((clock) => ladders.codeAt(both, clock))).toEqual([11, 11, 15, 15, 0]);
  expect(ladders.raised(low, 15, 60)).toBe(both);
  // A higher rung of as many plies takes the place of the last.
  expect(ladders.raised(both, 15, 70)).toBe(ladders.raised(low, 15, 70));
  expect(ladders.codeAt(MATED_LADDER, RULE_PLIES)).toBe(-1);
  expect(ladders.codeAt(BROKEN_LADDER, 0)).toBe(0);
  const few = new Ladders(4);
  few.raised(0, 1, 99);
  expect(() => few.raised(0, 3, 97)).toThrow('more than 4 different ladders under dtm50: give more --memory');
});

const verifyOf = (store: Store, slice: string, memory = 64 * MiB) =>
  verifySlice({
    game: chess,
    slice,
    metric: METRIC,
    store,
    budget: budgetOf(memory),
    progress: () => {},
    engine: inlineEngine(chess as Game, store, newScratch(memoryStore(), 'scratch')),
  });

/** Exchanges the ladders of some positions; checksums and manifest are made right. */
async function forgeLadders(
  store: Store,
  slice: string,
  side: 0 | 1,
  change: (numbers: Uint16Array, first: number) => void,
): Promise<void> {
  const { manifest } = await needTable(store, chess, METRIC, slice);
  const [run] = manifest.clocks!.numbers[side];
  const counters = newCounters();
  const reader = await openRun(store, run, { counters });
  const writer = await createRun(store, run.name, reader.spec, { batchRows: 65536, counters });
  for await (const { major, first, length, columns } of reader.denseCursor()) {
    const numbers = columns[0].slice() as Uint16Array;
    change(numbers, first);
    await writer.append(major, length, null, [numbers]);
  }
  const { crc } = await writer.close();
  await forgeManifest(store, TABLE(slice), (table) => {
    const numbers = table.clocks!.numbers;
    const forged = [{ ...run, crc }];
    return {
      ...table,
      clocks: { ...table.clocks!, numbers: side === 0 ? [forged, numbers[1]] : [numbers[0], forged] },
    };
  });
}

test('a wrong change point is found, and reported with its clock', async () => {
  const { store } = await solveChess(['KPK.6'], { metric: METRIC, verify: LONG });
  if (LONG) expect((await verifyOf(store, 'KPK.6')).wrong).toBe(0);
  const { ladders, numbers } = await openClocks(store, await needTable(store, chess, METRIC, 'KPK.6'));
  // Two ladders with the same first rung: with the clock at 0 the table stays right.
  let key = -1;
  let other = -1;
  for await (const { columns } of numbers.values(0, 0, 1)) {
    key = columns[0].findIndex((ladder) => {
      if (ladder <= MATED_LADDER) return false;
      other = Array.from({ length: ladders.count }, (_, i) => i).findIndex(
        (i) => i > ladder && ladders.codeAt(i, 0) === ladders.codeAt(ladder, 0),
      );
      return other >= 0;
    });
    break;
  }
  expect(key).toBeGreaterThanOrEqual(0);
  await forgeLadders(store, 'KPK.6', 0, (held, first) => {
    if (first <= key && key < first + held.length) held[key - first] = other;
  });
  const { wrong, mismatches } = await verifyOf(store, 'KPK.6');
  expect(wrong).toBeGreaterThan(0);
  const found = mismatches.find((each) => each.side === 0 && each.key === key)!;
  expect(found.clock).toBeGreaterThan(0);
  expect(found.stored).not.toBe(found.derived);
  expect(describeMismatch(chess as Game, METRIC, found)).toContain(`with ${found.clock} plies on the clock`);
});

test('scrub reads the runs by clock', async () => {
  const { store } = await solveChess(['KQK'], { metric: METRIC, verify: true });
  const games = new Map([['chess', chess as Game]]);
  const problemsOf = async () => {
    const { damaged, unnamed } = await scrub({ store, games, report: async () => {} });
    return [...damaged.map(({ name }) => name), ...(unnamed > 0 ? ['unnamed'] : [])];
  };
  expect(await problemsOf()).toEqual([]);
  const { manifest } = await needTable(store, chess, METRIC, 'KQK');
  await store.delete(manifest.clocks!.ladders.name);
  expect((await problemsOf()).join()).toContain('ladders');
});

test('a census that counts too few moves is found out, not made a loss', async () => {
  const slice = chess.slice('KRK');
  const miscounted = {
    ...slice,
    census(...[side, part, first, length, out]: Parameters<typeof slice.census>) {
      slice.census(side, part, first, length, out);
      for (let i = 0; side === 1 && i < length; i++)
        if (out.counts[i] > 1 && out.counts[i] !== 255) out.counts[i] = 1;
    },
  };
  const game = { ...chess, slice: (name: string) => (name === 'KRK' ? miscounted : chess.slice(name)) };
  const solving = solveGame(game as Game, ['KRK'], { metric: METRIC });
  await expect(solving).rejects.toThrow('KRK: a position without escapes has no move to a drawn position');
});

test('the table is the same whatever the memory, and a slice that does not fit is refused', async () => {
  const digestsOf = async (memory: number) => {
    const { store } = await solveChess(['KRK'], { metric: METRIC, budget: budgetOf(memory) });
    const { digests, clocks } = (await needTable(store, chess, METRIC, 'KRK')).manifest;
    return [digests, clocks!.digests, clocks!.ladderDigest];
  };
  const needed = Math.ceil(clockedBytes(chess.slice('KRK')) / PHASE_MEMORY.clocked.slice) + 1;
  expect(await digestsOf(needed)).toEqual(await digestsOf(64 * MiB));
  const refused = solveChess(['KRK'], { metric: METRIC, budget: budgetOf(needed - 64) });
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow(/KRK is solved in memory under dtm50, and needs \d+ MiB of it/);
});

test('ranks claim whole slices, and make the same tables', async () => {
  const { slices } = chess.ending(LONGEST ? 'KPK' : 'KQK');
  const { store: alone } = await solveChess(slices, { metric: METRIC });
  const { store, summaries } = await solveByRanks(chess as Game, slices, {
    metric: METRIC,
    ranks: 2,
    memory: 64 * MiB,
  });
  expect(summaries.length).toBeGreaterThan(slices.length);
  for (const { slice, table, verified } of summaries) {
    expect(verified, slice).toBe(table.positions[0] + table.positions[1]);
    const same = (await needTable(alone, chess, METRIC, slice)).manifest;
    expect([table.digests, table.clocks!.digests], slice).toEqual([same.digests, same.clocks!.digests]);
  }
  // Nothing is left of claims, and there were no steps.
  const left = (await store.list('')).filter(
    (name) => !name.startsWith(`chess/${METRIC}/`) || name.includes('/steps/'),
  );
  expect(left).toEqual([]);
  const tooLittle = { metric: METRIC, ranks: 2, memory: MiB } as const;
  await expect(solveByRanks(chess as Game, slices, tooLittle)).rejects.toThrow(
    /KQK is solved in memory under dtm50/,
  );
});

test('a solve that dies at any operation continues to the same table, and leaves nothing', async () => {
  const { store: whole } = await solveChess(['KQK'], { metric: METRIC, verify: true });
  const named = (await whole.list('')).sort();
  const { manifest } = await needTable(whole, chess, METRIC, 'KQK');
  const counting = mortal(memoryStore(), -1);
  await solveChess(['KQK'], { metric: METRIC, store: counting.store, verify: true });
  const last = counting.operations();
  const step = LONGEST ? 1 : Math.ceil(last / (LONG ? 6 : 3));
  for (let at = 1; at <= last; at += step) {
    const store = memoryStore();
    const dying = solveChess(['KQK'], { metric: METRIC, store: mortal(store, at).store, verify: true });
    await expect(dying, `${at} of ${last}`).rejects.toThrow(Death);
    await solveChess(['KQK'], { metric: METRIC, store, verify: true });
    // Once more: whatever the first attempt left beside a table is cleared away.
    await solveChess(['KQK'], { metric: METRIC, store, verify: true });
    expect((await store.list('')).sort(), `${at} of ${last}`).toEqual(named);
    expect((await needTable(store, chess, METRIC, 'KQK')).manifest.clocks).toEqual(manifest.clocks);
  }
});

test.skipIf(!LONG)(`the main line plays to mate, by the clock of the position${ifShort}`, async () => {
  const { store } = await solveChess(chess.ending('KPK').slices, { metric: METRIC });
  const prober = newProber({ game: chess, metric: METRIC, store });
  for (const clock of [0, 60, 90]) {
    const board = chess.parse(`8/8/8/8/8/4K3/4P3/4k3 w - - ${clock} 80`.replace('4k3 w', '7k w'));
    const { start, steps } = await mainLine(chess, prober, board);
    expect(start.wdl).toBe('win');
    expect(steps.length).toBe(start.plies);
    expect(chess.terminal(steps.at(-1)!.board)).toBe('lost');
    let quiet = clock;
    for (const { restarts } of steps) {
      expect(quiet).toBeLessThan(RULE_PLIES);
      quiet = restarts ? 0 : quiet + 1;
    }
  }
});

/** Tables of problem chess: published counts, and the same table whatever solves it. */
import { describe, expect, it } from 'vitest';
import { storedGames } from '../../../jobs/registry.js';
import { newCounters } from '../../../operators/core/counters.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { inlineEngine } from '../../../pipeline/engine/crew/engine.js';
import { type SliceSummary, solve } from '../../../pipeline/engine/crew/solve.js';
import { verify } from '../../../pipeline/engine/verify/verify.js';
import { putRecord } from '../../../pipeline/game/record.js';
import type { Metric } from '../../../pipeline/game/stipulation.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { scrub } from '../../../pipeline/share/scrub/scrub.js';
import { openNumbers, valuesWithNumbers } from '../../../pipeline/tables/numbers.js';
import { needDependencies, needTable } from '../../../pipeline/tables/table.js';
import { writeSides } from '../../../pipeline/tables/writer.js';
import { Death, mortal } from '../../support/mortal.js';
import { EAGER } from '../../support/pace.js';
import { solveByRanks } from '../../support/ranks.js';
import { budgetOf, MiB, putSolved, solveGame } from '../../support/solving.js';
import { verifyContext } from '../../support/verifying.js';

const game = chess.sided!;

/** Positions of an ending up to symmetry, by plies: those with White to move have odd numbers in helpmates. */
async function tally(name: string, metric: Metric) {
  const store = memoryStore();
  const { slices } = game.ending(name);
  await putSolved(store, game, slices, { metric });
  const plies = new Map<number, number>();
  const longest: (number | null)[] = [null, null];
  let solved = 0;
  let unique = 0;
  for (const slice of slices) {
    const table = await needTable(store, game, metric, slice);
    const numbers = openNumbers(store, table);
    for (const side of [0, 1] as const) {
      longest[side] = table.manifest.longestWin[side];
      for await (const batch of valuesWithNumbers(table, numbers, side, 0, table.slice.parts)) {
        const keys = Uint32Array.from({ length: batch.length }, (_, i) => batch.first + i);
        const orbits = new Uint8Array(batch.length);
        table.slice.orbitSizes(batch.major, keys, batch.length, orbits);
        for (let i = 0; i < batch.length; i++) {
          const code = batch.columns[0][i];
          if (code === 0 || code === -128 || orbits[i] === 0) continue;
          const count = code > 0 ? code : -code - 1;
          plies.set(count, (plies.get(count) ?? 0) + 1);
          solved++;
          if (batch.columns[1][i] === 1) unique++;
        }
      }
    }
  }
  return { solved, unique, longest, plies: [...plies].sort(([a], [b]) => a - b).map(([, count]) => count) };
}

describe('helpmates as they are published (osick/helpmate-tablebase, 2026)', () => {
  it('of king and queen against king', async () => {
    expect(await tally('KQvK', 'help')).toEqual({
      solved: 45_723,
      unique: 3_064,
      longest: [13, 14],
      plies: [46, 306, 580, 1751, 4336, 5851, 11208, 7267, 9197, 2551, 1987, 353, 284, 2, 4],
    });
  });

  it('of king against king and queen', async () => {
    expect((await tally('KvKQ', 'help')).solved).toBe(0);
  });
});

describe.each(['help', 'help-stalemate', 'self', 'self-stalemate'] as const)('%s', (metric) => {
  it('has the same table for any number of workers, in any memory, and verifies', async () => {
    const slices = game.ending(metric === 'help' ? 'KPvK' : 'KvKQ').slices;
    const digests = new Set<string>();
    for (const [workers, memory] of [
      [1, 64],
      [3, 64],
      [2, 3],
    ]) {
      const budget = {
        ...budgetOf(memory * MiB),
        batchRows: memory === 3 ? (metric === 'help' ? 1000 : 7) : 65536,
      };
      const { summaries } = await solveGame(game, slices, { metric, workers, budget, verify: workers > 1 });
      const all = summaries.map(({ slice, table }) => [slice, table.digests, table.numbers?.digests]);
      digests.add(JSON.stringify(all));
    }
    expect(digests.size).toBe(1);
  });
});

/** Digests of both columns of each slice. */
function digestsOf(summaries: readonly SliceSummary[]): Record<string, unknown> {
  return Object.fromEntries(
    summaries.map(({ slice, table }) => [slice, [table.digests, table.numbers?.digests]]),
  );
}

describe.each([
  ['help', 'KPvK'],
  ['self', 'KvKR'],
] as const)('%s of %s', (metric, name) => {
  const { slices } = game.ending(name);

  it('has the same tables by ranks, whether or not one of them does rounds with few requests', async () => {
    const { summaries } = await solveGame(game, slices, { metric });
    const wanted = digestsOf(summaries);
    expect(
      digestsOf((await solveByRanks(game, slices, { metric, ranks: 2, verify: true })).summaries),
    ).toEqual(wanted);
    const eager = await solveByRanks(game, slices, { metric, ranks: 3, pace: EAGER, verify: false });
    expect(digestsOf(eager.summaries)).toEqual(wanted);
  });

  it('has the same tables by processes that are lost at any operation on the store', async () => {
    const solveIn = (store: Store, workers: number, attempt: string) => {
      const engine = inlineEngine(game, store, newScratch(memoryStore(), 'scratch'), { attempt });
      const budget = budgetOf(16 * MiB);
      return solve({
        game,
        store,
        slices: slices.slice(-1),
        metric,
        budget,
        engine: { ...engine, workers },
      });
    };
    const before = memoryStore();
    await putSolved(
      before,
      game,
      game.slice(slices.at(-1)!).dependencies.map(({ slice }) => slice),
      { metric },
    );
    const copied = async () => {
      const store = memoryStore();
      for (const each of await before.list('')) await store.putIfAbsent(each, (await readAll(before, each))!);
      return store;
    };
    const whole = mortal(await copied(), Number.POSITIVE_INFINITY);
    const wanted = digestsOf(await solveIn(whole.store, 3, ''));
    const operations = whole.operations();
    for (const share of [0.2, 0.45, 0.6, 0.75, 0.9]) {
      const store = await copied();
      const life = mortal(store, Math.floor(share * operations));
      await expect(solveIn(life.store, 3, '-first')).rejects.toThrow(Death);
      expect(digestsOf(await solveIn(store, 1, '-second'))).toEqual(wanted);
    }
  });
});

describe('a wrong number', () => {
  const metric = 'help';
  const name = 'KQvK';

  /** A copy of the table with another number, or another value, at an index of a side. */
  async function spoilt(what: 'values' | 'numbers', side: 0 | 1, at: number, value: number) {
    const store = memoryStore();
    await putSolved(store, game, [name], { metric });
    const table = await needTable(store, game, metric, name);
    const { slice, manifest } = table;
    const { values: read } = what === 'values' ? table : openNumbers(store, table);
    const options = {
      run: what,
      slice,
      metric,
      store,
      prefix: 'spoilt',
      batchRows: 5000,
      counters: newCounters(),
    } as const;
    const written = await writeSides(options, what === 'values' ? 'i8' : 'u8', async (writer, of) => {
      for await (const { major, first, columns } of read(of, 0, slice.parts)) {
        const column = columns[0].slice();
        const here = at - major * slice.width - first;
        if (of === side && here >= 0 && here < column.length) column[here] = value;
        await writer.append(major, column);
      }
    });
    const wrong =
      what === 'values'
        ? { ...manifest, values: written.values }
        : { ...manifest, numbers: { ...manifest.numbers!, runs: written.values } };
    await store.delete(`chess/${metric}/${name}/table.json`);
    await putRecord(store, `chess/${metric}/${name}/table.json`, wrong);
    const tables = await needDependencies(store, game, metric, slice);
    const its = { ...table, ...(await needTable(store, game, metric, name)) };
    return verify({ ...verifyContext(metric, its, tables), tableStore: store }, its);
  }

  /** An index of a side with a solution in so many plies, by so many lines. */
  async function indexOf(
    side: 0 | 1,
    plies: number,
  ): Promise<{ index: number; code: number; number: number }> {
    const store = memoryStore();
    await putSolved(store, game, [name], { metric });
    const table = await needTable(store, game, metric, name);
    const batches = valuesWithNumbers(table, openNumbers(store, table), side, 0, table.slice.parts);
    for await (const { major, first, columns } of batches) {
      const i = columns[0].findIndex((code) => (code > 0 ? code : code < 0 ? -code - 1 : -1) === plies);
      if (i >= 0)
        return { index: major * table.slice.width + first + i, code: columns[0][i], number: columns[1][i] };
    }
    throw new Error('no such position');
  }

  it.each([
    [0, 9],
    [1, 10],
    [1, 0],
  ] as const)('is found, with side %s to move and a solution in %s plies', async (side, plies) => {
    const { index, number } = await indexOf(side, plies);
    const { wrong, mismatches } = await spoilt('numbers', side, index, number + 1);
    // It is wrong itself, and the numbers of its predecessors are other sums.
    expect(wrong).toBeGreaterThan(0);
    expect(
      mismatches.every(({ stored, derived, numbers }) => stored === derived && numbers !== undefined),
    ).toBe(true);
  });

  it('and a wrong value are found', async () => {
    const { index, code } = await indexOf(1, 10);
    const { mismatches } = await spoilt('values', 1, index, code - 2);
    expect(mismatches).toContainEqual(expect.objectContaining({ side: 1, stored: code - 2, derived: code }));
  });

  it('is found by scrubbing if its run is damaged, as a missing run is', async () => {
    const store = memoryStore();
    await putSolved(store, game, [name], { metric, verify: true });
    const games = await storedGames();
    const scrubbed = () => scrub({ store, games, report: async () => {} });
    expect(await scrubbed()).toMatchObject({ damaged: [], unnamed: 0, foreign: 0 });
    const run = (await store.list('')).find((each) => each.includes(`/${name}/numbers-1`))!;
    const bytes = (await readAll(store, run))!;
    bytes[bytes.length >> 1] ^= 4;
    await store.delete(run);
    await store.putIfAbsent(run, bytes);
    expect((await scrubbed()).damaged.map((damage) => damage.name)).toContain(run);
    await store.delete(run);
    expect((await scrubbed()).damaged.map((damage) => damage.name)).toContain(run);
  });
});

it('lookups are refused: they do not add up', async () => {
  const refused = solveGame(game, ['KQvK'], { metric: 'help', strategy: 'lookup' });
  await expect(refused).rejects.toThrow('--propagate lookup cannot be combined with --metric help');
});

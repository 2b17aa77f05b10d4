/** Slices that are solved and verified in memory: the same tables as by requests, and every wrong value is found. */
import { describe, expect, test } from 'vitest';
import { assert } from '../../../operators/core/errors.js';
import type { SliceSummary } from '../../../pipeline/engine/crew/solve.js';
import { verifyResident } from '../../../pipeline/engine/phases/resident.js';
import { verify } from '../../../pipeline/engine/verify/verify.js';
import type { Game, Side, Slice } from '../../../pipeline/game/game.js';
import type { TableManifest } from '../../../pipeline/game/manifest.js';
import type { Metric, ValueColumn } from '../../../pipeline/game/value.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { needDependencies, needTable } from '../../../pipeline/tables/table.js';
import { sweep } from '../../support/long.js';
import { budgetOf, MiB, solveGame } from '../../support/solving.js';
import { tableOfColumns, verifyContext } from '../../support/verifying.js';

/** By metric: men of one side and of both, kings alone; with all that they lead to. */
const SLICES = sweep<[Metric, string[]]>(
  [['dtw', sweep(['1110.50', '0011.22'], [], ['1011.63', '0021.22'])]],
  [
    ['dtc', sweep(['0021.22'], [], ['2200', '1011.63'])],
    ['wdl', sweep(['1011.63'], [], ['2200', '0021.22'])],
  ],
);

function withoutResident(name: string): Slice {
  const { resident: _, ...slice } = checkers.slice(name);
  return slice;
}

/** Checkers by requests alone. */
const byRequests = { ...checkers, slice: withoutResident } as Game;

/** All that a manifest says of values and work, but rounds: a conversion that changes nothing makes none in memory. */
function facts({ table }: SliceSummary): Partial<TableManifest> {
  const { rounds: _, counters: __, values: ___, ...same } = table;
  return same;
}

describe('solving in memory makes the tables of solving by requests', () => {
  test.each(SLICES)('%s of %j', async (metric, slices) => {
    const solving = { metric, verify: true, budget: budgetOf(16 * MiB) };
    const phases: string[] = [];
    const inMemory = await solveGame(checkers, slices, {
      ...solving,
      progress: (event) => {
        if (event.type === 'phase') phases.push(event.phase);
      },
    });
    expect(new Set(phases)).toEqual(new Set(['resident', 'verify']));
    const reference = await solveGame(byRequests, slices, solving);
    expect(inMemory.summaries.map(facts)).toEqual(reference.summaries.map(facts));
  });

  test('a slice that does not fit the budget is solved by requests', async () => {
    const phases = new Map<string, string>();
    const { summaries } = await solveGame(checkers, ['2100'], {
      budget: budgetOf(MiB / 8),
      progress: (event) => {
        if (event.type === 'phase' && !phases.has(event.slice)) phases.set(event.slice, event.phase);
      },
    });
    expect(phases.get('1100')).toBe('resident');
    expect(phases.get('2100')).toBe('enumerate');
    const modeOf = (name: string) => summaries.find(({ slice }) => slice === name)!.mode;
    expect(modeOf('1100')).toEqual({ mode: 'memory', why: 'it fits the memory' });
    expect(modeOf('2100')).toEqual({ mode: 'streaming', why: 'it does not fit the memory' });
    const { summaries: inMemory } = await solveGame(checkers, ['2100']);
    expect(summaries.map(facts)).toEqual(inMemory.map(facts));
  });

  test('the table is the same whether its dependencies are in memory at once or one after the other', async () => {
    let raised = 0;
    /** Kernels that are given no more memory than they need. */
    const inLeast = (name: string): Slice => {
      const slice = checkers.slice(name);
      const { resident } = slice;
      assert(resident !== undefined, 'checkers has kernels for memory');
      const open: typeof resident.open = (_, plies) => {
        const tight = resident.open(resident.bytes, plies);
        const raise: typeof tight.raise = (side, columns) => {
          raised++;
          tight.raise(side, columns);
        };
        return { ...tight, raise };
      };
      return { ...slice, resident: { ...resident, open } };
    };
    // Its dependencies are larger than what it needs itself.
    const wanted = ['0021.60'];
    const tight = await solveGame({ ...checkers, slice: inLeast } as Game, wanted, { verify: true });
    expect(raised).toBeGreaterThan(0);
    const { summaries } = await solveGame(checkers, wanted);
    expect(tight.summaries.map(facts)).toEqual(summaries.map(facts));
  });
});

describe('a wrong value', () => {
  async function solved(name: string, metric: Metric) {
    const { store } = await solveGame(checkers, [name], { metric });
    const stored = await needTable(store, checkers, metric, name);
    const columns = [0, 1].map(() => new Int8Array(stored.slice.size)) as [ValueColumn, ValueColumn];
    for (const side of [0, 1] as const) {
      for await (const batch of stored.values(side, 0, stored.slice.parts))
        columns[side].set(batch.columns[0] as ValueColumn, batch.first);
    }
    const table = tableOfColumns(stored.slice, columns, stored.manifest);
    const context = verifyContext(
      metric,
      table,
      await needDependencies(store, checkers, metric, stored.slice),
      {
        memory: 16 * MiB,
        mode: 'memory',
      },
    );
    return { columns, table, context };
  }

  const CHANGES: [string, (code: number) => boolean, (code: number) => number][] = [
    ['a win becomes a draw', (code) => code > 0, () => 0],
    ['a loss becomes a draw', (code) => code < 0, () => 0],
    ['a draw becomes a win', (code) => code === 0, () => 5],
    ['a draw becomes a loss', (code) => code === 0, () => -1],
    ['a win takes two plies more', (code) => code > 0, (code) => code + 2],
    ['a loss takes two plies more', (code) => code < 0, (code) => code - 2],
  ];

  test.each([
    ['1110.50', 'dtw'],
    ['1100', 'dtc'],
    ['0011.22', 'dtw'],
  ] as const)('of %s by %s', async (name, metric) => {
    const { columns, table, context } = await solved(name, metric);
    const kernels = checkers.slice(name).resident!;
    const right = await verifyResident(context, table, kernels);
    const { resident: _, ...slice } = context.slice;
    const byKeys = { ...context, slice, mode: 'streaming' } as const;
    expect(right).toBe((await verify(byKeys, table)).requests);
    for (const [, applies, change] of CHANGES) {
      for (const side of [0, 1] as Side[]) {
        const at = columns[side].findIndex(applies);
        if (at < 0) continue;
        const before = columns[side][at];
        columns[side][at] = change(before);
        expect(await verifyResident(context, table, kernels)).toBeNull();
        const found = await verify(context, table);
        expect(found).toEqual(await verify(byKeys, table));
        expect(found.mismatches).toContainEqual(
          expect.objectContaining({ side, key: at, stored: change(before), derived: before }),
        );
        columns[side][at] = before;
      }
    }
  });
});

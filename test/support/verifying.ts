/** Verifying tables that tests make up. */

import { newCounters } from '../../operators/core/counters.js';
import type { Interval } from '../../operators/core/interval.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import type { Context } from '../../pipeline/engine/memory/context.js';
import type { Slice } from '../../pipeline/game/game.js';
import type { Mode } from '../../pipeline/game/mode.js';
import { brokenCode, type Metric, type ValueColumn } from '../../pipeline/game/value.js';
import type { Table } from '../../pipeline/tables/table.js';
import { budgetOf, MiB } from './solving.js';

/** Values by side, null where broken. */
export type Sides = (number | null)[][];

/** A column for each side. */
export type SideColumns = readonly [ValueColumn, ValueColumn];

/** The manifest of a table whose longest win is not known. */
type Described = Pick<Table['manifest'], 'valueType' | 'longestWin'>;

/** A table of these values. */
export function tableOf(slice: Slice, values: Sides, type: 'i8' | 'i16' = 'i16'): Table {
  const [white, black] = values.map((codes) => {
    const filled = codes.map((code) => code ?? brokenCode(type));
    return type === 'i8' ? Int8Array.from(filled) : Int16Array.from(filled);
  }) as [ValueColumn, ValueColumn];
  return tableOfColumns(slice, [white, black], { valueType: type, longestWin: [null, null] });
}

/** A table of these codes, in batches that parts do not begin with; verification sees no more of a table than this. */
export function tableOfColumns(slice: Slice, columns: SideColumns, manifest: Described): Table {
  return {
    slice,
    manifest: manifest as Table['manifest'],
    async *values(side, from, to) {
      for (let part = from; part < to; part++) {
        const start = part * slice.width;
        const size = slice.partSize(part);
        for (let first = 0; first < size; first += 1000) {
          const length = Math.min(1000, size - first);
          yield {
            major: part,
            first,
            length,
            columns: [columns[side].slice(start + first, start + first + length)],
          };
        }
      }
    },
    block: () => Promise.reject(new Error('verification asks for no single values')),
  };
}

/** The context that verification gets. */
export function verifyContext(
  metric: Metric,
  table: Table,
  tables: readonly Table[],
  {
    parts = { from: 0, to: table.slice.parts },
    memory = MiB,
    mode = 'streaming',
  }: { parts?: Interval; memory?: number; mode?: Mode } = {},
): Context<Slice> {
  const store = memoryStore();
  return {
    slice: table.slice,
    metric,
    strategy: 'count',
    mode,
    parts,
    store,
    tableStore: store,
    prefix: 'none',
    attempt: '',
    scratch: newScratch(store, 'scratch'),
    budget: budgetOf(memory),
    counters: newCounters(),
    tables,
    report: () => {},
  };
}

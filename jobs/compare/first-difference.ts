/** Finds the first difference of two tables of a slice. */
import type { Colour, Game, Side } from '../../pipeline/game/game.js';
import {
  brokenIn,
  decodeValue,
  type Metric,
  type Value,
  type ValueColumn,
} from '../../pipeline/game/value.js';
import type { Table } from '../../pipeline/tables/table.js';
import { breathe } from '../cli/output.js';

/** Null: the index has no position in this table. */
export type TableValue = Value | null;

export interface Difference {
  readonly side: Side;
  readonly toMove: Colour;
  readonly index: number;
  /** Null if the index holds no position. */
  readonly fen: string | null;
  readonly values: readonly [TableValue, TableValue];
}

/** The first in index order, positions with side 0 to move before all others; null if the tables are the same. */
export async function firstDifference(
  game: Game,
  metric: Metric,
  tables: readonly [Table, Table],
): Promise<Difference | null> {
  const { slice } = tables[0];
  for (const side of [0, 1] as const) {
    for (let part = 0; part < slice.parts; part++) {
      const columns = tables.map((table) => columnsOf(table, side, part));
      const found = await firstUnequal(columns[0], columns[1]);
      // Lets the cursors go that were not read to their ends.
      for (const column of columns) await column.return(undefined);
      if (found === null) continue;
      const { key, codes } = found;
      return {
        side,
        toMove: game.colours[side],
        index: part * slice.width + key,
        fen: fenOf(game, slice.name, side, part, key),
        values: [tableValue(codes[0], metric), tableValue(codes[1], metric)],
      };
    }
  }
  return null;
}

interface Unequal {
  readonly key: number;
  /** Null where broken. */
  readonly codes: readonly [number | null, number | null];
}

async function* columnsOf(table: Table, side: Side, part: number): AsyncGenerator<ValueColumn> {
  for await (const batch of table.values(side, part, part + 1)) {
    yield (batch.columns[0] as ValueColumn).subarray(0, batch.length);
  }
}

/** Batches of the two sides may be cut at different places, and be of different widths. */
async function firstUnequal(
  left: AsyncGenerator<ValueColumn>,
  right: AsyncGenerator<ValueColumn>,
): Promise<Unequal | null> {
  let a: ValueColumn = new Int8Array();
  let b: ValueColumn = new Int8Array();
  for (let key = 0; ; ) {
    if (a.length === 0) a = (await left.next()).value ?? a;
    if (b.length === 0) b = (await right.next()).value ?? b;
    const length = Math.min(a.length, b.length);
    if (length === 0) return null;
    const at = unequalAt(a, b, length);
    if (at < length) return { key: key + at, codes: [codeAt(a, at), codeAt(b, at)] };
    a = a.subarray(length);
    b = b.subarray(length);
    key += length;
    await breathe();
  }
}

function unequalAt(a: ValueColumn, b: ValueColumn, length: number): number {
  const brokenA = brokenIn(a);
  const brokenB = brokenIn(b);
  let at = 0;
  while (at < length && (a[at] === brokenA ? b[at] === brokenB : a[at] === b[at] && b[at] !== brokenB)) at++;
  return at;
}

function codeAt(column: ValueColumn, at: number): number | null {
  return column[at] === brokenIn(column) ? null : column[at];
}

function tableValue(code: number | null, metric: Metric): TableValue {
  return code === null ? null : decodeValue(code, metric);
}

function fenOf(game: Game, slice: string, side: Side, part: number, key: number): string | null {
  try {
    return game.format(game.board({ slice, side, part, key }));
  } catch {
    return null;
  }
}

/** Tables as the rows of a file, which is alone or one of a set. */

import { z } from 'zod';
import { assert } from '../../operators/core/errors.js';
import { type ColumnBatch, exportColumns, WDL_WORDS } from '../../pipeline/analysis/columns.js';
import { zugzwangKinds } from '../../pipeline/analysis/zugzwang.js';
import type { Game } from '../../pipeline/game/game.js';
import type { ProgressListener } from '../../pipeline/game/progress.js';
import { type Metric, stipulations } from '../../pipeline/game/stipulation.js';
import { sideOf } from '../../pipeline/game/views.js';
import type { Table } from '../../pipeline/tables/table.js';
import type { TableColumn } from '../../pipeline/tables/value-table.js';
import { PROBLEM_OUTCOMES } from '../ui/verdict.js';
import { collectorOf } from './collect.js';
import { COLUMNS, type Column } from './columns.js';
import {
  type ColumnValues,
  groupRowsIn,
  newPlaces,
  type RowBatch,
  type RowColumn,
  type RowsToWrite,
} from './rows.js';

/** What the metadata of a file say of it, as JSON. */
export const About = z.object({
  game: z.string(),
  metric: z.string(),
  /** In the colours of the rows: a slice seen with its colours exchanged has its other name. Several have spaces between them. */
  slice: z.string(),
  columns: z.array(z.enum(COLUMNS)),
  /** Digests of the tables that the rows were read from, two for each. */
  digests: z.array(z.string()),
  rows: z.number(),
});
export type About = z.infer<typeof About>;

/** A table whose rows go to a file. */
interface ShownTable {
  /** The ending that it was asked for as. */
  readonly ending: string;
  /** The slice in the colours of the boards. */
  readonly shown: string;
  readonly table: Table;
  /** Side 0 of the slice has the colour of side 1. */
  readonly flipped: boolean;
}

/** What a file holds. */
interface TableRows {
  readonly game: Game;
  readonly metric: Metric;
  /** At least one. */
  readonly tables: readonly ShownTable[];
  /** In the order of COLUMNS_OF.endings, which they are of. */
  readonly columns: readonly Column[];
}

/** The best moves of a board. */
type BestMoves = (board: unknown) => Promise<readonly string[]>;

/** Looks best moves up in the tables of an ending, by its name. */
export type BestOf = (ending: string) => BestMoves;

interface TableRowsOptions extends TableRows {
  /** Opens the numbers beside the values of a table. */
  readonly numbers?: (table: Table) => TableColumn;
  /** They are looked up only if they are among the columns. */
  readonly best?: BestOf | undefined;
  /** Bytes for the rows that are held until they are written. */
  readonly memory: number;
  /** More rows are not asked for. */
  readonly limit?: number | undefined;
  readonly progress: ProgressListener;
  /** Called between batches, to let others have their turn. */
  readonly breathe: () => Promise<void>;
}

export function aboutOf({ game, metric, tables, columns }: TableRows): About {
  return {
    game: game.name,
    metric,
    slice: tables.map(({ shown }) => shown).join(' '),
    columns: [...columns],
    digests: tables.flatMap(({ table }) => table.manifest.digests),
    rows: tables.reduce((rows, { table }) => rows + rowsOf(table), 0),
  };
}

function rowsOf({ manifest }: Table): number {
  return manifest.positions[0] + manifest.positions[1];
}

export function tableRows(options: TableRowsOptions): RowsToWrite {
  const { columns } = options;
  const about = aboutOf(options);
  return {
    columns: columns.map((name) => columnOf(name, wordsOf(options))),
    about: JSON.stringify(about),
    batches: batchesOf(options),
  };
}

interface Words extends Pick<TableRows, 'game' | 'metric'> {
  readonly endings: readonly string[];
  /** As they are shown. */
  readonly slices: readonly string[];
}

function wordsOf({ game, metric, tables }: TableRows): Words {
  const endings = [...new Set(tables.map(({ ending }) => ending))];
  return { game, metric, endings, slices: tables.map(({ shown }) => shown) };
}

export function columnOf(name: Column, { game, metric, endings, slices }: Words): RowColumn {
  const isOptional = false;
  switch (name) {
    case 'ending':
      return { type: 'word', name, words: endings, isOptional };
    case 'zugzwang':
      return { type: 'word', name, words: zugzwangKinds, isOptional };
    case 'passed':
      return { type: 'word', name, words: WDL_WORDS, isOptional };
    case 'best':
      return { type: 'texts', name, isOptional };
    case 'slice':
      return { type: 'word', name, words: slices, isOptional };
    case 'mover':
      return { type: 'word', name, words: game.colours, isOptional };
    case 'outcome':
      return { type: 'word', name, words: hasNumbers(metric) ? PROBLEM_OUTCOMES : WDL_WORDS, isOptional };
    case 'index':
      return { type: 'int64', name, isOptional };
    case 'position':
      return { type: 'text', name, order: 'none', isOptional };
    case 'plies':
    case 'passed_plies':
      return { type: 'int16', name, isOptional: true };
    case 'solutions':
    case 'weight':
      return { type: 'int16', name, isOptional };
    default:
      throw noColumn(name);
  }
}

async function* batchesOf({
  game,
  metric,
  tables,
  columns,
  numbers,
  best,
  memory,
  limit,
  progress,
  breathe,
}: TableRowsOptions): AsyncGenerator<RowBatch> {
  const { endings } = wordsOf({ game, metric, tables, columns });
  for (const [number, { ending, shown: slice, table, flipped }] of tables.entries()) {
    progress({ type: 'slice', slice, number: number + 1, of: tables.length });
    progress({ type: 'phase', slice, phase: 'export', total: rowsOf(table) });
    const batches = exportColumns({
      game,
      table,
      metric,
      flipped,
      position: columns.includes('position'),
      weight: columns.includes('weight'),
      numbers: columns.includes('solutions') ? numbers?.(table) : undefined,
      rows: groupRowsIn(memory, limit),
    });
    const word = { ending: endings.indexOf(ending), slice: number };
    const lists = columns.includes('best')
      ? (batch: ColumnBatch) => bestMoves(batch, { game, table, flipped, best: best!(ending), breathe })
      : null;
    let rows = 0;
    for await (const batch of batches) {
      const found = lists === null ? null : await lists(batch);
      const values = columns.map((name) =>
        name === 'best' ? found! : valuesOf(name, batch, word, { game, metric, tables }),
      );
      yield { rows: batch.index.length, values };
      rows += batch.index.length;
      progress({ type: 'work', slice, done: batch.index.length });
      await breathe();
    }
    assert(rows === rowsOf(table), `${slice} has ${rowsOf(table)} rows, ${rows} were written`);
  }
}

/** The best moves of the positions of a batch. */
async function bestMoves(
  { mover, index }: ColumnBatch,
  {
    game,
    table: { slice },
    flipped,
    best,
    breathe,
  }: Pick<TableRowsOptions, 'game' | 'breathe'> & { readonly best: BestMoves } & Pick<
      ShownTable,
      'table' | 'flipped'
    >,
): Promise<ColumnValues> {
  const lists = collectorOf({ type: 'texts', name: 'best', isOptional: false }, index.length);
  const side = sideOf(game, mover, flipped);
  for (const number of index) {
    const [part, key] = [Math.floor(Number(number) / slice.width), Number(number) % slice.width];
    lists.add(await best(game.board({ slice: slice.name, side, part, key }, flipped)));
    await breathe();
  }
  return lists.take();
}

/** @param word the places of the ending and the slice among the words of their columns. */
function valuesOf(
  name: Column,
  batch: ColumnBatch,
  word: { readonly ending: number; readonly slice: number },
  { game: { colours }, metric, tables }: Pick<TableRows, 'game' | 'metric' | 'tables'>,
): ColumnValues {
  const { length } = batch.index;
  switch (name) {
    case 'ending':
    case 'slice':
      return newPlaces(tables.length, length).fill(word[name]);
    case 'mover':
      return new Int8Array(length).fill(colours.indexOf(batch.mover));
    case 'solutions':
    case 'weight':
    case 'position':
      return batch[name]!;
    case 'index':
    case 'plies':
      return batch[name];
    case 'outcome':
      return hasNumbers(metric) ? batch.outcome.map((place) => (place === DRAWN ? 1 : 0)) : batch.outcome;
    default:
      throw noColumn(name);
  }
}

const hasNumbers = (metric: Metric) => stipulations[metric].numbers;
const DRAWN = WDL_WORDS.indexOf('draw');

function noColumn(name: Column): Error {
  return new Error(`tables have no column ${name}`);
}

/**
 * Found positions as an Arrow file, some thousand records at a time; lists of moves are lists. A record goes into columns at once: objects
 * that were kept until a batch is full would outlive V8's young generation, and pile up in the old one.
 */
import { type Data, Field, List, Schema, Utf8, vectorFromArray } from 'apache-arrow';
import type { Sink } from '../../operators/storage/store.js';
import { TextColumn } from '../../pipeline/analysis/texts.js';
import { ArrowColumn, ArrowFile } from '../export/arrow.js';
import { ABOUT, type ColumnValues, NONE, newPlaces, type RowColumn } from '../export/rows.js';
import type { PositionRecord, RecordColumn } from './records.js';

/** Records of a batch. */
const BATCH_ROWS = 1 << 13;

type Cell = PositionRecord[string];

/** The cells of a column, until they are written. */
interface CellColumn {
  readonly field: Field;
  add(cell: Cell): void;
  /** The cells that were added since the last call, in memory that the next ones overwrite. */
  take(): Data;
}

/** @param number of the column in the file. */
function cellsOf(column: RecordColumn, number: number): CellColumn {
  if (column.type === 'texts') return new ListCells(column.name);
  return new RowCells(new ArrowColumn(column, number), collectorOf(column));
}

/** Collects the values of a column of exports. */
interface Collector {
  add(cell: Cell): void;
  take(): ColumnValues;
}

function collectorOf(column: RowColumn): Collector {
  if (column.type === 'text') {
    const texts = new TextColumn(BATCH_ROWS);
    return {
      add: (cell) => (cell === null ? texts.addNone() : texts.add(String(cell))),
      take: () => texts.take(),
    };
  }
  if (column.type === 'int64') {
    const values = new BigInt64Array(BATCH_ROWS);
    return collecting(values, (at, cell) => {
      values[at] = BigInt(cell as number);
    });
  }
  if (column.type === 'word') {
    const values = newPlaces(column.words.length, BATCH_ROWS);
    return collecting(values, (at, cell) => {
      values[at] = column.words.indexOf(cell as string);
    });
  }
  const values = column.type === 'int16' ? new Int16Array(BATCH_ROWS) : new Int32Array(BATCH_ROWS);
  return collecting(values, (at, cell) => {
    values[at] = (cell as number | null) ?? NONE;
  });
}

function collecting(
  values: Exclude<ColumnValues, { readonly ends: unknown }>,
  put: (at: number, cell: Cell) => void,
): Collector {
  let length = 0;
  return {
    add: (cell) => put(length++, cell),
    take() {
      const taken = values.subarray(0, length);
      length = 0;
      return taken;
    },
  };
}

class RowCells implements CellColumn {
  private length = 0;

  constructor(
    private readonly column: ArrowColumn,
    private readonly cells: Collector,
  ) {}

  get field(): Field {
    return this.column.field;
  }

  add(cell: Cell): void {
    this.cells.add(cell);
    this.length++;
  }

  take(): Data {
    const { length } = this;
    this.length = 0;
    return this.column.data(this.cells.take(), length);
  }
}

class ListCells implements CellColumn {
  readonly field: Field;
  private lists: Cell[] = [];

  constructor(name: string) {
    this.field = new Field(name, new List(new Field('item', new Utf8(), false)), false);
  }

  add(cell: Cell): void {
    this.lists.push(cell);
  }

  take(): Data {
    const { lists } = this;
    this.lists = [];
    return vectorFromArray(lists, this.field.type).data[0];
  }
}

/** @param about what the metadata of the file say. */
export async function writeArrowRecords(
  columns: readonly RecordColumn[],
  records: AsyncIterable<PositionRecord>,
  about: string,
  sink: Pick<Sink, 'write'>,
): Promise<void> {
  const cells = columns.map(cellsOf);
  const schema = new Schema(
    cells.map(({ field }) => field),
    new Map([[ABOUT, about]]),
  );
  const file = new ArrowFile(schema, sink);
  let length = 0;
  const flush = async () => {
    await file.add(
      length,
      cells.map((column) => column.take()),
    );
    length = 0;
  };
  for await (const record of records) {
    for (const [i, { name }] of columns.entries()) cells[i].add(record[name]);
    if (++length === BATCH_ROWS) await flush();
  }
  if (length > 0 || file.isEmpty) await flush();
  await file.end();
}

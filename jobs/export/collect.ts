/** Columns of rows that are made one by one: their cells are collected until a batch is full. */
import { TextColumn, type Texts } from '../../pipeline/analysis/texts.js';
import { type Cell, type ColumnValues, NONE, newPlaces, type RowColumn } from './rows.js';

/** Collects the cells of a column. */
export interface Collector {
  add(cell: Cell): void;
  /** The cells added since the last call. They are views of buffers that the next cells overwrite. */
  take(): ColumnValues;
}

/** @param rows of a batch, at most. */
export function collectorOf(column: RowColumn, rows: number): Collector {
  switch (column.type) {
    case 'text': {
      const texts = new TextColumn(rows);
      return {
        add: (cell) => (cell === null ? texts.addNone() : texts.add(String(cell))),
        take: () => texts.take(),
      };
    }
    case 'texts':
      return new ListCollector(rows);
    case 'int64':
      return new NumberCollector(new BigInt64Array(rows), (cell) => BigInt(cell as number));
    case 'word':
      return new NumberCollector(newPlaces(column.words.length, rows), (cell) =>
        column.words.indexOf(cell as string),
      );
    case 'int16':
      return new NumberCollector(new Int16Array(rows), (cell) => (cell as number | null) ?? NONE);
    case 'int32':
      return new NumberCollector(new Int32Array(rows), (cell) => (cell as number | null) ?? NONE);
  }
}

type Numbers = Int8Array | Int16Array | Int32Array | BigInt64Array;

class NumberCollector implements Collector {
  private length = 0;

  constructor(
    private readonly values: Numbers,
    private readonly of: (cell: Cell) => number | bigint,
  ) {}

  add(cell: Cell): void {
    this.values[this.length++] = this.of(cell) as never;
  }

  take(): ColumnValues {
    const { length } = this;
    this.length = 0;
    return this.values.subarray(0, length);
  }
}

/** Lists, whose number of texts nobody knows before. */
class ListCollector implements Collector {
  private readonly lists: Int32Array;
  private texts: string[] = [];
  private length = 0;

  constructor(rows: number) {
    this.lists = new Int32Array(rows + 1);
  }

  add(cell: Cell): void {
    this.texts.push(...(cell as readonly string[]));
    this.lists[++this.length] = this.texts.length;
  }

  take(): ColumnValues {
    const lists = this.lists.subarray(0, this.length + 1);
    const texts = textsOf(this.texts);
    this.length = 0;
    this.texts = [];
    return { lists, texts };
  }
}

function textsOf(strings: readonly string[]): Texts {
  const column = new TextColumn(strings.length);
  for (const text of strings) column.add(text);
  return column.take();
}

/** Exports as Arrow IPC files; words that repeat are dictionaries. */
import {
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int8,
  Int16,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { StorageError } from '../../operators/core/errors.js';
import { TextKind } from '../../pipeline/analysis/texts.js';
import { footerValue } from './arrow-about.js';
import { ArrowFileWriter } from './arrow-file.js';
import { Emitted } from './emitted.js';
import { ABOUT, type RowFormat } from './row-file.js';
import { type ColumnValues, NONE, newPlaces, type RowColumn, type RowsToWrite } from './rows.js';

/** The length of the footer, and the magic behind it. */
const TAIL_BYTES = 10;

export const arrow: RowFormat & Required<Pick<RowFormat, 'readAbout'>> = {
  suffix: 'arrow',
  async write({ columns, about, batches }: RowsToWrite, sink) {
    const arrowColumns = columns.map((column, i) => new ArrowColumn(column, i));
    const schema = new Schema(
      arrowColumns.map(({ field }) => field),
      new Map(about === null ? [] : [[ABOUT, about]]),
    );
    const emitted = new Emitted();
    const writer = new ArrowFileWriter();
    writer.reset(emitted, schema);
    for await (const { rows: length, values } of batches) {
      const children = arrowColumns.map((column, i) => column.data(values[i], length));
      writer.write(
        new RecordBatch(
          schema,
          makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
        ),
      );
      await sink.write(emitted.take());
    }
    writer.close();
    await sink.write(emitted.take());
  },
  async readAbout(store, name, bytes) {
    try {
      // Only the footer is read: it has the schema, and the schema has the text.
      if (bytes < TAIL_BYTES) return null;
      const tail = new Uint8Array(TAIL_BYTES);
      await store.read(name, bytes - TAIL_BYTES, tail);
      const length = new DataView(tail.buffer).getInt32(0, true);
      if (length < 0 || length > bytes - TAIL_BYTES) return null;
      const footer = new Uint8Array(length);
      await store.read(name, bytes - TAIL_BYTES - length, footer);
      return footerValue(footer, ABOUT);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      return null;
    }
  },
};

/** A column with its field; a column of words has them once a file. */
class ArrowColumn {
  readonly field: Field;
  private readonly type: DataType;
  private readonly words: Vector<Utf8> | null = null;

  constructor(
    private readonly column: RowColumn,
    number: number,
  ) {
    if (column.type === 'word') {
      const places = newPlaces(column.words.length, 0) instanceof Int8Array ? new Int8() : new Int16();
      this.type = new Dictionary(new Utf8(), places, number, false);
      this.words = vectorFromArray([...column.words], new Utf8());
    } else
      this.type = { text: new Utf8(), int16: new Int16(), int32: new Int32(), int64: new Int64() }[
        column.type
      ];
    this.field = new Field(column.name, this.type, column.isOptional);
  }

  data(values: ColumnValues, length: number): Data {
    const { type, words: dictionary } = this;
    if ('ends' in values) {
      const { bytes: data, ends: valueOffsets, kinds } = values;
      const nulls = kinds === null ? ALL : bitmapOf(length, (i) => kinds[i] !== TextKind.none);
      return makeData({ type, length, ...nulls, valueOffsets, data } as never);
    }
    const nulls = this.column.isOptional ? bitmapOf(length, (i) => values[i] !== NONE) : ALL;
    if (dictionary === null) return makeData({ type, length, ...nulls, data: values } as never);
    // Some readers look up the word of every row, also of those that have none.
    const places = values as Int8Array;
    const data = nulls.nullCount === 0 ? places : places.map((place) => (place === NONE ? 0 : place));
    return makeData({ type, length, ...nulls, data, dictionary } as never);
  }
}

const ALL = { nullCount: 0 };

function bitmapOf(
  length: number,
  isThere: (i: number) => boolean,
): { nullCount: number; nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  let nullCount = 0;
  for (let i = 0; i < length; i++) {
    if (isThere(i)) nullBitmap[i >> 3] |= 1 << (i & 7);
    else nullCount++;
  }
  return { nullCount, nullBitmap };
}

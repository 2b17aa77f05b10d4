/** Exports as Arrow IPC files; words that repeat are dictionaries. */
import {
  AsyncByteQueue,
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Message,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { Sink } from '../../operators/storage/store.js';
import type { Texts } from '../../pipeline/analysis/texts.js';
import { collectorOf } from './collect.js';
import {
  ABOUT,
  aboutInFooter,
  type ColumnValues,
  NONE,
  newPlaces,
  type RowColumn,
  type RowFormat,
  type RowsToWrite,
} from './rows.js';

/** The length of the footer, and the magic behind it. */
const TAIL_BYTES = 10;

export const arrow: RowFormat & Required<Pick<RowFormat, 'readAbout'>> = {
  suffix: 'arrow',
  async write({ columns, about, batches }: RowsToWrite, sink) {
    const arrowColumns = columns.map((column, i) => new ArrowColumn(column, i));
    const schema = new Schema(
      arrowColumns.map(({ field }) => field),
      new Map([[ABOUT, about]]),
    );
    const file = new ArrowFile(schema, sink);
    for await (const { rows, values } of batches) {
      await file.add(
        rows,
        arrowColumns.map((column, i) => column.data(values[i], rows)),
      );
    }
    // Readers find the words of dictionaries in batches.
    if (file.isEmpty)
      await file.add(
        0,
        arrowColumns.map((column, i) => column.data(collectorOf(columns[i], 0).take(), 0)),
      );
    await file.end();
  },
  // The footer has the schema, and the schema has the text.
  readAbout: aboutInFooter({
    tailBytes: TAIL_BYTES,
    length: (tail) => tail.getInt32(0, true),
    value: footerValue,
  }),
};

/** An Arrow file that is written batch by batch: no more than one batch is in memory. */
class ArrowFile {
  private readonly emitted = new Emitted();
  private readonly writer = new ArrowFileWriter();
  /** No batch was added. */
  isEmpty = true;

  constructor(
    private readonly schema: Schema,
    private readonly sink: Pick<Sink, 'write'>,
  ) {
    this.writer.reset(this.emitted, schema);
  }

  /** @param children the columns of `rows` rows, in the order of the schema. */
  async add(rows: number, children: Data[]): Promise<void> {
    const type = new Struct(this.schema.fields);
    const data = makeData({ type, length: rows, nullCount: 0, children });
    this.writer.write(new RecordBatch(this.schema, data));
    this.isEmpty = false;
    await this.sink.write(this.emitted.take());
  }

  /** Writes the footer. The sink stays open. */
  async end(): Promise<void> {
    this.writer.close();
    await this.sink.write(this.emitted.take());
  }
}

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
      this.type = {
        text: new Utf8(),
        texts: new List(ITEM),
        int16: new Int16(),
        int32: new Int32(),
        int64: new Int64(),
      }[column.type];
    this.field = new Field(column.name, this.type, column.isOptional);
  }

  data(values: ColumnValues, length: number): Data {
    const { type, words: dictionary } = this;
    if ('lists' in values) {
      const { lists: valueOffsets, texts } = values;
      const child = textData(texts, valueOffsets[length]);
      return makeData({ type, length, ...ALL, valueOffsets, child } as never);
    }
    if ('ends' in values) return textData(values, length);
    const nulls = this.column.isOptional ? bitmapOf(length, (i) => values[i] !== NONE) : ALL;
    if (dictionary === null) return makeData({ type, length, ...nulls, data: values } as never);
    // Some readers look up the word of every row, also of those that have none.
    const places = values as Int8Array;
    const data = nulls.nullCount === 0 ? places : places.map((place) => (place === NONE ? 0 : place));
    return makeData({ type, length, ...nulls, data, dictionary } as never);
  }
}

/** Of a list. */
const ITEM = new Field('item', new Utf8(), false);

function textData({ bytes: data, ends: valueOffsets, missing }: Texts, length: number): Data {
  return makeData({ type: new Utf8(), length, ...nullsOf(missing, length), valueOffsets, data } as never);
}

interface Nulls {
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array;
}

const ALL: Nulls = { nullCount: 0 };

/** Which of the first rows have no value, for Arrow. @param missing 1 for each of them; null if all have one. */
function nullsOf(missing: Uint8Array | null, length: number): Nulls {
  return missing === null ? ALL : bitmapOf(length, (i) => missing[i] === 0);
}

function bitmapOf(length: number, isThere: (i: number) => boolean): Nulls {
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  let nullCount = 0;
  for (let i = 0; i < length; i++) {
    if (isThere(i)) nullBitmap[i >> 3] |= 1 << (i & 7);
    else nullCount++;
  }
  return { nullCount, nullBitmap };
}

/** The magic and its padding: behind these bytes an Arrow file is an Arrow stream. */
export const STREAM_BEGINS = 8;

/**
 * A writer of the file format (Apache Arrow columnar format, "IPC File Format"): magic, then all of the streaming format, then the footer.
 * The library's own writer leaves the stream's schema out, so that only readers of the footer can read its files.
 */
class ArrowFileWriter extends RecordBatchFileWriter {
  protected override _writeSchema(schema: Schema): this {
    return super._writeSchema(schema)._writeMessage(Message.from(schema));
  }
}

/** Takes what Arrow's writer emits, for us to write at once: its own queue would keep the whole file. */
class Emitted extends AsyncByteQueue<Uint8Array> {
  private pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.pieces.push(piece);
  }

  take(): Uint8Array[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }
}

/** Numbers of the fields of the tables Footer, Schema and KeyValue. */
const SCHEMA = 1;
const CUSTOM_METADATA = 2;
const [KEY, VALUE] = [0, 1];

/**
 * The value of a key of the schema's metadata in the footer of an Arrow IPC file, read where it lies (Apache Arrow columnar format,
 * File.fbs and Schema.fbs); null if there is none. The file may be anybody's, and damaged: libraries that believe its lengths fill the
 * memory. Throws RangeError if the bytes are no footer.
 */
export function footerValue(footer: Uint8Array, wanted: string): string | null {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.length);
  const target = (at: number) => at + view.getUint32(at, true);

  /** Place of a field of the table; null if the table does not have it. */
  function field(table: number, number: number): number | null {
    const vtable = table - view.getInt32(table, true);
    const place = 4 + 2 * number;
    if (place + 2 > view.getUint16(vtable, true)) return null;
    const offset = view.getUint16(vtable + place, true);
    return offset === 0 ? null : table + offset;
  }

  function text(table: number, number: number): string | null {
    const at = field(table, number);
    if (at === null) return null;
    const begins = target(at);
    const length = view.getUint32(begins, true);
    if (begins + 4 + length > footer.length) throw new RangeError('text beyond the end');
    return new TextDecoder().decode(footer.subarray(begins + 4, begins + 4 + length));
  }

  const schema = field(target(0), SCHEMA);
  const pairs = schema === null ? null : field(target(schema), CUSTOM_METADATA);
  if (pairs === null) return null;
  const first = target(pairs);
  const count = view.getUint32(first, true);
  // Each has an offset of its own in the vector: beyond the end the view throws.
  for (let i = 0; i < count; i++) {
    const pair = target(first + 4 + 4 * i);
    if (text(pair, KEY) === wanted) return text(pair, VALUE);
  }
  return null;
}

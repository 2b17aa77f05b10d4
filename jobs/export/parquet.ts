/**
 * Exports as Parquet. Rows that fill more than one small group are written by hyparquet-writer, which takes whole columns, several times as many
 * rows a second as writers that take a row at a time. Fewer rows, as of most queries, go to parquet-rows.ts. The schema is the same.
 */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { assert } from '../../operators/core/errors.js';
import type { Texts } from '../../pipeline/analysis/texts.js';
import {
  ABOUT,
  aboutInFooter,
  type Cell,
  type ColumnValues,
  cellsOf,
  copyOf,
  NONE,
  type RowBatch,
  type RowColumn,
  type RowFormat,
} from './rows.js';

/** Rows of a file that one group holds, and for which objects are cheap. */
const FEW_ROWS = 1 << 12;

const TEXT: Omit<SchemaElement, 'name'> = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const TYPES: Readonly<Record<Exclude<RowColumn['type'], 'texts'>, Omit<SchemaElement, 'name'>>> = {
  word: TEXT,
  text: TEXT,
  int16: { type: 'INT32', converted_type: 'INT_16' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
};

/** The length of the footer, and the magic behind it. */
const TAIL_BYTES = 8;
/** "PAR1" */
const MAGIC = 0x31524150;

export const parquet: RowFormat & Required<Pick<RowFormat, 'readAbout'>> = {
  suffix: 'parquet',
  async write({ columns, about, batches }, sink) {
    const begun = await begin(batches);
    if ('only' in begun) {
      const { writeFewRows } = await import('./parquet-rows.js');
      return writeFewRows(columns, begun.only, about, sink);
    }
    const writer = new ByteWriter();
    const file = new ParquetWriter({
      writer,
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
      kvMetadata: [{ key: ABOUT, value: about }],
      createdBy: 'mergemate',
    });
    const flush = async (): Promise<void> => {
      await sink.write([writer.getBytes()]);
      writer.index = 0;
    };
    const cells = new Cells();
    for await (const { rows, values } of begun.batches) {
      const columnData = columns.map((column, i) => ({
        name: column.name,
        data: whenTaken(rows, () => cells.of(column, values[i], rows)),
        ...encodingOf(column),
        // The least and the greatest word or text of a group help no query.
        statistics: column.type.startsWith('int'),
      }));
      await file.write({ columnData, rowGroupSize: rows });
      await flush();
    }
    await file.finish();
    await flush();
  },
  readAbout: aboutInFooter({
    tailBytes: TAIL_BYTES,
    length: (tail) => (tail.getUint32(4, true) === MAGIC ? tail.getUint32(0, true) : null),
    value: metadataValue,
  }),
};

/** The elements of the schema of a column: a list has three (Parquet format, LogicalTypes.md, "Lists"). */
function elementsOf({ name, type, isOptional }: RowColumn): SchemaElement[] {
  if (type === 'texts')
    return [
      { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'REQUIRED', ...TEXT },
    ];
  return [{ name, ...TYPES[type], repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' }];
}

/** The batches; or the only one, if there is one of few rows at most. */
async function begin(
  batches: AsyncIterable<RowBatch>,
): Promise<{ readonly only: RowBatch | null } | { readonly batches: AsyncIterable<RowBatch> }> {
  const all = batches[Symbol.asyncIterator]();
  const first = await all.next();
  if (first.done) return { only: null };
  if (first.value.rows > FEW_ROWS) return { batches: following(first.value) };
  // The next batch overwrites the memory of this one.
  const kept = copyOf(first.value);
  const second = await all.next();
  return second.done ? { only: kept } : { batches: following(kept, second.value) };

  async function* following(...begun: RowBatch[]): AsyncGenerator<RowBatch> {
    try {
      yield* begun;
      yield* { [Symbol.asyncIterator]: () => all };
    } finally {
      await all.return?.();
    }
  }
}

/**
 * Positions ascend and are dense, so that their differences are small; small numbers and words repeat. All is compressed by Snappy, which every
 * reader has: hyparquet alone reads no gzip. 2.5 M rows of KQKR take 7.4 bytes each, by gzip 5.2.
 */
function encodingOf(column: RowColumn): Pick<ColumnSource, 'encoding'> {
  if (column.type === 'int64') return { encoding: 'DELTA_BINARY_PACKED' };
  if (column.type !== 'text' || column.order === 'repeats') return { encoding: 'RLE_DICTIONARY' };
  return { encoding: column.order === 'ordered' ? 'DELTA_BYTE_ARRAY' : 'PLAIN' };
}

/**
 * Values that are made when their column is written: the writer takes a piece of each column, after it has looked at the lengths of
 * all. So the objects of one column are in memory at a time.
 */
function whenTaken(rows: number, values: () => ColumnSource['data']): ColumnSource['data'] {
  const slice = (from: number, to: number) => {
    assert(from === 0 && to === rows, 'a group of a Parquet file is written whole');
    return values();
  };
  return { length: rows, slice } as ColumnSource['data'];
}

type Integers = Int8Array | Int16Array | Int32Array;

/** The values of a column as the writer takes them, in an array that the next column overwrites: arrays of their own would be collected all the time. */
class Cells {
  private readonly cells: unknown[] = [];

  of(column: RowColumn, values: ColumnValues, rows: number): ColumnSource['data'] {
    if (column.type === 'int64') return values as BigInt64Array;
    if (column.type === 'text') this.putTexts(column.order === 'repeats', column, values as Texts, rows);
    else if (column.type === 'texts') this.putCells(cellsOf(column, values), rows);
    else if (column.type === 'word') putWords(column.words, values as Integers, this.cells);
    else if (column.isOptional) putIntegers(values as Integers, this.cells);
    else return values as Int32Array;
    this.cells.length = rows;
    return this.cells;
  }

  private putCells(cell: (i: number) => Cell, rows: number): void {
    for (let i = 0; i < rows; i++) this.cells[i] = cell(i);
  }

  /** @param asStrings texts that repeat, which go to a dictionary. */
  private putTexts(asStrings: boolean, column: RowColumn, values: Texts, rows: number): void {
    const { cells } = this;
    const { bytes, ends, missing } = values;
    if (asStrings) this.putCells(cellsOf(column, values), rows);
    else
      for (let i = 0; i < rows; i++)
        cells[i] = missing?.[i] === 1 ? null : bytes.subarray(ends[i], ends[i + 1]);
  }
}

// Loops are functions of their own. V8 compiles what is around a long loop with it.

function putWords(words: readonly string[], places: Integers, cells: unknown[]): void {
  for (let i = 0; i < places.length; i++) cells[i] = words[places[i]];
}

function putIntegers(values: Integers, cells: unknown[]): void {
  for (let i = 0; i < values.length; i++) cells[i] = values[i] === NONE ? null : values[i];
}

/** Numbers of fields of FileMetaData and KeyValue. */
const KEY_VALUE_METADATA = 5;
const [KEY, VALUE] = [1, 2];

/** Types of values as the protocol numbers them. */
const Type = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i64: 6,
  double: 7,
  binary: 8,
  set: 10,
  map: 11,
  struct: 12,
};
const LIST = 9;
/** Structs in structs; no footer has nearly as many. */
const MOST_DEEP = 32;

/**
 * The value of a key of a file's metadata; null if there is none. The footer is in Thrift's compact protocol (parquet.thrift,
 * FileMetaData; Apache Thrift, thrift-compact-protocol.md). The file may be anybody's, and damaged: libraries that believe its lengths
 * fill the memory. Throws RangeError if the bytes are no footer.
 */
export function metadataValue(footer: Uint8Array, wanted: string): string | null {
  const view = new DataView(footer.buffer, footer.byteOffset, footer.length);
  let at = 0;
  const byte = () => view.getUint8(at++);

  function varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const next = byte();
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
  }

  function binary(): Uint8Array {
    const length = varint();
    if (length > footer.length - at) throw new RangeError('text beyond the end');
    at += length;
    return footer.subarray(at - length, at);
  }

  /** Each element has a byte at least, so a false count comes to the end of the footer. */
  function elements(deep: number, read: (type: number) => void): void {
    if (deep > MOST_DEEP) throw new RangeError('too deep');
    const head = byte();
    const count = head >> 4 === 15 ? varint() : head >> 4;
    for (let i = 0; i < count; i++) read(head & 15);
  }

  function skip(type: number, deep: number): void {
    if (type === Type.double) at += 8;
    else if (type === Type.binary) binary();
    else if (type === Type.struct) struct(deep + 1, (_, inner) => skip(inner, deep + 1));
    else if (type === LIST || type === Type.set)
      elements(deep + 1, (inner) => (inner <= Type.byte ? byte() : skip(inner, deep + 1)));
    else if (type === Type.map) throw new RangeError('no footer has a map');
    else if (type === Type.byte) byte();
    else if (type > Type.byte && type <= Type.i64) varint();
    else if (type !== Type.true && type !== Type.false) throw new RangeError('no such type');
  }

  function struct(deep: number, read: (field: number, type: number) => void): void {
    if (deep > MOST_DEEP) throw new RangeError('too deep');
    for (let field = 0; ; ) {
      const head = byte();
      if (head === Type.stop) return;
      const unzigzag = (value: number) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
      field = head >> 4 === 0 ? unzigzag(varint()) : field + (head >> 4);
      read(field, head & 15);
    }
  }

  let found: string | null = null;
  function pair(): void {
    const texts = new Map<number, string>();
    struct(2, (field, type) => {
      if ((field === KEY || field === VALUE) && type === Type.binary)
        texts.set(field, new TextDecoder().decode(binary()));
      else skip(type, 2);
    });
    if (texts.get(KEY) === wanted) found ??= texts.get(VALUE) ?? null;
  }

  struct(0, (field, type) => {
    if (field === KEY_VALUE_METADATA && type === LIST)
      elements(1, (inner) => (inner === Type.struct ? pair() : skip(inner, 1)));
    else skip(type, 0);
  });
  return found;
}

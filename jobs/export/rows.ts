/**
 * Rows on their way to a file, as columns: what games of every kind are exported as, and what every format is written from.
 * A column is an array of numbers, or texts in one piece of memory, so that a row costs no object.
 */
import { StorageError } from '../../operators/core/errors.js';
import { orAbort } from '../../operators/core/or-abort.js';
import type { Sink, Store } from '../../operators/storage/store.js';
import type { Texts } from '../../pipeline/analysis/texts.js';
import { freeUnused } from '../runtime/heap.js';

/** A column of a file. */
export type RowColumn = WordColumn | IntegerColumn | TextRowColumn | ListColumn;

/** One of a few words. Values are their places in `words`, -1 where there is none. */
interface WordColumn {
  readonly type: 'word';
  readonly name: string;
  readonly words: readonly string[];
  readonly isOptional: boolean;
}

/** Integers. Those of an optional column are not negative, and -1 means none. */
interface IntegerColumn {
  readonly type: 'int16' | 'int32' | 'int64';
  readonly name: string;
  readonly isOptional: boolean;
}

/** Texts. Neighbours in an ordered column begin alike; those of a column that repeats are few. */
interface TextRowColumn {
  readonly type: 'text';
  readonly name: string;
  readonly order: 'none' | 'ordered' | 'repeats';
  readonly isOptional: boolean;
}

/** A list of texts for each row, which may be empty. */
interface ListColumn {
  readonly type: 'texts';
  readonly name: string;
  readonly isOptional: false;
}

/** Values of a column: integers, places of words, texts, or lists of them. */
export type ColumnValues = Int8Array | Int16Array | Int32Array | BigInt64Array | Texts | Lists;

/** The texts of all lists one after the other, and where each list ends, as in {@link Texts}. */
export interface Lists {
  readonly lists: Int32Array;
  readonly texts: Texts;
}

/** Arrays of one length, which the next batch overwrites. */
export interface RowBatch {
  readonly rows: number;
  /** In the order of the columns. */
  readonly values: readonly ColumnValues[];
}

/** All rows of a file. */
export interface RowsToWrite {
  readonly columns: readonly RowColumn[];
  /** Text about the rows for the metadata of the file, where the format has such. */
  readonly about: string;
  readonly batches: AsyncIterable<RowBatch>;
}

/** The name under which the metadata of a file say what it holds. */
export const ABOUT = 'mergemate';

/** Rows that readers get at once, and that are held in memory until then: more would help neither. */
const GROUP_ROWS = 1 << 16;
const LEAST_GROUP_ROWS = 1 << 10;
/** Bytes of a row in the format that takes most: Parquet makes an object of each text, and lists what neighbours have in common. */
const ROW_BYTES = 512;

/** How many rows of a group are held in so much memory. @param limit more are not asked for. */
export function groupRowsIn(memory: number, limit = GROUP_ROWS): number {
  const fitting = 2 ** Math.floor(Math.log2(memory / ROW_BYTES));
  return Math.min(limit, Math.max(LEAST_GROUP_ROWS, Math.min(fitting, GROUP_ROWS)));
}

/** The first rows of a file. */
export async function* firstRows(batches: AsyncIterable<RowBatch>, limit: number): AsyncGenerator<RowBatch> {
  let left = limit;
  for await (const { rows, values } of batches) {
    const taken = Math.min(rows, left);
    yield taken === rows
      ? { rows, values }
      : { rows: taken, values: values.map((each) => firstOf(each, taken)) };
    left -= taken;
    if (left === 0) return;
  }
}

/** A batch of which the next one overwrites nothing. */
export function copyOf({ rows, values }: RowBatch): RowBatch {
  return { rows, values: values.map(copyOfValues) };
}

function copyOfValues(values: ColumnValues): ColumnValues {
  if ('lists' in values) return { lists: values.lists.slice(), texts: copyOfTexts(values.texts) };
  return 'ends' in values ? copyOfTexts(values) : values.slice();
}

function copyOfTexts({ bytes, ends, missing }: Texts): Texts {
  return { bytes: bytes.slice(), ends: ends.slice(), missing: missing?.slice() ?? null };
}

function firstOf(values: ColumnValues, rows: number): ColumnValues {
  if ('lists' in values) return { ...values, lists: values.lists.subarray(0, rows + 1) };
  if (!('ends' in values)) return values.subarray(0, rows);
  const { bytes, ends, missing } = values;
  return { bytes, ends: ends.subarray(0, rows + 1), missing: missing?.subarray(0, rows) ?? null };
}

/** How a file is written. */
export interface RowFormat {
  /** The ending of file names, without the dot. */
  readonly suffix: string;
  /** Writes a whole file, but does not close the sink. */
  write(rows: RowsToWrite, sink: Pick<Sink, 'write'>): Promise<void>;
  /**
   * Reads the text that {@link RowsToWrite.about} put into a file; null if the file has none, or has another format.
   * Formats without metadata do not have this.
   */
  readAbout?(store: Store, name: string, bytes: number): Promise<string | null>;
}

/** Where files of a format have the metadata: a footer, whose length is in the last bytes of the file. */
export interface Footer {
  readonly tailBytes: number;
  /** The length by the tail; null if that is of no such file. */
  length(tail: DataView): number | null;
  /** The value of a key; null if there is none. May throw anything for bytes that are no footer. */
  value(footer: Uint8Array, key: string): string | null;
}

/** Reads {@link RowsToWrite.about} by the footer alone, of a file that may be anybody's. */
export function aboutInFooter({ tailBytes, length, value }: Footer): NonNullable<RowFormat['readAbout']> {
  return async (store, name, bytes) => {
    try {
      if (bytes < tailBytes) return null;
      const tail = new Uint8Array(tailBytes);
      await store.read(name, bytes - tailBytes, tail);
      const footerBytes = length(new DataView(tail.buffer));
      if (footerBytes === null || footerBytes < 0 || footerBytes > bytes - tailBytes) return null;
      const footer = new Uint8Array(footerBytes);
      await store.read(name, bytes - tailBytes - footerBytes, footer);
      return value(footer, ABOUT);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      return null;
    }
  };
}

/** Writes a file and closes its sink; gives the sink up if that fails. Returns the number of rows. */
export async function writeRows(rows: RowsToWrite, format: RowFormat, sink: Sink): Promise<number> {
  let written = 0;
  await orAbort(sink, async () => {
    await format.write({ ...rows, batches: freeing(counted()) }, sink);
    await sink.close();
  });
  return written;

  async function* counted(): AsyncGenerator<RowBatch> {
    for await (const batch of rows.batches) {
      written += batch.rows;
      yield batch;
    }
  }
}

/** Bytes that batches may leave behind: Parquet makes some 16 MiB of arrays for a group of four columns. */
const LEFT_BEHIND = 16 << 20;

/** Frees what a batch has left behind before the next is made: V8 would keep that of several. */
async function* freeing<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    yield batch;
    freeUnused(true, 0, LEFT_BEHIND);
  }
}

export const NONE = -1;

/** An array for the places of so many words: they have signs, in which Int8 loses one of its bits. */
export function newPlaces(words: number, rows: number): Int8Array | Int16Array {
  return words < 128 ? new Int8Array(rows) : new Int16Array(rows);
}

/** A value as programs have it. */
export type Cell = string | number | bigint | null | readonly string[];

/** Returns a function that gives the value of row i. */
export function cellsOf(column: RowColumn, values: ColumnValues): (i: number) => Cell {
  if (column.type === 'texts') {
    const { lists, texts } = values as Lists;
    const text = textAt(texts);
    return (i) => Array.from({ length: lists[i + 1] - lists[i] }, (_, k) => text(lists[i] + k));
  }
  if (column.type === 'text') {
    const texts = values as Texts;
    const { missing } = texts;
    const text = textAt(texts);
    return missing === null ? text : (i) => (missing[i] === 1 ? null : text(i));
  }
  const numbers = values as Exclude<ColumnValues, Texts | Lists>;
  if (column.type === 'word') {
    const { words } = column;
    return (i) => words[numbers[i] as number] ?? null;
  }
  if (!column.isOptional) return (i) => numbers[i];
  return (i) => (numbers[i] === NONE ? null : numbers[i]);
}

/** The rows of a batch as objects, one after the other. */
export function* recordsOf(
  columns: readonly RowColumn[],
  { rows, values }: RowBatch,
): Generator<Record<string, Cell>> {
  const cells = columns.map((column, i) => cellsOf(column, values[i]));
  for (let i = 0; i < rows; i++)
    yield Object.fromEntries(columns.map(({ name }, at) => [name, cells[at](i)]));
}

/** Returns a function that decodes text i; it works for as long as the batch lives. */
function textAt({ bytes, ends }: Texts): (i: number) => string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const all = buffer.toString('latin1');
  // Characters of ASCII are at the places of their bytes, so that slices need no decoding.
  const isAscii = !/[\x80-\xff]/.test(all);
  return isAscii
    ? (i) => all.slice(ends[i], ends[i + 1])
    : (i) => buffer.toString('utf8', ends[i], ends[i + 1]);
}

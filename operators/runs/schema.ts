import type { Arrays } from '../core/arrays.js';
import type { Column, ColumnSpec, ColumnType } from './types.js';

/** The form of a run: fixed when it is created, recorded in it, and given back when it is opened. */
export interface RunSpec {
  /** The meaning of its rows, e.g. "labels": a reader may insist on it. */
  readonly kind: string;
  /** Dense: one row for every minor of a major from 0 on, so minors are not stored. Sparse: a first column "minor". */
  readonly dense: boolean;
  /** The payload columns only. */
  readonly columns: readonly ColumnSpec[];
  /** Minors ascend strictly within a major (always so in a dense run). */
  readonly strict: boolean;
  /** Further facts from the producer. */
  readonly meta: Readonly<Record<string, string>>;
}

/** The order of rows: by major, then by minor. */
export interface Key {
  readonly major: number;
  readonly minor: number;
}

export const MINOR: ColumnSpec = { name: 'minor', type: 'u32' };
/** Minors in compact blocks (compact-blocks.ts): a column of words, whose number is not that of the rows. */
export const PACKED: ColumnSpec = { name: 'packed-minors', type: 'u32' };

/** Minors are packed where they are all there is: payload columns would need as many values as there are words. */
export function isCompact(spec: Pick<RunSpec, 'dense' | 'columns'>): boolean {
  return !spec.dense && spec.columns.length === 0;
}

const WIDTHS: Record<ColumnType, number> = { u8: 1, u16: 2, u32: 4, i8: 1, i16: 2, i32: 4 };

export function isColumnType(text: string): text is ColumnType {
  return Object.hasOwn(WIDTHS, text);
}

/** Bytes of one value. */
export function widthOf(type: ColumnType): number {
  return WIDTHS[type];
}

/** Bytes of one row of the stored columns. */
export function rowBytes(columns: readonly ColumnSpec[]): number {
  return columns.reduce((sum, column) => sum + widthOf(column.type), 0);
}

/** The columns as they are stored: a sparse run's minor comes first, or is packed. */
export function storedColumns(spec: Pick<RunSpec, 'dense' | 'columns'>): readonly ColumnSpec[] {
  if (isCompact(spec)) return [PACKED];
  return spec.dense ? spec.columns : [MINOR, ...spec.columns];
}

/** A column of `length` zeros. */
export function newColumn(type: ColumnType, length: number): Column {
  return columnView(type, new ArrayBuffer(length * widthOf(type)), 0, length);
}

/** A view of `length` values from a byte offset on (a multiple of their width). */
export function columnView(
  type: ColumnType,
  buffer: ArrayBufferLike,
  offset: number,
  length: number,
): Column {
  switch (type) {
    case 'u8':
      return new Uint8Array(buffer, offset, length);
    case 'u16':
      return new Uint16Array(buffer, offset, length);
    case 'u32':
      return new Uint32Array(buffer, offset, length);
    case 'i8':
      return new Int8Array(buffer, offset, length);
    case 'i16':
      return new Int16Array(buffer, offset, length);
    case 'i32':
      return new Int32Array(buffer, offset, length);
  }
}

/** Columns of `rows` rows: of the heap, or of `arrays`, and then the arrays are added to `taken`. */
export function takeColumns(
  columns: readonly ColumnSpec[],
  rows: number,
  arrays: Arrays | undefined,
  taken: Uint32Array[],
): Column[] {
  const made: Column[] = [];
  for (const { type } of columns) {
    if (arrays === undefined || rows === 0) {
      made.push(newColumn(type, rows));
      continue;
    }
    const array = arrays.take(Math.ceil((rows * widthOf(type)) / 4));
    taken.push(array);
    made.push(columnView(type, array.buffer, 0, rows));
  }
  return made;
}

/** The bytes of a column, as a view. */
export function bytesOf(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}

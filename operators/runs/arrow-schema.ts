/** Columns of runs as fields of an Arrow schema, and back. */
import { type DataType, Field, Int8, Int16, Int32, Schema, Uint8, Uint16, Uint32 } from 'apache-arrow';
import { isColumnType } from './schema.js';
import type { ColumnSpec, ColumnType } from './types.js';

/** The Arrow schema of stored columns; its metadata is filled in when the run is finished. */
export function arrowSchema(columns: readonly ColumnSpec[]): Schema {
  return new Schema(
    columns.map((column) => new Field(column.name, arrowType(column.type), false)),
    new Map(),
  );
}

/** The stored columns of an Arrow schema, or null if it has a column of another type. */
export function columnsOf(schema: Schema): ColumnSpec[] | null {
  const columns: ColumnSpec[] = [];
  for (const field of schema.fields) {
    const type = shortType(field.type);
    if (type === null) return null;
    columns.push({ name: field.name, type });
  }
  return columns;
}

function arrowType(type: ColumnType): DataType {
  switch (type) {
    case 'u8':
      return new Uint8();
    case 'u16':
      return new Uint16();
    case 'u32':
      return new Uint32();
    case 'i8':
      return new Int8();
    case 'i16':
      return new Int16();
    case 'i32':
      return new Int32();
  }
}

function shortType(type: DataType): ColumnType | null {
  const text = String(type); // "Uint8", "Int32", …
  const short = text.replace(/^Uint/, 'u').replace(/^Int/, 'i');
  return isColumnType(short) ? short : null;
}

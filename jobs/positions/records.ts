/** Found positions as records: lines of JSON and CSV. parquet-records.ts and arrow-records.ts write files of them. */
import { type CsvCell, csvLine } from '../ui/csv.js';

type RecordCell = string | number | bigint | null | readonly string[];

export interface RecordField {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'texts';
}

export const fieldsAs = (type: RecordField['type'], ...names: readonly string[]): RecordField[] =>
  names.map((name) => ({ name, type }));

/** A value for each field, by name. */
export type PositionRecord = Readonly<Record<string, RecordCell>>;

/** The text before the first record. */
export function recordHead(format: 'jsonl' | 'csv', fields: readonly RecordField[]): string {
  return format === 'csv' ? csvLine(fields.map(({ name }) => name)) : '';
}

/** A record as a line. */
export function recordLine(
  format: 'jsonl' | 'csv',
  fields: readonly RecordField[],
  record: PositionRecord,
): string {
  if (format === 'csv') return csvLine(fields.map(({ name }) => csvCell(record[name])));
  // JSON.stringify takes no bigints.
  const cell = (value: RecordCell) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));
  return `{${fields.map(({ name }) => `${JSON.stringify(name)}:${cell(record[name])}`).join(',')}}\n`;
}

function csvCell(cell: RecordCell): CsvCell {
  return cell !== null && typeof cell === 'object' ? cell.join(' ') : cell;
}

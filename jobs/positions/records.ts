/** Found positions as records: lines of JSON and CSV (parquet-records.ts has rows of Parquet). */
import { csvText } from '../report/csv.js';

export type RecordCell = string | number | bigint | null | readonly string[];

export interface RecordField {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'texts';
}

/** A value for each field, by name. */
export type PositionRecord = Readonly<Record<string, RecordCell>>;

/** The text before the first record. */
export function recordHead(format: 'jsonl' | 'csv', fields: readonly RecordField[]): string {
  return format === 'csv'
    ? csvText(
        fields.map(({ name }) => name),
        [],
      )
    : '';
}

/** A record as a line. */
export function recordLine(
  format: 'jsonl' | 'csv',
  fields: readonly RecordField[],
  record: PositionRecord,
): string {
  if (format === 'csv')
    return csvText(
      fields.map(({ name }) => csvCell(record[name])),
      [],
    );
  // JSON.stringify takes no bigints.
  const cell = (value: RecordCell) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));
  return `{${fields.map(({ name }) => `${JSON.stringify(name)}:${cell(record[name])}`).join(',')}}\n`;
}

function csvCell(cell: RecordCell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? cell.join(' ') : String(cell);
}

/** Found positions as records: lines of JSON and CSV. parquet-records.ts and arrow-records.ts write files of them. */
import type { RowColumn } from '../export/rows.js';
import { type CsvCell, csvLine } from '../ui/csv.js';

export type RecordCell = string | number | bigint | null | readonly string[];

/** A list of texts for each record. */
export interface ListColumn {
  readonly type: 'texts';
  readonly name: string;
}

/** A column of a file of records: as those of exports of all rows, which have no lists. */
export type RecordColumn = RowColumn | ListColumn;

/** A value for each column, by name. */
export type PositionRecord = Readonly<Record<string, RecordCell>>;

/** The text before the first record. */
export function recordHead(format: 'jsonl' | 'csv', names: readonly string[]): string {
  return format === 'csv' ? csvLine(names) : '';
}

/** A record as a line. */
export function recordLine(
  format: 'jsonl' | 'csv',
  names: readonly string[],
  record: PositionRecord,
): string {
  if (format === 'csv') return csvLine(names.map((name) => csvCell(record[name])));
  // JSON.stringify takes no bigints.
  const cell = (value: RecordCell) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value));
  return `{${names.map((name) => `${JSON.stringify(name)}:${cell(record[name])}`).join(',')}}\n`;
}

function csvCell(cell: RecordCell): CsvCell {
  return cell !== null && typeof cell === 'object' ? cell.join(' ') : cell;
}

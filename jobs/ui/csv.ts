/** Lines of comma-separated values (RFC 4180), by d3-dsv. */
import { csvFormatRow } from 'd3-dsv';

export type CsvCell = string | number | bigint | null;

/** A line with its newline; null is an empty field. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${csvFormatRow(cells.map((cell) => (cell === null ? '' : String(cell))))}\n`;
}

export function csvText(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map(csvLine).join('');
}

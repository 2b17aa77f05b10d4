/** Comma-separated values (RFC 4180), lines ended by newlines. */
export type CsvCell = string | number | null;

export function csvText(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvField).join(',')}\n`).join('');
}

/** A field of a line, in quotes if it needs them. */
export function csvField(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

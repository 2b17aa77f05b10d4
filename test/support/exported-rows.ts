/** The rows of exported files, by readers of others. */
import { readFileSync } from 'node:fs';
import { tableFromIPC, Vector } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';

export type Row = Record<string, string | number | null>;

export const linesOf = <T = Row>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

/** A value as JSON has it: lists are vectors in Arrow. */
function plain(value: unknown): unknown {
  if (value instanceof Vector) return [...value];
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

const plainRow = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])) as Row;

export async function rowsIn(path: string): Promise<Row[]> {
  if (path.endsWith('.jsonl')) return linesOf(readFileSync(path, 'utf8'));
  if (path.endsWith('.arrow'))
    return tableFromIPC(readFileSync(path))
      .toArray()
      .map((row) => plainRow(row.toJSON()));
  if (path.endsWith('.parquet'))
    return (await parquetReadObjects({ file: await asyncBufferFromFile(path) })).map(plainRow);
  const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',').map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"'));
    return Object.fromEntries(
      names.map((name, i) => [
        name,
        cells[i] === '' ? null : /^-?\d+$/.test(cells[i]) ? Number(cells[i]) : cells[i],
      ]),
    );
  });
}

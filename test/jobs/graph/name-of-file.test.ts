/** Names of files give the name of a graph and the format of an export. */
import { describe, expect, test } from 'vitest';
import { formatOf } from '../../../jobs/export/formats.js';
import { nameOfFile } from '../../../jobs/graph/name-of-file.js';

test.each([
  ['town.json', 'town'],
  ['a/b/town.jsonl.gz', 'town'],
  ['v1.0.json', 'v1-0'],
  ['v1.1.json.gz', 'v1-1'],
  ['my town é.ndjson', 'my-town'],
  ['town', 'town'],
  ['.json', 'graph'],
])('the graph of %s is called %s', (path, name) => {
  expect(nameOfFile(path)).toBe(name);
});

describe('the format of a file', () => {
  const formats = ['parquet', 'arrow', 'csv', 'jsonl'] as const;

  test.each([
    ['x.parquet', undefined, 'parquet'],
    ['a.b/x.PARQUET', undefined, 'parquet'],
    ['x.ndjson', undefined, 'jsonl'],
    ['x.csv', undefined, 'csv'],
    ['x.csv', 'csv', 'csv'],
    ['rows', 'arrow', 'arrow'],
    ['rows.v2', 'csv', 'csv'],
    ['set/', 'jsonl', 'jsonl'],
    ['set.csv/', 'jsonl', 'jsonl'],
    ['-', undefined, 'jsonl'],
    ['-', 'csv', 'csv'],
  ] as const)('--out %s --format %s is %s', (out, asked, format) => {
    expect(formatOf(formats, out, asked)).toBe(format);
  });

  test.each([
    ['x.parquet', 'arrow', '--out x.parquet is named as parquet, but --format is arrow: give one of them'],
    [
      'x.txt',
      undefined,
      '--out x.txt does not end in the name of a format: end it in .parquet, .arrow, .csv or .jsonl, or give --format',
    ],
    ['x.pgn', undefined, '--out x.pgn: it cannot be written as pgn, only as parquet, arrow, csv or jsonl'],
    ['-', 'parquet', '--out -: standard output takes text, not parquet: give --out FILE'],
  ] as const)('--out %s --format %s is refused', (out, asked, message) => {
    expect(() => formatOf(formats, out, asked)).toThrow(message);
  });
});

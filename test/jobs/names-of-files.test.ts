/** Names of files give the name of a graph and the format of an export. */
import { expect, test } from 'vitest';
import { formatOf } from '../../jobs/export/format.js';
import { nameOfFile } from '../../jobs/graph/name-of-file.js';

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

test('a format is what was asked for, or what the name says, or else the usual one', () => {
  const formats = ['parquet', 'arrow', 'jsonl'] as const;
  expect(formatOf(formats, 'x.parquet', 'arrow')).toBe('arrow');
  expect(formatOf(formats, 'a.b/x.parquet', undefined)).toBe('parquet');
  expect(formatOf(formats, 'x.ndjson', undefined, 'arrow')).toBe('jsonl');
  expect(formatOf(formats, '-', undefined)).toBe('jsonl');
  expect(formatOf(formats, 'x.csv', undefined, 'jsonl')).toBe('jsonl');
  expect(() => formatOf(formats, 'set/', undefined)).toThrow(
    "--out set/ does not end in a format's name: --format parquet or arrow or jsonl tells it",
  );
});

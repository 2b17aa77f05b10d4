/** `export`, read back by other programs' readers. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordBatchReader, Table, tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STREAM_BEGINS } from '../../../jobs/export/arrow.js';
import { columnsOf } from '../../../jobs/export/columns.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { filesUnder, newFolder } from '../../support/folders.js';
import { ifShort, LONG } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const store = newFolder();
const mergemate = program(store);
const out = (name: string) => join(store, name);
beforeAll(() => putEndings(store, chess, ['KQK']));
afterAll(() => rmSync(store, { recursive: true, force: true }));

/** Every column, those too that must be named. */
const EVERY = [
  '--columns',
  columnsOf('dtm')
    .filter((name) => name !== 'best')
    .join(','),
];

interface Row {
  slice: string;
  index: number;
  position: string;
  mover: string;
  outcome: string;
  plies: number | null;
}

async function exported(format: string, ending = 'KQK', ...more: string[]): Promise<string> {
  const path = out(`${ending}.${format}`);
  await mergemate.succeed(['export', 'chess', ending, '--format', format, '--out', path, ...more]);
  return path;
}

const jsonRows = (text: string): Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

let text: Promise<string> | undefined;
/** The rows as lines of JSON, exported once. */
const exportedText = () =>
  (text ??= exported('jsonl', 'KQK', ...EVERY).then((path) => readFileSync(path, 'utf8')));
/** Rows that another program has read, as those lines: to compare so many as objects takes long. */
const linesOf = (rows: Record<string, unknown>[]) =>
  rows
    .map((row) => `${JSON.stringify({ ...row, index: Number(row.index), plies: row.plies ?? null })}\n`)
    .join('');

test('jsonl: a row for each legal canonical position, white first, by index', async () => {
  const text = await exportedText();
  const rows = jsonRows(text);
  const stats = await mergemate.succeedJson<Record<string, Record<string, { orbits: number }>>>([
    'stats',
    'chess',
    'KQK',
  ]);
  const { width } = chess.slice('KQK');
  for (const [side, number] of [
    ['white', 0],
    ['black', 1],
  ] as const) {
    const own = rows.filter(({ mover }) => mover === side);
    expect(own.length).toBe(stats[side].legal.orbits);
    expect(own.filter(({ outcome }) => outcome === 'draw').length).toBe(stats[side].draws.orbits);
    for (const [i, row] of own.entries()) if (i > 0) expect(row.index).toBeGreaterThan(own[i - 1].index);
    for (const row of own.filter((_, i) => i % 97 === 0)) {
      const { side: located, part, key } = chess.locate(chess.parse(row.position));
      expect([located, part * width + key]).toEqual([number, row.index]);
      expect(row.plies === null).toBe(row.outcome === 'draw');
    }
  }
  expect(rows.findIndex(({ mover }) => mover === 'black')).toBe(stats.white.legal.orbits);
  for (const row of rows.filter((_, i) => i % 9001 === 0)) {
    const probed = await mergemate.succeedJson<Row>(['probe', 'chess', row.position]);
    expect([probed.outcome, probed.plies]).toEqual([row.outcome, row.plies]);
  }
  const streamed = await mergemate.succeed([
    'export',
    'chess',
    'KQK',
    '--format',
    'jsonl',
    '--out',
    '-',
    ...EVERY,
  ]);
  expect(streamed === text).toBe(true);
});

test('parquet holds the same rows', async () => {
  const read = await parquetReadObjects({
    file: await asyncBufferFromFile(await exported('parquet', 'KQK', ...EVERY)),
  });
  expect(linesOf(read)).toBe(await exportedText());
  expect(typeof read[0].index).toBe('bigint');
});

test.skipIf(!LONG)(`arrow holds the same rows, as a file and as the stream in it${ifShort}`, async () => {
  const file = readFileSync(await exported('arrow', 'KQK', ...EVERY));
  const stream = RecordBatchReader.from(file.subarray(STREAM_BEGINS));
  expect(stream.isStream()).toBe(true);
  const table = tableFromIPC(file);
  expect(
    table.schema.fields.map(({ name, type, nullable }) => `${name}: ${type}${nullable ? '?' : ''}`),
  ).toEqual([
    'ending: Dictionary<Int8, Utf8>',
    'slice: Dictionary<Int8, Utf8>',
    'index: Int64',
    'position: Utf8',
    'mover: Dictionary<Int8, Utf8>',
    'outcome: Dictionary<Int8, Utf8>',
    'plies: Int16?',
    'weight: Int16',
  ]);
  const text = await exportedText();
  for (const read of [table, new Table([...stream])])
    expect(linesOf(read.toArray().map((row) => row.toJSON()))).toBe(text);
});

test.each(['jsonl', 'parquet', 'arrow'])('%s has the columns that are asked for', async (format) => {
  const path = await exported(format, 'KQK', '--force', '--columns', 'outcome,mover,plies');
  const rows =
    format === 'jsonl'
      ? jsonRows(readFileSync(path, 'utf8'))
      : format === 'parquet'
        ? await parquetReadObjects({ file: await asyncBufferFromFile(path) })
        : tableFromIPC(readFileSync(path))
            .toArray()
            .map((row) => row.toJSON());
  expect(rows.length).toBe(46137);
  expect(Object.keys(rows[0])).toEqual(['mover', 'outcome', 'plies']);
});

test.skipIf(!LONG)(`a single ending is exported to the same file as in a set${ifShort}`, async () => {
  const args = ['export', 'chess', 'KQK'];
  await mergemate.succeed([...args, '--out', out('alone.parquet')]);
  await mergemate.succeed([...args, '--format', 'parquet', '--out', `${out('set')}/`]);
  expect(readFileSync(out('alone.parquet'))).toEqual(
    readFileSync(join(out('set'), 'ending=KQK', 'KQK.parquet')),
  );
});

test('an ending named with exchanged colours has its colours exchanged in all rows', async () => {
  const rows = jsonRows(readFileSync(await exported('jsonl', 'KKQ'), 'utf8'));
  expect(rows[0].mover).toBe('white');
  expect(rows[0].position).toMatch(/^[1-8kqK/]+ w /);
  expect(rows.filter(({ mover, outcome }) => mover === 'white' && outcome === 'win')).toEqual([]);
});

test('an existing file is overwritten only by --force', async () => {
  const path = out('precious.jsonl');
  writeFileSync(path, 'precious');
  const args = ['export', 'chess', 'KQK', '--format', 'jsonl', '--out', path];
  expect((await mergemate.run(args)).code).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe('precious');
  await mergemate.succeed([...args, '--force']);
  expect(jsonRows(readFileSync(path, 'utf8')).length).toBe(46137);
  expect(filesUnder(store).filter((file) => file.includes('.tmp-'))).toEqual([]);
});

test('something other than a regular file is never replaced, not by --force either', async () => {
  const path = out('pipe');
  execFileSync('mkfifo', [path]);
  const args = ['export', 'chess', 'KQK', '--format', 'jsonl', '--force', '--out'];
  for (const device of [path, '/dev/null']) {
    const { code, stderr } = await mergemate.run([...args, device]);
    expect([code, stderr]).toEqual([
      2,
      `mergemate: --out ${device} is not a regular file: only those are written, or replaced\n`,
    ]);
  }
  expect(statSync(path).isFIFO()).toBe(true);
});

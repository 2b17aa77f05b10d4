/** `export` of sets of files, read back by other programs' readers. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnsOf } from '../../../jobs/export/columns.js';
import { parquet } from '../../../jobs/export/parquet.js';
import { exportSet } from '../../../jobs/export/set.js';
import { openStore } from '../../../jobs/stores.js';
import type { Game } from '../../../pipeline/game/game.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { program } from '../../support/command.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { endedIdentity } from '../../support/identities.js';
import { ifShort, LONG, LONGEST, sweep } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const ALL = columnsOf('dtm').filter((name) => name !== 'best');

/**
 * 1001, a man of White against a king of Black, has a slice for each rank of the man. The long tests add 1100, king against king, and the
 * longest take all of two pieces.
 */
const CHECKERS = LONGEST ? ['--pieces', '2'] : sweep(['1001'], ['1100']);

const CHESS = ['KQK', 'KBK', 'KNK', ...(LONG ? ['KRK'] : [])];

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
beforeAll(async () => {
  await putEndings(store, chess, CHESS);
  const two = checkers.endingsUpTo(2).map(({ name }) => name);
  await putEndings(store, checkers, LONGEST ? two : CHECKERS);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  slice: string;
  mover: string;
  index: number;
  position: string;
  outcome: string;
  plies: number | null;
}
interface Summary {
  rows: number;
  bytes: number;
  kept: number;
  columns: string[];
  files: { name: string; ending: string; slice: string; rows: number; bytes: number; kept: boolean }[];
}

const exportAs = (format: string, out: string, ...words: string[]) =>
  mergemate.succeedJson<Summary>(['export', ...words, '--format', format, '--out', out]);

const plain = (row: Record<string, unknown>) => ({
  ...row,
  ...('index' in row && { index: Number(row.index) }),
  plies: row.plies ?? null,
});

async function parquetRows(path: string): Promise<Row[]> {
  return (await parquetReadObjects({ file: await asyncBufferFromFile(path) })).map(plain) as Row[];
}

function arrowRows(path: string): Row[] {
  return tableFromIPC(readFileSync(path))
    .toArray()
    .map((row) => plain(row.toJSON())) as Row[];
}

/** Rows as lines of JSON, whatever the order of their columns. */
const linesOf = (rows: Row[]): string =>
  rows
    .map(({ slice, position, mover, outcome, plies }) =>
      JSON.stringify([slice, position, mover, outcome, plies]),
    )
    .join('\n');

/** The lines of the export of one slice, which is written by other code. */
async function expectedRows(game: string, slice: string): Promise<Row[]> {
  const text = await mergemate.succeed(['export', game, slice, '--format', 'jsonl', '--out', '-']);
  const lines = text.trim().split('\n');
  return lines.map((line) => ({ slice, ...JSON.parse(line) }) as Row);
}

test.skipIf(!LONG).each(['parquet', 'arrow'] as const)(
  `%s: a file for each slice, with the rows of its own export${ifShort}`,
  async (format) => {
    const out = testFolder();
    const endings = format === 'parquet' ? ['KKQ', 'KBK'] : ['KQK'];
    const summary = await exportAs(format, out, 'chess', ...endings);
    expect(summary.files.map(({ name, ending, slice, kept }) => [name, ending, slice, kept])).toEqual(
      endings.map((name) => [`ending=${name}/${name}.${format}`, name, name, false]),
    );
    expect(filesUnder(out)).toEqual(summary.files.map(({ name }) => join(out, name)).sort());
    let bytes = 0;
    for (const { name, slice, rows } of summary.files) {
      const path = join(out, name);
      bytes += statSync(path).size;
      const read = format === 'parquet' ? await parquetRows(path) : arrowRows(path);
      expect(read.length).toBe(rows);
      // As texts: to compare so many objects takes long.
      expect(linesOf(read)).toBe(linesOf(await expectedRows('chess', slice)));
    }
    const rows = summary.files.reduce((sum, { slice, rows }) => sum + (slice === 'KBK' ? rows : 46_137), 0);
    expect(summary).toMatchObject({ rows, bytes, kept: 0 });
  },
);

test('columns have the smallest types that fit', async () => {
  const out = testFolder();
  const { files } = await exportAs('arrow', out, 'chess', 'KQK', '--columns', 'plies, outcome,index');
  const [file] = files;
  expect(tableFromIPC(readFileSync(join(out, file.name))).schema.fields.map(String)).toEqual([
    'index: Int64',
    'outcome: Dictionary<Int8, Utf8>',
    'plies: Int16',
  ]);
  const parquet = await exportAs(
    'parquet',
    out,
    'chess',
    'KQK',
    '--columns',
    'slice,mover,index,outcome,plies',
  );
  expect(parquet.columns).toEqual(['slice', 'index', 'mover', 'outcome', 'plies']);
  // A position takes less than a byte and a half.
  expect(parquet.bytes).toBeLessThan(1.5 * parquet.rows);
});

test('a class of several slices has each of its boards once', async () => {
  const out = testFolder();
  const { files, rows } = await exportAs(
    ...(['parquet', out, 'checkers', ...CHECKERS] as const),
    ...['--columns', ALL.join(',')],
  );
  const boards: Row[] = [];
  for (const { name, ending, slice } of files) {
    expect(name).toBe(`ending=${ending}/${slice}.parquet`);
    expect(checkers.ending(slice).class).toBe(ending);
    const read = await parquetRows(join(out, name));
    expect(new Set(read.map((row) => row.slice))).toEqual(new Set([slice]));
    boards.push(...read);
  }
  expect(boards.length).toBe(rows);
  expect(new Set(boards.map(({ position }) => position)).size).toBe(rows);
  expect(new Set(boards.map(({ slice, mover, index }) => `${slice} ${mover} ${index}`)).size).toBe(rows);
  for (const ending of new Set(files.map((file) => file.ending))) {
    const stats = await mergemate.succeedJson<Record<'black' | 'white', { legal: { orbits: number } }>>([
      ...['stats', 'checkers', ending],
    ]);
    const own = boards.filter(({ slice }) => checkers.ending(slice).class === ending);
    for (const side of ['black', 'white'] as const) {
      expect(own.filter(({ mover }) => mover === side).length).toBe(stats[side].legal.orbits);
    }
  }
});

test.skipIf(!LONG)(`a class and one of its slices write each file once${ifShort}`, async () => {
  const out = testFolder();
  const { files } = await exportAs('parquet', out, 'checkers', '1001', '1001.03');
  expect(files.map(({ name }) => name)).toContain('ending=1001/1001.03.parquet');
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  expect(files).toEqual((await exportAs('parquet', testFolder(), 'checkers', '1001')).files);
});

test.each(LONG ? (['arrow', 'parquet'] as const) : (['arrow'] as const))(
  '%s: the same command again keeps the files',
  async (format) => {
    const out = testFolder();
    const first = await exportAs(format, out, 'chess', 'KNK', 'KQK');
    const second = await exportAs(format, out, 'chess', 'KNK', 'KQK');
    expect([first.kept, second.kept]).toEqual([0, 2]);
    expect(second.rows).toBe(first.rows);
  },
);

test.skipIf(!LONG)(`complete files are kept, missing ones are written${ifShort}`, async () => {
  const out = testFolder();
  const args = ['chess', 'KNK', 'KRK'] as const;
  const first = await exportAs('parquet', out, ...args);
  expect(first.files.map(({ ending }) => ending).sort()).toEqual(['KNK', 'KRK']);
  const path = (ending: string) => join(out, `ending=${ending}`, `${ending}.parquet`);
  const bytes = readFileSync(path('KRK'));
  rmSync(path('KRK'));
  const untouched = statSync(path('KNK')).mtimeMs;
  // A process that was killed left the beginning of a file.
  const remains = join(out, 'ending=KRK', `.tmp-${endedIdentity()}-0`);
  writeFileSync(remains, bytes.subarray(0, 1000));
  const second = await exportAs('parquet', out, ...args);
  expect(second.kept).toBe(1);
  expect(second.files.filter(({ kept }) => !kept).map(({ ending }) => ending)).toEqual(['KRK']);
  expect({ ...second, kept: 0, files: [] }).toEqual({ ...first, files: [] });
  expect(readFileSync(path('KRK'))).toEqual(bytes);
  expect(statSync(path('KNK')).mtimeMs).toBe(untouched);
  expect(filesUnder(out)).not.toContain(remains);
});

test.skipIf(!LONG)(`a file with other content is overwritten only by --force${ifShort}`, async () => {
  const out = testFolder();
  await exportAs('parquet', out, 'chess', 'KNK');
  const path = join(out, 'ending=KNK/KNK.parquet');
  const before = readFileSync(path);
  const args = ['export', 'chess', 'KNK', '--format', 'parquet', '--out', out];
  const columns = ['--columns', 'slice,outcome'];
  expect(await mergemate.run([...args, ...columns])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^(KNK.*\n)?mergemate: --out .*KNK\.parquet is there and has columns slice,position,mover,outcome,plies,weight, not slice,outcome: --force overwrites it\n$/,
    ),
  });
  expect(readFileSync(path)).toEqual(before);
  await mergemate.succeed([...args, ...columns, '--force']);
  const [row] = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  expect(Object.keys(row)).toEqual(['slice', 'outcome']);
  writeFileSync(path, 'precious');
  expect((await mergemate.run(args)).stderr).toMatch(/was not written by this command: --force/);
  expect(readFileSync(path, 'utf8')).toBe('precious');
  mkdirSync(join(out, 'ending=KBK'));
  writeFileSync(join(out, 'ending=KBK/KBK.arrow'), before);
  expect((await mergemate.run(['export', 'chess', 'KBK', '--format', 'arrow', '--out', out])).stderr).toMatch(
    /KBK\.arrow is there and was not written by this command/,
  );
});

test('a failed export leaves neither a file nor a part of one', async () => {
  const out = testFolder();
  const failing = exportSet({
    game: chess as Game,
    metric: 'dtm',
    store: openStore(store),
    endings: [chess.ending('KQK')],
    format: parquet,
    columns: ALL,
    out,
    force: false,
    memory: 2 ** 24,
    progress: () => {},
    breathe: () => Promise.reject(new Error('enough')),
  });
  await expect(failing).rejects.toThrow('enough');
  expect(filesUnder(out)).toEqual([]);
});

test.concurrent.each<[string, string[], RegExp]>([
  [
    'unknown column',
    ['KQK', '--columns', 'index,dtm'],
    /--columns: there is no column "dtm" \(there are: ending, slice/,
  ],
  ['Parquet on standard output', ['KQK', '--out', '-'], /--out -: standard output takes text, not parquet/],
  ['not solved', ['KQKR', 'KQK'], /1 of 2 slices .* run "mergemate solve chess KQKR KQK --metric dtm" first/],
  ['no such ending', ['KQ'], /ending "KQ"/],
  [
    'a name of another format',
    ['KQK', '--out', `${folder}/x.csv`],
    /x\.csv is named as csv, but --format is parquet: give one of them/,
  ],
])('%s is one line and exit code 2', async (_what, words, message) => {
  const defaults = ['--format', 'parquet', '--out', join(folder, 'set/')];
  const { code, stdout, stderr } = await mergemate.run(['export', 'chess', ...defaults, ...words]);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^mergemate: [^\n]+\n$/);
  expect([code, stdout]).toEqual([2, '']);
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC, Vector } from 'apache-arrow';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLUMNS_OF } from '../../../jobs/export/columns.js';
import { checkers } from '../../../pipeline/games/checkers/checkers.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { run, succeed, succeedJson } from '../../support/command.js';
import { linesOf, type Row, rowsIn } from '../../support/exported-rows.js';
import { filesUnder, newFolder, testFolder } from '../../support/folders.js';
import { ifShort, LONG, sweep } from '../../support/long.js';
import { putEndings } from '../../support/solving.js';

const folder = newFolder();
const store = ['--store', join(folder, 'tables')];
const kalah = join(folder, 'kalah.ts');
const town = join(folder, 'streets.json');

/** Two pits a side and players with names of their own: a game whose score may go to either. */
const KALAH = `import { numberedGame } from 'mergemate';
import { kalah } from ${JSON.stringify(join(process.cwd(), 'samples/kalah/game.ts'))};
export default numberedGame(kalah(2, 2));
`;

/** A name is an integer, others are text, one of them digits. */
const STREETS = {
  players: ['robber', 'cop'],
  nodes: [
    { id: 'a', owner: 'cop', edges: ['caught', 7] },
    { id: '8', owner: 'robber', edges: ['a'] },
    { id: 7, winner: null },
    { id: 'caught', winner: 'cop' },
  ],
};

/** Of few positions: a king against a king, and against a man of one rank. */
const SMALL = ['1100', '1001.03'] as const;

beforeAll(async () => {
  writeFileSync(kalah, KALAH);
  writeFileSync(town, JSON.stringify(STREETS));
  const quickly = [...store, '--no-verify', '--memory', '8MiB'];
  await putEndings(join(folder, 'tables'), chess, ['KQK', 'KRK']);
  await putEndings(join(folder, 'tables'), checkers, SMALL);
  await succeed(['solve', 'samples/tic-tac-toe/game.ts', ...quickly]);
  await succeed(['solve', kalah, ...quickly]);
  await succeed(['solve', town, ...quickly]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const exports = new Map<string, Promise<Row[]>>();
/** The rows of an export as JSON Lines, written once. */
function exported(...words: string[]): Promise<Row[]> {
  const asked = words.join(' ');
  const rows =
    exports.get(asked) ?? succeed(['export', ...words, '--out', '-', ...store]).then((text) => linesOf(text));
  exports.set(asked, rows);
  return rows;
}

const FORMATS = ['jsonl', 'csv', 'arrow', 'parquet'] as const;
/** The columns of keyed games that must be named, with all others. */
const EVERY = ['--columns', COLUMNS_OF['keyed games'].filter((name) => name !== 'best').join(',')];
const COLUMNS = ['--columns', 'slice,mover,index,outcome,plies,weight'];

/** What each format writes is tested once; both ways through all of them are long. */
const SOME_FORMATS = sweep<(typeof FORMATS)[number]>(['parquet'], ['jsonl', 'csv', 'arrow']);

/** CSV does not tell a name of digits from a number. */
const named = (rows: Row[]): Row[] => rows.map((row) => ({ ...row, slice: String(row.slice) }));

describe.each(SOME_FORMATS)('several endings as %s', (format) => {
  test.skipIf(!LONG)(`are written to one file with all their rows${ifShort}`, async () => {
    const out = join(testFolder(), `both.${format}`);
    await succeed(['export', 'checkers', ...SMALL, '--out', out, ...COLUMNS, ...store]);
    const rows = await rowsIn(out);
    const each = [
      ...(await exported('checkers', SMALL[0], ...COLUMNS)),
      ...(await exported('checkers', SMALL[1], ...COLUMNS)),
    ];
    expect(each.length).toBeGreaterThan(500);
    expect(rows.length).toBe(each.length);
    // As texts: to compare so many objects takes long.
    expect(JSON.stringify(named(rows))).toBe(JSON.stringify(each));
  });

  test('are written to a folder with a file for each', async () => {
    const out = `${join(testFolder(), 'set')}/`;
    await succeed(['export', 'checkers', ...SMALL, '--out', out, '--format', format, ...COLUMNS, ...store]);
    expect(filesUnder(out).sort()).toEqual([
      join(out, 'ending=1001', `1001.03.${format}`),
      join(out, 'ending=1100', `1100.${format}`),
    ]);
    const [man] = filesUnder(out).sort();
    expect(JSON.stringify(named(await rowsIn(man)))).toBe(
      JSON.stringify(await exported('checkers', '1001.03', ...COLUMNS)),
    );
  });
});

test('several endings are written to standard output one after the other', async () => {
  const rows = await exported('checkers', ...SMALL, '--columns', 'slice');
  expect(new Set(rows.map(({ slice }) => slice))).toEqual(new Set(SMALL));
});

test('a set is refused a path that is a file, also one that ends in a slash', async () => {
  const file = join(testFolder(), 'set');
  writeFileSync(file, '');
  const args = ['export', 'chess', 'KRK', 'KQK', '--out', `${file}/`, '--format', 'csv', ...store];
  expect(await run(args)).toMatchObject({
    code: 2,
    stderr: `mergemate: --out ${file}/: a set of files goes to a folder\n`,
  });
});

test('files of a set without metadata are not taken for complete', async () => {
  const out = `${join(testFolder(), 'set')}/`;
  const args = ['export', 'chess', 'KQK', '--out', out, '--format', 'csv', '--columns', 'index', ...store];
  await succeed(args);
  expect(await run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /KQK\.csv is there, and a csv file does not state what it holds: --force overwrites it\n$/,
    ),
  });
  await succeed([...args, '--force']);
});

describe('the sides are the players of the game', () => {
  test.each(['south', 'South'])('side=%s finds the positions of that player', async (side) => {
    const found = linesOf(await succeed(['export', kalah, '--where', `side=${side}`, ...store]));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ mover }) => mover))).toEqual(new Set(['south']));
  });

  test.each([
    [() => kalah, 'white', 'kalah-2-2 has no player "white" (it has: south, north)'],
    [() => town, 'white', 'streets has no player "white" (it has: robber, cop)'],
  ] as const)(
    'a player of another game is refused with the names of this one',
    async (path, side, message) => {
      expect(await run(['export', path(), '--where', `side=${side}`, ...store])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `mergemate: side: ${message}\n`,
      });
    },
  );

  test('in chess they are White and Black', async () => {
    const refused = await run(['export', 'chess', 'KQK', '--where', 'side=red', ...store]);
    expect(refused.stderr).toBe('mergemate: side: chess has no player "red" (it has: white, black)\n');
    const black = await succeed([
      'export',
      'chess',
      'KQK',
      '--where',
      'side=black',
      '--limit',
      '5',
      ...store,
    ]);
    expect(linesOf(black).map(({ mover }) => mover)).toEqual(Array(5).fill('black'));
  });
});

test('score and outcome in rows are for the mover, as probe has them', async () => {
  const rows = await exported(kalah);
  expect(rows.some(({ score }) => (score as number) < 0)).toBe(true);
  expect(rows.some(({ score }) => (score as number) > 0)).toBe(true);
  for (const { score, outcome } of rows)
    expect(Math.sign(score as number)).toBe(outcome === 'win' ? 1 : outcome === 'loss' ? -1 : 0);
  for (const row of rows.filter((_, i) => i % Math.ceil(rows.length / 25) === 0)) {
    const probed = await succeedJson<Row>(['probe', kalah, row.position as string, ...store]);
    expect([probed.mover, probed.outcome, probed.plies, probed.score]).toEqual([
      row.mover,
      row.outcome,
      row.plies,
      row.score,
    ]);
  }
});

describe('weights', () => {
  test('of chess add up to the boards that stats counts, and rows to its positions up to symmetry', async () => {
    type Tally = { orbits: number; placements: number };
    const stats = await succeedJson<Record<string, Record<string, Tally>>>([
      'stats',
      'chess',
      'KRK',
      ...store,
    ]);
    const rows = await exported('chess', 'KRK', '--columns', 'mover,outcome,weight');
    expect(new Set(rows.map(({ weight }) => weight))).toEqual(new Set([4, 8]));
    for (const side of ['white', 'black']) {
      const own = rows.filter(({ mover }) => mover === side);
      const sum = (some: Row[]) => some.reduce((total, { weight }) => total + (weight as number), 0);
      const drawn = own.filter(({ outcome }) => outcome === 'draw');
      expect([own.length, sum(own)]).toEqual([stats[side].legal.orbits, stats[side].legal.placements]);
      expect([drawn.length, sum(drawn)]).toEqual([stats[side].draws.orbits, stats[side].draws.placements]);
    }
  });

  const sumOf = (rows: Row[]) => rows.reduce((total, { weight }) => total + (weight as number), 0);

  test('of tic-tac-toe add up to the published number of its boards', async () => {
    const rows = await exported('samples/tic-tac-toe/game.ts');
    expect([rows.length, sumOf(rows)]).toEqual([765, 5478]);
  });

  test('of a keyed game add up to its positions with symmetric ones apart', async () => {
    const path = 'samples/tic-tac-toe/variants.ts';
    const solved = await succeedJson<{ nodes: number; boards: number }>(['solve', path, ...store]);
    const rows = await exported(path);
    expect([rows.length, sumOf(rows)]).toEqual([solved.nodes, solved.boards]);
    expect(sumOf(rows)).toBeGreaterThan(3 * rows.length);
  });

  test('are 1 without symmetries', async () => {
    expect(new Set((await exported(kalah)).map(({ weight }) => weight))).toEqual(new Set([1]));
  });
});

describe.each(sweep<(typeof FORMATS)[number]>(['csv'], ['jsonl', 'arrow', 'parquet']))(
  'a keyed game as %s',
  (format) => {
    test('has the same rows as JSON Lines, and the columns that are asked for', async () => {
      const out = join(testFolder(), `kalah.${format}`);
      await succeed(['export', kalah, '--out', out, ...EVERY, ...store]);
      const asRead = (text: unknown) =>
        text === null ? null : format === 'csv' ? Number(text) : String(text);
      const rows = (await exported(kalah, ...EVERY)).map((row) => ({
        ...row,
        id: asRead(row.id),
        move: asRead(row.move),
      }));
      // As texts: to compare so many objects takes long.
      expect(JSON.stringify(await rowsIn(out))).toBe(JSON.stringify(rows));
      await succeed(['export', kalah, '--out', out, '--force', '--columns', 'score, position', ...store]);
      expect(Object.keys((await rowsIn(out))[0])).toEqual(['position', 'score']);
      expect(await run(['export', kalah, '--out', out, '--columns', 'fen', ...store])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'there is no column "fen" (there are: id, position, mover, outcome, ',
        ),
      });
    });
  },
);

test('Parquet is compressed, with dictionaries where words of many rows repeat', async () => {
  const out = join(testFolder(), 'kqk.parquet');
  await succeed(['export', 'chess', 'KQK', '--out', out, ...store]);
  const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(out));
  for (const { columns } of row_groups)
    for (const { meta_data } of columns) {
      expect(meta_data!.codec).not.toBe('UNCOMPRESSED');
      const [name] = meta_data!.path_in_schema;
      if (['mover', 'outcome', 'plies'].includes(name))
        expect(meta_data!.encodings).toContain('RLE_DICTIONARY');
    }
});

describe('graphs', () => {
  test.each(FORMATS)('nodes in %s are text as probe reads it', async (format) => {
    const out = join(testFolder(), `streets.${format}`);
    await succeed(['export', town, '--out', out, '--columns', 'position,move', ...store]);
    const found = (await rowsIn(out)).map(({ position, move }) => [
      String(position),
      move === null ? null : String(move),
    ]);
    expect(found).toEqual([
      ['a', 'caught'],
      ['"8"', 'a'],
      ['7', null],
      ['caught', null],
    ]);
  });

  test('the player who has lost is to move where the play is over', async () => {
    const found = linesOf(await succeed(['export', town, '--limit', '9', ...store]));
    expect(found).toEqual([
      { position: 'a', mover: 'cop', outcome: 'win', plies: 1, weight: 1 },
      { position: '"8"', mover: 'robber', outcome: 'loss', plies: 2, weight: 1 },
      { position: '7', mover: 'robber', outcome: 'draw', plies: null, weight: 1 },
      { position: 'caught', mover: 'robber', outcome: 'loss', plies: 0, weight: 1 },
    ]);
    expect(linesOf(await succeed(['export', town, '--where', 'result=loss', ...store]))).toEqual([
      found[1],
      found[3],
    ]);
    expect(linesOf(await succeed(['export', town, '--where', 'side=cop', ...store]))).toEqual([found[0]]);
  });
});

describe.each([
  ['keyed games', (): string => kalah],
  ['graphs', (): string => town],
  ['chess', (): string => 'chess'],
] as const)('positions of %s', (kind, path) => {
  const words = (): string[] => (kind === 'chess' ? ['chess', 'KQK'] : [path()]);

  test('have the same columns whatever is asked for, and --moves adds the best ones', async () => {
    // Of chess the beginning: other tests here export an ending whole.
    const [row] = await exported(...words(), ...(kind === 'chess' ? ['--limit', '500'] : []));
    const columns = Object.keys(row);
    const asked = async (...flags: string[]) =>
      Object.keys(linesOf(await succeed(['export', ...words(), ...flags, ...store]))[0]);
    expect(linesOf(await succeed(['export', ...words(), '--limit', '1', ...store]))).toEqual([row]);
    expect(await asked('--where', 'result=win', '--limit', '2')).toEqual(columns);
    const withBest = [...columns.slice(0, -1), 'best', 'weight'];
    if (kind !== 'keyed games') expect(await asked('--limit', '1', '--moves')).toEqual(withBest);
    else expect((await asked('--limit', '1', '--moves')).sort()).toEqual([...columns, 'best'].sort());
    expect(await asked('--where', 'result=win', '--limit', '1', '--moves')).toEqual(
      await asked('--limit', '1', '--moves'),
    );
  });

  test("are written in the format of the file's ending", async () => {
    const out = (name: string) => join(testFolder(), name);
    const args = ['export', ...words(), '--limit', '50', ...store];
    const expected = linesOf(await succeed(args));
    const parquet = out('found.parquet');
    await succeed([...args, '--out', parquet]);
    const read = await rowsIn(parquet);
    expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1');
    expect(read).toHaveLength(expected.length);
    for (const [i, row] of expected.entries())
      for (const [name, value] of Object.entries(row)) expect(read[i][name] ?? null).toEqual(value);
    const csv = out('found.csv');
    await succeed([...args, '--out', csv]);
    expect(readFileSync(csv, 'utf8').split('\n')[0].split(',')).toEqual(
      expect.arrayContaining(Object.keys(expected[0])),
    );
    const arrow = out('found.arrow');
    const withMoves = linesOf(await succeed([...args, '--moves']));
    await succeed([...args, '--moves', '--out', arrow]);
    const rows = tableFromIPC(readFileSync(arrow)).toArray() as Record<string, unknown>[];
    // Lists are vectors of the library there.
    const plain = (value: unknown) => (value instanceof Vector ? [...value] : value);
    expect(rows).toHaveLength(withMoves.length);
    for (const [i, row] of withMoves.entries())
      for (const [name, value] of Object.entries(row)) expect(plain(rows[i][name])).toEqual(value);
    expect(await run([...args, '--out', out('found.parquet'), '--format', 'csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('found.parquet is named as parquet, but --format is csv'),
    });
  });
});

describe.each([
  ['keyed games', (): string[] => [kalah], 'plies=9999', 'plies=3 side=south'],
  ['graphs', (): string[] => [town], 'plies=9999', 'plies=2'],
  ['chess', (): string[] => ['chess', 'KRK'], 'plies=9998', 'plies=12 side=black'],
] as const)('conditions on %s', (kind, words, none, some) => {
  const asked = kind === 'chess' ? 'slice,index,mover,plies' : 'mover,outcome,plies';

  test('go with --columns: the same cells as in the rows of all positions', async () => {
    const [plies, side] = some.split(' ').map((each) => each.split('=')[1]);
    const all = await exported(...words(), '--columns', asked);
    const expected = all.filter(
      (row) => row.plies === Number(plies) && [undefined, row.mover].includes(side),
    );
    expect(expected.length).toBeGreaterThan(0);
    const where = ['export', ...words(), '--where', some, '--columns', asked, ...store];
    for (const format of FORMATS) {
      const out = join(testFolder(), `found.${format}`);
      expect(await succeed([...where, '--out', out])).toMatch(/ rows?\n$/);
      expect(await rowsIn(out)).toEqual(expected);
    }
    const first = linesOf(await succeed([...where, '--limit', '1', '--moves']));
    expect(first).toEqual(expected.slice(0, 1));
    const [{ best }] = linesOf(
      await succeed([
        'export',
        ...words(),
        '--where',
        some,
        '--limit',
        '1',
        '--moves',
        '--columns',
        'best',
        ...store,
      ]),
    );
    expect(Array.isArray(best)).toBe(true);
  });

  test('that no position meets leave a file with the same columns, types and metadata', async () => {
    const files = async (name: string, ...more: string[]) => {
      const [parquet, arrow] = [join(testFolder(), `${name}.parquet`), join(testFolder(), `${name}.arrow`)];
      const said: string[] = [];
      for (const out of [parquet, arrow])
        said.push(await succeed(['export', ...words(), '--columns', asked, '--out', out, ...more, ...store]));
      const { schema, key_value_metadata, num_rows } = await parquetMetadataAsync(
        await asyncBufferFromFile(parquet),
      );
      const table = tableFromIPC(readFileSync(arrow));
      return {
        said,
        rows: [Number(num_rows), table.numRows],
        parquet: schema
          .slice(1)
          .map(({ name, type, converted_type, repetition_type }) => [
            name,
            type,
            converted_type,
            repetition_type,
          ]),
        arrow: table.schema.fields.map(
          ({ name, type, nullable }) => `${name}: ${type}${nullable ? '?' : ''}`,
        ),
        about: [key_value_metadata?.map(({ key }) => key), [...table.schema.metadata.keys()]],
      };
    };
    const [empty, found, whole] = [
      await files('none', '--where', none),
      await files('some', '--where', some),
      await files('all'),
    ];
    expect(empty.rows).toEqual([0, 0]);
    expect(empty.said).toEqual([expect.stringMatching(/: 0 rows\n$/), expect.stringMatching(/: 0 rows\n$/)]);
    for (const other of [found, whole]) {
      expect(other.rows[0]).toBeGreaterThan(0);
      expect({ ...other, rows: null, said: null }).toEqual({ ...empty, rows: null, said: null });
    }
    expect(empty.about).toEqual([['mergemate'], ['mergemate']]);
    expect(empty.parquet).toContainEqual(['mover', 'BYTE_ARRAY', 'UTF8', 'REQUIRED']);
    expect(empty.arrow).toContain('mover: Dictionary<Int8, Utf8>');
  });

  test('name the columns that there are', async () => {
    expect(await run(['export', ...words(), '--where', some, '--columns', 'fen', ...store])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--columns: there is no column "fen" (there are: '),
    });
  });
});

test('positions for chess programs have no columns', async () => {
  const words = ['export', 'chess', 'KQK', '--format', 'epd', '--columns', 'plies', ...store];
  expect(await run(words)).toMatchObject({
    code: 2,
    stderr: 'mergemate: --columns: positions in epd have no columns\n',
  });
});

test('a graph is written as CSV to a file that ends in .csv', async () => {
  const out = join(testFolder(), 'streets.csv');
  await succeed(['export', 'streets', '--out', out, ...store]);
  expect(readFileSync(out, 'utf8').split('\n')[0]).toBe('position,mover,outcome,plies,weight');
});

test('solving a finished ending reports no work of this call, and the earlier work apart', async () => {
  for (const words of [['chess', 'KQK'], [town]]) {
    const again = await succeedJson<Record<string, unknown> & { slices?: Record<string, unknown>[] }>([
      ...['solve', ...words, ...store],
    ]);
    const summary = again.slices?.[0] ?? again;
    expect([summary.requests, summary.bytesRead, summary.bytesWritten]).toEqual([0, 0, 0]);
    expect((summary.earlier as Record<string, number>).bytesWritten).toBeGreaterThan(0);
  }
});

test('probe --json has the same fields for games of every kind', async () => {
  type Probed = Row & { moves: Row[] };
  const chess = await succeedJson<Probed>(['probe', 'chess', '8/8/8/8/8/5k2/7Q/5K2 w - - 0 1', ...store]);
  const start = (await exported(kalah)).find(({ plies }) => plies !== 0)!;
  const others = [
    await succeedJson<Probed>(['probe', kalah, start.position as string, ...store]),
    await succeedJson<Probed>(['probe', town, 'a', ...store]),
  ];
  for (const { outcome, plies, moves } of [chess, ...others]) {
    expect(outcome).toMatch(/^(win|draw|loss)$/);
    expect(plies === null || Number.isInteger(plies)).toBe(true);
    for (const move of moves)
      expect(Object.keys(move)).toEqual(expect.arrayContaining(['move', 'outcome', 'plies']));
  }
  expect(Object.keys(chess.moves[0])).toEqual(expect.arrayContaining(['uci', 'san']));
  for (const { metric, moves } of others) {
    expect(metric).toMatch(/^(score|dtw)$/);
    expect('uci' in moves[0]).toBe(false);
  }
});

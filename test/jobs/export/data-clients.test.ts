/**
 * DuckDB, Polars and pyarrow read all that is exported, and find in it what tables say. They are where MERGEMATE_TEST_CLIENTS says
 * (test/servers/data-clients.sh installs them); elsewhere these tests skip and say so.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STREAM_BEGINS } from '../../../jobs/export/arrow.js';
import { localStore } from '../../../operators/storage/local.js';
import type { Game } from '../../../pipeline/game/game.js';
import { withoutRepeats } from '../../../pipeline/game/repeats.js';
import { brokenIn, decodeValue, type ValueColumn } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable } from '../../../pipeline/tables/table.js';
import { program } from '../../support/command.js';
import { CLIENTS, client, connectDuckDb } from '../../support/data-clients.js';
import { newFolder } from '../../support/folders.js';

const skipped = CLIENTS === undefined ? ' (skipped: MERGEMATE_TEST_CLIENTS is not set)' : '';

/** Rows of an ending: all, those that are won, and the sum of all plies. */
interface Sums {
  readonly rows: number;
  readonly wins: number;
  readonly plies: number;
}

interface Frame {
  readonly height: number;
  getColumn(name: string): { sum(): number; toArray(): unknown[] };
}

interface Lazy {
  collectSync(): Frame;
}

/** The functions of nodejs-polars that are used here. */
interface Polars {
  readParquet(path: string): Frame;
  readIPC(bytes: Buffer): Frame;
  readIPCStream(bytes: Buffer): Frame;
  readCSV(path: string): Frame;
  scanJson(path: string, options: object): Lazy;
}

/** The functions of @duckdb/duckdb-wasm that are used here. It reads Arrow, for which DuckDB itself needs an extension. */
interface DuckDbWasm {
  readonly NODE_RUNTIME: object;
  readonly VoidLogger: new () => object;
  createDuckDB(
    bundles: Record<'mvp' | 'eh', { mainModule: string; mainWorker: string }>,
    logger: object,
    runtime: object,
  ): Promise<{ instantiate(progress: () => void): Promise<unknown>; connect(): WasmConnection }>;
}

interface WasmConnection {
  insertArrowFromIPCStream(bytes: Uint8Array, to: { name: string; create: boolean }): void;
  query(sql: string): { toArray(): { toJSON(): Record<string, unknown> }[] };
}

const folder = newFolder();
const store = join(folder, 'tables');
const mergemate = program(store);
const file = (name: string) => join(folder, name);
const sums = new Map<string, Sums>();

/** Of each position once: a table has both mirror images of a position with its kings on the long diagonal, and exports list one. */
async function sumsOf(ending: string): Promise<Sums> {
  const table = await needTable(localStore(store, { durable: false }), chess as Game, 'dtz', ending);
  const sum = { rows: 0, wins: 0, plies: 0 };
  for (const side of [0, 1] as const) {
    for await (const { major, first, columns, length } of table.values(side, 0, table.slice.parts)) {
      const stored = (columns[0] as ValueColumn).subarray(0, length);
      const codes = withoutRepeats(table.slice, major, first, stored);
      const broken = brokenIn(codes);
      for (let i = 0; i < length; i++) {
        if (codes[i] === broken) continue;
        const { wdl, plies } = decodeValue(codes[i], 'dtz');
        sum.rows++;
        if (wdl === 'win') sum.wins++;
        sum.plies += plies ?? 0;
      }
    }
  }
  return sum;
}

async function openDuckDbWasm(): Promise<WasmConnection> {
  const module = '@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs';
  const { createDuckDB, NODE_RUNTIME, VoidLogger } = client<DuckDbWasm>(module);
  const dist = dirname(createRequire(join(CLIENTS!, 'package.json')).resolve(module));
  const bundle = (kind: string) => ({ mainModule: join(dist, `duckdb-${kind}.wasm`), mainWorker: '' });
  const bundles = { mvp: bundle('mvp'), eh: bundle('eh') };
  const database = await createDuckDB(bundles, new VoidLogger(), NODE_RUNTIME);
  await database.instantiate(() => {});
  return database.connect();
}

/** The rows, the types with names and nullability, and the first row of a file. */
function pyarrowRead(path: string): {
  readonly rows: number;
  readonly schema: [string, string, boolean][];
  readonly first: Record<string, unknown> | null;
} {
  const program = `
import json, sys
import pyarrow.ipc, pyarrow.parquet
path = sys.argv[1]
table = pyarrow.parquet.read_table(path) if path.endswith('parquet') else pyarrow.ipc.open_file(path).read_all()
schema = [[field.name, str(field.type), field.nullable] for field in table.schema]
first = table.slice(0, 1).to_pylist()
print(json.dumps({'rows': table.num_rows, 'schema': schema, 'first': first[0] if first else None}))`;
  const PYTHONPATH = join(CLIENTS!, 'python');
  return JSON.parse(
    execFileSync('python3', ['-c', program, path], { encoding: 'utf8', env: { ...process.env, PYTHONPATH } }),
  );
}

/** Two players and a node that nobody wins; a name of a node is a number. */
const graph = {
  players: ['robber', 'cop'],
  nodes: [
    { id: 'at 1', owner: 'cop', edges: ['caught', 7] },
    { id: 'at 2', owner: 'robber', edges: ['at 1'] },
    { id: 7, winner: null },
    { id: 'caught', winner: 'cop' },
  ],
};

describe.skipIf(CLIENTS === undefined)(`exports${skipped}`, () => {
  beforeAll(async () => {
    const from = ['--metric', 'dtz'];
    await mergemate.succeed(['solve', 'chess', 'KRK', 'KQK', ...from, '--no-verify']);
    for (const form of ['parquet', 'arrow', 'jsonl'])
      await mergemate.succeed(['export', 'chess', 'KRK', ...from, '--out', file(`krk.${form}`)]);
    for (const form of ['parquet', 'arrow'])
      await mergemate.succeed([
        'export',
        'chess',
        'KRK',
        'KQK',
        ...from,
        '--format',
        form,
        '--out',
        file(`${form}-set/`),
      ]);
    for (const form of ['csv', 'jsonl'])
      await mergemate.succeed([
        'export',
        'chess',
        'KRK',
        ...from,
        '--format',
        form,
        '--out',
        file(`positions.${form}`),
      ]);
    writeFileSync(file('street.json'), JSON.stringify(graph));
    await mergemate.succeed(['solve', file('street.json')]);
    for (const form of ['parquet', 'arrow', 'jsonl'])
      await mergemate.succeed(['export', 'street', '--out', file(`street.${form}`)]);
    for (const ending of ['KRK', 'KQK']) sums.set(ending, await sumsOf(ending));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('DuckDB reads Parquet, sets of it, JSON and CSV', async () => {
    const connection = await connectDuckDb();
    const ask = async (from: string, ending = `'KRK'`): Promise<[string, Sums][]> => {
      const what = `${ending}, count(*), count(*) filter (outcome = 'win'), sum(plies)`;
      const read = await connection.runAndReadAll(`select ${what} from ${from} group by 1 order by 1`);
      return read
        .getRowsJson()
        .map(([name, rows, wins, plies]) => [
          String(name),
          { rows: Number(rows), wins: Number(wins), plies: Number(plies) },
        ]);
    };
    const krk = [['KRK', sums.get('KRK')]];
    for (const name of ['krk.parquet', 'krk.jsonl', 'positions.csv', 'positions.jsonl'])
      expect(await ask(`'${file(name)}'`), name).toEqual(krk);
    expect(await ask(`'${file('parquet-set/*/*.parquet')}'`, 'ending')).toEqual([...sums].sort());
    const winners = `select mover, outcome, count(*), sum(plies) from '${file('street')}.FORM' group by all order by all`;
    for (const form of ['parquet', 'jsonl']) {
      const read = await connection.runAndReadAll(winners.replace('FORM', form));
      expect(
        read.getRowsJson().map((row) => row.map(String)),
        form,
      ).toEqual([
        ['cop', 'win', '1', '1'],
        ['robber', 'draw', '1', 'null'],
        ['robber', 'loss', '2', '2'],
      ]);
    }
  });

  test('DuckDB reads Arrow files as the streams that are in them', async () => {
    const connection = await openDuckDbWasm();
    const ask = (name: string, what: string) => {
      const stream = readFileSync(file(name)).subarray(STREAM_BEGINS);
      connection.insertArrowFromIPCStream(stream, { name: 'read', create: true });
      const rows = connection.query(`select ${what} from read`).toArray();
      connection.query('drop table read');
      return rows.map((row) => row.toJSON());
    };
    const what = `count(*)::int as rows, (count(*) filter (outcome = 'win'))::int as wins, sum(plies)::int as plies`;
    expect(ask('krk.arrow', what)).toEqual([sums.get('KRK')]);
    for (const [ending, sum] of sums)
      expect(ask(`arrow-set/ending=${ending}/${ending}.arrow`, what), ending).toEqual([sum]);
    expect(ask('street.arrow', 'position, mover, outcome, plies')).toEqual([
      { position: 'at 1', mover: 'cop', outcome: 'win', plies: 1 },
      { position: 'at 2', mover: 'robber', outcome: 'loss', plies: 2 },
      { position: '7', mover: 'robber', outcome: 'draw', plies: null },
      { position: 'caught', mover: 'robber', outcome: 'loss', plies: 0 },
    ]);
  });

  test.each(['parquet', 'arrow'])(
    'all of them read %s of few rows and of none, with the same types, lists of best moves included',
    async (form) => {
      const asked = ['export', 'chess', 'KQK', '--metric', 'dtz', '--columns', 'slice,index,plies,best'];
      for (const [name, plies] of [
        ['few', '19'],
        ['none', '999'],
      ])
        await mergemate.succeed([...asked, '--where', `plies=${plies}`, '--out', file(`${name}.${form}`)]);
      const [few, none] = ['few', 'none'].map((name) => pyarrowRead(file(`${name}.${form}`)));
      expect([few.rows > 0, none.rows]).toEqual([true, 0]);
      expect(none.schema).toEqual(few.schema);
      expect(few.schema.map(([name, , isNullable]) => [name, isNullable])).toEqual([
        ['slice', false],
        ['index', false],
        ['plies', true],
        ['best', false],
      ]);
      expect(few.first).toMatchObject({ slice: 'KQK', plies: 19, best: expect.any(Array) });
      const polars = client<Polars>('nodejs-polars');
      const read = (name: string) =>
        form === 'parquet' ? polars.readParquet(file(name)) : polars.readIPC(readFileSync(file(name)));
      expect([read(`few.${form}`).height, read(`none.${form}`).height]).toEqual([few.rows, 0]);
      if (form === 'arrow') return;
      const connection = await connectDuckDb();
      const described = async (name: string) =>
        (await connection.runAndReadAll(`describe select * from '${file(name)}'`)).getRowsJson();
      expect(await described('none.parquet')).toEqual(await described('few.parquet'));
      const counted = await connection.runAndReadAll(
        `select count(*), min(len(best)) from '${file('few.parquet')}'`,
      );
      expect(Number(counted.getRowsJson()[0][0])).toBe(few.rows);
    },
  );

  test('Polars reads Parquet, Arrow, JSON and CSV', () => {
    const polars = client<Polars>('nodejs-polars');
    const sumsIn = (frame: Frame): Sums => ({
      rows: frame.height,
      wins: frame
        .getColumn('outcome')
        .toArray()
        .filter((outcome) => outcome === 'win').length,
      plies: frame.getColumn('plies').sum(),
    });
    const frames: Record<string, Frame> = {
      Parquet: polars.readParquet(file('krk.parquet')),
      'a file of a set': polars.readParquet(file('parquet-set/ending=KRK/KRK.parquet')),
      Arrow: polars.readIPC(readFileSync(file('krk.arrow'))),
      'the stream in Arrow': polars.readIPCStream(readFileSync(file('krk.arrow')).subarray(STREAM_BEGINS)),
      'an Arrow file of a set': polars.readIPC(readFileSync(file('arrow-set/ending=KRK/KRK.arrow'))),
      'JSON lines': polars.scanJson(file('krk.jsonl'), {}).collectSync(),
      CSV: polars.readCSV(file('positions.csv')),
      'JSON lines of positions': polars.scanJson(file('positions.jsonl'), {}).collectSync(),
    };
    for (const [form, frame] of Object.entries(frames)) expect(sumsIn(frame), form).toEqual(sums.get('KRK'));
    const graphs = {
      Parquet: polars.readParquet(file('street.parquet')),
      Arrow: polars.readIPC(readFileSync(file('street.arrow'))),
      'an Arrow stream': polars.readIPCStream(readFileSync(file('street.arrow')).subarray(STREAM_BEGINS)),
      'JSON lines': polars.scanJson(file('street.jsonl'), {}).collectSync(),
    };
    for (const [form, frame] of Object.entries(graphs)) {
      expect(frame.getColumn('outcome').toArray(), form).toEqual(['win', 'loss', 'draw', 'loss']);
      expect(frame.getColumn('plies').sum(), form).toBe(3);
    }
  });
});

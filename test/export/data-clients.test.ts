/**
 * DuckDB and Polars read all that is exported, and find in it what tables say. They are where MERGEMATE_TEST_CLIENTS says
 * (test/servers/data-clients.sh installs them); elsewhere these tests skip and say so.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { localStore } from '../../operators/storage/local.js';
import type { Game } from '../../pipeline/contract/game.js';
import { brokenIn, decodeValue, type ValueColumn } from '../../pipeline/formats/value.js';
import { chess } from '../../pipeline/games/chess/chess.js';
import { needTable } from '../../pipeline/table/table.js';
import { newFolder } from '../support/cli.js';
import { succeed } from '../support/command.js';

const CLIENTS = process.env.MERGEMATE_TEST_CLIENTS;
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
  readCSV(path: string): Frame;
  scanJson(path: string, options: object): Lazy;
}

interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{ runAndReadAll(sql: string): Promise<{ getRowsJson(): string[][] }> }>;
    }>;
  };
}

const folder = newFolder();
const store = join(folder, 'tables');
const file = (name: string) => join(folder, name);
const sums = new Map<string, Sums>();

async function sumsOf(ending: string): Promise<Sums> {
  const table = await needTable(localStore(store, { durable: false }), chess as Game, 'dtz', ending);
  const sum = { rows: 0, wins: 0, plies: 0 };
  for (const side of [0, 1] as const) {
    for await (const { columns, length } of table.values(side, 0, table.slice.parts)) {
      const codes = columns[0] as ValueColumn;
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

describe.skipIf(CLIENTS === undefined)(`exports${skipped}`, () => {
  beforeAll(async () => {
    const from = ['--store', store, '--metric', 'dtz'];
    await succeed(['solve', 'chess', 'KRK', 'KQK', ...from, '--no-verify']);
    for (const form of ['parquet', 'arrow', 'jsonl'])
      await succeed(['export', 'chess', 'KRK', ...from, '--out', file(`krk.${form}`)]);
    for (const form of ['parquet', 'arrow'])
      await succeed([
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
      await succeed([
        'positions',
        'chess',
        'KRK',
        ...from,
        '--format',
        form,
        '--out',
        file(`positions.${form}`),
      ]);
    for (const ending of ['KRK', 'KQK']) sums.set(ending, await sumsOf(ending));
  });

  test('DuckDB reads Parquet, sets of it, JSON and CSV', async () => {
    const { DuckDBInstance } = createRequire(join(CLIENTS!, 'package.json'))('@duckdb/node-api') as DuckDb;
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const ask = async (from: string, ending = `'KRK'`): Promise<[string, Sums][]> => {
      const what = `${ending}, count(*), count(*) filter (wdl = 'win'), sum(plies)`;
      const read = await connection.runAndReadAll(`select ${what} from ${from} group by 1 order by 1`);
      return read
        .getRowsJson()
        .map(([name, rows, wins, plies]) => [
          name,
          { rows: Number(rows), wins: Number(wins), plies: Number(plies) },
        ]);
    };
    const krk = [['KRK', sums.get('KRK')]];
    for (const name of ['krk.parquet', 'krk.jsonl', 'positions.csv', 'positions.jsonl'])
      expect(await ask(`'${file(name)}'`), name).toEqual(krk);
    expect(await ask(`'${file('parquet-set/*/*.parquet')}'`, 'ending')).toEqual([...sums].sort());
  });

  test('Polars reads Parquet, Arrow, JSON and CSV', () => {
    const polars = createRequire(join(CLIENTS!, 'package.json'))('nodejs-polars') as Polars;
    const sumsIn = (frame: Frame): Sums => ({
      rows: frame.height,
      wins: frame
        .getColumn('wdl')
        .toArray()
        .filter((wdl) => wdl === 'win').length,
      plies: frame.getColumn('plies').sum(),
    });
    const frames: Record<string, Frame> = {
      Parquet: polars.readParquet(file('krk.parquet')),
      'a file of a set': polars.readParquet(file('parquet-set/ending=KRK/KRK.parquet')),
      Arrow: polars.readIPC(readFileSync(file('krk.arrow'))),
      'an Arrow file of a set': polars.readIPC(readFileSync(file('arrow-set/ending=KRK/KRK.arrow'))),
      'JSON lines': polars.scanJson(file('krk.jsonl'), {}).collectSync(),
      CSV: polars.readCSV(file('positions.csv')),
      'JSON lines of positions': polars.scanJson(file('positions.jsonl'), {}).collectSync(),
    };
    for (const [form, frame] of Object.entries(frames)) expect(sumsIn(frame), form).toEqual(sums.get('KRK'));
  });
});

/** Files that are whole and in the wrong place, or changed with care, are refused by name. */
import { beforeAll, describe, expect, test } from 'vitest';
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { endingStats } from '../../../pipeline/analysis/stats.js';
import { readManifest, TableManifest } from '../../../pipeline/game/manifest.js';
import { canonical, sealRecord } from '../../../pipeline/game/record.js';
import type { Metric } from '../../../pipeline/game/value.js';
import { chess } from '../../../pipeline/games/chess/chess.js';
import { needTable, openTable, type Table } from '../../../pipeline/tables/table.js';
import { readVerified } from '../../../pipeline/tables/verified.js';
import { forgeManifest } from '../../support/forging.js';
import { solveChess } from '../../support/solving.js';

const metric = 'dtz';
/** KPK.6 converts to KPK.7: its pawn is a rank behind. */
const SLICES = chess.ending('KPK').slices;
let solved: Store;

beforeAll(async () => {
  const slices = [...SLICES, 'KRK', 'KNK', 'KBK'];
  ({ store: solved } = await solveChess(slices, { metric, verify: true }));
  for (const other of ['dtm', 'wdl'] as const)
    await solveChess(slices, { metric: other, store: solved, verify: true });
});

async function put(store: Store, name: string, bytes: Uint8Array): Promise<void> {
  await store.delete(name);
  await store.putIfAbsent(name, bytes);
}

async function copyOf(store: Store): Promise<Store> {
  const copy = memoryStore();
  for (const name of await store.list('')) await put(copy, name, (await readAll(store, name))!);
  return copy;
}

async function runsOf(store: Store, slice: string): Promise<string[]> {
  const { manifest } = await needTable(store, chess, metric, slice);
  return manifest.values.flat().map(({ name }) => name);
}

async function removeTable(store: Store, slice: string): Promise<void> {
  for (const name of await store.list(`chess/${metric}/${slice}/`)) await store.delete(name);
}

/** Reads all values of a table. */
async function readThrough(table: Table): Promise<void> {
  for (const side of [0, 1] as const)
    for await (const { length } of table.values(side, 0, table.slice.parts))
      if (length === 0) throw new Error('empty');
}

const statsOf = (store: Store, ending: string) =>
  endingStats({
    game: chess,
    metric,
    ending: chess.ending(ending),
    report: async () => {},
    open: (slice) => needTable(store, chess, metric, slice),
  });

test('values of another table in the place of a dependency stop a solve', async () => {
  const store = await copyOf(solved);
  const [from, to] = [await runsOf(store, 'KPK.6'), await runsOf(store, 'KPK.7')];
  for (const [i, name] of to.entries()) await put(store, name, (await readAll(store, from[i]))!);
  await removeTable(store, 'KPK.6');
  const solving = solveChess(['KPK.6'], { metric, store, verify: true });
  await expect(solving).rejects.toThrow(DamageError);
  await expect(solving).rejects.toThrow(
    /KPK\.7\/values-\d-\S+: is another run: it was written as \S+KPK\.6\//,
  );
  expect(await openTable(store, chess, metric, 'KPK.6')).toBeNull();
});

test('exchanged sides of a table stop its statistics', async () => {
  const store = await copyOf(solved);
  const [white, black] = (await runsOf(store, 'KRK')) as [string, string];
  const [ofWhite, ofBlack] = [(await readAll(store, white))!, (await readAll(store, black))!];
  await put(store, white, ofBlack);
  await put(store, black, ofWhite);
  await expect(statsOf(store, 'KRK')).rejects.toThrow(/KRK\/values-0-\S+: is another run/);
});

test('a run that a manifest names for the wrong side is refused, though every checksum is right', async () => {
  const store = await copyOf(solved);
  const exchange = (table: TableManifest): TableManifest => ({
    ...table,
    values: [table.values[1], table.values[0]],
  });
  await forgeManifest(store, 'chess/dtz/KRK/table.json', exchange);
  await expect(statsOf(store, 'KRK')).rejects.toThrow(/KRK\/values-1-\S+: is a run of side 1, not 0/);
});

test('an older run of the same name is refused: the manifest has the digest of its own', async () => {
  const store = await copyOf(solved);
  const crc = (table: TableManifest): TableManifest => ({
    ...table,
    values: [table.values[0].map((run) => ({ ...run, crc: '0badcafe' })), table.values[1]],
  });
  await forgeManifest(store, 'chess/dtz/KRK/table.json', crc);
  await expect(readThrough(await needTable(store, chess, metric, 'KRK'))).rejects.toThrow(
    /KRK\/values-0-\S+: is another run of this name/,
  );
});

test('statistics are compared with the counts of the manifest', async () => {
  const store = await copyOf(solved);
  await statsOf(store, 'KRK');
  await forgeManifest(store, 'chess/dtz/KRK/table.json', (table) => ({
    ...table,
    wins: [table.wins[0] + 1, 0],
  }));
  await expect(statsOf(store, 'KRK')).rejects.toThrow(
    /KRK\/table\.json: says \d+ wins of side 0, the values/,
  );
});

describe('a manifest', () => {
  const NAME = 'chess/dtz/KRK/table.json';
  const reading = async (bytes: Uint8Array) => {
    const store = await copyOf(solved);
    await put(store, NAME, bytes);
    return readManifest(store, NAME, TableManifest);
  };
  const text = async () => new TextDecoder().decode((await readAll(solved, NAME))!);
  const bytesOf = (changed: string) => new TextEncoder().encode(changed);

  test('in which any number is changed is refused', async () => {
    const whole = await text();
    const numbers = [...whole.matchAll(/(?<=[:,[])(\d+)(?=[,\]}])/g)];
    expect(numbers.length).toBeGreaterThan(20);
    for (const { index, 0: found, 1: number } of numbers) {
      const changed = `${whole.slice(0, index)}${Number(number) + 1}${whole.slice(index + found.length)}`;
      await expect(reading(bytesOf(changed))).rejects.toThrow(StorageError);
    }
  });

  test('may be formatted otherwise', async () => {
    const parsed: unknown = JSON.parse(await text());
    const table = await readManifest(solved, NAME, TableManifest);
    expect(await reading(bytesOf(JSON.stringify(parsed, null, 2)))).toEqual(table);
    expect(await reading(bytesOf(canonical(parsed)))).toEqual(table);
  });

  test('of the version before is refused with a line that says what to do', async () => {
    const old = bytesOf('{"version":2,"game":"chess","slice":"KRK","step":"table"}');
    await expect(reading(old)).rejects.toThrow(
      'memory:/chess/dtz/KRK/table.json: written in format 2, this program reads format 3: make it again in another place',
    );
  });

  test("is refused in the place of another table's", async () => {
    const other = (await readManifest(solved, 'chess/dtz/KBK/table.json', TableManifest))!;
    const store = await copyOf(solved);
    await put(store, NAME, sealRecord(NAME, other));
    await expect(openTable(store, chess, metric, 'KRK')).rejects.toThrow(/is the manifest of chess dtz KBK/);
  });

  test('that is made anew counts as not verified', async () => {
    const store = await copyOf(solved);
    const { manifest } = await needTable(store, chess, metric, 'KRK');
    expect(await readVerified(store, manifest)).not.toBeNull();
    await forgeManifest(store, NAME, (table) => ({ ...table, losses: [1, 1] }));
    const changed = await needTable(store, chess, metric, 'KRK');
    expect(await readVerified(store, changed.manifest)).toBeNull();
  });
});

describe('every ordered pair of files of a store', () => {
  /** Reads each file with the content of each other, one at a time, and returns the pairs that were believed. */
  async function silent(names: readonly string[], read: (store: Store, name: string) => Promise<unknown>) {
    const store = await copyOf(solved);
    const contents = await Promise.all(names.map(async (name) => (await readAll(store, name))!));
    let pairs = 0;
    const believed: string[] = [];
    for (const [i, name] of names.entries()) {
      for (const [j, content] of contents.entries()) {
        if (i === j) continue;
        pairs++;
        await put(store, name, content);
        const outcome = await read(store, name).then(
          () => null,
          (error: unknown) => error,
        );
        if (!(outcome instanceof DamageError) || !outcome.message.includes(name))
          believed.push(`${names[j]} as ${name}`);
      }
      await put(store, name, contents[i]);
      await read(store, name);
    }
    return { pairs, believed };
  }
  const at = (name: string) => {
    const [, under, slice] = name.split('/');
    return { metric: under as Metric, slice: slice };
  };
  const tableOf = (store: Store, name: string) => needTable(store, chess, at(name).metric, at(name).slice);

  test('no run is accepted in the place of another', async () => {
    const manifests = (await solved.list('')).filter((name) => name.endsWith('/table.json'));
    expect(manifests.length).toBeGreaterThanOrEqual(30);
    const tables = await Promise.all(manifests.map((name) => tableOf(solved, name)));
    const names = tables.flatMap(({ manifest }) => manifest.values.flat().map((run) => run.name));
    const { pairs, believed } = await silent(names, async (store, name) =>
      readThrough(await tableOf(store, name)),
    );
    expect(believed).toEqual([]);
    expect(pairs).toBe(names.length * (names.length - 1));
  });

  test('no manifest is accepted in the place of another', async () => {
    const names = (await solved.list('')).filter((name) => /\/(table|verified)\.json$/.test(name));
    const { believed } = await silent(names, async (store, name) => {
      await readVerified(store, (await tableOf(store, name)).manifest);
    });
    expect(believed).toEqual([]);
  });
});

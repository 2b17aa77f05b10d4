import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { newArrays } from '../../../operators/core/arrays.js';
import { joinCrc } from '../../../operators/core/checksum.js';
import { newCounters } from '../../../operators/core/counters.js';
import { StorageError } from '../../../operators/core/errors.js';
import { openRun } from '../../../operators/runs/reader.js';
import type { ColumnSpec, ColumnType } from '../../../operators/runs/types.js';
import { createRun } from '../../../operators/runs/writer.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { sweep } from '../../support/long.js';
import { expectRows } from '../model.js';
import {
  denseRowsOf,
  expected,
  noted,
  open,
  random,
  refOf,
  rowsOf,
  segmentsOf,
  specOf,
  temporaryFolder,
  writeRun,
} from '../run-samples.js';

const { dir, remove } = temporaryFolder();
afterAll(remove);

const TYPES: ColumnType[] = ['u8', 'u16', 'u32', 'i8', 'i16', 'i32'];
const ALL: ColumnSpec[] = TYPES.map((type) => ({ name: `the-${type}`, type }));
const LENGTHS = [3, 1, 64, 65, 200, 1, 1, 7, 500, 2];

describe.each(sweep([1, 64, 100, 65536], [2, 7, 844, 1000]))('runs with batches of %i rows', (batchRows) => {
  it.each([1, 13, 1 << 30])('return sparse rows appended %i at a time', async (step) => {
    const store = memoryStore();
    const segments = segmentsOf(1, LENGTHS, ALL, false);
    const info = await writeRun(store, 'r', specOf({ columns: ALL }), segments, batchRows, step);
    const run = await open(store, 'r');
    expectRows(await rowsOf(run.cursor()), expected(segments, false));
    expect(run.info).toEqual(info);
    expect(info).toMatchObject({
      name: 'r',
      kind: 'test',
      rows: 844,
      majors: 10,
      bytes: await store.size('r'),
    });
  });

  it('return dense rows', async () => {
    const store = memoryStore();
    const segments = segmentsOf(2, LENGTHS, ALL);
    await writeRun(store, 'r', specOf({ dense: true, columns: ALL }), segments, batchRows, 50);
    const run = await open(store, 'r');
    expectRows(await denseRowsOf(run.denseCursor()), expected(segments, true));
    expect(run.least).toEqual({ major: segments[0].major, minor: 0 });
    expect(run.greatest).toEqual({ major: segments[9].major, minor: 1 });
  });

  it.each([300, 5000, 1 << 20])('return the same rows if read %i bytes at a time', async (together) => {
    const store = memoryStore();
    const segments = segmentsOf(2, LENGTHS, ALL);
    await writeRun(store, 'r', specOf({ dense: true, columns: ALL }), segments, batchRows, 50);
    const run = await open(store, 'r');
    const arrays = newArrays();
    expectRows(await denseRowsOf(run.denseCursor(undefined, { arrays, together })), expected(segments, true));
    const some = { from: segments[3].major, to: segments[8].major };
    expectRows(
      await denseRowsOf(run.denseCursor(some, { arrays, together })),
      expected(segments.slice(3, 8), true),
    );
  });

  it('return single majors and ranges of majors', async () => {
    const store = memoryStore();
    const segments = segmentsOf(3, LENGTHS, []);
    await writeRun(store, 'r', specOf({ strict: true }), segments, batchRows);
    const run = await open(store, 'r');
    const rows = expected(segments, false);
    const end = segments[9].major + 2;
    for (let from = 0; from <= end; from++) {
      for (const to of [from, from + 1, from + 4, end]) {
        const wanted = rows.filter(([major]) => major >= from && major < to);
        expectRows(await rowsOf(run.cursor({ from, to })), wanted);
      }
      const segment = segments.find(({ major }) => major === from);
      expect(run.segmentRows(from)).toBe(segment?.minor.length ?? 0);
    }
    expect([...run.majors()]).toEqual(segments.map(({ major }) => major));
  });

  it.each([0, 2])('return many ranges through one buffer (%i payload columns)', async (columns) => {
    const store = memoryStore();
    const payload = ALL.slice(0, columns);
    const segments = segmentsOf(3, LENGTHS, payload);
    await writeRun(store, 'r', specOf({ strict: true, columns: payload }), segments, batchRows);
    const run = await open(store, 'r');
    const end = segments[9].major + 2;
    for (const step of [2, 3, 7]) {
      async function* ranges() {
        for (let from = 0; from < end; from += step) yield { from, to: from + step - 1 };
      }
      const wanted = expected(segments, false).filter(([major]) => major % step !== step - 1);
      expectRows(await rowsOf(run.cursorOver(ranges())), wanted);
    }
  });

  it('return any row of a dense run with its record batch', async () => {
    const store = memoryStore();
    const segments = segmentsOf(4, LENGTHS, ALL);
    await writeRun(store, 'r', specOf({ dense: true, columns: ALL }), segments, batchRows);
    const run = await open(store, 'r');
    for (const { major, payload, minor } of segments) {
      for (let row = 0; row < minor.length; row += 17) {
        const block = await run.denseBlock(major, row);
        expect(block.first <= row && row < block.first + block.length).toBe(true);
        expect(block.length).toBeLessThanOrEqual(batchRows);
        const wanted = payload.map((column) => column.slice(block.first, block.first + block.length));
        if (!isDeepStrictEqual(block.columns, wanted)) expect(block.columns).toEqual(wanted);
      }
    }
  });

  it('open with plain Arrow', async () => {
    const store = memoryStore();
    const segments = segmentsOf(5, LENGTHS, ALL);
    await writeRun(store, 'r', specOf({ columns: ALL }), segments, batchRows);
    const table = tableFromIPC(await readAll(store, 'r'));
    expect(table.numRows).toBe(844);
    expect(table.schema.names).toEqual(['minor', ...ALL.map(({ name }) => name)]);
    const rows = expected(segments, false);
    for (let column = 0; column < 1 + ALL.length; column++) {
      expect([...table.getChildAt(column)!]).toEqual(rows.map((row) => row[column + 1]));
    }
  });
});

describe('a run', () => {
  it('describes itself in its footer', async () => {
    const store = memoryStore();
    const spec = specOf({ kind: 'frontier', strict: true, columns: ALL, meta: { side: 'white', ply: '12' } });
    const segments = segmentsOf(6, LENGTHS, ALL);
    await writeRun(store, 'r', spec, segments, 100);
    const run = await openRun(store, refOf(store, 'r'), {
      counters: newCounters(),
      expect: { kind: 'frontier' },
    });
    expect(run.spec).toEqual(spec);
    expect(run.least).toEqual({ major: segments[0].major, minor: segments[0].minor[0] });
    expect(run.greatest).toEqual({ major: segments[9].major, minor: segments[9].minor[1] });
    const wrong = openRun(store, refOf(store, 'r'), { counters: newCounters(), expect: { kind: 'labels' } });
    await expect(wrong).rejects.toThrow('memory:/r: is a run of kind "frontier", not "labels"');
  });

  it('may be empty', async () => {
    const store = memoryStore();
    for (const dense of [false, true]) {
      const info = await writeRun(store, 'r', specOf({ dense, columns: ALL }), [], 100);
      expect(info).toMatchObject({ rows: 0, majors: 0 });
      const run = await open(store, 'r');
      expect([run.rows, run.least, run.greatest, run.majors().length]).toEqual([0, null, null, 0]);
      expect(dense ? await denseRowsOf(run.denseCursor()) : await rowsOf(run.cursor())).toEqual([]);
      expect(tableFromIPC(await readAll(store, 'r')).numRows).toBe(0);
    }
  });

  it('may have very many majors, and the greatest keys', async () => {
    const store = memoryStore();
    const writer = await createRun(store, 'r', specOf({}), { batchRows: 1000, counters: newCounters() });
    const top = 2 ** 32 - 1;
    for (let major = 0; major < 50_000; major++) await writer.append(2 * major, 1, Uint32Array.of(major), []);
    await writer.append(top, 2, Uint32Array.of(0, top), []);
    noted(store, await writer.close());
    const run = await open(store, 'r');
    expect(run.majors().length).toBe(50_001);
    expect(run.greatest).toEqual({ major: top, minor: top });
    expect(await rowsOf(run.cursor({ from: 60_001, to: 60_006 }))).toEqual([
      [60_002, 30_001],
      [60_004, 30_002],
    ]);
    expect((await rowsOf(run.cursor())).length).toBe(50_002);
    expect(await rowsOf(run.cursor({ from: top, to: top + 1 }))).toEqual([
      [top, 0],
      [top, top],
    ]);
  });

  it('has a digest of its content that does not depend on how it was written', async () => {
    const store = memoryStore();
    const segments = segmentsOf(7, LENGTHS, ALL);
    const digests = new Set<string>();
    for (const [batchRows, step] of [
      [1, 1],
      [7, 100],
      [100, 3],
      [5000, 1 << 30],
    ]) {
      digests.add((await writeRun(store, 'r', specOf({ columns: ALL }), segments, batchRows, step)).crc);
    }
    expect(digests.size).toBe(1);
    segments[4].payload[3][100] ^= 1;
    digests.add((await writeRun(store, 'r', specOf({ columns: ALL }), segments, 100)).crc);
    segments[9].major++;
    digests.add((await writeRun(store, 'r', specOf({ columns: ALL }), segments, 100)).crc);
    expect(digests.size).toBe(3);
  });

  it('reads only the batches that a range needs, and counts what it reads and writes', async () => {
    const store = memoryStore();
    const counters = newCounters();
    const writer = await createRun(store, 'r', specOf({ columns: [{ name: 'count', type: 'u8' }] }), {
      batchRows: 1000,
      counters,
    });
    const minor = Uint32Array.from({ length: 10_000 }, (_, i) => i);
    const counts = new Uint8Array(10_000);
    for (let major = 0; major < 10; major++) await writer.append(major, 10_000, minor, [counts]);
    const info = await writer.close();
    expect(counters.bytesWritten).toBe(info.bytes);
    const reading = newCounters();
    const run = await openRun(store, info, { counters: reading });
    const opened = reading.bytesRead;
    expect(opened).toBeLessThan(20_000);
    expect(await rowsOf(run.cursor({ from: 4, to: 5 }))).toHaveLength(10_000);
    expect(reading.bytesRead - opened).toBeGreaterThan(50_000);
    expect(reading.bytesRead - opened).toBeLessThan(54_000);
    for await (const _ of run.cursor()) break;
    expect(reading.bytesRead - opened).toBeLessThan(60_000);
  });

  it('may be read by several cursors at once', async () => {
    const store = memoryStore();
    const segments = segmentsOf(8, LENGTHS, ALL);
    await writeRun(store, 'r', specOf({ columns: ALL }), segments, 64);
    const run = await open(store, 'r');
    const both = await Promise.all([rowsOf(run.cursor()), rowsOf(run.cursor())]);
    expect(both[0]).toEqual(expected(segments, false));
    expect(both[1]).toEqual(both[0]);
  });

  it('leaves no object when it is aborted', async () => {
    const store = localStore(dir, { durable: false });
    const writer = await createRun(store, 'up', specOf({}), { batchRows: 2, counters: newCounters() });
    await writer.append(1, 3, Uint32Array.of(1, 2, 3), []);
    expect(writer.rows).toBe(3);
    await writer.abort();
    expect(await store.list('')).toEqual([]);
    await expect(open(store, 'up')).rejects.toThrow(/up: no such object/);
  });

  it('refuses rows out of order', async () => {
    const bad: [boolean, [number, number[]][], RegExp][] = [
      [false, [[1, [5, 4]]], /minor 4 after 5 of major 1/],
      [true, [[1, [5, 5]]], /minor 5 after 5 of major 1/],
      [
        false,
        [
          [1, [5]],
          [1, [4]],
        ],
        /minor 4 after 5/,
      ],
      [
        true,
        [
          [1, [5]],
          [1, [5]],
        ],
        /minor 5 after 5/,
      ],
      [
        false,
        [
          [2, [5]],
          [1, [6]],
        ],
        /major 1 after 2/,
      ],
      [false, [[2 ** 32, [5]]], /32 bits/],
    ];
    for (const [strict, rows, message] of bad) {
      const options = { batchRows: 10, counters: newCounters() };
      const writer = await createRun(memoryStore(), 'r', specOf({ strict }), options);
      const append = async () => {
        for (const [major, minor] of rows)
          await writer.append(major, minor.length, Uint32Array.from(minor), []);
      };
      await expect(append()).rejects.toThrow(message);
    }
  });
});

describe('a damaged run', () => {
  const segments = segmentsOf(9, [30, 50, 20, 1, 60], ALL);

  async function put(store: Store, bytes: Uint8Array): Promise<void> {
    const sink = await store.create('bad');
    await sink.write([bytes]);
    await sink.close();
  }

  async function readBad(store: Store, together = 0): Promise<number[][]> {
    const run = await open(store, 'bad');
    return run.spec.dense ? denseRowsOf(run.denseCursor(undefined, { together })) : rowsOf(run.cursor());
  }

  it.each([
    [false, 0],
    [true, 0],
    [true, 3000],
  ])('is found whichever byte is flipped (dense: %s, %i bytes at a time)', async (dense, together) => {
    const store = memoryStore();
    await writeRun(store, 'bad', specOf({ dense, columns: ALL }), segments, 50);
    const good = (await readAll(store, 'bad'))!;
    const next = random(10);
    let unnoticed = 0;
    for (let at = 0; at < good.length; at++) {
      const bad = good.slice();
      bad[at] ^= 1 << (next() % 8);
      await put(store, bad);
      const outcome = await readBad(store, together).catch((error) => error);
      if (!(outcome instanceof StorageError)) unnoticed++;
      else expect(outcome.object).toBe('memory:/bad');
    }
    expect(unnoticed).toBe(0);
  });

  it('is detected wherever it is cut short', async () => {
    const store = memoryStore();
    await writeRun(store, 'bad', specOf({ columns: ALL }), segments, 50);
    const good = (await readAll(store, 'bad'))!;
    for (let length = 0; length < good.length; length += 4) {
      await put(store, good.subarray(0, length));
      await expect(readBad(store)).rejects.toThrow(StorageError);
    }
  });

  it('is reported by name and place', async () => {
    const store = memoryStore();
    await writeRun(store, 'bad', specOf({ columns: ALL }), segments, 50);
    const good = (await readAll(store, 'bad'))!;
    const offset = indexOfBatch(good, 2);
    const body = good.slice();
    body[offset + 1000] ^= 4;
    await put(store, body);
    await expect(readBad(store)).rejects.toThrow(
      new RegExp(`^memory:/bad: record batch 2 \\(bytes ${offset} to \\d+\\) is damaged`),
    );
    const run = await open(store, 'bad');
    expect(await rowsOf(run.cursor({ from: 0, to: segments[1].major }))).toHaveLength(30);

    await put(store, good.subarray(0, offset));
    await expect(readBad(store)).rejects.toThrow(
      /^memory:\/bad: is not an Arrow file, or cut short.*byte \d+/,
    );
    const footer = good.slice();
    footer[good.length - 60] ^= 1;
    await put(store, footer);
    await expect(readBad(store)).rejects.toThrow(/bad: the footer is damaged.*\(byte \d+\)/);
    await put(store, new TextEncoder().encode('Not a run at all, just a text that someone left here.'));
    await expect(readBad(store)).rejects.toThrow(/is not an Arrow file/);
    await put(store, new Uint8Array(4));
    await expect(readBad(store)).rejects.toThrow(/4 bytes are too few/);
  });

  it('is refused when another version wrote it, or another program', async () => {
    const store = memoryStore();
    await writeRun(store, 'bad', specOf({ columns: ALL }), segments, 50);
    await put(store, otherVersion((await readAll(store, 'bad'))!));
    await expect(readBad(store)).rejects.toThrow('format version 9; this program reads version 3');
    const { tableFromArrays, tableToIPC } = await import('apache-arrow');
    await put(store, tableToIPC(tableFromArrays({ minor: Uint32Array.of(1, 2, 3) }), 'file'));
    await expect(readBad(store)).rejects.toThrow(/no run seal/);
  });

  it('is refused if it is a sound run in the place of another', async () => {
    const store = memoryStore();
    const info = await writeRun(store, 'good', specOf({ meta: { side: '0' } }), [], 50);
    await put(store, (await readAll(store, 'good'))!);
    const counters = newCounters();
    const misplaced = openRun(store, { ...info, name: 'bad' }, { counters });
    await expect(misplaced).rejects.toThrow('memory:/bad: is another run: it was written as good');
    const changed = openRun(store, { ...info, crc: '12345678' }, { counters });
    await expect(changed).rejects.toThrow(
      `memory:/good: is another run of this name: its digest is ${info.crc}, not 12345678`,
    );
    const side = openRun(store, info, { counters, expect: { meta: { side: '1' } } });
    await expect(side).rejects.toThrow('memory:/good: is a run of side 0, not 1');
  });

  /** The offset of record batch `i`: they begin with the continuation mark, 8-aligned. */
  function indexOfBatch(file: Uint8Array, i: number): number {
    const words = new Int32Array(file.slice(0, file.length & ~3).buffer);
    let seen = -1;
    for (let word = 0; word < words.length; word += 2) {
      if (words[word] === -1 && words[word + 1] > 100 && words[word + 1] < 2000 && ++seen === i)
        return 4 * word;
    }
    throw new Error(`no record batch ${i}`);
  }

  /** The file with its version raised to 9, and sealed again. */
  function otherVersion(good: Uint8Array): Uint8Array {
    const file = Buffer.from(good);
    const name = file.lastIndexOf('run.version');
    // Strings of a flatbuffer: length, characters. The value "3" was written next to its name.
    for (let at = name - 64; at < name + 64; at++) {
      if (file.readInt32LE(at) === 1 && file[at + 4] === 0x33 && file[at + 5] === 0) file[at + 4] = 0x39;
    }
    const footer = file.length - 10 - file.readInt32LE(file.length - 10);
    const crc = crc32(file.subarray(footer), crc32(file.subarray(footer - 16, footer - 8)));
    file.writeUInt32LE(crc, footer - 4);
    return file;
  }
});

it('checksums of concatenations are joined from those of the parts', () => {
  const next = random(11);
  for (let i = 0; i < 200; i++) {
    const bytes = Uint8Array.from({ length: next() % 3000 }, () => next());
    const cut = next() % (bytes.length + 1);
    const [a, b] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    expect(joinCrc(crc32(a), crc32(b), b.length)).toBe(crc32(bytes));
  }
});

it('writes and reads far more than it keeps in memory', async () => {
  const store = localStore(dir, { durable: false });
  const rows = 1 << 20;
  const batches = 300;
  const piece = new Uint8Array(rows);
  const options = { batchRows: rows, counters: newCounters() };
  const before = process.memoryUsage.rss();
  let peak = 0;
  const spec = specOf({ dense: true, columns: [{ name: 'label', type: 'u8' }] });
  const writer = await createRun(store, 'large', spec, options);
  for (let i = 0; i < batches; i++) {
    piece.fill(i);
    await writer.append(i >> 4, rows, null, [piece]);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  expect(noted(store, await writer.close()).rows).toBe(batches * rows);
  const run = await open(store, 'large');
  let i = 0;
  for await (const batch of run.denseCursor()) {
    expect(batch.columns[0][rows - 1]).toBe(i++ & 255);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  expect(i).toBe(batches);
  expect((peak - before) / 2 ** 20).toBeLessThan(60);
  await store.delete('large');
});

import { crc32 } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StorageError } from '../../../operators/core/errors.js';
import {
  BLOCK_ROWS,
  openBlocks,
  packBlocks,
  packedCapacity,
  unpackBlocks,
} from '../../../operators/runs/compact-blocks.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { sweep } from '../../support/long.js';
import { expected, open, random, rowsOf, segmentsOf, specOf, writeRun } from '../run-samples.js';

const TOP = 2 ** 32 - 1;

/** Packs parts and checks that no more words are used than there may be. */
function pack(parts: readonly (readonly number[])[]): { words: Uint32Array; rows: Uint32Array } {
  const rows = Uint32Array.from(parts, (part) => part.length);
  const all = parts.flat();
  const buffer = new Uint32Array(packedCapacity(all.length));
  buffer.set(all);
  const length = packBlocks(buffer, rows);
  expect(length).toBeLessThanOrEqual(buffer.length);
  return { words: buffer.slice(0, length), rows };
}

/** All parts, each unpacked by `step` rows at a time; or the fault. */
function unpack(words: Uint32Array, rows: Uint32Array, step = 1 << 20): number[][] | string {
  const blocks = openBlocks(words, rows);
  if (typeof blocks === 'string') return blocks;
  const parts: number[][] = [];
  for (let p = 0; p < rows.length; p++) {
    const part: number[] = [];
    for (let from = 0; from < rows[p]; from += step) {
      const keys = new Uint32Array(Math.min(step, rows[p] - from));
      const fault = unpackBlocks(blocks, p, from, keys.length, keys);
      if (fault !== null) return fault;
      part.push(...keys);
    }
    parts.push(part);
  }
  return parts;
}

/** Ascending minors: a first one, and differences of very different sizes, none beyond 2^32 - 1. */
const minors = fc
  .tuple(
    fc.oneof(fc.nat(10), fc.integer({ min: 0, max: TOP }), fc.constant(TOP)),
    fc.integer({ min: 0, max: 32 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: TOP })), {
      minLength: 1,
      maxLength: 400,
    }),
  )
  .map(([first, most, gaps]) => {
    const keys = [first];
    for (const [bits, value] of gaps) {
      keys.push(Math.min(TOP, keys[keys.length - 1] + (value >>> Math.max(bits, 32 - most))));
    }
    return keys;
  });

describe('packed minors', () => {
  it('unpack to the same minors, whatever these are', () => {
    fc.assert(
      fc.property(fc.array(minors, { minLength: 1, maxLength: 6 }), (parts) => {
        const { words, rows } = pack(parts);
        expect(unpack(words, rows)).toEqual(parts);
        expect(unpack(words, rows, BLOCK_ROWS)).toEqual(parts);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['one row', [7], 2],
    ['the least', [0], 2],
    ['the greatest', [TOP], 2],
    ['both', [0, TOP], 3],
    ['all, then the greatest', [...Array(127).keys(), TOP], 129],
    ['repeats alone', Array(1000).fill(TOP), 8 + 2],
    ['repeats of two', [...Array(64).fill(0), ...Array(64).fill(TOP)], 129],
    ['full density', [...Array(1024).keys()], 8 * 5 + 2],
    ['density 1/2', [...Array(128).keys()].map((i) => TOP - 2 * (127 - i)), 1 + 8 + 1],
    ['density 1/2, repeated', [...Array(128).keys()].map((i) => 4 * (i >> 1)), 1 + 12 + 1],
  ])('take the expected words: %s', (_what, part, size) => {
    const { words, rows } = pack([part]);
    expect(unpack(words, rows)).toEqual([part]);
    expect(words.length).toBe(size);
  });

  it('damaged words are refused, or give the right number of ascending minors', () => {
    const next = random(5);
    let refused = 0;
    for (let i = 0; i < 3000; i++) {
      const rows = Uint32Array.from({ length: 1 + (next() % 3) }, () => 1 + (next() % 300));
      const words = Uint32Array.from({ length: next() % 200 }, () => next() >>> (next() % 32));
      // Blocks of small tags may fit, if the words are as many as these take.
      const chosen = i % 2 === 0 ? words : fitting(rows, next);
      const result = unpack(chosen, rows);
      if (typeof result === 'string') {
        refused++;
        continue;
      }
      for (let p = 0; p < rows.length; p++) {
        expect(result[p].length).toBe(rows[p]);
        for (let from = 0; from < rows[p]; from += BLOCK_ROWS) {
          const block = result[p].slice(from, from + BLOCK_ROWS);
          expect(block).toEqual([...block].sort((a, b) => a - b));
        }
      }
    }
    expect(refused).toBeGreaterThan(1500);
    expect(refused).toBeLessThan(3000);
  });

  /** Arbitrary words whose tags add up to their number. */
  function fitting(rows: Uint32Array, next: () => number): Uint32Array {
    const tags: number[] = [];
    let size = 0;
    for (const part of rows) {
      for (let rest = part; rest > 0; rest -= BLOCK_ROWS) {
        const tag = next() % 60;
        tags.push(tag);
        size += 1 + (tag > 32 ? tag - 32 : Math.ceil(((Math.min(rest, BLOCK_ROWS) - 1) * tag) / 32));
      }
    }
    const words = Uint32Array.from({ length: size + Math.ceil(tags.length / 4) }, () => next());
    const bytes = new Uint8Array(words.buffer, 4 * size);
    bytes.fill(0);
    bytes.set(tags);
    return words;
  }
});

describe('a compact run', () => {
  const top = { major: 1 << 20, minor: Uint32Array.of(0, 1, TOP, TOP), payload: [] };
  const segments = [...segmentsOf(1, [3, 1, 64, 20_000, 129, 1, 1, 7, 500, 2], [], false), top];

  it.each(sweep([7, 65536], [100, 128, 1000]))(
    'returns its rows and ranges, batches of %i rows',
    async (batchRows) => {
      const store = memoryStore();
      await writeRun(store, 'r', specOf({}), segments, batchRows, 300);
      const run = await open(store, 'r');
      const rows = expected(segments, false);
      expect(await rowsOf(run.cursor())).toEqual(rows);
      for (let s = 0; s < segments.length; s += 3) {
        const [from, to] = [segments[s].major, segments[Math.min(s + 2, segments.length - 1)].major];
        const wanted = rows.filter(([major]) => major >= from && major < to);
        expect(await rowsOf(run.cursor({ from, to }))).toEqual(wanted);
      }
    },
  );

  it('is an Arrow file of one column, and small', async () => {
    const store = memoryStore();
    const info = await writeRun(store, 'r', specOf({}), segments, 4096);
    const table = tableFromIPC(await readAll(store, 'r'));
    expect(table.schema.names).toEqual(['packed-minors']);
    expect(table.schema.metadata.get('run.rows')).toBe(String(info.rows));
    expect(info.bytes).toBeLessThan(info.rows);
  });

  it('is not made of rows with payload: their minors stay unpacked, and the footer says so', async () => {
    const store = memoryStore();
    await writeRun(store, 'r', specOf({ columns: [{ name: 'count', type: 'u8' }] }), [], 100);
    const table = tableFromIPC(await readAll(store, 'r'));
    expect(table.schema.metadata.get('run.packed')).toBe('false');
    expect(table.schema.names).toEqual(['minor', 'count']);
  });

  it.each([
    [
      'a tag that no block has',
      (words: Uint32Array) => (words[words.length - 1] = 255),
      /block 0 has tag 255/,
    ],
    [
      'a tag of another size',
      (words: Uint32Array) => (words[words.length - 1] = 31),
      /blocks take \d+ words, not \d+/,
    ],
    [
      'bits that a bitmap has not',
      (words: Uint32Array) => (words[1] ^= 1 << 7),
      /bitmap of block 0 has not 100 bits/,
    ],
    [
      'minors beyond 32 bits',
      (words: Uint32Array) => (words[0] = TOP - 5),
      /the minors of block 0 pass 32 bits/,
    ],
  ])('names file and place of %s, though every checksum is right', async (_what, change, says) => {
    const store = memoryStore();
    const minor = Uint32Array.from({ length: 100 }, (_, i) => 2 * i + (i < 50 ? 0 : 3));
    await writeRun(store, 'bad', specOf({ strict: true }), [{ major: 3, minor, payload: [] }], 1000);
    await forge(store, change);
    const run = await open(store, 'bad');
    const failure = await rowsOf(run.cursor()).catch((error) => error);
    expect(failure).toBeInstanceOf(StorageError);
    expect(failure.message).toMatch(/^memory:\/bad: record batch 0 \(bytes 8 to \d+\): [^\n]+$/);
    expect(failure.message).toMatch(says);
  });

  /** Changes words of the only record batch of run `bad`, and makes all checksums again. */
  async function forge(store: Store, change: (words: Uint32Array) => void): Promise<void> {
    const bytes = Buffer.from((await readAll(store, 'bad'))!);
    const column = tableFromIPC(bytes).getChildAt(0)!.toArray() as Uint32Array;
    const at = bytes.indexOf(Buffer.from(column.buffer, column.byteOffset, column.byteLength));
    const footer = bytes.length - 10 - bytes.readInt32LE(bytes.length - 10);
    const end = footer - 16;
    const crcOf = () => Buffer.from(Uint32Array.of(crc32(bytes.subarray(8, end))).buffer).toString('base64');
    const before = crcOf();
    const words = column.slice();
    change(words);
    bytes.set(new Uint8Array(words.buffer), at);
    bytes.write(crcOf(), bytes.indexOf(before));
    bytes.writeUInt32LE(crc32(bytes.subarray(footer), crc32(bytes.subarray(end, end + 8))), footer - 4);
    const sink = await store.create('bad');
    await sink.write([bytes]);
    await sink.close();
  }
});

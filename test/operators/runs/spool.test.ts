import { describe, expect, it } from 'vitest';
import { newArrays } from '../../../operators/core/arrays.js';
import { newCounters } from '../../../operators/core/counters.js';
import { rowBytes } from '../../../operators/runs/schema.js';
import { Spool, type SpoolOptions } from '../../../operators/runs/spool.js';
import type { ColumnSpec } from '../../../operators/runs/types.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { expected, rowsOf, type Segment, segmentsOf } from '../run-samples.js';

const PAYLOAD: ColumnSpec[] = [
  { name: 'value', type: 'u16' },
  { name: 'other', type: 'i32' },
];
const LENGTHS = [5, 1, 300, 64, 2, 700, 1, 1, 90];
const BYTES = LENGTHS.reduce((a, b) => a + b) * (4 + rowBytes(PAYLOAD));

function spoolWith(part: Partial<SpoolOptions>) {
  const store = memoryStore();
  const counters = newCounters();
  const scratch = newScratch(store, 's');
  return {
    store,
    counters,
    spool: new Spool({ payload: PAYLOAD, memory: 1e6, scratch, batchRows: 64, counters, ...part }),
  };
}

async function fill(spool: Spool, segments: readonly Segment[], step: number): Promise<void> {
  for (const { major, minor, payload } of segments) {
    for (let from = 0; from < minor.length; from += step) {
      await spool.append(major, Math.min(step, minor.length - from), minor, payload, from);
    }
  }
  await spool.seal();
}

describe.each([0, 10, 1000, BYTES / 2, BYTES - 10, 1e6])('a spool of %d bytes', (memory) => {
  it.each([1, 7, 1 << 20])('returns rows appended %i at a time, any number of times', async (step) => {
    const { spool, store, counters } = spoolWith({ memory });
    const segments = segmentsOf(1, LENGTHS, PAYLOAD, false);
    await fill(spool, segments, step);
    const rows = expected(segments, false);
    expect(spool.rows).toBe(rows.length);
    expect([...spool.majors()]).toEqual(segments.map(({ major }) => major));
    for (let i = 0; i < 2; i++) expect(await rowsOf(spool.cursor())).toEqual(rows);
    const end = segments[8].major + 1;
    for (let from = 0; from < end; from++) {
      for (const to of [from, from + 1, from + 5, end]) {
        const wanted = rows.filter(([major]) => major >= from && major < to);
        expect(await rowsOf(spool.cursor({ from, to }))).toEqual(wanted);
      }
    }
    // A spool stays in memory exactly if it fits, and leaves nothing behind.
    expect((await store.list('')).length).toBe(memory < BYTES ? 1 : 0);
    expect(counters.bytesWritten > 0).toBe(memory < BYTES);
    await spool.dispose();
    expect(await store.list('')).toEqual([]);
  });
});

describe('a spool', () => {
  it('may be empty', async () => {
    const { spool } = spoolWith({});
    await spool.seal();
    expect(spool.rows).toBe(0);
    expect(spool.majors().length).toBe(0);
    expect(await rowsOf(spool.cursor())).toEqual([]);
  });

  it('leaves nothing in scratch when it is disposed of half-written', async () => {
    const { spool, store } = spoolWith({ memory: 100 });
    await spool.append(1, 200, new Uint32Array(200), [new Uint16Array(200), new Int32Array(200)]);
    await spool.dispose();
    expect(await store.list('')).toEqual([]);
  });

  it('copies appended rows, and returns views of its copy', async () => {
    const { spool } = spoolWith({ payload: [] });
    const minor = Uint32Array.of(1, 2, 3);
    await spool.append(4, 3, minor, []);
    minor.fill(9);
    await spool.seal();
    const columns = new Set<ArrayBufferLike>();
    for (let i = 0; i < 2; i++) for await (const batch of spool.cursor()) columns.add(batch.minor.buffer);
    expect(columns.size).toBe(1);
    expect(await rowsOf(spool.cursor())).toEqual([
      [4, 1],
      [4, 2],
      [4, 3],
    ]);
  });

  it('refuses rows out of order or after sealing, and reads before it', async () => {
    const { spool } = spoolWith({ payload: [] });
    await spool.append(4, 2, Uint32Array.of(5, 5), []);
    expect(() => spool.append(4, 1, Uint32Array.of(4), [])).toThrow(/minor 4 after 5/);
    expect(() => spool.append(3, 1, Uint32Array.of(9), [])).toThrow(/major 3 after 4/);
    expect(() => spool.cursor()).toThrow(/sealed before it is read/);
    await spool.seal();
    expect(() => spool.append(5, 1, Uint32Array.of(9), [])).toThrow(/takes no rows/);
  });
});

it.each([10, BYTES / 2, 1e6])(
  'takes its memory from the given arrays and returns all of it: %d bytes',
  async (memory) => {
    const own = newArrays();
    let lent = 0;
    const arrays = {
      take(words: number) {
        lent++;
        return own.take(words).fill(0xffffffff);
      },
      give(array: Uint32Array) {
        lent--;
        own.give(array);
      },
    };
    for (const seed of [1, 2, 3]) {
      const { spool } = spoolWith({ memory, arrays });
      const segments = segmentsOf(seed, LENGTHS, PAYLOAD, false);
      await fill(spool, segments, 7);
      expect(lent > 0).toBe(memory >= BYTES);
      expect(await rowsOf(spool.cursor())).toEqual(expected(segments, false));
      await spool.dispose();
      expect(lent).toBe(0);
    }
  },
);

import { describe, expect, it } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { StorageError } from '../../../operators/core/errors.js';
import {
  LABELS,
  LabelBlocks,
  type LabelRun,
  type LabelSource,
} from '../../../operators/runs/dense-blocks.js';
import { LabelMemory } from '../../../operators/runs/label-memory.js';
import { openRun } from '../../../operators/runs/reader.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import type { Store } from '../../../operators/storage/store.js';
import { denseRowsOf, random, specOf, writeRun } from '../run-samples.js';

const FROM = 3;
const TO = 43;
/** Rows of a major: some have none. */
const rowsOf = (major: number) => (major % 7 === 0 ? 0 : 50 + ((major * 37) % 60));
const TOTAL = Array.from({ length: TO - FROM }, (_, i) => rowsOf(FROM + i)).reduce((a, b) => a + b);
const PAGE_BYTES = 70;
/** The most rows of a major, below the bytes that close a page. */
const LARGEST = PAGE_BYTES + 109;
const COLUMN = { name: 'label', type: 'u8' } as const;

/** The oracle: one array per major. */
function newOracle(seed: number): Map<number, Uint8Array> {
  const next = random(seed);
  const oracle = new Map<number, Uint8Array>();
  for (let major = FROM; major < TO; major++) {
    oracle.set(
      major,
      Uint8Array.from({ length: rowsOf(major) }, () => next()),
    );
  }
  return oracle;
}

async function writeSource(
  store: Store,
  name: string,
  oracle: Map<number, Uint8Array>,
  from: number,
  to: number,
) {
  const segments = [];
  for (let major = from; major < to; major++) {
    const labels = oracle.get(major)!;
    segments.push({ major, minor: new Uint32Array(labels.length), payload: [labels] });
  }
  const spec = specOf({ kind: LABELS, dense: true, columns: [COLUMN] });
  const { crc } = await writeRun(store, name, spec, segments, 100);
  return { store, name, crc, from, to };
}

function setUp({ memory, ...part }: { memory: number; sources?: LabelSource[]; blockBytes?: number }) {
  const scratchStore = memoryStore();
  const counters = newCounters();
  const shared = new LabelMemory({ bytes: memory, all: TOTAL, largest: LARGEST });
  const labels = new LabelBlocks({
    majors: [FROM, TO],
    rowsOf,
    blockBytes: 200,
    pageBytes: PAGE_BYTES,
    memory: shared,
    sources: [],
    scratch: newScratch(scratchStore, 's'),
    batchRows: 128,
    counters,
    ...part,
  });
  return { labels, counters, scratchStore, turn: () => shared.turn() };
}

/** Rows in the runs of a commit: [major, row, label]. */
async function committed(store: Store, runs: readonly LabelRun[]): Promise<number[][]> {
  const rows: number[][] = [];
  for (const { from, to, ...ref } of runs) {
    const run = await openRun(store, ref, { counters: newCounters() });
    rows.push(...(await denseRowsOf(run.denseCursor({ from, to }))));
  }
  return rows;
}

const flat = (oracle: Map<number, Uint8Array>) =>
  [...oracle].flatMap(([major, labels]) => [...labels].map((label, row) => [major, row, label]));

describe.each([1, 700, 1500, TOTAL - 1, TOTAL])('label blocks in %i bytes', (memory) => {
  it('keep the changes of sweeps, and commit them', async () => {
    const { labels, scratchStore } = setUp({ memory });
    const store = memoryStore();
    const oracle = new Map([...newOracle(1)].map(([major, values]) => [major, values.fill(0)]));
    const next = random(2);
    for (let sweep = 0; sweep < 6; sweep++) {
      for (let major = FROM; major < TO; major++) {
        if (next() % 3 === 0) continue;
        const rows = await labels.load(major);
        expect(rows).toEqual(oracle.get(major));
        if (rows.length === 0 || next() % 2 === 0) continue;
        const row = next() % rows.length;
        rows[row] = oracle.get(major)![row] = next();
        labels.dirty();
      }
      if (sweep % 2 === 1) {
        const runs = await labels.commit(store, (i) => `labels-${sweep}-${i}`);
        expect(await committed(store, runs)).toEqual(flat(oracle));
        expect([runs[0].from, runs[runs.length - 1].to]).toEqual([FROM, TO]);
        for (let i = 1; i < runs.length; i++) expect(runs[i].from).toBe(runs[i - 1].to);
      }
    }
    await labels.dispose();
    expect(await scratchStore.list('')).toEqual([]);
  });

  it('start from committed runs of any layout, and rewrite only what changed', async () => {
    const store = memoryStore();
    const oracle = newOracle(3);
    const sources = [
      await writeSource(store, 'late', oracle, 20, TO),
      await writeSource(store, 'early', oracle, FROM, 20),
    ];
    const { labels } = setUp({ memory, sources });
    for (let major = FROM; major < TO; major++) expect(await labels.load(major)).toEqual(oracle.get(major));
    const same = await labels.commit(store, () => 'never');
    expect(same).toEqual([
      { name: 'early', crc: sources[1].crc, from: FROM, to: 20 },
      { name: 'late', crc: sources[0].crc, from: 20, to: TO },
    ]);
    (await labels.load(25))[0] ^= 1;
    oracle.get(25)![0] ^= 1;
    labels.dirty();
    const names: number[] = [];
    const runs = await labels.commit(store, (i) => `new-${names.push(i)}`);
    expect(names).toHaveLength(1);
    expect(await store.list('')).toEqual(['early', 'late', 'new-1']);
    expect(runs.map(({ name }) => name)).toEqual(['early', 'late', 'new-1', 'late']);
    expect(await committed(store, runs)).toEqual(flat(oracle));
    expect(await labels.commit(store, () => 'never')).toEqual(runs);
    // Committed labels can be opened again.
    const again = setUp({ memory, sources: runs.map((run) => ({ ...run, store })), blockBytes: 333 });
    for (let major = FROM; major < TO; major++)
      expect(await again.labels.load(major)).toEqual(oracle.get(major));
  });

  it('copy blocks that only another store has', async () => {
    const oracle = newOracle(4);
    const sources = [await writeSource(memoryStore(), 'elsewhere', oracle, FROM, TO)];
    const { labels } = setUp({ memory, sources });
    const store = memoryStore();
    const runs = await labels.commit(store, (i) => `copy-${i}`);
    expect(await committed(store, runs)).toEqual(flat(oracle));
  });

  it('are zero where no source is', async () => {
    const store = memoryStore();
    const oracle = newOracle(5);
    const { labels } = setUp({ memory, sources: [await writeSource(store, 'part', oracle, 10, 17)] });
    for (let major = FROM; major < 10; major++) oracle.get(major)!.fill(0);
    for (let major = 17; major < TO; major++) oracle.get(major)!.fill(0);
    for (let sweep = 0; sweep < 2; sweep++) {
      for (let major = FROM; major < TO; major++) expect(await labels.load(major)).toEqual(oracle.get(major));
    }
    expect(await committed(store, await labels.commit(store, (i) => `full-${i}`))).toEqual(flat(oracle));
  });
});

describe('label blocks', () => {
  it('read nothing again while all fit', async () => {
    const store = memoryStore();
    const oracle = newOracle(6);
    const { labels, counters } = setUp({
      memory: TOTAL,
      sources: [await writeSource(store, 'all', oracle, FROM, TO)],
    });
    for (let major = FROM; major < TO; major++) await labels.load(major);
    const { bytesRead } = counters;
    for (let major = FROM; major < TO; major++) {
      (await labels.load(major)).fill(1);
      labels.dirty();
    }
    expect(counters.bytesRead).toBe(bytesRead);
    expect(counters.bytesWritten).toBe(0);
  });

  it('keep the first pages of a sweep in memory, and pass the others through one place', async () => {
    const { labels, counters, scratchStore } = setUp({ memory: TOTAL / 2 });
    async function sweep(): Promise<{ read: number; written: number }> {
      const { bytesRead, bytesWritten } = counters;
      for (let major = FROM; major < TO; major++) {
        if (rowsOf(major) === 0) continue;
        (await labels.load(major))[0]++;
        labels.dirty();
      }
      return { read: counters.bytesRead - bytesRead, written: counters.bytesWritten - bytesWritten };
    }
    await sweep();
    for (let i = 0; i < 3; i++) {
      const { read, written } = await sweep();
      // Pages that do not fit are read and written once a sweep; the rest stays.
      expect(read).toBeGreaterThan(TOTAL / 4);
      expect(read).toBeLessThan((3 * TOTAL) / 4);
      expect(written).toBe(read);
    }
    expect(await scratchStore.list('')).toEqual([]);
    expect(((await labels.load(FROM))[0] + 256) % 256).toBe(4);
  });

  it('keep the pages of later, smaller sweeps in memory', async () => {
    const { labels, counters, turn } = setUp({ memory: TOTAL / 2 });
    const change = async (major: number): Promise<number> => {
      const rows = await labels.load(major);
      labels.dirty();
      return rows[0]++;
    };
    for (let major = FROM; major < TO; major++) if (rowsOf(major) > 0) await change(major);
    // The last majors of a sweep found no room.
    const few = [30, 33, 40, 41];
    const traffic: number[] = [];
    for (let sweep = 1; sweep <= 6; sweep++) {
      turn();
      const before = counters.bytesRead + counters.bytesWritten;
      for (const major of few) expect(await change(major)).toBe(sweep);
      traffic.push(counters.bytesRead + counters.bytesWritten - before);
    }
    expect(traffic[0]).toBeGreaterThan(0);
    expect(traffic.slice(-2)).toEqual([0, 0]);
    for (let major = FROM; major < TO; major++) {
      if (rowsOf(major) > 0) expect((await labels.load(major))[0]).toBe(few.includes(major) ? 7 : 1);
    }
  });

  it('keep pages that are swept in every other turn', async () => {
    const { labels, counters, turn } = setUp({ memory: TOTAL / 2 });
    for (let major = FROM; major < 10; major++) await labels.load(major);
    for (let round = 0; round < 6; round++) {
      turn();
      for (let major = 10; major < TO; major++) await labels.load(major);
      turn();
      const { bytesRead } = counters;
      for (let major = FROM; major < 10; major++) await labels.load(major);
      expect(counters.bytesRead).toBe(bytesRead);
    }
  });

  it('refuse a run of another shape, naming it', async () => {
    const store = memoryStore();
    const oracle = newOracle(7);
    oracle.set(9, new Uint8Array(rowsOf(9) + 1));
    const { labels } = setUp({ memory: 500, sources: [await writeSource(store, 'odd', oracle, FROM, TO)] });
    const failed = await labels.load(9).catch((error) => error);
    expect(failed).toBeInstanceOf(StorageError);
    expect(failed.message).toMatch(/memory:\/odd: has \d+ rows of major 9, not \d+/);
  });
});

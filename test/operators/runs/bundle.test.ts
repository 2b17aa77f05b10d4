/** Bundles: several runs in one object, each read by its own bytes and held against its place and digest. */
import { expect, test } from 'vitest';
import { type Arrays, newArrays } from '../../../operators/core/arrays.js';
import { newCounters } from '../../../operators/core/counters.js';
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import { type BundleRef, newBundle, openBundled } from '../../../operators/runs/bundle.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { rowsOf, type Segment, segmentsOf, specOf } from '../run-samples.js';

const NAME = 'requests-1-0-4.arrow';
const EVERYTHING = 2 ** 20;

async function bundleOf(store: Store, runs: readonly (readonly Segment[])[], batchRows = 1000) {
  const bundle = newBundle(store, NAME, { batchRows, counters: newCounters() });
  for (const run of runs) {
    await bundle.add(specOf({}), async (writer) => {
      for (const { major, minor, payload } of run) await writer.append(major, minor.length, minor, payload);
    });
  }
  return bundle.close();
}

async function read(store: Store, ref: BundleRef, i: number, window = EVERYTHING) {
  const counters = newCounters();
  const opened = await openBundled(store, ref, i, { counters, window });
  return { rows: opened === null ? null : await rowsOf(opened.run.cursor()), counters };
}

const rowsIn = (run: readonly Segment[]) =>
  run.flatMap(({ major, minor }) => [...minor].map((each) => [major, each]));

/** The reads of a store, as offsets and lengths, and the number of its answers on sizes. */
function watched(store: Store) {
  const reads: [number, number][] = [];
  let sizes = 0;
  const seen: Store = {
    ...store,
    async read(name, offset, into) {
      reads.push([offset, into.length]);
      await store.read(name, offset, into);
    },
    async size(name) {
      sizes++;
      return store.size(name);
    },
  };
  return { seen, reads, sizes: () => sizes };
}

const runs = [
  segmentsOf(1, [3, 500, 2], []),
  [],
  segmentsOf(2, [1], []),
  segmentsOf(3, [4000, 7], []),
  segmentsOf(4, [], []),
];

test('a run in a bundle is read by one operation that covers its own bytes only', async () => {
  const store = memoryStore();
  const ref = (await bundleOf(store, runs))!;
  expect(ref.ends.length).toBe(runs.length);
  expect(ref.ends.at(-1)).toBe((await readAll(store, NAME))!.length);
  for (const [i, run] of runs.entries()) {
    const { seen, reads, sizes } = watched(store);
    const { rows, counters } = await read(seen, ref, i);
    const [from, to] = [ref.ends[i - 1] ?? 0, ref.ends[i]];
    if (run.length === 0) {
      expect([rows, from, ref.crcs[i]]).toEqual([null, to, '']);
      expect(reads).toEqual([]);
    } else {
      expect(rows).toEqual(rowsIn(run));
      expect(reads).toEqual([[from, to - from]]);
      expect(counters.bytesRead).toBe(to - from);
    }
    expect(sizes()).toBe(0);
  }
});

test('a run longer than the window is read by few operations, neighbouring batches together', async () => {
  const store = memoryStore();
  const long = [[], segmentsOf(5, [60_000], [], false), segmentsOf(6, [60_000], [], false)];
  const ref = (await bundleOf(store, long, 500))!;
  const bytes = ref.ends[1] - ref.ends[0];
  const window = Math.ceil(bytes / 4);
  const { seen, reads } = watched(store);
  expect((await read(seen, ref, 1, window)).rows).toEqual(rowsIn(long[1]));
  // Batches begin where the window before them has ended, and its last one may be cut.
  expect(reads.length).toBeLessThanOrEqual(6);
  expect(Math.max(...reads.map(([, length]) => length))).toBeLessThanOrEqual(Math.max(window, 8192));
  for (const [offset, length] of reads) {
    expect(offset).toBeGreaterThanOrEqual(ref.ends[0]);
    expect(offset + length).toBeLessThanOrEqual(ref.ends[1]);
  }
  // Without a window a batch is read by one operation, as of a run that has an object of its own.
  expect((await read(store, ref, 2, 0)).rows).toEqual(rowsIn(long[2]));
});

test('a bundle without rows and an aborted bundle leave no object', async () => {
  const store = memoryStore();
  expect(await bundleOf(store, [[], []])).toBeNull();
  const bundle = newBundle(store, NAME, { batchRows: 10, counters: newCounters() });
  await bundle.add(specOf({}), (run) =>
    run.append(
      0,
      30,
      Uint32Array.from({ length: 30 }, (_, i) => i),
      [],
    ),
  );
  await bundle.abort();
  expect(await store.list('')).toEqual([]);
});

test('a run at another offset or with another digest is refused', async () => {
  const store = memoryStore();
  // Two runs of the same rows: only the places tell them apart.
  const twin = segmentsOf(7, [100], []);
  const ref = (await bundleOf(store, [twin, twin, segmentsOf(8, [100], [])]))!;
  const [first, second, third] = ref.ends as [number, number, number];
  expect(ref.crcs[0]).toBe(ref.crcs[1]);

  const bytes = (await readAll(store, NAME))!;
  const moved = memoryStore();
  const parts = [bytes.subarray(first, second), bytes.subarray(0, first), bytes.subarray(second, third)];
  await moved.putIfAbsent(NAME, Buffer.concat(parts));
  const ends = [second - first, second, third];
  await expect(read(moved, { ...ref, ends }, 0)).rejects.toThrow(/holds another run at byte 0/);
  await expect(read(moved, { ...ref, ends }, 1)).rejects.toThrow(DamageError);
  expect((await read(moved, { ...ref, ends }, 2)).rows!.length).toBe(100);

  const crcs = ['00000000', ref.crcs[1], ref.crcs[0]];
  await expect(read(store, { ...ref, crcs }, 0)).rejects.toThrow(/its digest is/);
  await expect(read(store, { ...ref, crcs }, 2)).rejects.toThrow(/its digest is/);
  const renamed = { ...ref, name: 'requests-2-0-4.arrow' };
  await store.putIfAbsent(renamed.name, bytes);
  await expect(read(store, renamed, 1)).rejects.toThrow(/it was written as requests-1-0-4/);
});

test.each([EVERYTHING, 600, 0])('every flipped bit is detected (window %i)', async (window) => {
  const store = memoryStore();
  const ref = (await bundleOf(store, [segmentsOf(9, [20], []), segmentsOf(10, [300, 20], [])], 100))!;
  const bytes = (await readAll(store, NAME))!;
  for (let at = ref.ends[0]; at < bytes.length; at += 7) {
    const damaged = memoryStore();
    const flipped = bytes.slice();
    flipped[at] ^= 1 << (at % 8);
    await damaged.putIfAbsent(NAME, flipped);
    await expect(read(damaged, ref, 1, window), `byte ${at}`).rejects.toThrow(StorageError);
    expect((await read(damaged, ref, 0, window)).rows!.length).toBe(20);
  }
  const short = memoryStore();
  await short.putIfAbsent(NAME, bytes.subarray(0, bytes.length - 1));
  await expect(read(short, ref, 1, window)).rejects.toThrow(/cut short/);
});

test('damaged bytes are read again if the store allows it', async () => {
  const store = memoryStore();
  const run = segmentsOf(11, [400], []);
  const ref = (await bundleOf(store, [run]))!;
  let faults = 2;
  let distrusted = 0;
  const faulty: Store = {
    ...store,
    async read(name, offset, into) {
      await store.read(name, offset, into);
      if (faults-- > 0) into[faults * 20 + 20] ^= 4;
    },
    async distrust() {
      return ++distrusted < 5;
    },
  };
  expect((await read(faulty, ref, 0)).rows).toEqual(rowsIn(run));
  expect(distrusted).toBeGreaterThan(0);
});

/** Arrays that are overwritten when they are given back, and how many there are. */
function spoiled(): {
  readonly arrays: Arrays;
  readonly out: Set<Uint32Array>;
  readonly all: Set<Uint32Array>;
} {
  const [out, all] = [new Set<Uint32Array>(), new Set<Uint32Array>()];
  const inner = newArrays();
  const arrays: Arrays = {
    take(words) {
      const array = inner.take(words);
      out.add(array);
      all.add(array);
      return array;
    },
    give(array) {
      expect(out.delete(array)).toBe(true);
      array.fill(0xdeadbeef);
      inner.give(array);
    },
  };
  return { arrays, out, all };
}

test.each([EVERYTHING, 600])('buffers are given back and used again (window %i)', async (window) => {
  const { arrays, out, all } = spoiled();
  const counters = newCounters();
  let first = 0;
  for (let turn = 0; turn < 3; turn++) {
    const store = memoryStore();
    const bundle = newBundle(store, NAME, { batchRows: 500, counters, arrays });
    const written = runs.map((_, i) => segmentsOf(10 * turn + i, [40, 900 + i, 1], [], false));
    for (const run of [...written, []]) {
      await bundle.add(specOf({}), async (writer) => {
        for (const { major, minor } of run) await writer.append(major, minor.length, minor, []);
      });
    }
    const ref = (await bundle.close())!;
    expect(out.size).toBe(0);
    for (const [i, run] of written.entries()) {
      const opened = (await openBundled(store, ref, i, { counters, window, arrays }))!;
      // The first cursor is left before it ends.
      for await (const _ of opened.run.cursor()) break;
      expect(await rowsOf(opened.run.cursor())).toEqual(rowsIn(run));
      opened.release();
      expect(out.size).toBe(0);
    }
    expect(await openBundled(store, ref, written.length, { counters, window, arrays })).toBeNull();
    if (turn === 0) first = all.size;
  }
  expect(all.size).toBe(first);
});

/** Speed of the operators on one core, on random rows that look like requests: few majors, minors of 18 bits. */

import { newColumns } from '../../operators/core/columns.js';
import { newCounters } from '../../operators/core/counters.js';
import { distribute, releaseSegments } from '../../operators/distribute/distribute.js';
import { createPool } from '../../operators/distribute/pool.js';
import { gather } from '../../operators/gather.js';
import { join } from '../../operators/join.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, Cursor, DenseCursor, RowSource, Rows } from '../../operators/runs/types.js';
import { semiJoin } from '../../operators/semi-join.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { merge } from '../../operators/sort/merge.js';
import { radixSort } from '../../operators/sort/radix.js';
import { sort } from '../../operators/sort/sort.js';
import { localStore } from '../../operators/storage/local.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { mergeByLoserTree } from './loser-tree.js';

export interface Figure {
  readonly operator: string;
  readonly payload: number;
  readonly rows: number;
  /** Million rows per CPU second of the whole process (all threads): the best of the repetitions. */
  readonly perCpuSecond: number;
  /** Million rows per second of the clock: likewise. */
  readonly perSecond: number;
}

type Payload = 0 | 1 | 2;

const MAJORS = 462;
const WIDTH = 1 << 18;
const BATCH = 1 << 16;
const REPETITIONS = 3;

type Measure = (operator: string, payload: number, run: () => Promise<number> | number) => Promise<void>;

/** The shared parts of the benchmark. */
interface Bench {
  readonly rows: number;
  /** Means for one operation, with scratch space of its own. */
  environment(memory: number): SortEnv;
  readonly measure: Measure;
}

/** Measures every operator on `rows` rows (a power of two, 2^20 or more); spills go to `folder`. */
export async function benchOperators({ folder, rows }: { folder: string; rows: number }): Promise<Figure[]> {
  const figures: Figure[] = [];
  let names = 0;

  function environment(memory: number): SortEnv {
    const scratch = newScratch(localStore(folder, { durable: false }), `bench-${names++}`);
    return { budget: { memory, fanIn: 64, batchRows: BATCH }, scratch, counters: newCounters() };
  }

  const bench: Bench = { rows, environment, measure: newMeasure(rows, figures) };
  for (const payload of [0, 1, 2] as const) {
    await benchRadixSort(bench, payload);
    await benchSorting(bench, payload);
  }
  const runs = sortedRuns(8, rows / 8, 0).map((run) => run.minor);
  await benchPlainLoops(bench, runs);
  await benchJoins(bench, runs[0]);
  return figures;
}

/** Adds a figure for each operation to `figures`: the best of the repetitions. */
function newMeasure(rows: number, figures: Figure[]): Measure {
  return async (operator, payload, run) => {
    let perCpuSecond = 0;
    let perSecond = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      const start = performance.now();
      const cpu = process.cpuUsage();
      const done = await run();
      const { user, system } = process.cpuUsage(cpu);
      perCpuSecond = Math.max(perCpuSecond, done / (user + system));
      perSecond = Math.max(perSecond, done / (performance.now() - start) / 1000);
      if (done !== rows) throw new Error(`${operator}: ${done} rows of ${rows}`);
    }
    figures.push({
      operator,
      payload,
      rows,
      perCpuSecond: tenths(perCpuSecond),
      perSecond: tenths(perSecond),
    });
  };
}

async function benchRadixSort({ rows, measure }: Bench, payload: Payload): Promise<void> {
  for (const [size, bits] of [
    [1 << 15, 18],
    [WIDTH, 18],
    [rows, 32],
  ]) {
    const unsorted = randomU32s(size, bits);
    const columns = newColumns(size, payload);
    const spare = newColumns(size, payload);
    await measure(`radix sort, ${size} minors of ${bits} bits`, payload, () => {
      for (let done = 0; done < rows; done += size) {
        columns.minor.set(unsorted);
        radixSort(columns, spare, 0, size);
      }
      return rows;
    });
  }
}

async function benchSorting({ rows, environment, measure }: Bench, payload: Payload): Promise<void> {
  const rowBytes = 4 * (1 + payload);
  const input = requests(payload);
  await measure('sort in memory', payload, () => drain(sort(input(rows), payload, environment(64 * rows))));
  // A row of formation takes 4 (3 + 2 payload) bytes: this gives 8 or 9 runs.
  const eighth = (rows / 8) * 4 * (3 + 2 * payload);
  await measure('sort, 8 spilled runs', payload, () =>
    drain(sort(input(rows), payload, environment(eighth))),
  );
  for (const [how, bytes] of [
    ['in memory', 2 * rows * rowBytes],
    ['8 spills', (rows * rowBytes) / 8 + MAJORS * 512 * rowBytes],
  ] as const) {
    const pool = createPool(bytes, { shared: false });
    await measure(`distribute and gather, ${how}`, payload, async () => {
      const env = environment(1 << 28);
      const segments = await distribute(input(rows), { majors: MAJORS, payload, pool }, env);
      const done = await drain(gather([{ segments, pool }], { from: 0, to: MAJORS }, payload, env));
      await releaseSegments(segments, env);
      return done;
    });
  }
  const runs = sortedRuns(8, rows / 8, payload);
  await measure('merge of 8', payload, () =>
    drain(
      merge(
        runs.map((run) => cursorOf(run)),
        environment(0),
      ),
    ),
  );
}

async function benchPlainLoops({ rows, measure }: Bench, runs: readonly Uint32Array[]): Promise<void> {
  const merged = new Uint32Array(rows);
  await measure('for comparison: loser tree of 8', 0, () => {
    mergeByLoserTree(runs, merged);
    return rows;
  });
  const touched = new Uint8Array(MAJORS * WIDTH);
  await measure('for comparison: rows applied to bytes at random, plain loop', 0, () =>
    applyAtRandom(rows, touched),
  );
  await measure('for comparison: rows put to their majors, then applied, plain loops', 0, () =>
    applyByMajor(rows, touched),
  );
}

async function benchJoins({ rows, measure }: Bench, right: Uint32Array): Promise<void> {
  const left = sortedRuns(1, rows, 2)[0];
  await measure('join', 2, () =>
    drain(join(cursorOf(left), labels, answer, { rows: BATCH, payload: 1, counters: newCounters() })),
  );
  await measure('anti-join', 0, async () => {
    await drain(
      semiJoin(cursorOf({ ...left, payload: [] }), cursorOf(runOf(right)), {
        keep: 'unmatched',
        counters: newCounters(),
      }),
    );
    return rows;
  });
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}

function randomU32s(length: number, bits: number): Uint32Array {
  let x = 0x9e3779b9;
  return Uint32Array.from({ length }, () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> (32 - bits);
  });
}

/** Random unordered rows out of a few batches made beforehand, so that making them costs nothing. */
function requests(payload: Payload): (rows: number) => RowSource {
  const batches = requestBatches(payload);
  return async function* (rows) {
    for (let done = 0, b = 0; done < rows; done += BATCH) yield batches[b++ & 7];
  };
}

function requestBatches(payload: Payload): Rows[] {
  const random = randomU32s(8 * BATCH, 32);
  return Array.from({ length: 8 }, (_, b) => {
    const out = newRows(BATCH, payload);
    out.length = BATCH;
    for (let i = 0; i < BATCH; i++) {
      const value = random[b * BATCH + i];
      out.major[i] = value % MAJORS;
      out.minor[i] = value >>> 14;
      for (const column of out.payload) column[i] = value;
    }
    return out;
  });
}

/** The work of a solver with random lookups: every row changes a byte anywhere in the index. */
function applyAtRandom(rows: number, bytes: Uint8Array): number {
  const batches = requestBatches(0);
  for (let done = 0, b = 0; done < rows; done += BATCH) {
    const { major, minor } = batches[b++ & 7];
    for (let i = 0; i < BATCH; i++) bytes[major[i] * WIDTH + minor[i]]++;
  }
  return rows;
}

/**
 * The least that a solver does that orders first. It puts rows to buffers of their majors, and then applies each
 * buffer.
 */
function applyByMajor(rows: number, bytes: Uint8Array): number {
  const batches = requestBatches(0);
  const room = Math.ceil((rows / MAJORS) * 1.25);
  const buffers = new Uint32Array(MAJORS * room);
  const ends = new Uint32Array(MAJORS);
  for (let done = 0, b = 0; done < rows; done += BATCH) {
    const { major, minor } = batches[b++ & 7];
    for (let i = 0; i < BATCH; i++) buffers[major[i] * room + ends[major[i]]++] = minor[i];
  }
  for (let major = 0; major < MAJORS; major++) {
    const part = bytes.subarray(major * WIDTH, (major + 1) * WIDTH);
    const from = major * room;
    for (let i = from; i < from + ends[major]; i++) part[buffers[i]]++;
  }
  return rows;
}

/** Sorted runs of one major, minors below 2^28. */
function sortedRuns(count: number, rows: number, payload: number) {
  const random = randomU32s(count * rows, 28);
  return Array.from({ length: count }, (_, r) =>
    runOf(random.slice(r * rows, (r + 1) * rows).sort(), payload),
  );
}

function runOf(minor: Uint32Array, payload = 0) {
  return { minor, payload: Array.from({ length: payload }, () => minor) };
}

async function* cursorOf({ minor, payload }: Pick<Batch, 'minor' | 'payload'>): Cursor {
  for (let from = 0; from < minor.length; from += BATCH) {
    const cut = <T extends Batch['minor'] | Batch['payload'][number]>(c: T) =>
      c.subarray(from, from + BATCH) as T;
    const part = cut(minor);
    yield { major: 0, length: part.length, minor: part, payload: payload.map(cut) };
  }
}

/** Labels of 2^28 positions, the same for every 2^18. */
async function* labels({ from }: { from: number }): DenseCursor {
  const column = Uint8Array.from({ length: WIDTH }, (_, i) => i);
  for (let first = 0; first < 1 << 28; first += WIDTH)
    yield { major: from, first, length: WIDTH, columns: [column] };
}

function answer(
  left: Batch,
  from: number,
  to: number,
  right: { first: number; columns: readonly ArrayLike<number>[] },
  out: Rows,
): number {
  const { minor } = left;
  const [major, asker] = left.payload;
  const [value] = right.columns;
  const stop = Math.min(to, from + out.minor.length - out.length);
  let row = out.length;
  for (let i = from; i < stop; i++, row++) {
    out.major[row] = major[i];
    out.minor[row] = asker[i];
    out.payload[0][row] = value[minor[i] - right.first];
  }
  out.length = row;
  return stop;
}

async function drain(batches: AsyncIterable<{ length: number }>): Promise<number> {
  let rows = 0;
  for await (const batch of batches) rows += batch.length;
  return rows;
}

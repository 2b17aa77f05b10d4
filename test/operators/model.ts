/** Plain rows and the trivial ways to order, cut and read them that operators are compared with. */
import { expect } from 'vitest';
import { newCounters } from '../../operators/core/counters.js';
import { newRows } from '../../operators/runs/rows.js';
import type { Batch, Cursor, RowSource } from '../../operators/runs/types.js';
import type { SortEnv } from '../../operators/sort/env.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';

/** [major, minor, ...payload] */
export type Row = number[];

/** A repeatable source of random u32s (xorshift). */
export function randomU32(seed: number): () => number {
  let x = seed | 0 || 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

/** Random rows; the first payload column is the row's number, so that a test sees whether a sort is stable. */
export function randomRows(n: number, majors: number, minors: number, payload: number, seed: number): Row[] {
  const random = randomU32(seed);
  return Array.from({ length: n }, (_, i) => [
    random() % majors,
    Math.floor((random() / 2 ** 32) * minors),
    ...(payload > 0 ? [i] : []),
    ...(payload > 1 ? [random()] : []),
  ]);
}

/** As `expect(found).toEqual(wanted)`, which takes many times as long for thousands of rows that are equal. */
export function expectRows(found: readonly Row[], wanted: readonly Row[]): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found).toEqual(wanted);
}

export function byKey(a: Row, b: Row): number {
  return a[0] - b[0] || a[1] - b[1];
}

export function sorted(rows: readonly Row[]): Row[] {
  return [...rows].sort(byKey);
}

/** Rows as an operator's unordered input: one reused batch, overwritten after each use. */
export async function* source(rows: readonly Row[], payload: number, batchRows: number): RowSource {
  const out = newRows(batchRows, payload);
  for (let from = 0; from < rows.length; from += batchRows) {
    out.length = Math.min(batchRows, rows.length - from);
    for (let i = 0; i < out.length; i++) {
      const row = rows[from + i];
      out.major[i] = row[0];
      out.minor[i] = row[1];
      for (let c = 0; c < payload; c++) out.payload[c][i] = row[2 + c];
    }
    yield out;
    out.major.fill(0xffffffff);
    out.minor.fill(0xffffffff);
  }
}

/** Ordered rows as a cursor; its batches are overwritten after use, and have more room than rows. */
export async function* cursor(
  rows: readonly Row[],
  payload: number,
  batchRows: number,
  closed: () => void = () => {},
): Cursor {
  try {
    for (let from = 0; from < rows.length; ) {
      let to = from;
      while (to < rows.length && to - from < batchRows && rows[to][0] === rows[from][0]) to++;
      const column = (c: number) => Uint32Array.from([...rows.slice(from, to).map((row) => row[c]), 7]);
      const batch: Batch = {
        major: rows[from][0],
        length: to - from,
        minor: column(1),
        payload: Array.from({ length: payload }, (_, c) => column(2 + c)),
      };
      yield batch;
      batch.minor.fill(0xdeadbeef);
      from = to;
    }
  } finally {
    closed();
  }
}

/** All rows of a cursor; fails if a batch is empty or longer than `most`. */
export async function collect(batches: Cursor, most = Infinity): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    if (batch.length < 1 || batch.length > most) throw new Error(`batch of ${batch.length} rows`);
    for (let i = 0; i < batch.length; i++) {
      rows.push([batch.major, batch.minor[i], ...batch.payload.map((column) => column[i])]);
    }
  }
  return rows;
}

export async function collectRows(batches: RowSource): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    for (let i = 0; i < batch.length; i++) {
      rows.push([batch.major[i], batch.minor[i], ...batch.payload.map((column) => column[i])]);
    }
  }
  return rows;
}

/** An environment in memory. */
export function environment(memory: number, fanIn: number, batchRows: number): SortEnv {
  const store = memoryStore();
  return {
    budget: { memory, fanIn, batchRows },
    scratch: newScratch(store, 'scratch'),
    counters: newCounters(),
  };
}

/** Names of objects in scratch. */
export function leftovers(env: SortEnv): Promise<string[]> {
  return env.scratch.store.list('');
}

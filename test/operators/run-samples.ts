import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newCounters } from '../../operators/core/counters.js';
import { openRun } from '../../operators/runs/reader.js';
import { newColumn, type RunSpec } from '../../operators/runs/schema.js';
import type { Column, ColumnSpec, Cursor, DenseCursor, RunRef } from '../../operators/runs/types.js';
import { createRun, type RunInfo } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';

/** A folder of its own, and a function that deletes it. */
export function temporaryFolder(): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'mergemate-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Numbers below 2^32 in a fixed order for a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}

export function specOf(part: Partial<RunSpec>): RunSpec {
  return { kind: 'test', dense: false, columns: [], strict: false, meta: {}, ...part };
}

/** The rows of one major. */
export interface Segment {
  major: number;
  minor: Uint32Array;
  payload: Column[];
}

/** Segments of ascending majors with ascending minors and random payload. */
export function segmentsOf(
  seed: number,
  lengths: readonly number[],
  columns: readonly ColumnSpec[],
  strict = true,
): Segment[] {
  const next = random(seed);
  let major = next() % 5;
  return lengths.map((length) => {
    const minor = new Uint32Array(length);
    let at = next() % 3;
    for (let i = 0; i < length; i++) {
      minor[i] = at;
      at += (strict ? 1 : 0) + (next() % 4);
    }
    const payload = columns.map((column) => {
      const values = newColumn(column.type, length);
      for (let i = 0; i < length; i++) values[i] = next();
      return values;
    });
    const segment = { major, minor, payload };
    major += 1 + (next() % 3);
    return segment;
  });
}

/** Writes segments, each cut in appends of at most `step` rows. */
export async function writeRun(
  store: Store,
  name: string,
  spec: RunSpec,
  segments: readonly Segment[],
  batchRows: number,
  step = 1 << 30,
): Promise<RunInfo> {
  const writer = await createRun(store, name, spec, { batchRows, counters: newCounters() });
  for (const { major, minor, payload } of segments) {
    for (let from = 0; from < minor.length; from += step) {
      const length = Math.min(step, minor.length - from);
      await writer.append(major, length, spec.dense ? null : minor, payload, from);
    }
  }
  return noted(store, await writer.close());
}

const written = new WeakMap<Store, Map<string, RunInfo>>();

/** Remembers a run that was written, for {@link refOf}. */
export function noted(store: Store, info: RunInfo): RunInfo {
  const runs = written.get(store) ?? new Map<string, RunInfo>();
  written.set(store, runs.set(info.name, info));
  return info;
}

/** The run that was last written by this name. */
export function refOf(store: Store, name: string): RunRef {
  return written.get(store)?.get(name) ?? { name, crc: '00000000' };
}

export function open(store: Store, name: string) {
  return openRun(store, refOf(store, name), { counters: newCounters() });
}

/** Rows as [major, minor, ...payload], for comparison. */
export async function rowsOf(cursor: Cursor): Promise<number[][]> {
  const rows: number[][] = [];
  for await (const batch of cursor) {
    if (batch.length === 0) throw new Error('an empty batch was passed on');
    for (let i = 0; i < batch.length; i++) {
      rows.push([batch.major, batch.minor[i], ...batch.payload.map((column) => column[i])]);
    }
  }
  return rows;
}

/** Rows as [major, place, ...columns]. */
export async function denseRowsOf(cursor: DenseCursor): Promise<number[][]> {
  const rows: number[][] = [];
  for await (const batch of cursor) {
    for (let i = 0; i < batch.length; i++) {
      rows.push([batch.major, batch.first + i, ...batch.columns.map((column) => column[i])]);
    }
  }
  return rows;
}

/** The rows that reading the segments must give. */
export function expected(segments: readonly Segment[], dense: boolean): number[][] {
  return segments.flatMap(({ major, minor, payload }) =>
    [...minor].map((key, i) => [major, dense ? i : key, ...payload.map((column) => column[i])]),
  );
}

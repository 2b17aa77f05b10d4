import type { Arrays } from '../core/arrays.js';
import type { Counters } from '../core/counters.js';
import { assert } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { firstAtLeast } from '../core/search.js';
import type { Scratch } from '../storage/scratch.js';
import { openRun, type RunReader } from './reader.js';
import { newBatch, payloadOf, views } from './rows.js';
import { MINOR, type RunSpec, rowBytes, takeColumns } from './schema.js';
import { appendSparse, finished, newSegments, type Segments } from './segments.js';
import type { Batch, Column, ColumnSpec, Cursor, RunRef } from './types.js';
import { createRun, type RunInfo, type RunWriter } from './writer.js';

export interface SpoolOptions {
  readonly payload: readonly ColumnSpec[];
  /** Bytes of rows that may stay in memory; more rows go to one scratch run, through a buffer of one batch. */
  readonly memory: number;
  readonly scratch: Scratch;
  readonly batchRows: number;
  readonly counters: Counters;
  /** Memory is taken from these, and given back by `dispose`; from the heap unless given. */
  readonly arrays?: Arrays;
}

/** Rows kept in memory: pieces are never moved once made, so growing costs no copy and no second buffer. */
interface Piece {
  /** The row of the spool that it begins at. */
  readonly start: number;
  readonly columns: readonly Column[];
  readonly capacity: number;
  length: number;
}

const DONE = Promise.resolve();
const FIRST_ROWS = 64;

/**
 * Ordered sparse rows that are written once, then read any number of times, and dropped: in memory while few. An empty one costs
 * nothing until rows are appended. A class, as core/keep-shape.ts explains.
 */
export class Spool {
  private readonly segments = newSegments();
  private readonly kept: KeptRows;
  private sealed = false;
  private overflow: { name: string; writer: RunWriter } | null = null;
  private info: RunInfo | null = null;
  private reader: RunReader | null = null;

  constructor(private readonly options: SpoolOptions) {
    this.kept = new KeptRows(options);
  }

  get rows(): number {
    return this.segments.rows;
  }

  /** Bytes of rows that are in memory. */
  get held(): number {
    return this.kept.bytes;
  }

  /** The scratch run that holds the rows of a sealed spool; null if they are in memory. */
  get run(): RunRef | null {
    return this.info;
  }

  /** As {@link RunWriter.append}: rows in (major, minor) order, minors weakly ascending; copied. */
  append(
    major: number,
    length: number,
    minor: Uint32Array,
    payload: readonly Column[],
    from = 0,
  ): Promise<void> {
    const { segments, overflow } = this;
    assert(!this.sealed, 'a sealed spool takes no rows');
    assert(payload.length === this.options.payload.length, 'a row has all payload columns');
    if (length === 0) return DONE;
    const start = segments.rows;
    appendSparse(segments, major, minor, from, length, false);
    if (overflow !== null) return overflow.writer.append(major, length, minor, payload, from);
    const done = this.kept.keep(length, minor, payload, from, start);
    if (done === length) return DONE;
    return this.spill(start + done).then((writer) =>
      writer.append(major, length - done, minor, payload, from + done),
    );
  }

  /** Ends the writing; must come before any reading. */
  async seal(): Promise<void> {
    if (this.sealed) return;
    this.sealed = true;
    if (this.overflow === null) return;
    const { scratch, counters } = this.options;
    this.info = await this.overflow.writer.close();
    this.reader = await openRun(scratch.store, this.info, { counters, expect: { kind: 'spool' } });
  }

  /** The majors that have rows, ascending. */
  majors(): Uint32Array {
    return finished(this.segments).majors;
  }

  /** Rows of all majors or of some; in memory the batches are views of what is kept. */
  cursor(range?: Interval): Cursor {
    assert(this.sealed, 'a spool is sealed before it is read');
    if (this.reader !== null) return this.reader.cursor(range);
    return memoryCursor(this.kept.pieces, finished(this.segments), range);
  }

  /** Frees the memory, deletes what was written to scratch. */
  async dispose(): Promise<void> {
    const { overflow } = this;
    this.kept.forget();
    this.overflow = null;
    if (overflow === null) return;
    if (this.reader === null) await overflow.writer.abort();
    else await this.options.scratch.store.delete(overflow.name);
  }

  /** Starts the scratch run with the first `rows` rows, which are those in memory, and frees them. */
  private async spill(rows: number): Promise<RunWriter> {
    const { payload, scratch, batchRows, counters } = this.options;
    const spec: RunSpec = { kind: 'spool', dense: false, columns: payload, strict: false, meta: {} };
    const name = scratch.name();
    const writer = await createRun(scratch.store, name, spec, { batchRows, counters });
    this.overflow = { name, writer };
    for (const batch of batches(this.kept.pieces, keptDirectory(this.segments, rows), undefined))
      await writer.append(batch.major, batch.length, batch.minor, batch.payload);
    this.kept.forget();
    return writer;
  }
}

/** Rows of a spool in memory. */
class KeptRows {
  pieces: Piece[] = [];
  bytes = 0;
  private readonly columns: readonly ColumnSpec[];
  private readonly width: number;
  private readonly taken: Uint32Array[] = [];

  constructor(private readonly options: SpoolOptions) {
    this.columns = [MINOR, ...options.payload];
    this.width = rowBytes(this.columns);
  }

  /** Copies rows in, which begin at row `start` of the spool; returns how many found room. */
  keep(length: number, minor: Uint32Array, values: readonly Column[], from: number, start: number): number {
    let done = 0;
    while (done < length) {
      const last = this.pieces[this.pieces.length - 1];
      const hasRoom = last !== undefined && last.length < last.capacity;
      const piece = hasRoom ? last : this.addPiece(start + done, this.wanted(length - done, last));
      if (piece === null) return done;
      const rows = Math.min(length - done, piece.capacity - piece.length);
      const first = from + done;
      piece.columns[0].set(minor.subarray(first, first + rows), piece.length);
      for (let i = 0; i < values.length; i++)
        piece.columns[i + 1].set(values[i].subarray(first, first + rows), piece.length);
      piece.length += rows;
      done += rows;
    }
    return done;
  }

  /** Drops the rows. */
  forget(): void {
    this.pieces = [];
    this.bytes = 0;
    for (const array of this.taken.splice(0)) this.options.arrays!.give(array);
  }

  /** Rows of the next piece. Pieces that are used again are all alike. */
  private wanted(length: number, last: Piece | undefined): number {
    const { arrays, batchRows } = this.options;
    return arrays === undefined ? Math.max(length, FIRST_ROWS, 2 * (last?.capacity ?? 0)) : batchRows;
  }

  /** A piece for up to `wanted` rows; null if there is no room. */
  private addPiece(start: number, wanted: number): Piece | null {
    const { memory, batchRows } = this.options;
    const capacity = Math.min(Math.floor((memory - this.bytes) / this.width), wanted, batchRows);
    if (capacity < 1) return null;
    const columns = takeColumns(this.columns, capacity, this.options.arrays, this.taken);
    const piece = { start, columns, capacity, length: 0 };
    this.pieces.push(piece);
    this.bytes += capacity * this.width;
    return piece;
  }
}

/** The directory of the first `rows` rows, which end in its last segment. */
function keptDirectory(segments: ReturnType<typeof newSegments>, rows: number): Segments {
  const { majors, starts } = finished(segments);
  const copy = starts.slice();
  copy[copy.length - 1] = rows;
  return { majors, starts: copy };
}

async function* memoryCursor(
  pieces: readonly Piece[],
  segments: Segments,
  range: Interval | undefined,
): AsyncGenerator<Batch> {
  // A loop in place of `yield*`, which makes three promises for each batch.
  for (const batch of batches(pieces, segments, range)) yield batch;
}

/** Views of the kept rows, cut at segments and pieces. */
function* batches(
  pieces: readonly Piece[],
  { majors, starts }: Segments,
  range: Interval | undefined,
): Generator<Batch> {
  const first = range === undefined ? 0 : firstAtLeast(majors, range.from);
  const last = range === undefined ? majors.length : firstAtLeast(majors, range.to);
  let p = 0;
  for (let segment = first; segment < last; segment++) {
    let row = starts[segment];
    const end = starts[segment + 1];
    while (row < end) {
      while (pieces[p].start + pieces[p].length <= row) p++;
      const { start, length, columns } = pieces[p];
      const to = Math.min(end, start + length);
      const cut = views(columns, row - start, to - start);
      yield newBatch(majors[segment], to - row, cut[0] as Uint32Array, payloadOf(cut));
      row = to;
    }
  }
}

import type { Arrays } from '../core/arrays.js';
import type { Counters } from '../core/counters.js';
import { assert } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { firstAtLeast } from '../core/search.js';
import type { Scratch } from '../storage/scratch.js';
import { openRun, type RunReader } from './reader.js';
import { columnView, MINOR, newColumn, type RunSpec, rowBytes, widthOf } from './schema.js';
import { appendSparse, finished, newSegments, type Segments } from './segments.js';
import type { Batch, Column, ColumnSpec, Cursor, RunRef } from './types.js';
import { createRun, type RunInfo, type RunWriter } from './writer.js';

/** Ordered sparse rows that are written once, then read any number of times, and dropped: in memory while few. */
export interface Spool {
  /** As {@link RunWriter.append}: rows in (major, minor) order, minors weakly ascending; copied. */
  append(
    major: number,
    length: number,
    minor: Uint32Array,
    payload: readonly Column[],
    from?: number,
  ): Promise<void>;
  /** Ends the writing; must come before any reading. */
  seal(): Promise<void>;
  readonly rows: number;
  /** Bytes of rows that are in memory. */
  readonly held: number;
  /** The scratch run that holds the rows of a sealed spool; null if they are in memory. */
  readonly run: RunRef | null;
  /** The majors that have rows, ascending. */
  majors(): Uint32Array;
  /** Rows of all majors or of some; in memory the batches are views of what is kept. */
  cursor(range?: Interval): Cursor;
  /** Frees the memory, deletes what was written to scratch. */
  dispose(): Promise<void>;
}

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

/** An empty spool: it costs nothing until rows are appended. */
export function newSpool(options: SpoolOptions): Spool {
  const { payload, scratch, batchRows, counters } = options;
  const segments = newSegments();
  const kept = newKeptRows(options);
  let sealed = false;
  let overflow: { name: string; writer: RunWriter } | null = null;
  let run: RunInfo | null = null;
  let reader: RunReader | null = null;

  /** Starts the scratch run with the rows kept until now, and frees them. */
  async function spill(directory: Segments): Promise<RunWriter> {
    const spec: RunSpec = { kind: 'spool', dense: false, columns: payload, strict: false, meta: {} };
    const name = scratch.name();
    const writer = await createRun(scratch.store, name, spec, { batchRows, counters });
    overflow = { name, writer };
    for (const batch of batches(kept.pieces, directory, undefined)) {
      await writer.append(batch.major, batch.length, batch.minor, batch.payload);
    }
    kept.forget();
    return writer;
  }

  async function spillAndAppend(
    directory: Segments,
    major: number,
    length: number,
    minor: Uint32Array,
    values: readonly Column[],
    from: number,
  ): Promise<void> {
    const writer = await spill(directory);
    await writer.append(major, length, minor, values, from);
  }

  return {
    get rows() {
      return segments.rows;
    },
    get held() {
      return kept.bytes;
    },
    get run() {
      return run;
    },
    append(major, length, minor, values, from = 0) {
      assert(!sealed, 'a sealed spool takes no rows');
      assert(values.length === payload.length, 'a row has all payload columns');
      if (length === 0) return DONE;
      const start = segments.rows;
      appendSparse(segments, major, minor, from, length, false);
      if (overflow !== null) return overflow.writer.append(major, length, minor, values, from);
      const done = kept.keep(length, minor, values, from, start);
      if (done === length) return DONE;
      return spillAndAppend(
        keptDirectory(segments, start + done),
        major,
        length - done,
        minor,
        values,
        from + done,
      );
    },
    async seal() {
      if (sealed) return;
      sealed = true;
      if (overflow === null) return;
      run = await overflow.writer.close();
      reader = await openRun(scratch.store, run, { counters, expect: { kind: 'spool' } });
    },
    majors: () => finished(segments).majors,
    cursor(range) {
      assert(sealed, 'a spool is sealed before it is read');
      return reader === null ? memoryCursor(kept.pieces, finished(segments), range) : reader.cursor(range);
    },
    async dispose() {
      kept.forget();
      if (overflow === null) return;
      if (reader === null) await overflow.writer.abort();
      else await scratch.store.delete(overflow.name);
      overflow = null;
    },
  };
}

/** Rows of a spool in memory. */
interface KeptRows {
  readonly pieces: readonly Piece[];
  readonly bytes: number;
  /** Copies rows in, which begin at row `start` of the spool; returns how many found room. */
  keep(length: number, minor: Uint32Array, values: readonly Column[], from: number, start: number): number;
  /** Gives up the rows. */
  forget(): void;
}

function newKeptRows({ payload, memory, batchRows, arrays }: SpoolOptions): KeptRows {
  const columns = [MINOR, ...payload];
  const width = rowBytes(columns);
  let pieces: Piece[] = [];
  const taken: Uint32Array[] = [];
  let bytes = 0;

  function newPiece(start: number, capacity: number): Piece {
    const made = columns.map(({ type }) => {
      if (arrays === undefined) return newColumn(type, capacity);
      const array = arrays.take(Math.ceil((capacity * widthOf(type)) / 4));
      taken.push(array);
      return columnView(type, array.buffer, 0, capacity);
    });
    return { start, columns: made, capacity, length: 0 };
  }

  /** A piece for up to `wanted` rows; null if there is no room. */
  function addPiece(start: number, wanted: number): Piece | null {
    const capacity = Math.min(Math.floor((memory - bytes) / width), wanted, batchRows);
    if (capacity < 1) return null;
    const piece = newPiece(start, capacity);
    pieces.push(piece);
    bytes += capacity * width;
    return piece;
  }

  function keep(
    length: number,
    minor: Uint32Array,
    values: readonly Column[],
    from: number,
    start: number,
  ): number {
    let done = 0;
    while (done < length) {
      let piece = pieces[pieces.length - 1];
      if (piece === undefined || piece.length === piece.capacity) {
        // Pieces that are used again are all alike.
        const wanted =
          arrays === undefined ? Math.max(length - done, FIRST_ROWS, 2 * (piece?.capacity ?? 0)) : batchRows;
        const added = addPiece(start + done, wanted);
        if (added === null) return done;
        piece = added;
      }
      const rows = Math.min(length - done, piece.capacity - piece.length);
      const first = from + done;
      piece.columns[0].set(minor.subarray(first, first + rows), piece.length);
      for (let i = 0; i < values.length; i++) {
        piece.columns[i + 1].set(values[i].subarray(first, first + rows), piece.length);
      }
      piece.length += rows;
      done += rows;
    }
    return done;
  }

  return {
    get pieces() {
      return pieces;
    },
    get bytes() {
      return bytes;
    },
    keep,
    forget() {
      pieces = [];
      bytes = 0;
      for (const array of taken.splice(0)) arrays!.give(array);
    },
  };
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
      const [minor, ...payload] = columns.map((column) => column.subarray(row - start, to - start));
      yield { major: majors[segment], length: to - row, minor: minor as Uint32Array, payload };
      row = to;
    }
  }
}

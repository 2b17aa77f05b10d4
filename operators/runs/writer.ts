import {
  AsyncByteQueue,
  type Data,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  type Schema,
  Struct,
} from 'apache-arrow';
import type { Arrays } from '../core/arrays.js';
import { crc32 } from '../core/checksum.js';
import type { Counters } from '../core/counters.js';
import { assert } from '../core/errors.js';
import type { Sink, Store } from '../storage/store.js';
import { packBlocks, packedCapacity } from './compact/blocks.js';
import { hex, joinCrc } from './crc32.js';
import { describe, sealBytes } from './footer.js';
import {
  arrowSchema,
  bytesOf,
  columnView,
  isCompact,
  newColumn,
  type RunSpec,
  storedColumns,
  widthOf,
} from './schema.js';
import { appendDense, appendSparse, finished, newSegments, partsOf } from './segments.js';
import type { Column, RunRef } from './types.js';

/** What is known of a run that was written. */
export interface RunInfo extends RunRef {
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
  readonly majors: number;
}

export interface RunWriter {
  /**
   * Appends rows [from, from + length) of the columns, copying them; rows of one major may come in any number of
   * calls. `minor` is null for a dense run. Out-of-order rows trip an assert; StorageError if the store fails, and then
   * the run must be aborted.
   */
  append(
    major: number,
    length: number,
    minor: Uint32Array | null,
    payload: readonly Column[],
    from?: number,
  ): Promise<void>;
  /** Rows appended so far. */
  readonly rows: number;
  /** Publishes the run. */
  close(): Promise<RunInfo>;
  /** Gives the run up; nothing of it is left. */
  abort(): Promise<void>;
}

export interface WriterOptions {
  /** Rows of a record batch. */
  readonly batchRows: number;
  readonly counters: Counters;
  /** Of these the buffers of a batch are taken, and given back when the run is closed; of the heap unless given. */
  readonly arrays?: Arrays;
}

const DONE = Promise.resolve();
const FIRST_ROWS = 256;

/** Takes what Arrow's writer emits, for us to write at once: its own queue would keep the whole file. */
export class Emitted extends AsyncByteQueue<Uint8Array> {
  private pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.pieces.push(piece);
  }

  take(): Uint8Array[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }
}

/**
 * Starts a run: an Arrow IPC file of record batches of `batchRows` rows, written as they fill, so that memory is one
 * batch and the directory of majors. It holds its own description and checksums: see footer.ts.
 */
export async function createRun(
  store: Store,
  name: string,
  spec: RunSpec,
  options: WriterOptions,
): Promise<RunWriter> {
  return newRunWriter(await store.create(name), name, spec, options);
}

/** Starts a run in an object that has `begins` bytes already. Bytes of the run go to `sink` as they are written. */
export function newRunWriter(
  sink: Sink,
  name: string,
  spec: RunSpec,
  { batchRows, counters, arrays }: WriterOptions,
  begins = 0,
): RunWriter {
  assert(batchRows >= 1, 'a record batch has at least one row');
  assert(!spec.dense || spec.columns.length > 0, 'a dense run has a column');
  const compact = isCompact(spec);
  const columns = storedColumns(spec);
  const schema = arrowSchema(columns);
  const emitted = new Emitted();
  const arrow = new RecordBatchFileWriter();
  arrow.reset(emitted, schema);

  const segments = newSegments();
  const columnCrcs = new Uint32Array(columns.length);
  const batchCrcs: number[] = [];
  // Buffers grow up to a batch: hundreds of runs have a few rows only. Those that are used again are a batch at once.
  const taken: Uint32Array[] = [];
  let capacity = arrays === undefined ? Math.min(batchRows, FIRST_ROWS) : 0;
  let buffers = newBuffers();
  let filled = 0;
  let flushed = 0;
  let bytes = 0;

  function newBuffers(): Column[] {
    const room = compact ? packedCapacity(capacity) : capacity;
    if (arrays === undefined || room === 0) return columns.map((column) => newColumn(column.type, room));
    return columns.map(({ type }) => {
      const array = arrays.take(Math.ceil((room * widthOf(type)) / 4));
      taken.push(array);
      return columnView(type, array.buffer, 0, room);
    });
  }

  function giveBack(): void {
    for (const array of taken) arrays!.give(array);
    taken.length = 0;
  }

  function reserve(rows: number): void {
    if (rows <= capacity) return;
    capacity = arrays === undefined ? Math.min(batchRows, Math.max(rows, 2 * capacity)) : batchRows;
    const before = buffers;
    buffers = newBuffers();
    for (let i = 0; i < buffers.length; i++) buffers[i].set(before[i].subarray(0, filled));
  }

  function copyIn(length: number, minor: Uint32Array | null, payload: readonly Column[], from: number): void {
    reserve(filled + length);
    const first = minor === null ? 0 : 1;
    if (minor !== null) buffers[0].set(minor.subarray(from, from + length), filled);
    for (let i = 0; i < payload.length; i++) {
      buffers[first + i].set(payload[i].subarray(from, from + length), filled);
    }
    filled += length;
  }

  async function flush(): Promise<void> {
    const head = emitted.take(); // before the first batch: Arrow's magic, which belongs to no record batch
    let views = buffers.map((buffer) => buffer.subarray(0, filled));
    if (compact) {
      // The digest of the content is that of the minors, however they are packed.
      columnCrcs[0] = crc32(bytesOf(views[0]), columnCrcs[0]);
      views = [pack(buffers[0] as Uint32Array)];
    }
    arrow.write(recordBatch(schema, views, views[0].length));
    const batch = emitted.take();
    batchCrcs.push(checksum(batch, views, compact ? new Uint32Array(1) : columnCrcs));
    await write([...head, ...batch]);
    flushed += filled;
    filled = 0;
  }

  /** Packs the minors that fill the buffer, in place. */
  function pack(minors: Uint32Array): Uint32Array {
    const { parts } = partsOf(finished(segments), flushed, flushed + filled);
    return minors.subarray(0, packBlocks(minors, parts));
  }

  async function write(pieces: Uint8Array[]): Promise<void> {
    const before = bytes;
    for (const piece of pieces) bytes += piece.length;
    await sink.write(pieces);
    counters.bytesWritten += bytes - before;
  }

  async function fill(
    length: number,
    minor: Uint32Array | null,
    payload: readonly Column[],
    from: number,
  ): Promise<void> {
    let done = 0;
    while (done < length) {
      const rows = Math.min(length - done, batchRows - filled);
      copyIn(rows, minor, payload, from + done);
      done += rows;
      if (filled === batchRows) await flush();
    }
  }

  return {
    get rows() {
      return segments.rows;
    },
    append(major, length, minor, payload, from = 0) {
      if (length === 0) return DONE;
      assert((minor === null) === spec.dense, 'a sparse run has minors, a dense one has not');
      assert(payload.length === spec.columns.length, `a row has ${spec.columns.length} payload columns`);
      if (minor === null) appendDense(segments, major, length);
      else appendSparse(segments, major, minor, from, length, spec.strict);
      if (filled + length >= batchRows) return fill(length, minor, payload, from);
      copyIn(length, minor, payload, from);
      return DONE;
    },
    async close() {
      if (filled > 0) await flush();
      const directory = finished(segments);
      const crc = contentCrc(columnCrcs, directory.majors, directory.starts);
      const { rows, count, leastMinor, greatestMinor } = segments;
      describe(schema, {
        spec,
        name,
        begins,
        compact,
        rows,
        batchRows,
        least: count === 0 ? null : { major: segments.majors[0], minor: leastMinor },
        greatest: count === 0 ? null : { major: segments.majors[count - 1], minor: greatestMinor },
        segments: directory,
        batchCrcs: Uint32Array.from(batchCrcs),
        crc,
      });
      const head = emitted.take();
      arrow.close();
      const [end, ...footer] = emitted.take(); // the end-of-stream mark; then footer, its length, magic
      await write([...head, end, sealBytes(crcOf([end, ...footer])), ...footer]);
      giveBack();
      await sink.close();
      return { name, kind: spec.kind, rows, bytes, majors: count, crc };
    },
    abort() {
      giveBack();
      return sink.abort();
    },
  };
}

/** CRC-32 of a record batch's bytes; carries the CRCs of its columns on at the same time, in one pass. */
function checksum(
  pieces: readonly Uint8Array[],
  columns: readonly Column[],
  columnCrcs: Uint32Array,
): number {
  let crc = 0;
  let next = 0;
  for (const piece of pieces) {
    const column = columns[next];
    if (column !== undefined && piece.buffer === column.buffer) {
      const own = crc32(piece);
      crc = joinCrc(crc, own, piece.length);
      columnCrcs[next] = joinCrc(columnCrcs[next], own, piece.length);
      next++;
    } else {
      crc = crc32(piece, crc);
    }
  }
  assert(next === columns.length, 'Arrow writes the columns from the buffers it was given');
  return crc;
}

function crcOf(pieces: readonly Uint8Array[]): number {
  let crc = 0;
  for (const piece of pieces) crc = crc32(piece, crc);
  return crc;
}

/** Digest of columns (each in row order) and directory, independent of batches. */
function contentCrc(columnCrcs: Uint32Array, majors: Uint32Array, starts: Float64Array): string {
  return hex(
    crcOf([
      bytesOf(columnCrcs),
      bytesOf(majors),
      new Uint8Array(starts.buffer, starts.byteOffset, starts.byteLength),
    ]),
  );
}

function recordBatch(schema: Schema, columns: readonly Column[], length: number): RecordBatch {
  const children = columns.map(
    (column, i) => makeData({ type: schema.fields[i].type, length, nullCount: 0, data: column }) as Data,
  );
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
  );
}

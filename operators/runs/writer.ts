import { MetadataVersion, type Schema } from 'apache-arrow';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import type { Arrays } from '../core/arrays.js';
import { crc32 } from '../core/checksum.js';
import type { Counters } from '../core/counters.js';
import { assert } from '../core/errors.js';
import type { Sink, Store } from '../storage/store.js';
import { newBatchBuffers } from './batch-buffers.js';
import { newHead, paddingOf } from './batch-heads.js';
import { packBlocks } from './compact/blocks.js';
import { hex, joinCrc } from './crc32.js';
import { describe, sealBytes } from './footer.js';
import { arrowSchema, bytesOf, isCompact, type RunSpec, storedColumns } from './schema.js';
import { appendDense, appendSparse, finished, newSegments, partsOf } from './segments.js';
import type { Column, RunRef } from './types.js';

/** The facts of a run that was written. */
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
  /** The buffers of a batch are taken from these, and given back when the run is closed; from the heap unless given. */
  readonly arrays?: Arrays;
}

const DONE = Promise.resolve();

/**
 * Starts a run: an Arrow IPC file of record batches of `batchRows` rows. They are written as they fill, so memory is
 * one batch and the directory of majors. It holds its own description and checksums: see footer.ts.
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
  const file = newArrowFile(sink, schema, counters);
  const batch = newBatchBuffers(columns, compact, batchRows, arrays);
  const segments = newSegments();
  const columnCrcs = new Uint32Array(columns.length);
  let flushed = 0;

  async function flush(): Promise<void> {
    const views = batch.columns.map((column) => column.subarray(0, batch.rows));
    if (compact) {
      // The digest of the content is that of the minors, however they are packed.
      columnCrcs[0] = crc32(bytesOf(views[0]), columnCrcs[0]);
      await file.writeBatch([pack(batch.columns[0] as Uint32Array)], new Uint32Array(1));
    } else {
      await file.writeBatch(views, columnCrcs);
    }
    flushed += batch.rows;
    batch.rows = 0;
  }

  /** Packs the minors that fill the buffer, in place. */
  function pack(minors: Uint32Array): Uint32Array {
    const { parts } = partsOf(finished(segments), flushed, flushed + batch.rows);
    return minors.subarray(0, packBlocks(minors, parts));
  }

  async function fill(
    length: number,
    minor: Uint32Array | null,
    payload: readonly Column[],
    from: number,
  ): Promise<void> {
    let done = 0;
    while (done < length) {
      const rows = Math.min(length - done, batchRows - batch.rows);
      batch.copyIn(rows, minor, payload, from + done);
      done += rows;
      if (batch.rows === batchRows) await flush();
    }
  }

  return {
    get rows() {
      return segments.rows;
    },
    append(major, length, minor, payload, from = 0) {
      if (length === 0) return DONE;
      assert((minor === null) === spec.dense, 'a sparse run has minors, a dense one has not');
      assert(payload.length === spec.columns.length, 'a row has all payload columns');
      if (minor === null) appendDense(segments, major, length);
      else appendSparse(segments, major, minor, from, length, spec.strict);
      if (batch.rows + length >= batchRows) return fill(length, minor, payload, from);
      batch.copyIn(length, minor, payload, from);
      return DONE;
    },
    async close() {
      if (batch.rows > 0) await flush();
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
        batchCrcs: Uint32Array.from(file.batchCrcs),
        crc,
      });
      await file.end();
      batch.giveBack();
      await sink.close();
      return { name, kind: spec.kind, rows, bytes: file.bytes(), majors: count, crc };
    },
    abort() {
      batch.giveBack();
      return sink.abort();
    },
  };
}

/** The Arrow IPC file of a run, which goes to the sink batch by batch. */
interface ArrowFile {
  /** CRC-32 of each record batch written. */
  readonly batchCrcs: readonly number[];
  bytes(): number;
  /** Writes a record batch, and carries the CRCs of its columns on. */
  writeBatch(columns: readonly Column[], columnCrcs: Uint32Array): Promise<void>;
  /** Writes what stands behind the batches: the end-of-stream mark, the seal, the footer with the schema. */
  end(): Promise<void>;
}

function newArrowFile(sink: Sink, schema: Schema, counters: Counters): ArrowFile {
  const batchCrcs: number[] = [];
  const blocks: FileBlock[] = [];
  let bytes = 0;

  async function write(pieces: readonly Uint8Array[]): Promise<void> {
    const before = bytes;
    for (const piece of pieces) bytes += piece.length;
    await sink.write(pieces);
    counters.bytesWritten += bytes - before;
  }

  return {
    batchCrcs,
    bytes: () => bytes,
    async writeBatch(columns, columnCrcs) {
      const begin = blocks.length === 0 ? [HEAD] : [];
      const head = newHead(
        columns[0].length,
        columns.map(({ byteLength }) => byteLength),
      );
      const body = columns.map(bytesOf);
      batchCrcs.push(checksum(head, body, columnCrcs));
      const padded = body.flatMap((column) => [column, paddingBehind(column)]);
      const length = padded.reduce((sum, piece) => sum + piece.length, 0);
      const at = blocks.length === 0 ? HEAD.length : bytes;
      blocks.push(new FileBlock(head.length, length, at));
      await write([...begin, head, ...padded]);
    },
    async end() {
      const begin = blocks.length === 0 ? [HEAD] : [];
      const footer = Footer.encode(new Footer(schema, MetadataVersion.V5, blocks, []));
      const length = new Uint8Array(Int32Array.of(footer.length).buffer);
      const last = [footer, length, MAGIC];
      await write([...begin, END_MARK, sealBytes(crcOf([END_MARK, ...last])), ...last]);
    },
  };
}

const MAGIC = new TextEncoder().encode('ARROW1');
/** The file begins with the magic, too, and two bytes of padding. */
const HEAD = new Uint8Array(8);
HEAD.set(MAGIC);
/** Readers that do not know the footer find here that no batch follows. */
const END_MARK = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
const ZEROS = new Uint8Array(8);

function paddingBehind({ length }: Uint8Array): Uint8Array {
  return ZEROS.subarray(0, paddingOf(length));
}

/** CRC-32 of a record batch's bytes; carries the CRCs of its columns on at the same time, in one pass. */
function checksum(head: Uint8Array, body: readonly Uint8Array[], columnCrcs: Uint32Array): number {
  let crc = crc32(head);
  for (const [c, column] of body.entries()) {
    const own = crc32(column);
    columnCrcs[c] = joinCrc(columnCrcs[c], own, column.length);
    crc = crc32(paddingBehind(column), joinCrc(crc, own, column.length));
  }
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

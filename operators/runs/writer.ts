import { MetadataVersion, type Schema } from 'apache-arrow';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import type { Arrays } from '../core/arrays.js';
import { crc32, hex, joinCrc } from '../core/checksum.js';
import type { Counters } from '../core/counters.js';
import { assert } from '../core/errors.js';
import type { Sink, Store } from '../storage/store.js';
import { arrowSchema } from './arrow-schema.js';
import { BatchBuffers } from './batch-buffers.js';
import { newHead, paddingOf } from './batch-heads.js';
import { packBlocks } from './compact-blocks.js';
import { describe, sealBytes } from './footer.js';
import { views } from './rows.js';
import { bytesOf, isCompact, type RunSpec, storedColumns } from './schema.js';
import { appendDense, appendSparse, finished, newSegments, partsOf } from './segments.js';
import type { Column, RunRef } from './types.js';

/** The facts of a run that was written. */
export interface RunInfo extends RunRef {
  readonly kind: string;
  readonly rows: number;
  readonly bytes: number;
  readonly majors: number;
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
  return new RunWriter(await store.create(name), name, spec, options);
}

/**
 * A run that is being written. A class, as core/keep-shape.ts explains.
 */
export class RunWriter {
  private readonly compact: boolean;
  private readonly schema: Schema;
  private readonly file: ArrowFile;
  private readonly batch: BatchBuffers;
  private readonly segments = newSegments();
  private readonly columnCrcs: Uint32Array;
  private flushed = 0;

  /** Starts a run in an object that has `begins` bytes already. Bytes of the run go to `sink` as they are written. */
  constructor(
    private readonly sink: Sink,
    private readonly name: string,
    private readonly spec: RunSpec,
    private readonly options: WriterOptions,
    private readonly begins = 0,
  ) {
    const { batchRows, counters, arrays } = options;
    assert(batchRows >= 1, 'a record batch has at least one row');
    assert(!spec.dense || spec.columns.length > 0, 'a dense run has a column');
    const columns = storedColumns(spec);
    this.compact = isCompact(spec);
    this.schema = arrowSchema(columns);
    this.file = new ArrowFile(sink, this.schema, counters);
    this.batch = new BatchBuffers(columns, this.compact, batchRows, arrays);
    this.columnCrcs = new Uint32Array(columns.length);
  }

  /** Rows appended so far. */
  get rows(): number {
    return this.segments.rows;
  }

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
    from = 0,
  ): Promise<void> {
    if (length === 0) return DONE;
    const { spec, batch } = this;
    assert((minor === null) === spec.dense, 'a sparse run has minors, a dense one has not');
    assert(payload.length === spec.columns.length, 'a row has all payload columns');
    if (minor === null) appendDense(this.segments, major, length);
    else appendSparse(this.segments, major, minor, from, length, spec.strict);
    if (batch.rows + length >= this.options.batchRows) return this.fill(length, minor, payload, from);
    batch.copyIn(length, minor, payload, from);
    return DONE;
  }

  /** Publishes the run. */
  async close(): Promise<RunInfo> {
    if (this.batch.rows > 0) await this.flush();
    const { name, spec, begins, compact, segments, file } = this;
    const directory = finished(segments);
    const crc = contentCrc(this.columnCrcs, directory.majors, directory.starts);
    const { rows, count, leastMinor, greatestMinor } = segments;
    describe(this.schema.metadata, {
      spec,
      name,
      begins,
      compact,
      rows,
      batchRows: this.options.batchRows,
      least: count === 0 ? null : { major: segments.majors[0], minor: leastMinor },
      greatest: count === 0 ? null : { major: segments.majors[count - 1], minor: greatestMinor },
      segments: directory,
      batchCrcs: Uint32Array.from(file.batchCrcs),
      crc,
    });
    await file.end();
    this.batch.giveBack();
    await this.sink.close();
    return { name, kind: spec.kind, rows, bytes: file.bytes, majors: count, crc };
  }

  /** Drops the run; nothing of it stays in the store. */
  abort(): Promise<void> {
    this.batch.giveBack();
    return this.sink.abort();
  }

  private async fill(
    length: number,
    minor: Uint32Array | null,
    payload: readonly Column[],
    from: number,
  ): Promise<void> {
    const { batch } = this;
    const { batchRows } = this.options;
    for (let done = 0; done < length; ) {
      const rows = Math.min(length - done, batchRows - batch.rows);
      batch.copyIn(rows, minor, payload, from + done);
      done += rows;
      if (batch.rows === batchRows) await this.flush();
    }
  }

  private async flush(): Promise<void> {
    const { batch, columnCrcs, file } = this;
    const columns = views(batch.columns, 0, batch.rows);
    if (this.compact) {
      // The digest of the content is that of the minors, however they are packed.
      columnCrcs[0] = crc32(bytesOf(columns[0]), columnCrcs[0]);
      await file.writeBatch([this.pack(batch.columns[0] as Uint32Array)], new Uint32Array(1));
    } else {
      await file.writeBatch(columns, columnCrcs);
    }
    this.flushed += batch.rows;
    batch.rows = 0;
  }

  /** Packs the minors that fill the buffer, in place. */
  private pack(minors: Uint32Array): Uint32Array {
    const { flushed } = this;
    const { parts } = partsOf(finished(this.segments), flushed, flushed + this.batch.rows);
    return minors.subarray(0, packBlocks(minors, parts));
  }
}

/** The Arrow IPC file of a run, which goes to the sink batch by batch. */
class ArrowFile {
  /** CRC-32 of each record batch written. */
  readonly batchCrcs: number[] = [];
  bytes = 0;
  private readonly blocks: FileBlock[] = [];

  constructor(
    private readonly sink: Sink,
    private readonly schema: Schema,
    private readonly counters: Counters,
  ) {}

  /** Writes a record batch, and carries the CRCs of its columns on. */
  writeBatch(columns: readonly Column[], columnCrcs: Uint32Array): Promise<void> {
    const pieces: Uint8Array[] = this.blocks.length === 0 ? [HEAD] : [];
    const body: Uint8Array[] = [];
    const lengths: number[] = [];
    for (let c = 0; c < columns.length; c++) {
      body.push(bytesOf(columns[c]));
      lengths.push(body[c].length);
    }
    const head = newHead(columns[0].length, lengths);
    this.batchCrcs.push(checksum(head, body, columnCrcs));
    pieces.push(head);
    let length = 0;
    for (let c = 0; c < body.length; c++) {
      const padding = paddingBehind(body[c]);
      pieces.push(body[c], padding);
      length += body[c].length + padding.length;
    }
    this.blocks.push(new FileBlock(head.length, length, this.blocks.length === 0 ? HEAD.length : this.bytes));
    return this.write(pieces);
  }

  /** Writes what stands behind the batches: the end-of-stream mark, the seal, the footer with the schema. */
  end(): Promise<void> {
    const { schema, blocks } = this;
    const begin = blocks.length === 0 ? [HEAD] : [];
    const footer = Footer.encode(new Footer(schema, MetadataVersion.V5, blocks, []));
    const length = new Uint8Array(Int32Array.of(footer.length).buffer);
    const last = [footer, length, MAGIC];
    return this.write([...begin, END_MARK, sealBytes(crcOf([END_MARK, ...last])), ...last]);
  }

  private async write(pieces: readonly Uint8Array[]): Promise<void> {
    let length = 0;
    for (const piece of pieces) length += piece.length;
    this.bytes += length;
    await this.sink.write(pieces);
    this.counters.bytesWritten += length;
  }
}

const MAGIC = new TextEncoder().encode('ARROW1');
/** The file begins with the magic, too, and two bytes of padding. */
const HEAD = new Uint8Array(8);
HEAD.set(MAGIC);
/** The end-of-stream mark, for readers that read the file as a stream and not by its footer. */
const END_MARK = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
const ZEROS = new Uint8Array(8);

function paddingBehind({ length }: Uint8Array): Uint8Array {
  return ZEROS.subarray(0, paddingOf(length));
}

/** CRC-32 of a record batch's bytes; carries the CRCs of its columns on at the same time, in one pass. */
function checksum(head: Uint8Array, body: readonly Uint8Array[], columnCrcs: Uint32Array): number {
  let crc = crc32(head);
  for (let c = 0; c < body.length; c++) {
    const column = body[c];
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

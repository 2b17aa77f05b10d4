/** The file under a run: finding its footer and reading its record batches, each checked before it is decoded. */
import { Message, MessageHeader } from 'apache-arrow';
import { Footer } from 'apache-arrow/ipc/metadata/file';
import { type Arrays, newArrays, takeBytes } from '../core/arrays.js';
import { crc32, hex } from '../core/checksum.js';
import type { Counters } from '../core/counters.js';
import { ABSENT, DamageError, StorageError } from '../core/errors.js';
import { objectName } from '../storage/object-names.js';
import { readSoundly, type Store } from '../storage/store.js';
import { columnsOf } from './arrow-schema.js';
import { type BatchHead, MESSAGE_HEAD_BYTES, readHead } from './batch-heads.js';
import { parseFacts, type RunFacts, SEAL_BYTES, sealFault } from './footer.js';
import { columnView, MINOR, PACKED, widthOf } from './schema.js';
import type { Column, ColumnSpec, RunRef } from './types.js';

/** An open file; `columns` are the stored ones, the minor column of a sparse run included, packed or not. */
export interface RunFile {
  readonly store: Store;
  readonly name: string;
  readonly object: string;
  readonly size: number;
  readonly facts: RunFacts;
  readonly columns: readonly ColumnSpec[];
  /** Byte offsets: batch i is bytes [offsets[i], offsets[i + 1]); the first metadataBytes[i] are metadata. */
  readonly offsets: Float64Array;
  readonly metadataBytes: Uint32Array;
  readonly counters: Counters;
  /** Readers of record batches take their memory from these; from spare buffers of the thread unless given. */
  readonly arrays: Arrays | undefined;
}

export interface FileOptions {
  readonly counters: Counters;
  /** The byte of its object at which the run must have been written. */
  readonly begins: number;
  readonly arrays: Arrays | undefined;
}

const MAGIC = 'ARROW1';
/** As the file begins: padded to {@link HEAD_BYTES}. */
const HEAD = `${MAGIC}\0\0`;
/** Arrow files begin with the magic and two bytes of padding, and end with the footer's length and the magic. */
const HEAD_BYTES = 8;
const TAIL_BYTES = 10;
const END_MARK_BYTES = 8;
const LEAST_BYTES = HEAD_BYTES + END_MARK_BYTES + SEAL_BYTES + TAIL_BYTES;
/**
 * The first read from the end; a footer seldom is longer. A footer has 34 bytes for each record batch, so that of a run of
 * batches of 4 KiB is a 120th of it.
 */
const GUESS_BYTES = { least: 8192, most: 18_432, ofSize: 1 / 120 };

function guessOf(size: number): number {
  const { least, most, ofSize } = GUESS_BYTES;
  return Math.min(size, most, Math.max(least, 512 + Math.ceil(size * ofSize)));
}

/** Finds, checks and decodes the footer of a run that must be there, and be the one that was meant. */
export function openFile(store: Store, ref: RunRef, options: FileOptions): Promise<RunFile> {
  const placed = options.begins;
  store.expect?.(ref.name);
  return readSoundly(store, ref.name, async () => {
    const file = await openOnce(store, ref.name, options);
    const { name, begins, crc } = file.facts;
    if (name !== ref.name) throw new DamageError(file.object, `is another run: it was written as ${name}`);
    if (begins !== placed)
      throw new DamageError(
        file.object,
        `holds another run at byte ${placed}: it was written at byte ${begins}`,
      );
    if (crc !== ref.crc)
      throw new DamageError(file.object, `is another run of this name: its digest is ${crc}, not ${ref.crc}`);
    return file;
  });
}

async function openOnce(store: Store, name: string, { counters, arrays }: FileOptions): Promise<RunFile> {
  const object = objectName(store, name);
  const size = await store.size(name);
  if (size === null) throw new DamageError(object, ABSENT);
  if (size < LEAST_BYTES) throw new DamageError(object, `is not a run: ${size} bytes are too few`);

  const tail = await readTail(store, name, size, counters);
  const footerAt = tail.length - TAIL_BYTES - footerLength(tail);
  const endAt = footerAt - SEAL_BYTES - END_MARK_BYTES;
  const crc = crc32(tail.subarray(footerAt), crc32(tail.subarray(endAt, endAt + END_MARK_BYTES)));
  const fault = sealFault(tail.subarray(endAt + END_MARK_BYTES, footerAt), crc);
  if (fault !== null) throw new DamageError(object, `${fault} (byte ${size - tail.length + footerAt})`);

  const file: RunFile = {
    store,
    name,
    object,
    size,
    ...footerOf(tail, footerAt, size, object),
    counters,
    arrays,
  };
  const wrong = inconsistency(file, size - tail.length + endAt);
  if (wrong !== null) throw new StorageError(object, wrong);
  if (file.metadataBytes.length === 0) await checkHead(file);
  return file;
}

/** The facts of the footer, and the places that it gives of the record batches, in a file of `size` bytes. */
function readFooter(bytes: Uint8Array, size: number, object: string) {
  const footer = Footer.decode(bytes);
  const facts = parseFacts(footer.schema.metadata);
  if (typeof facts === 'string') throw new StorageError(object, facts);
  const columns = columnsOf(footer.schema);
  if (columns === null)
    throw new StorageError(object, 'is not a run: it has columns that are not integers of 8 to 32 bits');
  const batches = footer.numRecordBatches;
  if (batches > size) throw new DamageError(object, `is too short for ${batches} record batches`);
  const offsets = new Float64Array(batches + 1);
  const metadataBytes = new Uint32Array(batches);
  let at = HEAD_BYTES;
  for (let i = 0; i < batches; i++) {
    const block = footer.getRecordBatch(i)!;
    if (block.offset !== at)
      throw new DamageError(object, `record batch ${i} is at byte ${block.offset}, not ${at}`);
    if (!(block.metaDataLength >= MESSAGE_HEAD_BYTES && block.bodyLength >= 0))
      throw new DamageError(object, `record batch ${i} has an impossible length`);
    offsets[i] = at;
    metadataBytes[i] = block.metaDataLength;
    at += block.metaDataLength + block.bodyLength;
  }
  offsets[batches] = at;
  return { facts, columns, offsets, metadataBytes };
}

function footerOf(tail: Uint8Array, footerAt: number, size: number, object: string) {
  try {
    return readFooter(tail.subarray(footerAt, tail.length - TAIL_BYTES), size, object);
  } catch (error) {
    throw undecodable(object, 'its footer', error);
  }
}

/** The error of a flatbuffer that cannot be decoded although its checksum is right: it was never written like that. */
function undecodable(object: string, what: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  return new DamageError(object, `${what} cannot be decoded: ${(error as Error).message}`);
}

const NONE: Uint8Array = new Uint8Array(0);
/** Spare buffers of the thread, for readers without `arrays`: a thread mostly reads one run after the other. */
const spares = newArrays(2 ** 20);

/** How a cursor reads. */
export interface Reading {
  /** The buffer is taken from here, if there are any. */
  readonly arrays?: Arrays | undefined;
  /** Bytes of neighbouring record batches that one request reads at most; a batch that is larger is read alone. */
  readonly together?: number;
}

/**
 * Reads record batches of a run into a buffer that it uses again. A class, as core/keep-shape.ts explains.
 */
export class BatchReader {
  private readonly arrays: Arrays;
  private readonly together: number;
  private buffer = NONE;
  private taken: Uint32Array | null = null;
  /** Batches [from, to) are in the buffer; the first of all has the head of the file before it. */
  private from = 0;
  private to = 0;

  constructor(
    private readonly file: RunFile,
    { arrays = file.arrays ?? spares, together = 0 }: Reading = {},
  ) {
    this.arrays = arrays;
    this.together = together;
  }

  /**
   * Reads batch `i`, checks its CRC and returns its columns: views that are valid until the next call. Batches up to `last` may be
   * read by the same request. Packed minors stay packed.
   */
  async read(i: number, last = i): Promise<Column[]> {
    const { file } = this;
    if (i < this.from || i >= this.to) await this.fetch(i, last);
    const start = this.startOf(this.from);
    const bytes = this.buffer.subarray(file.offsets[i] - start, file.offsets[i + 1] - start);
    try {
      return decode(file, i, bytes);
    } catch (error) {
      throw undecodable(file.object, placeOf(file, i), error);
    }
  }

  /** Gives the buffer back; the views are no longer valid. */
  close(): void {
    if (this.taken !== null) this.arrays.give(this.taken);
    this.taken = null;
    this.buffer = NONE;
    this.from = this.to = 0;
  }

  /** The byte of the file at which reading batch `i` begins. The first read takes the head along, which then needs no read of its own. */
  private startOf(i: number): number {
    return this.file.offsets[i] - (i === 0 ? HEAD_BYTES : 0);
  }

  private reserve(length: number): void {
    if (this.buffer.length >= length) return;
    this.close();
    const { array, bytes } = takeBytes(this.arrays, length);
    this.taken = array;
    this.buffer = bytes;
  }

  private async fetch(from: number, last: number): Promise<void> {
    const { file } = this;
    const { offsets } = file;
    const start = this.startOf(from);
    let to = from + 1;
    while (to <= last && offsets[to + 1] - start <= this.together) to++;
    const length = offsets[to] - start;
    this.from = this.to = 0;
    this.reserve(length);
    const bytes = this.buffer.subarray(0, length);
    await readSoundly(file.store, file.name, () => load(file, from, to, bytes, start));
    this.from = from;
    this.to = to;
  }
}

/** Reads batches [from, to), which begin at byte `start` of the file, and checks them. */
async function load(
  file: RunFile,
  from: number,
  to: number,
  bytes: Uint8Array,
  start: number,
): Promise<void> {
  const { offsets } = file;
  await file.store.read(file.name, start, bytes);
  file.counters.bytesRead += bytes.length;
  if (from === 0) requireMagic(file, bytes);
  for (let i = from; i < to; i++)
    requireCrc(file, i, bytes.subarray(offsets[i] - start, offsets[i + 1] - start));
}

function requireCrc(file: RunFile, i: number, bytes: Uint8Array): void {
  const crc = crc32(bytes);
  const expected = file.facts.batchCrcs[i];
  if (crc === expected) return;
  throw new DamageError(
    file.object,
    `${placeOf(file, i)} is damaged: its CRC-32 is ${hex(crc)}, the footer states ${hex(expected)}`,
  );
}

/** A record batch in messages. */
export function placeOf({ offsets }: RunFile, i: number): string {
  return `record batch ${i} (bytes ${offsets[i]} to ${offsets[i + 1]})`;
}

function decode(file: RunFile, i: number, bytes: Uint8Array): Column[] {
  const { rows, batchRows, compact } = file.facts;
  const metadata = bytes.subarray(0, file.metadataBytes[i]);
  const head = readHead(metadata, file.columns.length) ?? headByArrow(metadata, file, i);
  // For packed minors the length is that of the words.
  const expected = compact ? head.rows : Math.min(batchRows, rows - i * batchRows);
  if (head.rows !== expected) {
    throw new StorageError(file.object, `${placeOf(file, i)} has ${head.rows} rows, not ${expected}`);
  }
  const body = bytes.byteOffset + metadata.length;
  const columns: Column[] = [];
  for (let k = 0; k < file.columns.length; k++) {
    const { name, type } = file.columns[k];
    const { offset, length } = head.values[k];
    if (length < expected * widthOf(type))
      throw new StorageError(file.object, `${placeOf(file, i)}: column "${name}" has only ${length} bytes`);
    columns.push(columnView(type, bytes.buffer, body + offset, expected));
  }
  return columns;
}

/** Reads a head that is not in the form of our template, as another version of Arrow may write it. */
function headByArrow(metadata: Uint8Array, file: RunFile, i: number): BatchHead {
  const message = Message.decode(metadata.subarray(MESSAGE_HEAD_BYTES));
  if (!message.isRecordBatch())
    throw new StorageError(
      file.object,
      `${placeOf(file, i)} is a ${MessageHeader[message.headerType]} message`,
    );
  const { length, buffers } = message.header();
  // Each column has two buffers: validity, which is empty, and values.
  return { rows: length, values: file.columns.map((_, k) => buffers[2 * k + 1]) };
}

async function readTail(store: Store, name: string, size: number, counters: Counters): Promise<Uint8Array> {
  const object = objectName(store, name);
  let tail = new Uint8Array(guessOf(size));
  await store.read(name, size - tail.length, tail);
  counters.bytesRead += tail.length;
  if (!hasText(tail, tail.length - MAGIC.length, MAGIC)) {
    throw new DamageError(
      object,
      `is not an Arrow file, or cut short: no "${MAGIC}" at its end (byte ${size - MAGIC.length})`,
    );
  }
  const wanted = footerLength(tail) + TAIL_BYTES + SEAL_BYTES + END_MARK_BYTES;
  if (footerLength(tail) <= 0 || wanted > size - HEAD_BYTES) {
    throw new DamageError(
      object,
      `is damaged: its footer has an impossible length (byte ${size - TAIL_BYTES})`,
    );
  }
  if (wanted > tail.length) {
    tail = new Uint8Array(wanted);
    await store.read(name, size - wanted, tail);
    counters.bytesRead += wanted;
  }
  return tail;
}

function footerLength(tail: Uint8Array): number {
  return new DataView(tail.buffer, tail.byteOffset).getInt32(tail.length - TAIL_BYTES, true);
}

/** Names the first fact of a footer that contradicts the file or another fact, or null. Such a footer was written by another program, or by a bug. */
function inconsistency(file: RunFile, batchesEnd: number): string | null {
  const { facts, columns, offsets } = file;
  const { majors, starts } = facts.segments;
  const batches = offsets.length - 1;
  if (offsets[batches] !== batchesEnd)
    return `its record batches end at byte ${offsets[batches]}, not ${batchesEnd}`;
  if (!(facts.batchRows >= 1) || batches !== Math.ceil(facts.rows / facts.batchRows)) {
    return `${batches} record batches of ${facts.batchRows} cannot hold ${facts.rows} rows`;
  }
  if (facts.batchCrcs.length !== batches)
    return `it has ${facts.batchCrcs.length} checksums for ${batches} record batches`;
  if (starts.length !== majors.length + 1 || starts[majors.length] !== facts.rows) {
    return 'its directory of majors does not fit its number of rows';
  }
  for (let i = 0; i < majors.length; i++) {
    if (starts[i] >= starts[i + 1] || (i > 0 && majors[i - 1] >= majors[i]))
      return 'its majors are out of order';
  }
  const first = columns[0];
  const minor = facts.compact ? PACKED : MINOR;
  if (!facts.spec.dense && (first?.name !== minor.name || first.type !== minor.type)) {
    return 'is a sparse run without a minor column';
  }
  if (facts.compact && (facts.spec.dense || columns.length > 1)) return 'has columns beside packed minors';
  return null;
}

async function checkHead(file: RunFile): Promise<void> {
  const head = new Uint8Array(HEAD_BYTES);
  await file.store.read(file.name, 0, head);
  file.counters.bytesRead += HEAD_BYTES;
  requireMagic(file, head);
}

function requireMagic(file: RunFile, bytes: Uint8Array): void {
  if (!hasText(bytes, 0, HEAD))
    throw new DamageError(file.object, `is not an Arrow file, or damaged: no "${MAGIC}" at byte 0`);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

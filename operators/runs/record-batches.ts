/** The file under a run: finding its footer and reading its record batches, each checked before it is decoded. */
import { Message, MessageHeader } from 'apache-arrow';
import { Footer } from 'apache-arrow/ipc/metadata/file';
import { type Arrays, takeBytes } from '../core/arrays.js';
import { crc32 } from '../core/checksum.js';
import type { Counters } from '../core/counters.js';
import { ABSENT, DamageError, StorageError } from '../core/errors.js';
import type { Interval } from '../core/interval.js';
import { objectName } from '../storage/object-names.js';
import { readSoundly, type Store } from '../storage/store.js';
import { type BatchHead, MESSAGE_HEAD_BYTES, readHead } from './batch-heads.js';
import { hex } from './crc32.js';
import { parseFacts, type RunFacts, SEAL_BYTES, sealFault } from './footer.js';
import { columnsOf, columnView, MINOR, PACKED, widthOf } from './schema.js';
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
  /** Readers of record batches take their memory from these; from the heap unless given. */
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

  const decoded = decoding(object, 'its footer', () =>
    readFooter(tail.subarray(footerAt, tail.length - TAIL_BYTES), size, object),
  );
  const file: RunFile = { store, name, object, size, ...decoded, counters, arrays };
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
    throw new StorageError(object, 'is no run: it has columns that are not 8 to 32 bit integers');
  const batches = footer.numRecordBatches;
  if (batches > size) throw new DamageError(object, `has no room for ${batches} record batches`);
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

/** Whatever stumbles over a flatbuffer whose checksum is right stumbles over what was never written so. */
function decoding<T>(object: string, what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new DamageError(object, `${what} cannot be decoded: ${(error as Error).message}`);
  }
}

const NONE: Uint8Array = new Uint8Array(0);

/** How a cursor reads. */
export interface Reading {
  /** The buffer is taken from here, if there are any. */
  readonly arrays?: Arrays | undefined;
  /** Bytes of neighbouring record batches that one request reads at most; a batch that is larger is read alone. */
  readonly together?: number;
}

/** Reads record batches of a run into a buffer that it uses again. */
export interface BatchReader {
  /**
   * Reads batch `i`, checks its CRC and returns its columns: views that are valid until the next call. Batches up to `last` may be
   * read along. Packed minors are not looked into.
   */
  read(i: number, last?: number): Promise<Column[]>;
  /** Gives the buffer back; the views are no longer valid. */
  close(): void;
}

export function newBlock(file: RunFile, { arrays = file.arrays, together = 0 }: Reading = {}): BatchReader {
  let buffer = NONE;
  let taken: Uint32Array | null = null;
  /** Batches that the buffer holds; the first of all has the head of the file before it. */
  let held: Interval = { from: 0, to: 0 };

  function close(): void {
    if (taken !== null) arrays!.give(taken);
    taken = null;
    buffer = NONE;
    held = { from: 0, to: 0 };
  }

  function reserve(length: number): void {
    if (buffer.length >= length) return;
    close();
    if (arrays === undefined) {
      buffer = new Uint8Array(length);
      return;
    }
    const { array, bytes } = takeBytes(arrays, length);
    taken = array;
    buffer = bytes;
  }

  /** The byte of the file at which reading batch `i` begins. The first read takes the head along, which then needs no read of its own. */
  const startOf = (i: number) => file.offsets[i] - (i === 0 ? HEAD_BYTES : 0);

  async function fetch(from: number, last: number): Promise<void> {
    const start = startOf(from);
    let to = from + 1;
    while (to <= last && file.offsets[to + 1] - start <= together) to++;
    const length = file.offsets[to] - start;
    held = { from: 0, to: 0 };
    reserve(length);
    const bytes = buffer.subarray(0, length);
    await readSoundly(file.store, file.name, async () => {
      await file.store.read(file.name, start, bytes);
      file.counters.bytesRead += length;
      if (from === 0) requireMagic(file, bytes);
      for (let i = from; i < to; i++)
        requireCrc(file, i, bytes.subarray(file.offsets[i] - start, file.offsets[i + 1] - start));
    });
    held = { from, to };
  }

  async function read(i: number, last = i): Promise<Column[]> {
    if (i < held.from || i >= held.to) await fetch(i, last);
    const start = startOf(held.from);
    const bytes = buffer.subarray(file.offsets[i] - start, file.offsets[i + 1] - start);
    const place = placeOf(file, i);
    return decoding(file.object, place, () => decode(file, i, bytes, place));
  }

  return { read, close };
}

function requireCrc(file: RunFile, i: number, bytes: Uint8Array): void {
  const crc = crc32(bytes);
  const expected = file.facts.batchCrcs[i];
  if (crc === expected) return;
  throw new DamageError(
    file.object,
    `${placeOf(file, i)} is damaged: its CRC-32 is ${hex(crc)}, the footer says ${hex(expected)}`,
  );
}

/** A record batch in messages. */
export function placeOf({ offsets }: RunFile, i: number): string {
  return `record batch ${i} (bytes ${offsets[i]} to ${offsets[i + 1]})`;
}

function decode(file: RunFile, i: number, bytes: Uint8Array, place: string): Column[] {
  const { rows, batchRows, compact } = file.facts;
  const metadata = bytes.subarray(0, file.metadataBytes[i]);
  const head = readHead(metadata, file.columns.length) ?? headByArrow(metadata, file, place);
  // For packed minors the length is that of the words.
  const expected = compact ? head.rows : Math.min(batchRows, rows - i * batchRows);
  if (head.rows !== expected) {
    throw new StorageError(file.object, `${place} has ${head.rows} rows, not ${expected}`);
  }
  const body = bytes.byteOffset + metadata.length;
  return file.columns.map((column, k) => {
    const { offset, length } = head.values[k];
    if (length < expected * widthOf(column.type)) {
      throw new StorageError(file.object, `${place}: column "${column.name}" has only ${length} bytes`);
    }
    return columnView(column.type, bytes.buffer, body + offset, expected);
  });
}

/** A head in a form that another version of Arrow writes. */
function headByArrow(metadata: Uint8Array, { object, columns }: RunFile, place: string): BatchHead {
  const message = Message.decode(metadata.subarray(MESSAGE_HEAD_BYTES));
  if (!message.isRecordBatch())
    throw new StorageError(object, `${place} is a ${MessageHeader[message.headerType]} message`);
  const { length, buffers } = message.header();
  // Each column has two buffers: validity, which is empty, and values.
  return { rows: length, values: columns.map((_, k) => buffers[2 * k + 1]) };
}

async function readTail(store: Store, name: string, size: number, counters: Counters): Promise<Uint8Array> {
  const object = objectName(store, name);
  let tail = new Uint8Array(guessOf(size));
  await store.read(name, size - tail.length, tail);
  counters.bytesRead += tail.length;
  if (!hasText(tail, tail.length - MAGIC.length, MAGIC)) {
    throw new DamageError(
      object,
      `is no Arrow file, or cut short: no "${MAGIC}" at its end (byte ${size - MAGIC.length})`,
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

/** The fact that does not fit the file or another fact, or null: a footer written by another program, or by a bug. */
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
    throw new DamageError(file.object, `is no Arrow file, or damaged: no "${MAGIC}" at byte 0`);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/**
 * Heads of record batches: a mark, a length, and a message with the number of rows and the places of the columns.
 * Heads of batches with the same number of columns differ in a few numbers only. So Arrow encodes one of them, and all
 * others are copies with their own numbers. A head takes Arrow a tenth of a millisecond, and a table has thousands.
 */
import { BufferRegion, FieldNode, Message, RecordBatch } from 'apache-arrow/ipc/metadata/message';
import { assert } from '../core/errors.js';

/** A message begins with a mark and its length, 4 bytes each. */
export const MESSAGE_HEAD_BYTES = 8;
/** Columns begin at multiples of this, and so does what follows them. */
const ALIGNMENT = 8;

/** A place in the body of a batch; in a template, the words in which its numbers begin. */
export interface Region {
  readonly offset: number;
  readonly length: number;
}

/** The numbers of a head. */
export interface BatchHead {
  readonly rows: number;
  /** Where each column's values are. */
  readonly values: Region[];
}

/** A head whose numbers are to be replaced, and the words where each begins; numbers have two words. */
interface Template {
  readonly words: Uint32Array;
  readonly bodyBytes: number;
  readonly rows: number;
  /** The rows again, by column. */
  readonly nodes: readonly number[];
  /** By column: the words of its validity's region, which is empty, and of its values' region. */
  readonly validity: readonly Region[];
  readonly values: readonly Region[];
  /** By word: whether all heads have it alike. */
  readonly alike: Uint8Array;
}

const templates: Template[] = [];

function templateOf(columns: number): Template {
  templates[columns] ??= newTemplate(columns);
  return templates[columns];
}

/** No other word of a head is as large as the upper word of these numbers. */
const MARKED = 0x123456 * 2 ** 32;

function newTemplate(columns: number): Template {
  let marks = 0;
  const mark = () => MARKED + marks++;
  const region = () => ({ offset: mark(), length: mark() });
  const all = { bodyBytes: mark(), rows: mark(), nodes: [] as number[] };
  const validity: Region[] = [];
  const values: Region[] = [];
  for (let c = 0; c < columns; c++) {
    all.nodes.push(mark());
    validity.push(region());
    values.push(region());
  }
  const regions = validity.flatMap((each, c) => [each, values[c]]);
  const header = new RecordBatch(
    all.rows,
    all.nodes.map((rows) => new FieldNode(rows, 0)),
    regions.map(({ offset, length }) => new BufferRegion(offset, length)),
    null,
  );
  const message = Message.encode(Message.from(header, all.bodyBytes));
  const length = aligned(MESSAGE_HEAD_BYTES + message.length);
  const words = new Uint32Array(length / 4);
  new Uint8Array(words.buffer).set(message, MESSAGE_HEAD_BYTES);
  words[0] = 0xffffffff;
  words[1] = length - MESSAGE_HEAD_BYTES;

  const alike = new Uint8Array(words.length).fill(1);
  const find = (number: number): number => {
    const at = words.findIndex((word, i) => word + words[i + 1] * 2 ** 32 === number);
    assert(at >= 0, 'Arrow writes each number of a head');
    alike[at] = alike[at + 1] = 0;
    return at;
  };
  const findRegion = (each: Region) => ({ offset: find(each.offset), length: find(each.length) });
  return {
    words,
    bodyBytes: find(all.bodyBytes),
    rows: find(all.rows),
    nodes: all.nodes.map(find),
    validity: validity.map(findRegion),
    values: values.map(findRegion),
    alike,
  };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Bytes that stand behind a column of so many bytes. */
export function paddingOf(bytes: number): number {
  return aligned(bytes) - bytes;
}

/** The head of a batch of so many rows, whose columns have so many bytes each; as Arrow writes it. */
export function newHead(rows: number, columnBytes: readonly number[]): Uint8Array {
  const { words: form, ...places } = templateOf(columnBytes.length);
  const words = form.slice();
  put(words, places.rows, rows);
  let offset = 0;
  for (let c = 0; c < columnBytes.length; c++) {
    const length = aligned(columnBytes[c]);
    put(words, places.nodes[c], rows);
    put(words, places.validity[c].offset, offset);
    put(words, places.validity[c].length, 0);
    put(words, places.values[c].offset, offset);
    put(words, places.values[c].length, length);
    offset += length;
  }
  put(words, places.bodyBytes, offset);
  return new Uint8Array(words.buffer);
}

/** The numbers of a head that `newHead` made, or Arrow in the same form; null if it is of another. */
export function readHead(bytes: Uint8Array, columns: number): BatchHead | null {
  const { words: form, rows, values, alike } = templateOf(columns);
  if (bytes.length !== 4 * form.length || bytes.byteOffset % 4 !== 0) return null;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, form.length);
  for (let i = 0; i < form.length; i++) if (alike[i] === 1 && words[i] !== form[i]) return null;
  const head: BatchHead = { rows: numberAt(words, rows), values: [] };
  for (let c = 0; c < columns; c++)
    head.values.push({
      offset: numberAt(words, values[c].offset),
      length: numberAt(words, values[c].length),
    });
  return head;
}

function put(words: Uint32Array, at: number, value: number): void {
  words[at] = value % 2 ** 32;
  words[at + 1] = Math.floor(value / 2 ** 32);
}

function numberAt(words: Uint32Array, at: number): number {
  return words[at] + words[at + 1] * 2 ** 32;
}

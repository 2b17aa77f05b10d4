/** Heads of record batches are those that Arrow writes, and no others are taken for them. */
import {
  type Data,
  Field,
  Int8,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Uint32,
} from 'apache-arrow';
import { expect, it } from 'vitest';
import { newHead, readHead } from '../../../operators/runs/batch-heads.js';

/** The head of the only batch of a file that Arrow writes, with a column of bytes and some of words. */
function headByArrow(rows: number, words: number): Uint8Array {
  const columns = [new Int8Array(rows), ...Array.from({ length: words }, () => new Uint32Array(rows))];
  const fields = columns.map((_, c) => new Field(`c${c}`, c === 0 ? new Int8() : new Uint32(), false));
  const schema = new Schema(fields);
  const children = columns.map(
    (data, c) => makeData({ type: fields[c].type, length: rows, nullCount: 0, data }) as Data,
  );
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(fields), length: rows, nullCount: 0, children }),
  );
  const file = RecordBatchFileWriter.writeAll([batch]).toUint8Array(true);
  const length = 8 + new DataView(file.buffer, file.byteOffset).getInt32(12, true);
  return file.slice(8, 8 + length);
}

const bytesOf = (rows: number, words: number) => [rows, ...Array.from({ length: words }, () => 4 * rows)];

it.each([
  [1, 0],
  [7, 0],
  [65536, 0],
  [1, 1],
  [13, 2],
  [65536, 3],
])('writes the head of a batch of %i rows of bytes and %i of words as Arrow does', (rows, words) => {
  const head = headByArrow(rows, words);
  expect(newHead(rows, bytesOf(rows, words))).toEqual(head);
  const padded = 8 * Math.ceil(rows / 8);
  const ofWords = 8 * Math.ceil(rows / 2);
  expect(readHead(head, 1 + words)).toEqual({
    rows,
    values: bytesOf(rows, words).map((_, c) =>
      c === 0 ? { offset: 0, length: padded } : { offset: padded + (c - 1) * ofWords, length: ofWords },
    ),
  });
});

it('writes numbers of more than 32 bits', () => {
  const bytes = [5 * 2 ** 32, 8];
  const { rows, values } = readHead(newHead(3 * 2 ** 32, bytes), 2)!;
  expect(rows).toBe(3 * 2 ** 32);
  expect(values).toEqual([
    { offset: 0, length: bytes[0] },
    { offset: bytes[0], length: 8 },
  ]);
});

it('leaves heads of another form to Arrow', () => {
  const head = newHead(10, [10, 40]);
  expect(readHead(head, 1)).toBeNull();
  expect(readHead(head.subarray(0, -8), 2)).toBeNull();
  const shifted = new Uint8Array(head.length + 1).subarray(1);
  shifted.set(head);
  expect(readHead(shifted, 2)).toBeNull();
  let taken = 0;
  for (let i = 0; i < head.length; i++) {
    const changed = head.slice();
    changed[i] ^= 1;
    taken += readHead(changed, 2) === null ? 0 : 1;
  }
  // The bytes of 12 numbers: of the body, of rows three times, of four regions.
  expect(taken).toBe(8 * 12);
});

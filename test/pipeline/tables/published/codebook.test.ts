import { describe, expect, test } from 'vitest';
import { DamageError, StorageError } from '../../../../operators/core/errors.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import type { Codebook } from '../../../../pipeline/tables/codec/codec.js';
import { readCodebook, type TrainedCodec } from '../../../../pipeline/tables/published/codebook.js';
import { codebookBytes, newTrainer } from '../../../../pipeline/tables/published/trainer.js';
import { encode, forCodec, rowsOf, sliceLike } from '../samples.js';

function train(codec: TrainedCodec, seeds: readonly number[]): Codebook {
  const trainer = newTrainer(codec);
  for (const seed of seeds) {
    trainer.file(rowsOf(29));
    const symbols = forCodec(codec, sliceLike(1000, 29, seed));
    trainer.add(symbols.subarray(0, 777)).add(symbols.subarray(777));
  }
  return trainer.codebook();
}

async function reading(bytes: Uint8Array): Promise<Codebook> {
  const store = memoryStore();
  await store.putIfAbsent('book', bytes);
  return readCodebook(store, 'book');
}

describe.each(['huffman', 'rows', 'bytes'] as const)('%s', (codec) => {
  const book = train(codec, [1, 2]);

  test('a codebook is read back with its digest, and codes the same', async () => {
    const store = memoryStore();
    await store.putIfAbsent('books/a', codebookBytes(book));
    const read = await readCodebook(store, 'books/a');
    expect([read.codec, read.digest]).toEqual([codec, book.digest]);
    const symbols = forCodec(codec, sliceLike(2000, 29, 5));
    expect(encode(read, rowsOf(29), [symbols])).toEqual(encode(book, rowsOf(29), [symbols]));
  });

  test('the digest tells codebooks apart, and is the same for the same files', () => {
    expect(book.digest).toMatch(/^[0-9a-f]{8}$/);
    expect(train(codec, [1, 2]).digest).toBe(book.digest);
    expect(train(codec, [1, 3]).digest).not.toBe(book.digest);
  });

  test('it takes a few kilobytes', () => expect(codebookBytes(book).length).toBeLessThan(8192));

  test('every flipped bit and every cut is reported', async () => {
    const bytes = codebookBytes(book);
    for (let bit = 0; bit < 8 * bytes.length; bit += 3) {
      bytes[bit >>> 3] ^= 1 << (bit & 7);
      await expect(reading(bytes)).rejects.toThrow(DamageError);
      bytes[bit >>> 3] ^= 1 << (bit & 7);
    }
    for (let length = 0; length < bytes.length; length += 7) {
      await expect(reading(bytes.slice(0, length))).rejects.toThrow(/^memory:\/book: /);
    }
  });
});

test('a missing codebook and another file in its place are refused', async () => {
  await expect(readCodebook(memoryStore(), 'book')).rejects.toThrow('memory:/book: no such codebook');
  await expect(reading(new Uint8Array(100))).rejects.toThrow('memory:/book: is not a codebook');
});

test('a codebook that is too short is a storage error', async () => {
  await expect(reading(new Uint8Array(3))).rejects.toThrow(StorageError);
});

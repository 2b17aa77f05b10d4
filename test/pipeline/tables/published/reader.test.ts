import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DamageError, StorageError } from '../../../../operators/core/errors.js';
import { systemError } from '../../../../operators/storage/errno.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { readAll, type Store } from '../../../../operators/storage/store.js';
import { newByteList, putU32, putVarint } from '../../../../pipeline/tables/codec/byte-list.js';
import {
  BLOCK_BYTES,
  BLOCK_POSITIONS,
  type Coder,
  codecs,
  type FileFacts,
  valuesOfCodec,
} from '../../../../pipeline/tables/codec/codec.js';
import { parseTail, tailBytes } from '../../../../pipeline/tables/published/published-layout.js';
import { openPublished } from '../../../../pipeline/tables/published/reader.js';
import { newTrainer } from '../../../../pipeline/tables/published/trainer.js';
import { createPublished, type WrittenFile } from '../../../../pipeline/tables/published/writer.js';
import { anyShape, anySymbols, coders, firstDifference, forCodec, rowsOf, sliceLike } from '../samples.js';

const books = Object.values(coders);

async function write(
  store: Store,
  coder: Coder,
  symbols: Uint8Array,
  shape: FileFacts = rowsOf(29),
): Promise<WrittenFile> {
  const writer = await createPublished(store, 'file', coder, {
    game: 'checkers',
    slice: '2110.50',
    side: 1,
    shape,
    order: 0,
  });
  await writer.add(symbols.subarray(0, 1000));
  await writer.add(symbols.subarray(1000));
  return writer.close();
}

/** A store that holds these bytes as `file` and counts its reads. */
function holding(bytes: Uint8Array): { store: Store; reads: [offset: number, length: number][] } {
  const inner = memoryStore();
  const reads: [number, number][] = [];
  const ready = inner.putIfAbsent('file', bytes);
  const store: Store = {
    ...inner,
    async size(name) {
      await ready;
      return inner.size(name);
    },
    read(name, offset, into) {
      reads.push([offset, into.length]);
      return inner.read(name, offset, into);
    },
  };
  return { store, reads };
}

async function bytesFor(coder: Coder, symbols: Uint8Array): Promise<Uint8Array> {
  const store = memoryStore();
  await write(store, coder, symbols);
  return (await readAll(store, 'file'))!;
}

async function everything(store: Store, given: readonly Coder[] = books): Promise<Uint8Array> {
  const file = await openPublished(store, 'file', given);
  const values = new Uint8Array(file.positions);
  let at = 0;
  for await (const { first, length, symbols } of file.values()) {
    expect(first).toBe(at);
    values.set(symbols.subarray(0, length), first);
    at += length;
  }
  expect(at).toBe(file.positions);
  return values;
}

describe.each(codecs)('%s', (codec) => {
  const coder = coders[codec];
  const as = (symbols: Uint8Array) => forCodec(codec, symbols);
  const any = valuesOfCodec(codec);
  const symbols = as(sliceLike(12_000, 29, 21));

  test('a file describes itself, and gives the values back', async () => {
    const store = memoryStore();
    const written = await write(store, coder, symbols);
    const bytes = (await readAll(store, 'file'))!;
    expect(written).toMatchObject({
      bytes: bytes.length,
      positions: symbols.length,
      dontCares: symbols.filter((symbol) => symbol === any).length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const file = await openPublished(store, 'file', books);
    expect(file.head).toEqual({
      game: 'checkers',
      slice: '2110.50',
      side: 1,
      codec,
      codebook: coder.digest,
      shape: rowsOf(29),
      order: 0,
    });
    expect([file.positions, file.blocks]).toEqual([symbols.length, written.blocks]);
    expect(firstDifference(symbols, await everything(store), any)).toBe(-1);
  });

  test('a block is one read, and has the positions of the index', async () => {
    const { store, reads } = holding(await bytesFor(coder, symbols));
    const file = await openPublished(store, 'file', books);
    expect(file.blocks).toBeGreaterThan(5);
    let runs = 0;
    for (let block = 0; block < file.blocks; block++) {
      reads.length = 0;
      const { first, ends, values } = await file.readBlock(block);
      expect(reads).toEqual([[block * BLOCK_BYTES, file.blockBytes(block)]]);
      expect(first).toBe(file.firsts[block]);
      expect(first + ends.at(-1)!).toBe(file.firsts[block + 1] ?? file.positions);
      expect(file.blockOf(first)).toBe(block);
      expect(file.blockOf(first + ends.at(-1)! - 1)).toBe(block);
      expect(values.length).toBe(ends.length);
      runs += ends.length;
    }
    expect((await write(memoryStore(), coder, symbols)).runs).toBe(runs);
  });

  test('a small file is opened by one read', async () => {
    const { store, reads } = holding(await bytesFor(coder, as(sliceLike(10, 29, 1))));
    await openPublished(store, 'file', books);
    expect(reads.length).toBe(1);
  });

  test('a file of no positions is read', async () => {
    const store = memoryStore();
    const written = await write(store, coder, new Uint8Array(0));
    expect(written).toMatchObject({ blocks: 0, positions: 0, runs: 0 });
    expect((await everything(store)).length).toBe(0);
  });

  test('header and index take some tens of bytes', async () => {
    const written = await write(memoryStore(), coder, new Uint8Array(300));
    expect(written.blocks).toBe(1);
    expect(written.bytes).toBeLessThan(64);
  });

  test('every flipped bit is reported, in a block with its number', async () => {
    const bytes = await bytesFor(coder, as(sliceLike(codec === 'packed' ? 300 : 1500, 29, 22)));
    const { blocks } = await openPublished(holding(bytes).store, 'file', books);
    expect(blocks).toBeGreaterThan(1);
    const tail = new DataView(bytes.buffer).getUint32(bytes.length - 12, true) + 12;
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      // All of the tail, and in the blocks a bit of each byte.
      const at = bit >>> 3;
      if (at < bytes.length - tail && (bit & 7) !== (at & 7)) continue;
      bytes[at] ^= 1 << (bit & 7);
      const error = await everything(holding(bytes).store).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StorageError);
      const { message } = error as StorageError;
      expect(message).toContain('memory:/file');
      if (at < bytes.length - tail) {
        expect(error).toBeInstanceOf(DamageError);
        expect(message).toContain(`block ${Math.trunc(at / BLOCK_BYTES)} of ${blocks} is damaged`);
      }
      bytes[at] ^= 1 << (bit & 7);
    }
  });

  test('a file cut short at any length is reported', async () => {
    const bytes = await bytesFor(coder, as(sliceLike(300, 29, 23)));
    for (let length = 0; length < bytes.length; length++) {
      const opened = openPublished(holding(bytes.slice(0, length)).store, 'file', books);
      await expect(opened).rejects.toThrow(/^memory:\/file: .*cut short/);
    }
  });

  test('bytes behind the file are reported', async () => {
    const bytes = await bytesFor(coder, as(sliceLike(600, 29, 23)));
    const longer = new Uint8Array(bytes.length + BLOCK_BYTES);
    longer.set(bytes, BLOCK_BYTES);
    await expect(openPublished(holding(longer).store, 'file', books)).rejects.toThrow(DamageError);
  });
});

test('any symbols are read back from a file', async () => {
  await fc.assert(
    fc.asyncProperty(anySymbols, anyShape, fc.constantFrom(...codecs), async (some, shape, codec) => {
      const store = memoryStore();
      const symbols = forCodec(codec, some);
      await write(store, coders[codec], symbols, shape);
      expect(firstDifference(symbols, await everything(store), valuesOfCodec(codec))).toBe(-1);
    }),
    { numRuns: 40 },
  );
});

test('a file of another version is refused', async () => {
  const bytes = await bytesFor(coders.rows, sliceLike(10, 29, 1));
  bytes[bytes.length - 1] = 9;
  const opened = openPublished(holding(bytes).store, 'file', books);
  await expect(opened).rejects.toThrow('memory:/file: is of format version 9; this program reads version 1');
});

test('the codebook that a file was written with is needed', async () => {
  const bytes = await bytesFor(coders.rows, sliceLike(10, 29, 1));
  const other = newTrainer('rows')
    .add(Uint8Array.of(0, 1, 2))
    .codebook();
  await expect(openPublished(holding(bytes).store, 'file', [other])).rejects.toThrow(
    `memory:/file: was written with codebook rows ${coders.rows.digest}; given: rows ${other.digest}`,
  );
  await expect(openPublished(holding(bytes).store, 'file')).rejects.toThrow('given: none');
});

test('a block that is gone after the file was opened is reported', async () => {
  const store = memoryStore();
  await write(store, coders.huffman, sliceLike(3000, 29, 2));
  const file = await openPublished(store, 'file', books);
  await store.delete('file');
  await expect(file.readBlock(1)).rejects.toThrow(/^memory:\/file: block 1 of \d+ cannot be read/);
});

test('a missing file is reported', async () => {
  await expect(openPublished(memoryStore(), 'file')).rejects.toThrow('memory:/file: no such file');
});

test('a writer that gives up leaves nothing', async () => {
  const store = memoryStore();
  const shape = rowsOf(29);
  const writer = await createPublished(store, 'file', coders.rows, {
    game: 'g',
    slice: 's',
    side: 0,
    shape,
    order: 0,
  });
  await writer.add(sliceLike(1000, 29, 1));
  await writer.abort();
  expect(await store.list('')).toEqual([]);
});

test('the index holds positions beyond 32 bits', () => {
  const count = 3000;
  const index = newByteList();
  for (let block = 0; block < count; block++) {
    putU32(index, block);
    if (block < count - 1) putVarint(index, BLOCK_POSITIONS - block);
  }
  const before = (count - 1) * BLOCK_POSITIONS - ((count - 1) * (count - 2)) / 2;
  const named = { game: 'g', slice: 's', side: 0, codec: 'packed', codebook: '' } as const;
  const head = { ...named, shape: rowsOf(29), order: 5 };
  const { bytes: tail, crc } = tailBytes(head, { positions: before + 1, count, lastBytes: 1, index });
  const parsed = parseTail(tail, (count - 1) * BLOCK_BYTES + 1 + tail.length, 'file');
  expect(parsed.head).toEqual(head);
  expect(parsed.crc).toBe(crc);
  expect(parsed.index.positions).toBe(before + 1);
  expect(parsed.index.firsts[count - 1]).toBe(before);
  expect(parsed.index.firsts[2]).toBe(2 * BLOCK_POSITIONS - 1);
  expect(parsed.index.crcs[7]).toBe(7);
  expect(before).toBeGreaterThan(2 ** 41);
});

test('a failing disk is distinguished from damage, for every block', async () => {
  const { store } = holding(await bytesFor(books[0], sliceLike(5000, 29, 1)));
  const failing: Store = {
    ...store,
    read: (name, offset, into) =>
      offset === 0
        ? Promise.reject(systemError('file', 'read', Object.assign(new Error('EIO'), { code: 'EIO' })))
        : store.read(name, offset, into),
  };
  const file = await openPublished(failing, 'file', books);
  await expect(file.readBlock(0)).rejects.toMatchObject({
    message: expect.stringMatching(/^memory:\/file: block 0 of \d+ cannot be read: file: the disk failed/),
    cause: { code: 'EIO' },
  });
});

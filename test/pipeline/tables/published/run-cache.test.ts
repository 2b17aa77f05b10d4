import { describe, expect, test } from 'vitest';
import { DamageError } from '../../../../operators/core/errors.js';
import { memoryStore } from '../../../../operators/storage/memory.js';
import { newPositionCache } from '../../../../pipeline/tables/published/position-cache.js';
import { openPublished, type Published } from '../../../../pipeline/tables/published/reader.js';
import { newRunCache } from '../../../../pipeline/tables/published/run-cache.js';
import { createPublished } from '../../../../pipeline/tables/published/writer.js';
import { coders, numbers, rowsOf, sliceLike } from '../samples.js';

/** A published file and the values that it holds, don't-cares as they were filled. */
async function sample(seed: number): Promise<{ file: Published; values: Uint8Array; reads: () => number }> {
  const inner = memoryStore();
  let reads = 0;
  const store: typeof inner = {
    ...inner,
    read(name, offset, into) {
      reads++;
      return inner.read(name, offset, into);
    },
  };
  const writer = await createPublished(store, 'file', coders.huffman, {
    game: 'g',
    slice: 's',
    side: 0,
    shape: rowsOf(29),
    order: 0,
  });
  await writer.add(sliceLike(6000, 29, seed));
  await writer.close();
  const file = await openPublished(store, 'file', [coders.huffman]);
  const values = new Uint8Array(file.positions);
  for await (const { first, length, symbols } of file.values())
    values.set(symbols.subarray(0, length), first);
  reads = 0;
  return { file, values, reads: () => reads };
}

describe('the run cache', () => {
  test('gives the value of every position, reading each block once', async () => {
    const { file, values, reads } = await sample(1);
    const cache = newRunCache(1 << 20);
    const number = cache.add(file);
    for (let position = 0; position < file.positions; position += 7) {
      expect(await cache.value(number, position)).toBe(values[position]);
    }
    expect(reads()).toBe(file.blocks);
    const lookups = Math.ceil(file.positions / 7);
    const bytesRead = Array.from({ length: file.blocks }, (_, block) => file.blockBytes(block)).reduce(
      (a, b) => a + b,
    );
    expect(cache.counts).toEqual({ hits: lookups - file.blocks, misses: file.blocks, bytesRead });
  });

  test('answers without a read only what is cached', async () => {
    const { file, values } = await sample(1);
    const cache = newRunCache(1 << 20);
    const number = cache.add(file);
    expect(cache.valueIfCached(number, 5)).toBe(-1);
    await cache.value(number, 5);
    expect(cache.valueIfCached(number, 6)).toBe(values[6]);
    expect(cache.valueIfCached(number, file.positions - 1)).toBe(-1);
    expect(cache.counts).toMatchObject({ hits: 1, misses: 1 });
  });

  test('stays within its bytes by dropping the least recently used blocks', async () => {
    const { file, reads } = await sample(2);
    const sizes = await Promise.all(
      Array.from({ length: 4 }, async (_, block) => {
        const { ends, values } = await file.readBlock(block);
        return ends.byteLength + values.byteLength + 256;
      }),
    );
    const before = reads();
    const cache = newRunCache(sizes[0] + sizes[1] + sizes[2] + sizes[3] - 1);
    const number = cache.add(file);
    const ask = (block: number) => cache.value(number, file.firsts[block]);
    for (const block of [0, 1, 2, 0, 3]) await ask(block);
    const cached = [0, 1, 2, 3].map((block) => cache.valueIfCached(number, file.firsts[block]) >= 0);
    expect(cached).toEqual([true, false, true, true]);
    expect(reads() - before).toBe(4);
    expect(cache.heldBytes()).toBe(sizes[0] + sizes[2] + sizes[3]);
  });

  test('agrees with a model of many files under random use', async () => {
    const samples = await Promise.all([1, 2, 3].map(sample));
    const cache = newRunCache(40_000);
    for (const { file } of samples) cache.add(file);
    const next = numbers(17);
    let recent: string[] = [];
    for (let lookup = 0; lookup < 3000; lookup++) {
      const number = next() % samples.length;
      const { file, values } = samples[number];
      const position = next() % file.positions;
      const name = `${number}/${file.blockOf(position)}`;
      const hits = cache.counts.hits;
      expect(await cache.value(number, position)).toBe(values[position]);
      const kept = recent.includes(name);
      expect(cache.counts.hits - hits).toBe(kept ? 1 : 0);
      recent = [...recent.filter((other) => other !== name), name];
      // The cache holds the blocks used last: how many follows from its size alone.
      expect(cache.heldBytes()).toBeLessThanOrEqual(40_000);
      recent = await lastThatFit(samples, recent, 40_000);
    }
    expect(cache.counts.misses).toBeGreaterThan(500);
    expect(cache.counts.hits).toBeGreaterThan(100);
  });

  test('without any bytes keeps the block read last', async () => {
    const { file, values, reads } = await sample(3);
    const cache = newRunCache(0);
    const number = cache.add(file);
    for (const position of [0, 1, 2, file.positions - 1, 0]) {
      expect(await cache.value(number, position)).toBe(values[position]);
    }
    expect(reads()).toBe(3);
  });

  test('lookups of the same block at the same time read it once', async () => {
    const { file, values, reads } = await sample(3);
    const cache = newRunCache(1 << 20);
    const number = cache.add(file);
    const found = await Promise.all([0, 1, 2, 3].map((position) => cache.value(number, position)));
    expect(found).toEqual([...values.subarray(0, 4)]);
    expect(reads()).toBe(1);
  });

  test('a block that cannot be read is an error, and is read again at the next request', async () => {
    const { file, values } = await sample(3);
    let broken = true;
    const cache = newRunCache(1 << 20);
    const number = cache.add({
      ...file,
      readBlock: (block) =>
        broken ? Promise.reject(new DamageError('file', 'block 0 is damaged')) : file.readBlock(block),
    });
    await expect(cache.value(number, 3)).rejects.toThrow(DamageError);
    broken = false;
    expect(await cache.value(number, 3)).toBe(values[3]);
  });
});

const sizes = new Map<string, number>();

async function lastThatFit(
  samples: readonly { readonly file: Published }[],
  names: readonly string[],
  bytes: number,
): Promise<string[]> {
  const kept: string[] = [];
  let held = 0;
  for (const name of names.toReversed()) {
    let size = sizes.get(name);
    if (size === undefined) {
      const [number, block] = name.split('/').map(Number);
      const runs = await samples[number].file.readBlock(block);
      sizes.set(name, (size = 256 + 5 * runs.ends.length));
    }
    held += size;
    if (held > bytes && kept.length > 0) break;
    kept.unshift(name);
  }
  return kept;
}

describe('the position cache', () => {
  test('returns a value for its own file and position alone', () => {
    const cache = newPositionCache(1 << 16);
    cache.put(0, 0, 0);
    cache.put(3, 2 ** 40 + 1, 2);
    expect(cache.get(0, 0)).toBe(0);
    expect(cache.get(3, 2 ** 40 + 1)).toBe(2);
    expect([cache.get(1, 0), cache.get(0, 1), cache.get(3, 1), cache.get(2, 2 ** 40 + 1)]).toEqual([
      -1, -1, -1, -1,
    ]);
  });

  test('never returns a wrong value, and has most of the latest ones', () => {
    const cache = newPositionCache(12 * 1024);
    const next = numbers(5);
    const put = new Map<string, number>();
    let answered = 0;
    for (let i = 0; i < 20_000; i++) {
      const file = next() % 5;
      const position = (next() % 400) * 2 ** (next() % 2 === 0 ? 0 : 33);
      const name = `${file}/${position}`;
      const found = cache.get(file, position);
      if (found >= 0) {
        answered++;
        expect(found).toBe(put.get(name));
      }
      const value = (next() % 3) as 0 | 1 | 2;
      cache.put(file, position, value);
      put.set(name, value);
      expect(cache.get(file, position)).toBe(value);
    }
    // About 3,800 different positions use 1,024 places.
    expect(answered).toBeGreaterThan(3000);
  });

  test('works with a single place', () => {
    const cache = newPositionCache(1);
    cache.put(1, 1, 1);
    cache.put(2, 2, 2);
    expect([cache.get(1, 1), cache.get(2, 2)]).toEqual([-1, 2]);
  });
});

/** Tests that every store must pass, wherever it keeps its objects. */
import { expect, it } from 'vitest';
import { StorageError } from '../../operators/core/errors.js';
import { readAll, type Store } from '../../operators/storage/store.js';

const bytes = (...values: number[]) => Uint8Array.from(values);

/** Defines the tests for the empty store that `make` gives them. */
export function storeContract(make: () => Store): void {
  const store = make();

  it('shows an object once it is closed, whole', async () => {
    const sink = await store.create('a/b/one');
    const piece = bytes(1, 2, 3);
    await sink.write([piece, new Uint8Array(0), bytes(4)]);
    piece.fill(9);
    await sink.write([bytes(5)]);
    expect(await store.size('a/b/one')).toBeNull();
    expect(await store.list('')).toEqual([]);
    await sink.close();
    expect(await store.size('a/b/one')).toBe(5);
    expect(await readAll(store, 'a/b/one')).toEqual(bytes(1, 2, 3, 4, 5));
    const part = new Uint8Array(2);
    await store.read('a/b/one', 3, part);
    expect(part).toEqual(bytes(4, 5));
  });

  it('knows since when an object is there', async () => {
    const asked = Date.now();
    expect(await store.modified('a/later')).toBeNull();
    await store.putIfAbsent('a/later', bytes(1));
    const at = (await store.modified('a/later'))!;
    // A server's clock is its own, and may have whole seconds only.
    expect(Math.abs(at - (await store.clockAhead()) - asked)).toBeLessThan(30_000);
    await store.putIfAbsent('a/later', bytes(2));
    expect(await store.modified('a/later')).toBe(at);
    await store.delete('a/later');
    expect(await store.modified('a/later')).toBeNull();
  });

  it('refuses to read what is not there, and says so', async () => {
    await expect(store.read('a/none', 0, new Uint8Array(1))).rejects.toThrow(/a\/none: no such object/);
    await expect(store.read('a/b/one', 3, new Uint8Array(3))).rejects.toThrow(
      /one: ends at byte 5, .*cut short/,
    );
    await expect(store.read('a/b/one', 50, new Uint8Array(3))).rejects.toThrow(StorageError);
    expect(await readAll(store, 'a/none')).toBeNull();
    expect(await store.size('a/b/one/deeper')).toBeNull();
  });

  it('leaves nothing of an aborted object', async () => {
    const sink = await store.create('a/gone');
    await sink.write([bytes(1)]);
    await sink.abort();
    await sink.abort();
    expect(await store.list('a/g')).toEqual([]);
  });

  it('replaces an object that was read before, and reads the new one', async () => {
    for (const value of [1, 2]) {
      const sink = await store.create('again');
      await sink.write([bytes(value)]);
      await sink.close();
      expect(await readAll(store, 'again')).toEqual(bytes(value));
    }
    await store.delete('again');
    await store.delete('again');
    await expect(store.read('again', 0, new Uint8Array(1))).rejects.toThrow(/no such object/);
  });

  it('publishes once, whoever is first', async () => {
    const racers = Array.from({ length: 16 }, (_, i) => store.putIfAbsent('race/won', bytes(i, i)));
    const won = (await Promise.all(racers)).flatMap((first, i) => (first ? [i] : []));
    expect(won).toHaveLength(1);
    expect(await readAll(store, 'race/won')).toEqual(bytes(won[0], won[0]));
    expect(await store.list('race/')).toEqual(['race/won']);
  });

  it('lists by prefix, ascending', async () => {
    for (const name of ['l/b', 'l/a/2', 'l/a/10', 'lb']) await store.putIfAbsent(name, bytes(0));
    expect(await store.list('l')).toEqual(['l/a/10', 'l/a/2', 'l/b', 'lb']);
    expect(await store.list('l/')).toEqual(['l/a/10', 'l/a/2', 'l/b']);
    expect(await store.list('l/a/1')).toEqual(['l/a/10']);
    expect(await store.list('m')).toEqual([]);
    expect(await store.list('m/n/')).toEqual([]);
  });

  it.each(['', '..', '../x', 'a/../x', 'a//b', '/a', 'a/', './a', 'a\0b', 'a/.tmp-1-1'])(
    'refuses the name %j',
    async (name) => {
      const refusal = /is not a valid object name/;
      await expect(store.read(name, 0, new Uint8Array(1))).rejects.toThrow(refusal);
      await expect(store.size(name)).rejects.toThrow(refusal);
      await expect(store.modified(name)).rejects.toThrow(refusal);
      await expect(store.create(name)).rejects.toThrow(refusal);
      await expect(store.putIfAbsent(name, bytes(1))).rejects.toThrow(refusal);
      await expect(store.delete(name)).rejects.toThrow(refusal);
    },
  );
}

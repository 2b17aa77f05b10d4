/** A store that is read over HTTP, from a plain file server that can be made to fail. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import { type HttpStore, httpStore } from '../../../operators/storage/http.js';
import { listingBytes } from '../../../operators/storage/listing.js';
import { readAll, readSoundly } from '../../../operators/storage/store.js';
import { type FileServer, fileServer } from '../../support/file-server.js';

const root = mkdtempSync(join(tmpdir(), 'mergemate-http-'));
const content = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) & 255);
const large = new Uint8Array((8 << 20) + 1);
let server: FileServer;
let store: HttpStore;

beforeAll(async () => {
  mkdirSync(join(root, 'base/a'), { recursive: true });
  writeFileSync(join(root, 'base/a/one'), content);
  writeFileSync(join(root, 'base/a/name & more?'), content.subarray(0, 10));
  writeFileSync(join(root, 'base/empty'), '');
  writeFileSync(join(root, 'base/large'), large);
  writeFileSync(
    join(root, 'base/a/objects.json'),
    listingBytes(
      'a/',
      new Map([
        ['a/one', 5000],
        ['a/name & more?', 10],
        ['a/gone', 7],
      ]),
    ),
  );
  writeFileSync(join(root, 'base/a/nonsense.json'), '{"version":1,"folder":"a/","objects":{"one":-1}}');
  server = await fileServer(root);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  server.fail('no ranges', 0);
  server.sent();
  store = httpStore(`${server.endpoint}/base/`);
});

const read = async (name: string, offset: number, length: number, from = store) => {
  const into = new Uint8Array(length);
  await from.read(name, offset, into);
  return into;
};

test('reads ranges, whole objects and sizes', async () => {
  expect(store.uri).toBe(`${server.endpoint}/base`);
  expect(await read('a/one', 1000, 50)).toEqual(content.slice(1000, 1050));
  expect(await readAll(store, 'a/one')).toEqual(content);
  expect(await readAll(store, 'a/name & more?')).toEqual(content.slice(0, 10));
  expect(await readAll(store, 'empty')).toEqual(new Uint8Array(0));
  expect(await store.size('a/none')).toBeNull();
  expect(await store.modified('a/one')).toBeGreaterThan(0);
  expect(await store.modified('a/none')).toBeNull();
});

test('a missing object and a read past the end are errors that name the address', async () => {
  await expect(read('a/none', 0, 1)).rejects.toThrow(`${server.endpoint}/base/a/none: no such object`);
  await expect(read('a/one', 4990, 20)).rejects.toThrow(/a\/one: ends at byte 5000, .*cut short/);
  await expect(read('a/one', 6000, 20)).rejects.toThrow(StorageError);
  await expect(read('../secret', 0, 1)).rejects.toThrow(/is not a valid object name/);
  expect(server.sent().filter(({ text }) => text.includes('secret'))).toEqual([]);
});

test('writing is refused', async () => {
  await expect(store.create('x')).rejects.toThrow(StorageError);
  await expect(store.putIfAbsent('x', content)).rejects.toThrow(/x: .*cannot be written/);
  await expect(store.delete('a/one')).rejects.toThrow(StorageError);
});

test('equal reads at the same time share one request, and fetched bytes are counted', async () => {
  const parts = await Promise.all([0, 0, 0, 100].map((offset) => read('a/one', offset, 64)));
  expect(parts.map((part) => part[0])).toEqual([0, 0, 0, 700 & 255]);
  expect(server.sent()).toHaveLength(2);
  expect(store.counts).toEqual({ requests: 2, bytes: 128 });
});

describe('a listing', () => {
  const listed = () => httpStore(`${server.endpoint}/base`, { listing: 'a/objects.json' });

  test('gives names and sizes by one request', async () => {
    const own = listed();
    expect(await Promise.all(['a/one', 'a/gone', 'a/none'].map((name) => own.size(name)))).toEqual([
      5000,
      7,
      null,
    ]);
    expect(await own.list('a/')).toEqual(['a/gone', 'a/name & more?', 'a/one']);
    expect(await own.list('b')).toEqual([]);
    expect(server.sent().map(({ text }) => text)).toEqual(['GET /base/a/objects.json']);
  });

  test('is reported by name if it is missing or damaged, and so is a store without one', async () => {
    const other = (listing: string) => httpStore(`${server.endpoint}/base`, { listing });
    await expect(other('a/x.json').list('')).rejects.toThrow('a/x.json: there is no such listing');
    await expect(other('a/one').list('')).rejects.toThrow(DamageError);
    await expect(other('a/nonsense.json').list('')).rejects.toThrow(/one has no size/);
    await expect(store.list('')).rejects.toThrow(/has no listing/);
  });

  test('is requested again after a failure', async () => {
    const own = listed();
    server.fail({ status: 403 }, 1);
    await expect(own.size('a/one')).rejects.toThrow(/status 403/);
    expect(await own.size('a/one')).toBe(5000);
  });
});

describe('a server without ranges', () => {
  test('sends small objects whole, which are cached', async () => {
    server.fail('no ranges');
    expect(await read('a/one', 1000, 50)).toEqual(content.slice(1000, 1050));
    expect(await read('a/one', 3000, 50)).toEqual(content.slice(3000, 3050));
    await expect(read('a/one', 4990, 20)).rejects.toThrow(/cut short/);
    expect(server.sent()).toHaveLength(1);
  });

  test('is refused for large objects', async () => {
    server.fail('no ranges');
    await expect(read('large', 0, 10)).rejects.toThrow(
      /base\/large: the server does not support range requests.*8388609 bytes/,
    );
  });
});

describe('faults', () => {
  const head = (body: Uint8Array, place: string, length = body.length) =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 206 Partial\r\ncontent-length: ${length}\r\ncontent-range: ${place}\r\n\r\n`),
      body,
    ]);
  const cut = (body: Uint8Array, from: number, total: number) =>
    head(body.subarray(0, 20), `bytes ${from}-${from + body.length - 1}/${total}`, body.length);

  test.each([
    ['status 500', { status: 500 }],
    ['status 429', { status: 429 }],
    ['a body that is cut', { raw: cut }],
    ['a connection that is closed', { raw: () => '' }],
    ['no HTTP', { raw: () => 'nonsense\r\n\r\n' }],
    [
      'a shorter body, well announced',
      {
        raw: (body: Uint8Array, from: number, total: number) =>
          head(body.subarray(0, 20), `bytes ${from}-${from + 19}/${total}`),
      },
    ],
    [
      'a longer body',
      {
        raw: (body: Uint8Array, from: number, total: number) =>
          head(Buffer.concat([body, body]), `bytes ${from}-${from + 99}/${total}`),
      },
    ],
  ])('a request is repeated after %s', async (_what, fault) => {
    server.fail(fault, 1);
    expect(await read('a/one', 1000, 100)).toEqual(content.slice(1000, 1100));
    expect(server.sent()).toHaveLength(2);
  });

  test('lasting failures are errors that name the address and the cause', async () => {
    server.fail({ status: 503 });
    await expect(read('a/one', 0, 10)).rejects.toThrow(
      `${server.endpoint}/base/a/one: cannot be read: the server answers with status 503`,
    );
    expect(server.sent()).toHaveLength(3);
    const gone = httpStore('http://127.0.0.1:1/nobody');
    const error = await read('x', 0, 1, gone).catch((caught) => caught);
    expect(error).toBeInstanceOf(StorageError);
    expect(error.message).toMatch(/^http:\/\/127.0.0.1:1\/nobody\/x: cannot be read/);
    expect(error.cause).toBeDefined();
  });

  test('other failures are not retried', async () => {
    server.fail({ status: 403 });
    await expect(read('a/one', 0, 10)).rejects.toThrow(/a\/one: the server answers with status 403/);
    await expect(store.size('a/one')).rejects.toThrow(/status 403/);
    expect(server.sent()).toHaveLength(2);
  });

  test('an answer with another range, or without a size, is refused', async () => {
    server.fail({ raw: (body) => head(body, 'bytes 0-99/5000') }, 1);
    await expect(read('a/one', 1000, 100)).rejects.toThrow(
      /asked for bytes from 1000 on and answers with those from 0 on/,
    );
    server.fail('no size');
    await expect(store.size('a/one')).rejects.toThrow(/does not report its size/);
  });

  test('a range without its place is accepted if it has the right length', async () => {
    const bare = (body: Uint8Array) =>
      Buffer.concat([Buffer.from(`HTTP/1.1 206 OK\r\ncontent-length: ${body.length}\r\n\r\n`), body]);
    server.fail({ raw: bare });
    expect(await read('a/one', 1000, 100)).toEqual(content.slice(1000, 1100));
    await expect(read('a/one', 4990, 20)).rejects.toThrow(/cut short/);
  });
});

test('wrong bytes are read again twice, bypassing caches', async () => {
  const caches: unknown[] = [];
  const watched = httpStore(`${server.endpoint}/base`, {
    fetch: (input, init) => {
      caches.push((init as { cache?: string }).cache);
      return fetch(input, init);
    },
  });
  const wrong = readSoundly(watched, 'a/one', async () => {
    await read('a/one', 0, 10, watched);
    throw new DamageError('a/one', 'is wrong');
  });
  await expect(wrong).rejects.toThrow('a/one: is wrong');
  expect(caches).toEqual([undefined, 'reload', 'reload']);
});

test('the clock of the server is read from its answers, but not from those that a cache kept', async () => {
  const HOUR = 3_600_000;
  const answering = (date: number, headers: Record<string, string> = {}) =>
    httpStore('http://host/base', {
      fetch: async () =>
        new Response(null, {
          status: 200,
          headers: { 'content-length': '1', date: new Date(date).toUTCString(), ...headers },
        }),
    });
  const behind = answering(Date.now() - 2 * HOUR);
  expect(await behind.clockAhead()).toBe(0);
  await behind.modified('one');
  expect(Math.abs((await behind.clockAhead()) + 2 * HOUR)).toBeLessThan(3000);
  const kept = answering(Date.now() - 2 * HOUR, { age: '7200' });
  await kept.modified('one');
  expect(await kept.clockAhead()).toBe(0);
});

test('an answer with 304, which nobody asked for, is asked for again', async () => {
  let asked = 0;
  const wrong = httpStore('http://host/base', {
    fetch: async () =>
      ++asked === 1 ? new Response(null, { status: 304 }) : new Response(new Uint8Array([1, 2, 3])),
  });
  expect(await read('one', 0, 3, wrong)).toEqual(Uint8Array.of(1, 2, 3));
  expect(asked).toBe(2);
});

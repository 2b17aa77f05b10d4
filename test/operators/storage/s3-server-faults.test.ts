/** An S3 server that answers with status 200 and is wrong all the same: its listings, its answers about what was just written. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { StorageError } from '../../../operators/core/errors.js';
import { s3Store } from '../../../operators/storage/s3.js';
import { parseS3Uri } from '../../../operators/storage/s3-uri.js';
import { readAll } from '../../../operators/storage/store.js';
import { ifShort, LONG } from '../../support/long.js';
import { startMemoryS3 } from '../../support/memory-s3.js';
import { digestsOf, solveChess } from '../../support/solving.js';

process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
process.env.AWS_SECRET_ACCESS_KEY ??= 'nothing';
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
const server = await startMemoryS3({ bucket: 'bucket', conditional: true, page: 2 });
afterAll(() => server.close());
afterEach(() => {
  server.faults.staleReads = 0;
  server.faults.pages = 'right';
  server.faults.losesParts = false;
  Object.assign(server.faults, {
    aheadMs: 0,
    checksTime: false,
    lagMs: 0,
    notModified: 0,
    conflicts: 0,
    unheard: 0,
  });
});

const uriOf = (prefix: string) => `s3://bucket/${prefix}?endpoint=${server.endpoint}&region=here`;
const open = (prefix: string) => s3Store(parseS3Uri(uriOf(prefix)), { readAheadBytes: 0 });
const bytes = Uint8Array.of(1, 2, 3);

describe('a listing that does not advance ends with one line that names bucket and prefix', () => {
  test.each([
    [
      'same token',
      /^s3:\/\/bucket\/[^ ]+: the server's listing is wrong: it gives the same continuation token again$/,
    ],
    ['same page', /^s3:\/\/bucket\/[^ ]+: the server's listing is wrong: a page repeats an earlier page$/],
    ['no token', /^s3:\/\/bucket\/[^ ]+: the server's listing is wrong: .* but gives no continuation token$/],
  ] as const)('%s', async (pages, line) => {
    const store = open(`pages-${pages.replace(' ', '-')}`);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await store.putIfAbsent(`x/${name}`, bytes);
    server.faults.pages = pages;
    const before = server.requests();
    const listing = store.list('x/');
    await expect(listing).rejects.toThrow(line);
    await expect(listing).rejects.toBeInstanceOf(StorageError);
    expect(server.requests() - before).toBeLessThan(10);
    server.faults.pages = 'right';
    expect(await store.list('x/')).toHaveLength(5);
  });
});

describe('a stale answer that an object just written is absent', () => {
  test.skipIf(!LONG)(`does not mislead the process that wrote it${ifShort}`, async () => {
    const store = open('stale-own');
    server.faults.staleReads = 3;
    expect(await store.putIfAbsent('small', bytes)).toBe(true);
    expect(await store.size('small')).toBe(3);
    const sink = await store.create('whole');
    await sink.write([bytes]);
    await sink.close();
    expect(await readAll(store, 'whole')).toEqual(bytes);
    expect(await store.putIfAbsent('read', bytes)).toBe(true);
    const read = new Uint8Array(3);
    await store.read('read', 0, read);
    expect(read).toEqual(bytes);
  });

  test('does not mislead another process that knows the object from a manifest', async () => {
    const [writer, reader] = [open('stale-other'), open('stale-other')];
    server.faults.staleReads = 3;
    await writer.putIfAbsent('named', bytes);
    expect(await reader.size('named')).toBeNull();
    reader.expect!('named');
    expect(await reader.size('named')).toBe(3);
  });

  test.skipIf(!LONG)(
    `does not stop an ending from being solved and verified${ifShort}`,
    { timeout: 120_000 },
    async () => {
      server.faults.staleReads = 2;
      const there = await solveChess(['KQK'], { store: open('stale-solve'), verify: true });
      const here = await solveChess(['KQK'], { verify: false });
      expect(digestsOf(there.summaries)).toEqual(digestsOf(here.summaries));
    },
  );
});

describe('a server whose clock is two hours off', () => {
  const HOUR = 3_600_000;
  /** Requests that common operations take, with answers of each status. */
  async function requestsOf(prefix: string, aheadMs: number): Promise<number> {
    server.faults.aheadMs = aheadMs;
    const store = open(prefix);
    const before = server.requests();
    for (let i = 0; i < 10; i++) expect(await store.size(`none-${i}`)).toBeNull();
    expect(await readAll(store, 'none')).toBeNull();
    expect(await store.putIfAbsent('one', bytes)).toBe(true);
    expect(await store.putIfAbsent('one', bytes)).toBe(false);
    await expect(store.read('none', 0, new Uint8Array(1))).rejects.toThrow('no such object');
    expect(await readAll(store, 'one')).toEqual(bytes);
    const requests = server.requests() - before;
    const ageMs = Date.now() + (await store.clockAhead()) - (await store.modified('one'))!;
    // Both times have whole seconds.
    expect(ageMs).toBeGreaterThan(-2000);
    expect(ageMs).toBeLessThan(10_000);
    expect(Math.abs((await store.clockAhead()) - aheadMs)).toBeLessThan(3000);
    return requests;
  }

  test('gets no more requests, and ages are taken by its clock', async () => {
    const usual = await requestsOf('clock-right', 0);
    expect(await requestsOf('clock-behind', -2 * HOUR)).toBe(usual);
    expect(await requestsOf('clock-ahead', 2 * HOUR)).toBe(usual);
  });

  test('and that refuses other times is asked again with its own time, once', async () => {
    Object.assign(server.faults, { aheadMs: 2 * HOUR, checksTime: true });
    const store = open('clock-checked');
    const before = server.requests();
    expect(await store.putIfAbsent('one', bytes)).toBe(true);
    expect(await store.size('one')).toBe(3);
    expect(await store.size('none')).toBeNull();
    // The first is refused; the last is explained by a listing.
    expect(server.requests() - before).toBe(5);
    const together = open('clock-checked-together');
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => together.putIfAbsent(name, bytes)));
    expect(await together.list('')).toEqual(names);
  });

  test('is asked for its clock if nothing else was asked', async () => {
    server.faults.aheadMs = 2 * HOUR;
    expect(Math.abs((await open('clock-first').clockAhead()) - 2 * HOUR)).toBeLessThan(3000);
  });
});

test.skipIf(!LONG)(
  `answers with 304, 409, and 412 after a lost answer mislead nobody${ifShort}`,
  async () => {
    const store = open('odd-answers');
    Object.assign(server.faults, { notModified: 3, conflicts: 4, unheard: 5 });
    for (let i = 0; i < 12; i++) {
      expect(await store.putIfAbsent(`object-${i}`, bytes)).toBe(true);
      expect(await store.putIfAbsent(`object-${i}`, Uint8Array.of(9))).toBe(false);
      expect(await store.size(`object-${i}`)).toBe(3);
      expect(await readAll(store, `object-${i}`)).toEqual(bytes);
    }
    expect(await store.list('object-')).toHaveLength(12);
  },
  60_000,
);

test('an upload that lost a part is not published, and the same write succeeds afterwards', async () => {
  const store = open('parts');
  const write = async () => {
    const sink = await store.create('large');
    for (let i = 0; i < 3; i++) await sink.write([new Uint8Array(8 << 20).fill(i)]);
    await sink.close();
  };
  server.faults.losesParts = true;
  await expect(write()).rejects.toThrow(
    /^s3:\/\/bucket\/parts\/large: the server lost a part of it: it has 16777216 bytes of the 25165824/,
  );
  server.faults.losesParts = false;
  expect(await store.size('large')).toBeNull();
  await write();
  expect(await store.size('large')).toBe(3 * (8 << 20));
}, 60_000);

/** Uploads to object storage that nobody ends; against a real server if there is one. */
import { afterAll, expect, it } from 'vitest';
import { s3Store } from '../../../operators/storage/s3.js';
import { parseS3Uri } from '../../../operators/storage/s3-uri.js';
import { startS3Server } from '../../support/s3-server.js';

const MiB = 1 << 20;
const server = await startS3Server();
afterAll(() => server.close());

it('are listed by prefix with their sizes, and can be aborted', async () => {
  const store = s3Store(parseS3Uri(server.newUri()), { readAheadBytes: 32 * MiB });
  const began = Date.now();
  const sink = await store.create('a/large');
  await sink.write([new Uint8Array(20 * MiB)]);
  const small = await store.create('a/small');
  await small.write([new Uint8Array(1)]);
  expect(await store.unfinished!('b/')).toEqual([]);
  const found = await store.unfinished!('a/');
  expect(found.map(({ name, bytes, writer }) => ({ name, bytes, writer }))).toEqual([
    { name: 'a/large', bytes: 16 * MiB, writer: null },
  ]);
  expect(Math.abs(found[0].at - began)).toBeLessThan(600_000);
  await found[0].remove();
  await found[0].remove();
  expect(await store.unfinished!('')).toEqual([]);
  await expect(sink.close()).rejects.toThrow(/a\/large/);
  expect(await store.size('a/large')).toBeNull();
  await small.close();
  expect(await store.modified('a/small')).toBeGreaterThan(began - 600_000);
  expect(await store.modified('a/large')).toBeNull();
});

/** The store in object storage, against a real server if there is one. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, it, test } from 'vitest';
import { newCounters } from '../../../operators/core/counters.js';
import { StorageError, UserError } from '../../../operators/core/errors.js';
import { openRun } from '../../../operators/runs/reader.js';
import { s3Store } from '../../../operators/storage/s3.js';
import { parseS3Uri } from '../../../operators/storage/s3-uri.js';
import { readAll } from '../../../operators/storage/store.js';
import { startFaultyProxy } from '../../support/faulty-proxy.js';
import { ifShort, LONG } from '../../support/long.js';
import { startMemoryS3 } from '../../support/memory-s3.js';
import { noServer, startS3Server } from '../../support/s3-server.js';
import { storeContract } from '../../support/store-contract.js';

const MiB = 1 << 20;
const server = await startS3Server();
const plain = await startMemoryS3({ bucket: 'bucket', conditional: false, page: 2 });
afterAll(() => Promise.all([server.close(), plain.close()]));

const open = (uri: string) => s3Store(parseS3Uri(uri), { readAheadBytes: 32 * MiB });
function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = Math.imul(i, 2654435761) >>> 24;
  return bytes;
}
if (noServer !== null) process.stdout.write(`skipped: tests on a real server; there is ${noServer}\n`);

describe('a store on the S3 server of this process', async () => {
  const memory = await startMemoryS3({ bucket: 'bucket', conditional: true, page: 2 });
  afterAll(() => memory.close());
  storeContract(() => open(`s3://bucket/a/b?endpoint=${memory.endpoint}&region=here`));
});

describe.skipIf(noServer)(`a store on a real S3 server${noServer === null ? '' : ` (${noServer})`}`, () => {
  storeContract(() => open(server.newUri()));
});

describe('a store in object storage', () => {
  const store = open(server.newUri());

  it.skipIf(!LONG)(
    `writes and reads what is larger than a part, in pieces of any size${ifShort}`,
    async () => {
      const bytes = pattern(20 * MiB + 12345);
      const sink = await store.create('large');
      const piece = new Uint8Array(3 * MiB);
      for (let at = 0; at < bytes.length; at += piece.length) {
        const part = bytes.subarray(at, at + piece.length);
        piece.set(part);
        await sink.write([piece.subarray(0, 100), piece.subarray(100, part.length)]);
        piece.fill(0);
      }
      expect(await store.size('large')).toBeNull();
      await sink.close();
      expect(await store.size('large')).toBe(bytes.length);
      expect(Buffer.compare((await readAll(store, 'large'))!, bytes)).toBe(0);
      for (const step of [70_000, 900_000, 5 * MiB]) {
        const part = new Uint8Array(step);
        for (let at = 0; at + step <= bytes.length; at += step) {
          await store.read('large', at, part);
          expect(Buffer.compare(part, bytes.subarray(at, at + step))).toBe(0);
        }
      }
    },
  );

  it('leaves no parts of an aborted upload', async () => {
    const { bucket, endpoint } = parseS3Uri(server.newUri());
    const client = new S3Client({ endpoint: endpoint!, region: 'us-east-1', forcePathStyle: true });
    const uploads = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0;
    const before = await uploads();
    const sink = await store.create('never');
    await sink.write([new Uint8Array(17 * MiB)]);
    expect(await uploads()).toBe(before + 1);
    await sink.abort();
    expect(await uploads()).toBe(before);
    expect(await store.size('never')).toBeNull();
  });

  it.skipIf(!LONG)(
    `reads a run batch by batch by few requests, and a random batch by one${ifShort}`,
    async () => {
      const counting = await startFaultyProxy(server.endpoint, 0, 0);
      const uri = server.newUri(counting.endpoint);
      const sink = await open(uri).create('run');
      await sink.write([pattern(20 * MiB)]);
      await sink.close();
      const reader = open(uri);
      const batch = new Uint8Array(256 * 1024);
      const gets = () => counting.requests.GET ?? 0;
      for (let at = 0; at < 20 * MiB; at += batch.length) await reader.read('run', at, batch);
      expect(gets()).toBeLessThanOrEqual(6);
      const before = gets();
      const other = open(uri);
      for (let at = 0; at < 20 * MiB; at += batch.length)
        await other.read('run', 20 * MiB - at - 1000, batch.subarray(0, 1000));
      expect(gets() - before).toBe(80);
      await counting.close();
    },
  );

  it.skipIf(!LONG)(`caches neither the absence nor the length of an object${ifShort}`, async () => {
    const uri = server.newUri();
    const [one, other] = [open(uri), open(uri)];
    expect(await one.size('later')).toBeNull();
    expect(await other.putIfAbsent('later', pattern(10))).toBe(true);
    expect(await one.size('later')).toBe(10);
    await other.delete('later');
    expect(await one.size('later')).toBeNull();
  });

  it.skipIf(!LONG)(`refuses a damaged run after reading it again${ifShort}`, async () => {
    const counting = await startFaultyProxy(server.endpoint, 0, 0);
    const store = open(server.newUri(counting.endpoint));
    await store.putIfAbsent('damaged', pattern(5000));
    const gets = () => counting.requests.GET ?? 0;
    await expect(
      openRun(store, { name: 'damaged', crc: '00000000' }, { counters: newCounters() }),
    ).rejects.toThrow(/damaged: is not an Arrow/);
    expect(gets()).toBeGreaterThan(1);
    await counting.close();
  });

  it.skipIf(!LONG)(`writes large objects in little memory${ifShort}`, async () => {
    const script = `
      import { s3Store } from './operators/storage/s3.ts';
      import { parseS3Uri } from './operators/storage/s3-uri.ts';
      const store = s3Store(parseS3Uri(process.argv[1]), { readAheadBytes: 0 });
      const piece = new Uint8Array(1 << 20).fill(1);
      const write = async (name, pieces) => {
        const sink = await store.create(name);
        for (let i = 0; i < pieces; i++) await sink.write([piece]);
        await sink.close();
      };
      await write('first', 1);
      const before = process.resourceUsage().maxRSS;
      await write('much', 200);
      console.log((process.resourceUsage().maxRSS - before) / 1024);`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, server.newUri()];
    const { stdout, stderr } = await promisify(execFile)('node', args);
    expect(stderr).toBe('');
    expect(Number(stdout)).toBeLessThan(100);
  });
});

describe('a server without conditional puts', () => {
  const store = open(`s3://bucket?endpoint=${plain.endpoint}&region=here`);

  it('putIfAbsent publishes an object once', async () => {
    expect(await store.putIfAbsent('a', pattern(5))).toBe(true);
    expect(await store.putIfAbsent('a', pattern(6))).toBe(false);
    expect(await readAll(store, 'a')).toEqual(pattern(5));
  });
});

test.each([
  ['s3://', /bucket is missing/],
  ['s3:///prefix', /bucket is missing/],
  ['s3://x', /"x" is not a valid bucket name/],
  ['s3://bucket/../x', /part "\." or "\.\."/],
  ['s3://bucket?endpont=http://x', /unknown setting "endpont" \(known: endpoint, region, path-style\)/],
  ['s3://bucket?region=', /setting region is empty/],
  ['s3://bucket?region=a&region=b', /region is given twice/],
  ['s3://bucket?endpoint=host:7480', /must be an http or https URL/],
  ['s3://bucket?endpoint=http://me:secret@host', /^(?!.*secret).*credentials must not be in the URI/],
  ['s3://bucket?path-style=yes', /path-style must be true or false/],
])('%s is no store', (uri, message) => {
  expect(() => parseS3Uri(uri)).toThrow(UserError);
  expect(() => parseS3Uri(uri)).toThrow(message);
});

test('path style is the default for a given endpoint', () => {
  expect(parseS3Uri('s3://bucket').pathStyle).toBe(false);
  expect(parseS3Uri('s3://bucket//a/b/?endpoint=http://h:1')).toEqual({
    bucket: 'bucket',
    prefix: 'a/b/',
    endpoint: 'http://h:1',
    region: undefined,
    pathStyle: true,
  });
  expect(parseS3Uri('s3://bucket?endpoint=https://h&path-style=false').pathStyle).toBe(false);
});

test.runIf(noServer === null)('wrong credentials are reported as such', async () => {
  const key = process.env.AWS_ACCESS_KEY_ID;
  process.env.AWS_ACCESS_KEY_ID = 'stranger';
  try {
    const store = open(server.newUri());
    await expect(store.size('x')).rejects.toThrow(/^s3:\/\/.*\/x: wrong credentials|access denied/);
    await expect(store.size('x')).rejects.toThrow(StorageError);
  } finally {
    process.env.AWS_ACCESS_KEY_ID = key;
  }
});

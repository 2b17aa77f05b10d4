/** CBOR: the examples of RFC 8949, appendix A, and answers of /standard to clients that ask for CBOR. */
import { beforeAll, describe, expect, test } from 'vitest';
import { encodeCbor, type Json } from '../../jobs/server/cbor.js';
import { served, smallStore } from '../support/serving.js';

const hex = (value: Json) => Buffer.from(encodeCbor(value)).toString('hex');

test.each<[Json, string]>([
  [0, '00'],
  [23, '17'],
  [24, '1818'],
  [100, '1864'],
  [1000, '1903e8'],
  [1000000, '1a000f4240'],
  [1000000000000, '1b000000e8d4a51000'],
  [-1, '20'],
  [-10, '29'],
  [-100, '3863'],
  [-1000, '3903e7'],
  [1.1, 'fb3ff199999999999a'],
  [false, 'f4'],
  [true, 'f5'],
  [null, 'f6'],
  ['', '60'],
  ['IETF', '6449455446'],
  ['\u00fc', '62c3bc'],
  [[], '80'],
  [[1, [2, 3], [4, 5]], '8301820203820405'],
  [{}, 'a0'],
  [{ a: 1, b: [2, 3] }, 'a26161016162820203'],
  [{ a: undefined as never, b: 1 }, 'a1616201'],
])('%j is %s', (value, bytes) => {
  expect(hex(value)).toBe(bytes);
});

test('long texts and lists have their length in front', () => {
  expect(hex('x'.repeat(300)).slice(0, 6)).toBe('79012c');
  expect(hex(Array.from({ length: 25 }, (_, i) => i)).slice(0, 4)).toBe('9819');
});

describe('/standard', () => {
  let app: ReturnType<typeof served>['app'];
  beforeAll(async () => {
    ({ app } = served(await smallStore()));
  });
  const ask = (accept: string, more: Record<string, string> = {}) =>
    app.request('/standard?fen=8/8/8/8/3k4/8/8/K6Q_w_-_-_0_1', { headers: { Accept: accept, ...more } });

  test.each([
    ['application/cbor', 'application/cbor'],
    ['application/cbor, application/json', 'application/cbor'],
    ['application/cbor;q=0.9, application/json;q=0.5', 'application/cbor'],
    ['application/cbor;q=0.5, application/json', 'application/json'],
    ['application/cbor;q=0', 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
  ])('Accept: %s', async (accept, type) => {
    const response = await ask(accept);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toContain(type);
    expect(response.headers.get('Vary')).toContain('Accept');
    const json = (await (await ask('application/json')).json()) as Json;
    const body = Buffer.from(await response.arrayBuffer());
    const expected = type === 'application/cbor' ? Buffer.from(encodeCbor(json)) : JSON.stringify(json);
    expect(body.toString('hex')).toBe(Buffer.from(expected as string).toString('hex'));
    const etag = response.headers.get('ETag')!;
    expect((await ask(accept, { 'If-None-Match': etag })).status).toBe(304);
  });
});

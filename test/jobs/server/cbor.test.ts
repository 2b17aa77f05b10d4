/** Replies of /standard in CBOR, to clients that prefer it, hold what those in JSON hold. */
import { decode } from 'cborg';
import { beforeAll, expect, test } from 'vitest';
import { served, smallStore } from '../../support/serving.js';

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
])('Accept: %s gets CBOR with the content of JSON, or JSON', async (accept, type) => {
  const response = await ask(accept);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toContain(type);
  expect(response.headers.get('Vary')).toContain('Accept');
  const body = new Uint8Array(await response.arrayBuffer());
  const read = type === 'application/cbor' ? decode(body) : JSON.parse(new TextDecoder().decode(body));
  expect(read).toEqual(await (await ask('application/json')).json());
  const etag = response.headers.get('ETag')!;
  expect((await ask(accept, { 'If-None-Match': etag })).status).toBe(304);
});

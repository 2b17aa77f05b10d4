/** The files of the page: those of its folder, and nothing beside it. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../operators/storage/memory.js';
import { testFolder } from '../../support/folders.js';
import { served } from '../../support/serving.js';

function site() {
  const folder = testFolder();
  const pages = join(folder, 'web');
  mkdirSync(join(pages, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(pages, 'index.html'), '<title>Board</title>');
  writeFileSync(join(pages, 'monitor.html'), '<title>Monitor</title>');
  writeFileSync(join(pages, 'assets', 'main-4f2a.js'), 'export {};');
  symlinkSync(join(folder, 'secret.txt'), join(pages, 'link.txt'));
  return served(memoryStore(), { pages }).app;
}

test.each([
  ['/', 'Board', 'text/html; charset=utf-8', 'no-cache'],
  ['/index.html', 'Board', 'text/html; charset=utf-8', 'no-cache'],
  ['/monitor', 'Monitor', 'text/html; charset=utf-8', 'no-cache'],
  ['/assets/main-4f2a.js', 'export', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/site.json', '"http"', 'application/json', 'no-cache'],
])('%s', async (path, holds, type, caching) => {
  const app = site();
  const response = await app.request(path);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(holds);
  expect(response.headers.get('Content-Type')).toBe(type);
  expect(response.headers.get('Cache-Control')).toBe(caching);
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(response.headers.get('Content-Security-Policy') !== null).toBe(type.startsWith('text/html'));
  const again = await app.request(path, { headers: { 'If-None-Match': response.headers.get('ETag')! } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test.each([
  '/secret.txt',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/..%5csecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/assets',
  '/assets/',
  '/index.html%00',
  '/index.html/',
  '/link.txt',
  '/web/index.html',
])('%s is not found', async (path) => {
  const response = await site().request(path);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('secret"');
});

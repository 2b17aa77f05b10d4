/** PageFolders: the same contract in memory, on disk, and on disk past the page cache. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { StorageError } from '../../../operators/core/errors.js';
import { localPageFolder } from '../../../operators/storage/local-page-folder.js';
import { PAGE_BYTES } from '../../../operators/storage/page-folder.js';
import { memoryPageFolder } from '../../support/memory-page-folder.js';

const root = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(root, { recursive: true }));

describe.each([
  ['memory', () => memoryPageFolder()],
  ['local', () => localPageFolder(join(root, 'cached', 'deep'), { direct: false })],
  ['direct', () => localPageFolder(join(root, 'direct'), { direct: true })],
])('%s', (_name, open) => {
  test('pages are written and read in random order, and are zero before the first write', () => {
    const folder = open();
    const pool = folder.pool(3);
    const file = folder.open('pages', true);
    pool.fill(1, 0, PAGE_BYTES).fill(2, PAGE_BYTES, 2 * PAGE_BYTES);
    file.write(5, pool, PAGE_BYTES);
    file.write(2, pool, 0);
    file.sync();
    const at = 2 * PAGE_BYTES;
    for (const [page, value] of [
      [2, 1],
      [5, 2],
      [3, 0],
      [0, 0],
      [99, 0],
    ]) {
      pool.fill(9, at);
      file.read(page, pool, at);
      expect([page, ...new Set(pool.subarray(at))]).toEqual([page, value]);
    }
    file.close();
    const again = folder.open('pages', false);
    again.read(5, pool, 0);
    expect(new Set(pool.subarray(0, PAGE_BYTES))).toEqual(new Set([2]));
    again.close();
    const empty = folder.open('pages', true);
    empty.read(5, pool, 0);
    expect(new Set(pool.subarray(0, PAGE_BYTES))).toEqual(new Set([0]));
    empty.close();
    folder.remove();
  });

  test('small files are replaced atomically; files are listed and deleted', () => {
    const folder = open();
    expect(folder.get('state')).toBeNull();
    expect(folder.list()).toEqual([]);
    folder.replace('state', Uint8Array.of(1, 2, 3));
    folder.replace('state', Uint8Array.of(4));
    folder.open('pages', false).close();
    expect([...folder.get('state')!]).toEqual([4]);
    expect(folder.list()).toEqual(['pages', 'state']);
    folder.delete('pages');
    folder.delete('pages');
    expect(folder.list()).toEqual(['state']);
    folder.remove();
    folder.remove();
    expect(folder.get('state')).toBeNull();
  });
});

test('system errors name the file', () => {
  writeFileSync(join(root, 'file'), '');
  const folder = localPageFolder(join(root, 'file'), { direct: false });
  expect(() => folder.open('pages', true)).toThrow(StorageError);
  expect(() => folder.open('pages', true)).toThrow(/file\/pages/);
  expect(() => folder.open('../up', true)).toThrow(/not a valid object name/);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StorageError } from '../../operators/core/errors.js';
import { systemError } from '../../operators/storage/errno.js';
import { localStore, unwritten } from '../../operators/storage/local.js';
import { memoryStore } from '../../operators/storage/memory.js';
import { newScratch } from '../../operators/storage/scratch.js';
import { readAll, type Store } from '../../operators/storage/store.js';
import { storeContract } from '../support/store-contract.js';
import { temporaryFolder } from './run-samples.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const { dir, remove } = temporaryFolder();
afterAll(remove);

const stores: [string, () => Store][] = [
  ['memory', () => memoryStore()],
  ['local scratch', () => localStore(join(dir, 'scratch'), { durable: false })],
  ['local durable', () => localStore(join(dir, 'durable'), { durable: true })],
];

describe.each(stores)('a %s store', (_, make) => storeContract(make));

describe('a local store', () => {
  const store = localStore(join(dir, 'local'), { durable: true });

  it('says in plain words what the system refused', async () => {
    await store.putIfAbsent('folder/file', bytes(1));
    await expect(store.read('folder', 0, new Uint8Array(1))).rejects.toThrow(
      /folder: it is a folder.*EISDIR/,
    );
    await expect(store.create('folder/file/x')).rejects.toThrow(/a part of its path is a file.*ENOTDIR/);
    await expect(store.create('x'.repeat(300)).then((sink) => sink.close())).rejects.toThrow(
      /too long.*ENAMETOOLONG/,
    );
    for (const [code, words] of [
      ['ENOSPC', /a\/b: the disk is full \(write: ENOSPC\)/],
      ['EACCES', /permission denied/],
      ['EROFS', /read-only/],
      ['EOTHER', /kaputt/],
    ] as const) {
      expect(systemError('a/b', 'write', Object.assign(new Error('kaputt'), { code })).message).toMatch(
        words,
      );
    }
  });

  it('refuses to overwrite a folder', async () => {
    const sink = await store.create('folder');
    await expect(sink.close()).rejects.toThrow(StorageError);
    expect(readdirSync(join(dir, 'local')).filter((name) => name.startsWith('.tmp-'))).toEqual([]);
  });

  it('reads more files than it keeps open', async () => {
    for (let i = 0; i < 100; i++) await store.putIfAbsent(`many/${i}`, bytes(i));
    const before = readdirSync('/proc/self/fd').length;
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 100; i++) expect(await readAll(store, `many/${i}`)).toEqual(bytes(i));
    }
    expect(readdirSync('/proc/self/fd').length - before).toBeLessThanOrEqual(32);
  });

  it('continues a short write where it ended', () => {
    const pieces = [bytes(1, 2), bytes(), bytes(3, 4, 5)];
    for (let written = 0; written <= 5; written++) {
      expect(unwritten(pieces, written).flatMap((piece) => [...piece])).toEqual(
        [1, 2, 3, 4, 5].slice(written),
      );
    }
  });

  it('has one winner among processes that publish the same name', () => {
    const script = `
      import { localStore } from './operators/storage/local.ts';
      const store = localStore(process.argv[1], { durable: false });
      let won = 0;
      for (let i = 0; i < 50; i++) won += await store.putIfAbsent('p/' + i, Uint8Array.of(+process.argv[2])) ? 1 : 0;
      console.log(won);`;
    const target = join(dir, 'processes');
    const run = `node --import tsx --input-type=module -e "$1" "$2"`;
    const out = execFileSync('sh', ['-c', `${run} 1 & ${run} 2 & wait`, 'sh', script, target], {
      encoding: 'utf8',
    });
    const won = out.trim().split('\n').map(Number);
    expect(won).toHaveLength(2);
    expect(won[0] + won[1]).toBe(50);
    expect(readdirSync(join(target, 'p'))).toHaveLength(50);
  });

  it('leaves nothing that is listed when the writer is killed', async () => {
    const script = `
      import { localStore } from './operators/storage/local.ts';
      const store = localStore(process.argv[1], { durable: true });
      const sink = await store.create('k/half');
      await sink.write([new Uint8Array(100000)]);
      process.kill(process.pid, 'SIGKILL');`;
    const target = join(dir, 'killed');
    const { signal } = spawnSync('node', ['--import', 'tsx', '--input-type=module', '-e', script, target]);
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(join(target, 'k'))).toEqual([expect.stringMatching(/^\.tmp-/)]);
    const after = localStore(target, { durable: true });
    expect(await after.list('')).toEqual([]);
    expect(await after.size('k/half')).toBeNull();
  });

  it('takes another temporary name when a dead process has left one', async () => {
    const target = join(dir, 'remains');
    mkdirSync(target);
    for (let n = 0; n < 2000; n++) writeFileSync(join(target, `.tmp-${process.pid}-${n}`), '');
    const after = localStore(target, { durable: false });
    expect(await after.putIfAbsent('new', bytes(7))).toBe(true);
    expect([...readFileSync(join(target, 'new'))]).toEqual([7]);
  });

  it('says when the disk is full, and leaves nothing', async (context) => {
    const mount = join(dir, 'full');
    mkdirSync(mount);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount]);
    if (mounted.status !== 0) return context.skip('no small file system can be mounted here');
    try {
      const full = localStore(mount, { durable: true });
      const sink = await full.create('big');
      const write = sink.write([new Uint8Array(700_000), new Uint8Array(700_000)]);
      await expect(write).rejects.toThrow(/big: the disk is full \(write: ENOSPC\)/);
      await sink.abort();
      expect(readdirSync(mount)).toEqual([]);
      await expect(full.putIfAbsent('small', new Uint8Array(2_000_000))).rejects.toThrow(
        /small: the disk is full/,
      );
      expect(readdirSync(mount)).toEqual([]);
    } finally {
      execFileSync('umount', [mount]);
    }
  });
});

it('scratch gives each name once', () => {
  const scratch = newScratch(memoryStore(), 'sort/3');
  const names = Array.from({ length: 100 }, () => scratch.name());
  expect(new Set(names).size).toBe(100);
  expect(names[0]).toBe('sort/3/0');
});

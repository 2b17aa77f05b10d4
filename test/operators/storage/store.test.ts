import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { measureFolder, tidyParts } from '../../../jobs/engines/scratch-folder.js';
import { StorageError } from '../../../operators/core/errors.js';
import { supportsDirect } from '../../../operators/storage/direct-file.js';
import { systemError } from '../../../operators/storage/errno.js';
import { unwritten } from '../../../operators/storage/file-access.js';
import { localStore } from '../../../operators/storage/local.js';
import { memoryStore } from '../../../operators/storage/memory.js';
import { newScratch } from '../../../operators/storage/scratch.js';
import { readAll, type Store } from '../../../operators/storage/store.js';
import { ifUnlisted, LISTS_OPEN_FILES, openFiles } from '../../support/open-files.js';
import { storeContract } from '../../support/store-contract.js';
import { random, temporaryFolder } from '../run-samples.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const { dir, remove } = temporaryFolder();
afterAll(remove);

const direct = supportsDirect(join(dir, 'direct'));
const stores: [string, () => Store][] = [
  ['memory', () => memoryStore()],
  ['local scratch', () => localStore(join(dir, 'scratch'), { durable: false })],
  ['local durable', () => localStore(join(dir, 'durable'), { durable: true })],
  ['local direct', () => localStore(join(dir, 'direct'), { durable: true, direct: true })],
];
const cannot = (name: string): boolean => name === 'local direct' && !direct;

describe.each(stores)('a %s store', (name, make) => {
  beforeEach((context) => context.skip(cannot(name), 'no direct I/O in the folder for temporary files'));
  storeContract(make);
});

describe('something that is not an object', () => {
  const root = join(dir, 'odd');
  const store = localStore(root, { durable: false });
  const odd: [string, string, (path: string) => void][] = [
    ['a FIFO', 'is a named pipe (FIFO), not a regular file', (path) => execFileSync('mkfifo', [path])],
    ['a folder', 'is a folder, not a regular file', (path) => mkdirSync(path)],
    ['a symbolic link to nothing', 'is a dangling symbolic link', (path) => symlinkSync('nowhere', path)],
    ['a device', 'is a device, not a regular file', (path) => symlinkSync('/dev/null', path)],
  ];

  it.each(odd)('%s in the place of an object is refused by name, without blocking', async (_, what, make) => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    make(join(root, 'object'));
    const refusal = { message: expect.stringMatching(/^file:.*\/object: /) as string };
    for (const attempt of [
      () => store.size('object'),
      () => store.modified('object'),
      () => readAll(store, 'object'),
      () => store.putIfAbsent('object', bytes(1)),
    ]) {
      await expect(attempt()).rejects.toThrow(what);
      await expect(attempt()).rejects.toMatchObject(refusal);
      await expect(attempt()).rejects.toBeInstanceOf(StorageError);
    }
    await expect(store.read('object', 0, new Uint8Array(1))).rejects.toBeInstanceOf(StorageError);
  });

  it('symbolic links to folders are followed, and a circle of them ends', async () => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(join(root, 'a'), { recursive: true });
    mkdirSync(join(dir, 'elsewhere'), { recursive: true });
    writeFileSync(join(dir, 'elsewhere', 'one'), 'one');
    symlinkSync(join(dir, 'elsewhere'), join(root, 'a', 'linked'));
    symlinkSync('..', join(root, 'a', 'circle'));
    expect(await store.list('')).toEqual(['a/linked/one']);
  });
});

it('files renamed or deleted by another process during a listing are no error', async () => {
  const root = join(dir, 'restless');
  mkdirSync(root, { recursive: true });
  const script = `
    const { mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
    process.chdir(process.argv[1]);
    for (let i = 0; ; i++) {
      const folder = 'x/' + (i % 7);
      mkdirSync(folder, { recursive: true });
      writeFileSync(folder + '/.tmp-00000000000000aa-' + i, 'x');
      renameSync(folder + '/.tmp-00000000000000aa-' + i, folder + '/object');
      if (i % 3 === 0) rmSync(folder, { recursive: true });
      if (i === 20) process.stdout.write('restless');
    }`;
  const child = spawn(process.execPath, ['-e', script, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    const store = localStore(root, { durable: false });
    for (let i = 0; i < 400; i++) {
      for (const name of await store.list('')) {
        await store.size(name);
        await store.modified(name);
        await readAll(store, name);
      }
      await store.unfinished!('');
      measureFolder(root);
      tidyParts(root);
    }
  } finally {
    child.kill('SIGKILL');
  }
});

describe.for(stores)('a %s store also', ([name, make]) => {
  const store = make();
  beforeEach((context) => context.skip(cannot(name), 'no direct I/O in the folder for temporary files'));

  it('accepts pieces of any size and returns any range', async () => {
    const next = random(7);
    for (const size of [4095, 4096, 262_143, 262_144, 262_145, 900_001]) {
      const all = Uint8Array.from({ length: size }, next);
      const sink = await store.create('ranges');
      for (let at = 0; at < size; ) {
        const end = Math.min(size, at + (next() % 3 === 0 ? next() % 400_000 : next() % 9000));
        await sink.write([all.subarray(at, Math.min(end, at + 1)), all.subarray(at + 1, end)]);
        at = Math.max(at + 1, end);
      }
      await sink.close();
      expect(await store.size('ranges')).toBe(size);
      expect(Buffer.compare((await readAll(store, 'ranges'))!, all)).toBe(0);
      for (let i = 0; i < 20; i++) {
        const at = next() % size;
        const part = new Uint8Array(next() % (size - at));
        await store.read('ranges', at, part);
        expect(Buffer.compare(part, all.subarray(at, at + part.length))).toBe(0);
      }
      await expect(store.read('ranges', size - 1, new Uint8Array(2))).rejects.toThrow(
        `ends at byte ${size}, but`,
      );
    }
  });

  it('has swap space that is rewritten in place', () => {
    const next = random(9);
    const model = new Uint8Array(1 << 20);
    const swap = store.swap!('swap/1');
    swap.write(0, model);
    for (let i = 0; i < 60; i++) {
      const at = next() % model.length;
      const length = Math.min(model.length - at, next() % (i % 4 === 0 ? 600_000 : 9000));
      const piece = Uint8Array.from({ length }, next);
      swap.write(at, piece);
      model.set(piece, at);
      const from = Math.max(0, at - (next() % 5000));
      const seen = new Uint8Array(Math.min(model.length - from, length + (next() % 10_000)));
      swap.read(from, seen);
      expect(Buffer.compare(seen, model.subarray(from, from + seen.length))).toBe(0);
    }
    swap.remove();
  });
});

it.skipIf(!direct)(
  'a direct store opens every file with O_DIRECT, and its objects have their own size',
  async () => {
    const folder = join(dir, 'flags');
    const store = localStore(folder, { durable: false, direct: true });
    const sink = await store.create('a');
    const swap = store.swap!('swap');
    await sink.write([bytes(1, 2, 3)]);
    await store.putIfAbsent('b', bytes(4));
    await readAll(store, 'b');
    // The object being written, the swap space, and the object read.
    expect(openFlagsUnder(folder).map((flags) => (flags & constants.O_DIRECT) !== 0)).toEqual([
      true,
      true,
      true,
    ]);
    await sink.close();
    swap.remove();
    expect([statSync(join(folder, 'a')).size, statSync(join(folder, 'b')).size]).toEqual([3, 1]);
  },
);

/** The flags of this process's open files under the folder. */
function openFlagsUnder(folder: string): number[] {
  return openFiles(folder).map(({ descriptor }) => {
    const [, flags] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))!;
    return Number.parseInt(flags, 8);
  });
}

it('a file system without direct I/O is reported, and no file is left', async (context) => {
  const mount = join(dir, 'ramfs');
  mkdirSync(mount);
  // ramfs has no O_DIRECT; tmpfs has it since Linux 6.6.
  if (spawnSync('mount', ['-t', 'ramfs', 'ramfs', mount]).status !== 0)
    return context.skip('no file system can be mounted here');
  try {
    expect(supportsDirect(mount)).toBe(false);
    const store = localStore(mount, { durable: true, direct: true });
    await expect(store.create('a/b')).rejects.toThrow(/a\/b: its file system does not support direct I\/O/);
    expect(() => store.swap!('a/swap')).toThrow(/a\/swap: its file system does not support direct I\/O/);
    expect(readdirSync(join(mount, 'a'))).toEqual([]);
  } finally {
    execFileSync('umount', [mount]);
  }
});

describe('a local store', () => {
  const store = localStore(join(dir, 'local'), { durable: true });

  it('reports system errors in plain words', async () => {
    await store.putIfAbsent('folder/file', bytes(1));
    await expect(store.read('folder', 0, new Uint8Array(1))).rejects.toThrow(
      /folder: is a folder, not a regular file/,
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

  it('continues a short write', () => {
    const pieces = [bytes(1, 2), bytes(), bytes(3, 4, 5)];
    for (let written = 0; written <= 5; written++) {
      expect(unwritten(pieces, written).flatMap((piece) => [...piece])).toEqual(
        [1, 2, 3, 4, 5].slice(written),
      );
    }
  });

  it('lets one of several processes publish a name', () => {
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

  it('lists nothing of a writer that was killed', async () => {
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

  it('publishes a large durable file whole, also if the writer never lets the event loop turn', async () => {
    const durable = localStore(join(dir, 'large'), { durable: true });
    const piece = new Uint8Array(1 << 20).map((_, i) => i * 7);
    const given: number[] = [];
    for (const name of ['kept', 'given up']) {
      const sink = await durable.create(name);
      for (let i = 0; i < 70; i++) {
        piece[0] = i;
        await sink.write([piece]);
        if (name === 'kept') given.push(i);
      }
      await (name === 'kept' ? sink.close() : sink.abort());
    }
    expect(readdirSync(join(dir, 'large'))).toEqual(['kept']);
    const read = readFileSync(join(dir, 'large', 'kept'));
    expect(read.length).toBe(70 << 20);
    for (const i of given) {
      piece[0] = i;
      expect(read.subarray(i << 20, (i + 1) << 20).equals(piece)).toBe(true);
    }
    await durable.delete('kept');
    expect(await durable.size('kept')).toBeNull();
    await durable.delete('kept');
  });

  it('reports a full disk, and leaves nothing', async (context) => {
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

it('scratch hands out each name once', () => {
  const scratch = newScratch(memoryStore(), 'sort/3');
  const names = Array.from({ length: 100 }, () => scratch.name());
  expect(new Set(names).size).toBe(100);
  expect(names[0]).toBe('sort/3/0');
});

it('scratch in a folder writes over objects that were given back; elsewhere it deletes them', async () => {
  const folder = localStore(join(dir, 'given-back'), { durable: false });
  const names: string[] = [];
  for (const store of [folder, memoryStore()]) {
    const scratch = newScratch(store, 'sort');
    for (const written of [bytes(1, 2, 3, 4), bytes(5, 6)]) {
      const { name, sink } = await scratch.object();
      await sink.write([written.subarray(0, 1), written.subarray(1)]);
      await sink.close();
      const read = new Uint8Array(written.length);
      await store.read(name, 0, read);
      expect(read).toEqual(written);
      await scratch.giveBack(name, written.length);
      names.push(name);
    }
    const { sink } = await scratch.object();
    await sink.abort();
  }
  expect(names).toEqual(['sort/0', 'sort/0', 'sort/0', 'sort/1']);
  expect(await folder.list('')).toEqual([]);
});

it('scratch writes over its largest object first, and keeps none of another scratch', async () => {
  const folder = localStore(join(dir, 'largest'), { durable: false });
  const [scratch, other] = ['a', 'b'].map((prefix) => newScratch(folder, prefix));
  for (const [of, size] of [
    [scratch, 3],
    [scratch, 5],
    [scratch, 4],
    [other, 9],
  ] as const) {
    const { sink } = await of.object();
    await sink.write([new Uint8Array(size)]);
    await sink.close();
  }
  for (const [name, size] of [
    ['a/0', 3],
    ['a/1', 5],
    ['b/0', 9],
    ['a/2', 4],
  ] as const)
    await scratch.giveBack(name, size);
  expect((await folder.list('')).sort()).toEqual(['a/0', 'a/1', 'a/2']);
  const names: string[] = [];
  for (let i = 0; i < 4; i++) names.push((await scratch.object()).name);
  expect(names).toEqual(['a/1', 'a/2', 'a/0', 'a/3']);
  expect((await other.object()).name).toBe('b/1');
});

it('scratch reuses swap space that was freed', () => {
  const scratch = newScratch(localStore(join(dir, 'swaps'), { durable: false }), 'sort');
  const first = scratch.swap();
  first.write(2, bytes(7, 8));
  first.remove();
  const second = scratch.swap();
  second.write(0, bytes(9));
  const read = bytes(0, 0);
  second.read(0, read.subarray(0, 1));
  second.read(3, read.subarray(1));
  expect(read).toEqual(bytes(9, 8));
});

/** A store in which another process deletes `name` before each of the first `times` reads, and puts `again` after each. */
async function contestedStore(name: string, times: number, again: Uint8Array | null): Promise<Store> {
  const store = memoryStore();
  await store.putIfAbsent(name, bytes(1, 2, 3));
  let left = times;
  return {
    ...store,
    async read(wanted, offset, into) {
      if (left-- <= 0) return store.read(wanted, offset, into);
      await store.delete(name);
      const reading = store.read(wanted, offset, into);
      if (again !== null) await store.putIfAbsent(name, again);
      return reading;
    },
  };
}

it('reads an object whole, or as absent, while another process deletes and puts it', async () => {
  expect(await readAll(await contestedStore('a', 1, null), 'a')).toBeNull();
  expect(await readAll(await contestedStore('a', 2, bytes(4)), 'a')).toEqual(bytes(4));
  const never = readAll(await contestedStore('a', Number.POSITIVE_INFINITY, bytes(4)), 'a');
  await expect(never).rejects.toThrow('memory:/a: no such object');
});

it.runIf(LISTS_OPEN_FILES)(
  `closes files that it read, so that deleting them elsewhere frees their space${ifUnlisted}`,
  async () => {
    const folder = join(dir, 'read');
    const store = localStore(folder, { durable: false });
    const isOpen = () => openFiles(join(folder, 'object')).length > 0;
    await store.putIfAbsent('object', bytes(1, 2));
    expect(await readAll(store, 'object')).toEqual(bytes(1, 2));
    expect(isOpen()).toBe(true);
    store.closeRead!();
    expect(isOpen()).toBe(false);
    expect(await readAll(store, 'object')).toEqual(bytes(1, 2));
  },
);

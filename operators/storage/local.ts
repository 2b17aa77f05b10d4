/**
 * A Store in a folder of a file system.
 *
 * Reads and writes are the synchronous calls of Node (`readSync`, `writevSync`), wrapped in promises only to keep the
 * contract: on the page cache they move 8 GB/s in pieces of any size, where a FileHandle's promises cost a thread-pool
 * round trip each and give 1.5 GB/s in 64 KB pieces. Only fsync, which really waits for a device, leaves the thread.
 */
import {
  closeSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
  writevSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StorageError } from '../core/errors.js';
import { type Descriptors, newDescriptors } from './descriptors.js';
import { errnoOf, systemError } from './errno.js';
import { fileAt, isObject, isTemporary, listInto, temporaryAt } from './local-files.js';
import { tooShort } from './memory.js';
import { checkName, objectName, TEMPORARY } from './names.js';
import type { Sink, Store } from './store.js';
import type { Swap } from './swap.js';

const OPEN_FILES = 32;
const toDisk = promisify(fsync);
let temporaries = 0;

/**
 * The store of the files under `dir`, which is made when first written to. Objects appear whole or not at all: they are
 * written under a temporary name in the same folder, then renamed (`putIfAbsent`: linked). With `durable`, file and
 * folder are also synced to the device before an object counts as published; scratch needs that not.
 */
export function localStore(dir: string, { durable }: { durable: boolean }): Store {
  const root = resolve(dir);
  const at = { uri: `file:${root}` };
  const descriptors = newDescriptors(OPEN_FILES);

  function pathOf(name: string): string {
    checkName(at, name);
    return join(root, name);
  }

  return {
    uri: at.uri,
    async read(name, offset, into) {
      const path = pathOf(name);
      try {
        readFully(descriptors.open(path), objectName(at, name), offset, into);
      } catch (error) {
        throw systemError(objectName(at, name), 'read', error);
      }
    },
    async size(name) {
      return fileAt(pathOf(name), objectName(at, name))?.size ?? null;
    },
    async modified(name) {
      return fileAt(pathOf(name), objectName(at, name))?.mtimeMs ?? null;
    },
    async create(name) {
      const target: Target = { path: pathOf(name), object: objectName(at, name), durable, descriptors };
      try {
        return fileSink(target, await openTemporary(target));
      } catch (error) {
        throw systemError(target.object, 'create', error);
      }
    },
    async putIfAbsent(name, bytes) {
      const target: Target = { path: pathOf(name), object: objectName(at, name), durable, descriptors };
      try {
        return await linkNew(target, bytes);
      } catch (error) {
        throw systemError(target.object, 'write', error);
      }
    },
    async list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      if (folder !== '') checkName(at, folder.slice(0, -1));
      const names: string[] = [];
      listInto(names, at, root, folder, isObject);
      return names.filter((name) => name.startsWith(prefix)).sort();
    },
    async unfinished(prefix) {
      const names: string[] = [];
      listInto(names, at, root, '', isTemporary);
      return names.filter((name) => name.startsWith(prefix)).flatMap((name) => temporaryAt(at, root, name));
    },
    async delete(name) {
      const path = pathOf(name);
      descriptors.drop(path);
      try {
        unlinkSync(path);
      } catch (error) {
        if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return;
        throw systemError(objectName(at, name), 'delete', error);
      }
    },
    swap: (name) => fileSwap(pathOf(name), objectName(at, name)),
  };
}

/** The file that is to appear, and how. */
interface Target {
  readonly path: string;
  readonly object: string;
  readonly durable: boolean;
  readonly descriptors: Descriptors;
}

interface Temporary {
  readonly path: string;
  readonly descriptor: number;
}

/** The pieces, or ends of pieces, that a write of `written` bytes has left over. */
export function unwritten(pieces: readonly Uint8Array[], written: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let skip = written;
  for (const piece of pieces) {
    if (skip < piece.length) rest.push(skip === 0 ? piece : piece.subarray(skip));
    skip = Math.max(0, skip - piece.length);
  }
  return rest;
}

function readFully(descriptor: number, object: string, offset: number, into: Uint8Array): void {
  let done = 0;
  while (done < into.length) {
    const got = readSync(descriptor, into, done, into.length - done, offset + done);
    if (got === 0) throw tooShort(object, offset, into.length, offset + done);
    done += got;
  }
}

function writeFully(descriptor: number, object: string, pieces: readonly Uint8Array[]): void {
  let total = 0;
  for (const piece of pieces) total += piece.length;
  let rest = pieces;
  while (total > 0) {
    // A write may be short (a full disk, a signal, 2 GiB at once): the next one continues it or says why not.
    const written = writevSync(descriptor, rest as Uint8Array[]);
    if (written === 0) throw new StorageError(object, 'the file system accepts no more bytes');
    total -= written;
    if (total > 0) rest = unwritten(rest, written);
  }
}

/** The file has no name any more once it is open, so nothing of it survives the process. */
function fileSwap(path: string, object: string): Swap {
  const attempt = <T>(action: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw systemError(object, action, error);
    }
  };
  const descriptor = attempt('create', () => {
    mkdirSync(dirname(path), { recursive: true });
    const opened = openSync(path, 'w+');
    unlinkSync(path);
    return opened;
  });
  return {
    read: (offset, into) => attempt('read', () => readFully(descriptor, object, offset, into)),
    write: (offset, bytes) =>
      attempt('write', () => {
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
        }
      }),
    remove: () => closeSync(descriptor),
  };
}

async function openTemporary(target: Target): Promise<Temporary> {
  const folder = dirname(target.path);
  for (let made = false; ; ) {
    // The name may be taken by the remains of a killed process with our number, or by one on another machine.
    const path = join(folder, `${TEMPORARY}${process.pid}-${temporaries++}`);
    try {
      return { path, descriptor: openSync(path, 'wx') };
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') continue;
      // Some folders (/proc) can be made, says the system, and are not there.
      if (errnoOf(error) !== 'ENOENT' || made) throw error;
      await makeFolder(folder, target.durable);
      made = true;
    }
  }
}

/** As `mkdir -p`: Node's own recursive mkdir never returns where the system will not make a folder (below /proc). */
async function makeFolder(folder: string, durable: boolean): Promise<void> {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    if (errnoOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), durable);
    try {
      mkdirSync(folder);
    } catch (again) {
      if (errnoOf(again) !== 'EEXIST') throw again;
    }
  }
  if (durable) await syncFolder(dirname(folder));
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, 'r');
  try {
    await toDisk(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function fileSink(target: Target, temporary: Temporary): Sink {
  let open = true;

  function giveUp(): void {
    if (!open) return;
    open = false;
    closeSync(temporary.descriptor);
    unlinkSync(temporary.path);
  }

  return {
    async write(pieces) {
      try {
        writeFully(temporary.descriptor, target.object, pieces);
      } catch (error) {
        throw systemError(target.object, 'write', error);
      }
    },
    async close() {
      try {
        if (target.durable) await toDisk(temporary.descriptor);
        target.descriptors.drop(target.path);
        renameSync(temporary.path, target.path);
        open = false;
        closeSync(temporary.descriptor);
        if (target.durable) await syncFolder(dirname(target.path));
      } catch (error) {
        giveUp();
        throw systemError(target.object, 'close', error);
      }
    },
    async abort() {
      try {
        giveUp();
      } catch (error) {
        throw systemError(target.object, 'abort', error);
      }
    },
  };
}

async function linkNew(target: Target, bytes: Uint8Array): Promise<boolean> {
  const temporary = await openTemporary(target);
  try {
    try {
      writeFully(temporary.descriptor, target.object, [bytes]);
      if (target.durable) await toDisk(temporary.descriptor);
    } finally {
      closeSync(temporary.descriptor);
    }
    linkSync(temporary.path, target.path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(temporary.path);
  }
  if (target.durable) await syncFolder(dirname(target.path));
  return true;
}

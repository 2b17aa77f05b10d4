/**
 * A Store in a folder of a file system.
 *
 * Reads and writes are the synchronous calls of Node (file-access.ts), wrapped in promises only to keep the
 * contract. On the page cache they move 8 GB/s in pieces of any size. A FileHandle's promises cost a thread-pool round trip
 * each and give 1.5 GB/s in 64 KB pieces. Only two calls leave the thread: fsync, which waits for the device, and the
 * removal of durable files, which are large, so that the worker need not wait for either.
 */
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  unlink,
  unlinkSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { StorageError } from '../core/errors.js';
import { type Descriptors, newDescriptors } from './descriptors.js';
import { directAccess } from './direct-file.js';
import { errnoOf, systemError } from './errno.js';
import { cachedAccess, EMPTY_FILE, type FileAccess, NEW_FILE, REWRITTEN_FILE } from './file-access.js';
import { fileAt, isObject, isTemporary, listInto, requireRegular, temporaryAt } from './local-files.js';
import { checkName, objectName, TEMPORARY } from './object-names.js';
import {
  changed,
  isUnusable,
  mayChangeOpenFiles,
  READ_AT_ONCE,
  replaceFile,
  syncFolder,
  unlinkOpened,
} from './platform.js';
import type { Sink, Store } from './store.js';
import type { Swap } from './swap.js';

const OPEN_FILES = 32;
const toDisk = promisify(fsync);
const dataToDisk = promisify(fdatasync);
const unlinkAside = promisify(unlink);
/** A durable file is synced whenever so many bytes were written, so that closing it waits for the last ones only. */
const AHEAD_BYTES = 8 << 20;
const MOST_SYNCS = 4;
let temporaries = 0;

/**
 * The store of the files under `dir`, which is made when first written to. Objects appear whole or not at all: they are
 * written under a temporary name in the same folder, then renamed (`putIfAbsent`: linked). With `durable`, file and
 * folder are also synced to the device before an object counts as published, which scratch does not need. With `direct` all
 * reads and writes bypass the page cache (see direct-file.ts). If the file system cannot do
 * that, every read and write is a StorageError that says so.
 */
export function localStore(
  dir: string,
  { durable, direct = false }: { durable: boolean; direct?: boolean },
): Store {
  const root = resolve(dir);
  const at = { uri: `file:${root}` };
  const access = direct ? directAccess : cachedAccess;
  const descriptors = newDescriptors(OPEN_FILES, (path) =>
    regular(access.open(path, READ_AT_ONCE), objectAt(path)),
  );

  const objectAt = (path: string) => objectName(at, relative(root, path).replaceAll(sep, '/'));

  function pathOf(name: string): string {
    checkName(at, name);
    if (isUnusable(name))
      throw new StorageError(objectName(at, name), 'no file can be called so on this operating system');
    return join(root, name);
  }

  function targetOf(name: string): Target {
    return { path: pathOf(name), object: objectName(at, name), durable, access, descriptors };
  }

  return {
    uri: at.uri,
    async read(name, offset, into) {
      const path = pathOf(name);
      try {
        access.read(descriptors.open(path), objectName(at, name), offset, into);
        if (!mayChangeOpenFiles) descriptors.drop(path);
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
      const target = targetOf(name);
      try {
        return fileSink(target, await openTemporary(target));
      } catch (error) {
        throw systemError(target.object, 'create', error);
      }
    },
    async putIfAbsent(name, bytes) {
      const target = targetOf(name);
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
        await changed(() => (durable ? unlinkAside(path) : unlinkSync(path)));
      } catch (error) {
        if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return;
        throw systemError(objectName(at, name), 'delete', error);
      }
    },
    async overwrite(name) {
      const target = targetOf(name);
      try {
        mkdirSync(dirname(target.path), { recursive: true });
        const descriptor = descriptors.withRoom(() => access.open(target.path, REWRITTEN_FILE));
        return rewritingSink(target, descriptor);
      } catch (error) {
        throw systemError(target.object, 'create', error);
      }
    },
    closeRead: descriptors.dropAll,
    swap: (name, isNamed = false) => fileSwap(pathOf(name), objectName(at, name), access, isNamed),
  };
}

/** The descriptor, if it is that of a regular file. Otherwise closes it and throws a StorageError. */
function regular(descriptor: number, object: string): number {
  try {
    requireRegular(fstatSync(descriptor), object);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The object to be published, and its temporary file. */
interface Target {
  readonly path: string;
  readonly object: string;
  readonly durable: boolean;
  readonly access: FileAccess;
  readonly descriptors: Descriptors;
}

interface Temporary {
  readonly path: string;
  readonly descriptor: number;
}

/** Opens a file and, unless it `isNamed`, removes its name at once if it can, so that nothing of it survives the process. */
function fileSwap(path: string, object: string, access: FileAccess, isNamed: boolean): Swap {
  const attempt = <T>(action: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw systemError(object, action, error);
    }
  };
  let hasName = isNamed;
  const descriptor = attempt('create', () => {
    mkdirSync(dirname(path), { recursive: true });
    const opened = access.open(path, isNamed ? REWRITTEN_FILE : EMPTY_FILE);
    if (!isNamed) hasName = !unlinkOpened(path);
    return opened;
  });
  return {
    read: (offset, into) => attempt('read', () => access.read(descriptor, object, offset, into)),
    write: (offset, bytes) => attempt('write', () => access.overwrite(descriptor, object, offset, bytes)),
    remove: () => {
      closeSync(descriptor);
      if (hasName && !isNamed) rmSync(path, { force: true });
    },
  };
}

async function openTemporary(target: Target): Promise<Temporary> {
  const folder = dirname(target.path);
  for (let made = false; ; ) {
    // A killed process with our process number, or a process on another machine, may have left a file of this name.
    const path = join(folder, `${TEMPORARY}${process.pid}-${temporaries++}`);
    try {
      return { path, descriptor: target.descriptors.withRoom(() => target.access.open(path, NEW_FILE)) };
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') continue;
      // In some folders (/proc) mkdir succeeds and makes nothing.
      if (errnoOf(error) !== 'ENOENT' || made) throw error;
      await makeFolder(folder, target);
      made = true;
    }
  }
}

/** `mkdir -p`. Node's own recursive mkdir never returns where the system makes no folder (below /proc). */
async function makeFolder(folder: string, target: Pick<Target, 'durable' | 'descriptors'>): Promise<void> {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return;
    if (errnoOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), target);
    try {
      mkdirSync(folder);
    } catch (again) {
      if (errnoOf(again) !== 'EEXIST') throw again;
    }
  }
  if (target.durable) await syncNames(dirname(folder), target.descriptors);
}

function syncNames(folder: string, { withRoom }: Pick<Descriptors, 'withRoom'>): Promise<void> {
  return syncFolder(folder, (path) => withRoom(() => openSync(path, 'r')));
}

/** The fsyncs of a file that is still being written. */
function newSyncs(descriptor: number) {
  const underway = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  return {
    async begin(): Promise<void> {
      // A writer that never awaits keeps the event loop from turning, and the end of a sync is only reported when it turns.
      if (underway.size === MOST_SYNCS) await new Promise((resolve) => setImmediate(resolve));
      if (underway.size === MOST_SYNCS) return;
      const sync = dataToDisk(descriptor)
        .catch((error: unknown) => {
          // The system reports a failure only once.
          failure ??= { error };
        })
        .finally(() => underway.delete(sync));
      underway.add(sync);
    },
    /** Throws if a sync has failed. */
    async settle(): Promise<void> {
      await Promise.all(underway);
      if (failure !== undefined) throw failure.error;
    },
  };
}

function fileSink(target: Target, temporary: Temporary): Sink {
  const appender = target.access.appender(temporary.descriptor, target.object);
  /** Whether the temporary file is there, and whether it is open. */
  let there = true;
  let open = true;
  let behind = 0;
  const ahead = newSyncs(temporary.descriptor);

  function shut(): void {
    const wasOpen = open;
    open = false;
    if (wasOpen) closeSync(temporary.descriptor);
  }

  async function giveUp(): Promise<void> {
    if (!there) return;
    there = false;
    appender.drop();
    await ahead.settle().catch(() => {});
    shut();
    await changed(() => unlinkSync(temporary.path));
  }

  return {
    async write(pieces) {
      try {
        appender.append(pieces);
      } catch (error) {
        throw systemError(target.object, 'write', error);
      }
      for (const piece of pieces) behind += piece.length;
      if (!target.durable || behind < AHEAD_BYTES) return;
      behind = 0;
      await ahead.begin();
    },
    async close() {
      try {
        appender.finish();
        await ahead.settle();
        if (target.durable) await toDisk(temporary.descriptor);
        // Not every system renames a file that is open.
        shut();
        target.descriptors.drop(target.path);
        await replaceFile(temporary.path, target.path);
        there = false;
        if (target.durable) await syncNames(dirname(target.path), target.descriptors);
      } catch (error) {
        await giveUp();
        throw systemError(target.object, 'close', error);
      }
    },
    async abort() {
      try {
        await giveUp();
      } catch (error) {
        throw systemError(target.object, 'abort', error);
      }
    },
  };
}

/** Writes a file over, from its start on. */
function rewritingSink({ path, object, access, descriptors }: Target, descriptor: number): Sink {
  let end = 0;
  let open = true;

  function shut(): void {
    if (open) closeSync(descriptor);
    open = false;
  }

  return {
    async write(pieces) {
      try {
        for (const piece of pieces) {
          access.overwrite(descriptor, object, end, piece);
          end += piece.length;
        }
      } catch (error) {
        throw systemError(object, 'write', error);
      }
    },
    async close() {
      try {
        shut();
      } catch (error) {
        throw systemError(object, 'close', error);
      }
    },
    async abort() {
      try {
        shut();
        descriptors.drop(path);
        rmSync(path, { force: true });
      } catch (error) {
        throw systemError(object, 'abort', error);
      }
    },
  };
}

async function linkNew(target: Target, bytes: Uint8Array): Promise<boolean> {
  const temporary = await openTemporary(target);
  const appender = target.access.appender(temporary.descriptor, target.object);
  try {
    try {
      appender.append([bytes]);
      appender.finish();
      if (target.durable) await toDisk(temporary.descriptor);
    } finally {
      appender.drop();
      closeSync(temporary.descriptor);
    }
    linkSync(temporary.path, target.path);
  } catch (error) {
    // `fileAt` throws if the name belongs to something else than a file: `false` would mean that there is an object.
    if (errnoOf(error) === 'EEXIST') {
      fileAt(target.path, target.object);
      return false;
    }
    throw error;
  } finally {
    await changed(() => unlinkSync(temporary.path));
  }
  if (target.durable) await syncNames(dirname(target.path), target.descriptors);
  return true;
}

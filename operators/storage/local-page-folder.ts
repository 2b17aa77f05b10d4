import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StorageError } from '../core/errors.js';
import { errnoOf, systemError } from './errno.js';
import { checkName, objectName, TEMPORARY } from './names.js';
import { PAGE_BYTES, type PageFile, type PageFolder } from './page-folder.js';

/**
 * The PageFolder `dir` of a file system; it is made if it is not there. With `direct`, page files are opened with
 * O_DIRECT: every page costs what the device takes, the operating system's page cache being passed by. A file system that cannot (tmpfs) is a StorageError.
 */
export function localPageFolder(dir: string, { direct }: { direct: boolean }): PageFolder {
  const root = resolve(dir);
  const at = { uri: `file:${root}` };

  function attempt<T>(name: string, action: string, work: (path: string) => T): T {
    checkName(at, name);
    try {
      return work(join(root, name));
    } catch (error) {
      throw systemError(objectName(at, name), action, error);
    }
  }

  return {
    uri: at.uri,
    pool: (pages) => (direct ? alignedPages(pages) : new Uint8Array(pages * PAGE_BYTES)),
    open: (name, empty) =>
      attempt(name, 'open', (path) => {
        mkdirSync(root, { recursive: true });
        const flags = constants.O_RDWR | constants.O_CREAT | (empty ? constants.O_TRUNC : 0);
        const object = objectName(at, name);
        if (!direct) return localPageFile(openSync(path, flags), object);
        try {
          return localPageFile(openSync(path, flags | constants.O_DIRECT), object);
        } catch (error) {
          if (errnoOf(error) !== 'EINVAL') throw error;
          throw new StorageError(object, 'its file system does not support direct I/O', { cause: error });
        }
      }),
    get(name) {
      return attempt(name, 'read', (path) => {
        try {
          return readFileSync(path);
        } catch (error) {
          if (errnoOf(error) === 'ENOENT') return null;
          throw error;
        }
      });
    },
    replace(name, bytes) {
      attempt(name, 'write', (path) => {
        mkdirSync(root, { recursive: true });
        const temporary = join(root, `${TEMPORARY}${name}`);
        const descriptor = openSync(temporary, 'w');
        try {
          writeAll(descriptor, bytes);
          fsyncSync(descriptor);
        } finally {
          closeSync(descriptor);
        }
        renameSync(temporary, path);
        syncFolder(root);
      });
    },
    list() {
      try {
        return readdirSync(root)
          .filter((name) => !name.startsWith(TEMPORARY))
          .sort();
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return [];
        throw systemError(at.uri, 'list', error);
      }
    },
    delete: (name) => attempt(name, 'delete', (path) => rmSync(path, { force: true })),
    remove() {
      try {
        rmSync(root, { recursive: true, force: true });
        syncFolder(dirname(root));
      } catch (error) {
        throw systemError(at.uri, 'delete', error);
      }
    },
  };
}

/** Node has it; its declarations, which belong to browsers', are not among the types compiled against. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer };
};
const WASM_PAGE = 65536;

/**
 * `pages` pages of zeros that begin on page boundaries, as direct I/O needs them. An ArrayBuffer gives no such promise
 * (Node puts its bytes at 16 past a boundary); a WebAssembly memory is mapped by itself and always does.
 */
function alignedPages(pages: number): Uint8Array<ArrayBuffer> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((pages * PAGE_BYTES) / WASM_PAGE) });
  return new Uint8Array(memory.buffer, 0, pages * PAGE_BYTES);
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
}

function localPageFile(descriptor: number, object: string): PageFile {
  return {
    read(page, pool, at) {
      let done = 0;
      try {
        while (done < PAGE_BYTES) {
          const got = readSync(descriptor, pool, at + done, PAGE_BYTES - done, page * PAGE_BYTES + done);
          if (got === 0) break;
          done += got;
        }
      } catch (error) {
        throw systemError(object, `read of page ${page}`, error);
      }
      if (done < PAGE_BYTES) pool.fill(0, at + done, at + PAGE_BYTES);
    },
    write(page, pool, at) {
      try {
        for (let done = 0; done < PAGE_BYTES; ) {
          done += writeSync(descriptor, pool, at + done, PAGE_BYTES - done, page * PAGE_BYTES + done);
        }
      } catch (error) {
        throw systemError(object, `write of page ${page}`, error);
      }
    },
    sync() {
      try {
        fdatasyncSync(descriptor);
      } catch (error) {
        throw systemError(object, 'sync', error);
      }
    },
    close: () => closeSync(descriptor),
  };
}

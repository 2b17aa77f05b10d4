import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { alignedBytes } from '../core/pages.js';
import { directAccess } from './direct-file.js';
import { errnoOf, systemError } from './errno.js';
import { cachedAccess, EMPTY_FILE } from './file-access.js';
import { checkName, objectName, TEMPORARY } from './object-names.js';
import { PAGE_BYTES, type PageFile, type PageFolder } from './page-folder.js';
import { replaceFileNow, syncFolderNow } from './platform.js';

/**
 * The PageFolder `dir` of a file system; it is made if it is not there. With `direct` all files bypass the page
 * cache (see direct-file.ts); opening a file is a StorageError if the file system cannot do that.
 */
export function localPageFolder(dir: string, { direct }: { direct: boolean }): PageFolder {
  const root = resolve(dir);
  const at = { uri: `file:${root}` };
  const access = direct ? directAccess : cachedAccess;

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
    pool: (pages) => (direct ? alignedBytes(pages * PAGE_BYTES) : new Uint8Array(pages * PAGE_BYTES)),
    open: (name, empty) =>
      attempt(name, 'open', (path) => {
        mkdirSync(root, { recursive: true });
        const flags = constants.O_RDWR | constants.O_CREAT | (empty ? constants.O_TRUNC : 0);
        return localPageFile(access.open(path, flags), objectName(at, name));
      }),
    get(name) {
      return attempt(name, 'read', (path) => {
        let descriptor: number;
        try {
          descriptor = access.open(path, constants.O_RDONLY);
        } catch (error) {
          if (errnoOf(error) === 'ENOENT') return null;
          throw error;
        }
        try {
          const bytes = new Uint8Array(fstatSync(descriptor).size);
          access.read(descriptor, objectName(at, name), 0, bytes);
          return bytes;
        } finally {
          closeSync(descriptor);
        }
      });
    },
    replace(name, bytes) {
      attempt(name, 'write', (path) => {
        mkdirSync(root, { recursive: true });
        const temporary = join(root, `${TEMPORARY}${name}`);
        const descriptor = access.open(temporary, EMPTY_FILE);
        const appender = access.appender(descriptor, objectName(at, name));
        try {
          appender.append([bytes]);
          appender.finish();
          fsyncSync(descriptor);
        } finally {
          appender.drop();
          closeSync(descriptor);
        }
        replaceFileNow(temporary, path);
        syncFolderNow(root);
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
        syncFolderNow(dirname(root));
      } catch (error) {
        throw systemError(at.uri, 'delete', error);
      }
    },
  };
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

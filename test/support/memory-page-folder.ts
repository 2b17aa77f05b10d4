import { PAGE_BYTES, type PageFile, type PageFolder } from '../../operators/storage/page-folder.js';

/** A PageFolder in this process's memory: it outlives a computation that is broken off. */
export function memoryPageFolder(): PageFolder {
  const files = new Map<string, Map<number, Uint8Array>>();
  const small = new Map<string, Uint8Array>();
  return {
    uri: 'memory:',
    pool: (count) => new Uint8Array(count * PAGE_BYTES),
    open(name, empty) {
      if (empty || !files.has(name)) files.set(name, new Map());
      return memoryPageFile(files.get(name)!);
    },
    get: (name) => small.get(name)?.slice() ?? null,
    replace(name, bytes) {
      small.set(name, bytes.slice());
    },
    list: () => [...files.keys(), ...small.keys()].sort(),
    delete(name) {
      files.delete(name);
      small.delete(name);
    },
    remove() {
      files.clear();
      small.clear();
    },
  };
}

function memoryPageFile(pages: Map<number, Uint8Array>): PageFile {
  return {
    read(page, pool, at) {
      const bytes = pages.get(page);
      if (bytes === undefined) pool.fill(0, at, at + PAGE_BYTES);
      else pool.set(bytes, at);
    },
    write(page, pool, at) {
      const bytes = pages.get(page);
      if (bytes === undefined) pages.set(page, pool.slice(at, at + PAGE_BYTES));
      else bytes.set(pool.subarray(at, at + PAGE_BYTES));
    },
    sync() {},
    close() {},
  };
}

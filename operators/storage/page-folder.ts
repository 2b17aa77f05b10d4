/**
 * Files that are read and written at random, page by page, and rewritten in place, in contrast to the immutable objects of
 * a Store. For computations that need pages of their working set in no given order. Calls are synchronous, because they
 * come out of the middle of inner loops. Errors are StorageErrors that name the file.
 */

/** Bytes of a page; also the unit of all reads and writes. */
export const PAGE_BYTES = 8192;

/** A file that is read and written by pages, in any order. */
export interface PageFile {
  /** Reads a page into pool[at, at + PAGE_BYTES). Bytes that were never written are zero. */
  read(page: number, pool: Uint8Array, at: number): void;
  /** Writes pool[at, at + PAGE_BYTES). A killed process may leave any half of it unwritten, never a torn 512 bytes. */
  write(page: number, pool: Uint8Array, at: number): void;
  /** Returns when all bytes written will survive a loss of power. */
  sync(): void;
  close(): void;
}

/** A folder that only one computation uses. */
export interface PageFolder {
  readonly uri: string;
  /** Zeroed memory of `pages` pages that files of this folder can read into and write from. */
  pool(pages: number): Uint8Array<ArrayBuffer>;
  /** Opens a file, making it if there is none. With `empty`, its former contents are forgotten. */
  open(name: string, empty: boolean): PageFile;
  /** The whole of a small file, or null if there is none. */
  get(name: string): Uint8Array | null;
  /** Replaces the content of a small file atomically: after a crash it is all old or all new. */
  replace(name: string, bytes: Uint8Array): void;
  /** Names of all files, ascending. */
  list(): string[];
  /** Deletes a file that is not open; no error if there is none. */
  delete(name: string): void;
  /** Deletes the folder with all files in it. */
  remove(): void;
}

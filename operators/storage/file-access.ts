/**
 * Reads and writes of local files: through the page cache, as here, or around it (direct-file.ts).
 * Calls are synchronous; errors are the system's, or StorageErrors that name `object`.
 */
import { constants, openSync, readSync, writeSync, writevSync } from 'node:fs';
import { StorageError } from '../core/errors.js';
import { tooShort } from './memory.js';

export interface FileAccess {
  /** A descriptor; `flags` are those of open(2). */
  open(path: string, flags: number): number;
  /** Fills `into` with the bytes from `offset` on; a shorter file is a StorageError. */
  read(descriptor: number, object: string, offset: number, into: Uint8Array): void;
  /** Writes bytes at `offset`, in place or past the end. The file must be open for reading as well. */
  overwrite(descriptor: number, object: string, offset: number, bytes: Uint8Array): void;
  /** Writes an empty file from its start to its end. */
  appender(descriptor: number, object: string): Appender;
}

export interface Appender {
  append(pieces: readonly Uint8Array[]): void;
  /** Writes what is buffered; the descriptor stays open. */
  finish(): void;
  /** Frees the buffers, also in the middle of a file. */
  drop(): void;
}

/**
 * Flags of open(2): of a file that must be new (else EEXIST), of one that is made or emptied, and of one that is made or
 * written over.
 */
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
export const EMPTY_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
export const REWRITTEN_FILE = constants.O_RDWR | constants.O_CREAT;

export const cachedAccess: FileAccess = {
  open: (path, flags) => openSync(path, flags),
  read(descriptor, object, offset, into) {
    let done = 0;
    while (done < into.length) {
      const got = readSync(descriptor, into, done, into.length - done, offset + done);
      if (got === 0) throw tooShort(object, offset, into.length, offset + done);
      done += got;
    }
  },
  overwrite(descriptor, _object, offset, bytes) {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
    }
  },
  appender: (descriptor, object) => ({
    append: (pieces) => appendFully(descriptor, object, pieces),
    finish() {},
    drop() {},
  }),
};

/** The pieces that a write of `written` bytes has not yet written, the first one perhaps in part. */
export function unwritten(pieces: readonly Uint8Array[], written: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let skip = written;
  for (const piece of pieces) {
    if (skip < piece.length) rest.push(skip === 0 ? piece : piece.subarray(skip));
    skip = Math.max(0, skip - piece.length);
  }
  return rest;
}

function appendFully(descriptor: number, object: string, pieces: readonly Uint8Array[]): void {
  let total = 0;
  for (const piece of pieces) total += piece.length;
  let rest = pieces;
  while (total > 0) {
    // A write may be short (a full disk, a signal, 2 GiB at once): the next one continues it or says why not.
    const written = writevSync(descriptor, rest as Uint8Array[]);
    if (written === 0) throw noMoreBytes(object);
    total -= written;
    if (total > 0) rest = unwritten(rest, written);
  }
}

export function noMoreBytes(object: string): StorageError {
  return new StorageError(object, 'the file system accepts no more bytes');
}

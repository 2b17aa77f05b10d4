/**
 * Local files that bypass the page cache (O_DIRECT), so that every read and write costs what the device takes. The system
 * moves whole blocks between aligned addresses only. So bytes go through aligned buffers: reads are widened to blocks, and a
 * file's last block is written padded and then cut off. Rewriting part of a block reads it first.
 *
 * Buffers are 256 KiB: one for reading, and one for each file that is being written. They come on top of any budget.
 */
import {
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { alignedBytes } from '../core/pages.js';
import { errnoOf, systemError } from './errno.js';
import { type Appender, EMPTY_FILE, type FileAccess, noMoreBytes } from './file-access.js';
import { tooShort } from './memory.js';
import { TEMPORARY } from './object-names.js';
import { DIRECT } from './platform.js';

/** A multiple of the sectors of all usual devices and of the boundaries they want in memory. */
const BLOCK = 4096;
const BUFFER_BYTES = 1 << 18;

const blockStart = (offset: number): number => offset - (offset % BLOCK);
const blockEnd = (offset: number): number => blockStart(offset + BLOCK - 1);

/** Free buffers of this thread. */
const idle: Uint8Array<ArrayBuffer>[] = [];

function withBuffer(use: (buffer: Uint8Array) => void): void {
  const buffer = idle.pop() ?? alignedBytes(BUFFER_BYTES);
  try {
    use(buffer);
  } finally {
    idle.push(buffer);
  }
}

export const directAccess: FileAccess = {
  open: openDirect,
  read(descriptor, object, offset, into) {
    withBuffer((buffer) => {
      for (let done = 0; done < into.length; ) {
        const from = offset + done;
        const start = blockStart(from);
        const wanted = Math.min(BUFFER_BYTES, blockEnd(offset + into.length) - start);
        const end = start + readSync(descriptor, buffer, 0, wanted, start);
        if (end <= from) throw tooShort(object, offset, into.length, end);
        const length = Math.min(end - from, into.length - done);
        into.set(buffer.subarray(from - start, from - start + length), done);
        done += length;
      }
    });
  },
  overwrite(descriptor, object, offset, bytes) {
    withBuffer((buffer) => {
      for (let done = 0; done < bytes.length; ) {
        const from = offset + done;
        const start = blockStart(from);
        const to = Math.min(offset + bytes.length, start + BUFFER_BYTES);
        const end = blockEnd(to);
        if (from > start) readBlock(descriptor, start, buffer, 0);
        if (to < end && (end - BLOCK > start || from === start)) {
          readBlock(descriptor, end - BLOCK, buffer, end - BLOCK - start);
        }
        buffer.set(bytes.subarray(done, to - offset), from - start);
        writeBlocks(descriptor, object, buffer, end - start, start);
        done = to - offset;
      }
    });
  },
  appender: directAppender,
};

/** @throws an Error that says so if the operating system or the file system has no direct I/O. */
function openDirect(path: string, flags: number): number {
  if (DIRECT === undefined) throw new Error('this operating system has no direct I/O');
  try {
    return openSync(path, flags | DIRECT);
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL') throw error;
    // The file may have been made, or emptied, before its file system was asked.
    if ((flags & (constants.O_EXCL | constants.O_TRUNC)) !== 0) rmSync(path, { force: true });
    throw new Error('its file system does not support direct I/O', { cause: error });
  }
}

/**
 * Whether direct I/O works in the folder, which is made if it is not there.
 * @throws StorageError if nothing can be written there at all.
 */
export function supportsDirect(folder: string): boolean {
  const path = join(folder, `${TEMPORARY}${process.pid}-direct`);
  let descriptor: number | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    descriptor = openDirect(path, EMPTY_FILE);
    const bytes = new Uint8Array(1);
    directAccess.overwrite(descriptor, path, 0, bytes);
    directAccess.read(descriptor, path, 0, bytes);
    return true;
  } catch (error) {
    // Some file systems accept the flag and refuse the blocks.
    const code = errnoOf(error);
    if (code === '' || code === 'EINVAL' || code === 'EOPNOTSUPP') return false;
    throw systemError(folder, 'write', error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(path, { force: true });
  }
}

/** Bytes beyond the file's end are zero. */
function readBlock(descriptor: number, start: number, buffer: Uint8Array, at: number): void {
  const got = readSync(descriptor, buffer, at, BLOCK, start);
  buffer.fill(0, at + got, at + BLOCK);
}

/** Writes buffer[0, length), whole blocks. */
function writeBlocks(
  descriptor: number,
  object: string,
  buffer: Uint8Array,
  length: number,
  start: number,
): void {
  for (let done = 0; done < length; ) {
    const written = blockStart(writeSync(descriptor, buffer, done, length - done, start + done));
    if (written === 0) throw noMoreBytes(object);
    done += written;
  }
}

function directAppender(descriptor: number, object: string): Appender {
  let buffer: Uint8Array<ArrayBuffer> | null = idle.pop() ?? alignedBytes(BUFFER_BYTES);
  let filled = 0;
  let written = 0;

  function flush(to: Uint8Array, length: number): void {
    writeBlocks(descriptor, object, to, length, written);
    written += length;
    filled = 0;
  }

  function drop(): void {
    if (buffer !== null) idle.push(buffer);
    buffer = null;
  }

  return {
    append(pieces) {
      const into = buffer!;
      for (const piece of pieces) {
        for (let done = 0; done < piece.length; ) {
          const length = Math.min(piece.length - done, BUFFER_BYTES - filled);
          into.set(piece.subarray(done, done + length), filled);
          filled += length;
          done += length;
          if (filled === BUFFER_BYTES) flush(into, filled);
        }
      }
    },
    finish() {
      if (filled > 0) {
        const size = written + filled;
        const end = blockEnd(filled);
        buffer!.fill(0, filled, end);
        flush(buffer!, end);
        if (size < written) ftruncateSync(descriptor, size);
      }
      drop();
    },
    drop,
  };
}

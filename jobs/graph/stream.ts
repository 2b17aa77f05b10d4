/**
 * Graphs that another program writes while they are read: standard input, a FIFO, `<(command)` of a shell.
 *
 * A stream can be read once. The digest by which a solve continues an interrupted one, and the places in messages, need a second
 * reading. So the stream is copied to scratch, and the copy is read as any file. Cost: the bytes of the stream on disk while the graph is
 * solved; memory for a few blocks.
 */
import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../../operators/storage/errno.js';
import { io } from '../cli/io.js';
import { whatIs } from '../cli/what-is.js';

/** Bytes that are copied at once. */
const BLOCK_BYTES = 1 << 18;

/** /dev/stdin cannot be opened where standard input is a socket, and looks like a file where it is one. */
const isStandardInput = (asked: string) => asked === '-' || asked === '/dev/stdin';

/** Whether a word of the command line names a stream: "-", or a path at which there is neither a file nor a folder. */
export function isStream(asked: string): boolean {
  if (isStandardInput(asked)) return true;
  const found = whatIs(asked);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** What messages call a stream. */
export function nameOfStream(asked: string): string {
  return isStandardInput(asked) ? 'standard input' : asked;
}

/**
 * Copies a stream to its end.
 * @param folder of scratch. @returns the path of the copy, which ends in ".gz" if the stream is compressed.
 * @throws StorageError if the stream cannot be read, or the copy not be written.
 */
export async function copyOfStream(asked: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, 'stream');
  try {
    await pipeline(openStream(asked), createWriteStream(copy, { highWaterMark: BLOCK_BYTES }));
  } catch (error) {
    const { syscall = '' } = error as NodeJS.ErrnoException;
    throw syscall === 'write' || syscall === 'open'
      ? fileError(folder, 'written', error)
      : fileError(nameOfStream(asked), 'read', error);
  }
  if (!isCompressed(copy)) return copy;
  renameSync(copy, `${copy}.gz`);
  return `${copy}.gz`;
}

/** A FIFO is opened without waiting for its writer. A thread that waits in open(2) would keep the process from ending at a signal. */
function openStream(asked: string): Readable {
  if (isStandardInput(asked)) return io.in;
  if (whatIs(asked)?.isFIFO() !== true) return createReadStream(asked, { highWaterMark: BLOCK_BYTES });
  const fd = openSync(asked, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

function isCompressed(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(2);
    readSync(file, head);
    return head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    closeSync(file);
  }
}

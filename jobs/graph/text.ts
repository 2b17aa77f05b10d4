/** The text of a file, plain or gzip, in pieces with their places. Memory: a piece. */
import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '../../operators/core/errors.js';
import { fileError } from '../../operators/storage/errno.js';
import { whatIs } from '../cli/what-is.js';

/** Bytes of the file that one read requests. */
const BLOCK_BYTES = 1 << 16;
/**
 * Bytes of a piece of text. Tokens of a piece are garbage when the next piece is read. With larger pieces the tokens outlive a
 * young generation of 2 MiB, and reading takes half as long again.
 */
const PIECE_BYTES = 1 << 12;
const LINE_BREAK = 10;

export interface TextInput {
  /** Its name in messages. */
  readonly name: string;
  /** Bytes of the file from its beginning, each time again. A later buffer may overwrite an earlier one. */
  bytes(): AsyncIterable<Buffer>;
  /** Bytes of the file from byte `from` on; absent where the bytes before would have to be read. */
  readonly bytesFrom?: (from: number) => AsyncIterable<Buffer>;
}

interface TextPiece {
  readonly text: string;
  /** Bytes of the text, valid until the next piece is asked for. Multi-byte characters are never divided. */
  readonly bytes: Buffer;
  /** Start of the piece: bytes of the file before it, of a gzip file those of its content. */
  readonly at: number;
}

/** Throws UserError if there is no such file. Errors are found by reading again, which only files allow. */
export function requireFile(path: string): void {
  const found = whatIs(path);
  if (found === undefined) throw new UserError(`graph ${path}: there is no such file`);
  if (!found.isFile()) throw new UserError(`graph ${path}: it is not a file`);
}

/** @param name in messages. Throws UserError if there is no such file. */
export function fileInput(path: string, name = path): TextInput {
  requireFile(path);
  return {
    name,
    bytes: () => readBytes(path, name, 0),
    ...(!isPacked(path) && { bytesFrom: (from: number) => readBytes(path, name, from) }),
  };
}

const isPacked = (path: string) => path.endsWith('.gz');

async function* readBytes(path: string, name: string, from: number): AsyncGenerator<Buffer> {
  try {
    yield* isPacked(path) ? decompressed(path) : plain(path, from);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code.startsWith('Z_')) throw new UserError(`graph ${name}: cannot be decompressed: ${message}`);
    throw fileError(name, 'read', error);
  }
}

async function* plain(path: string, from: number): AsyncGenerator<Buffer> {
  let isFirst = from === 0;
  for await (const block of blocksOf(path, from)) {
    if (isFirst && block[0] === 0x1f && block[1] === 0x8b)
      throw new UserError(`graph ${path}: it is compressed, so its name must end in ".gz"`);
    isFirst = false;
    yield block;
  }
}

/** The bytes of a file from byte `from` on, all in the same buffer. A stream would leave one behind for each block, 64 MiB of them until they are collected. */
export async function* blocksOf(path: string, from = 0, blockBytes = BLOCK_BYTES): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const block = Buffer.alloc(blockBytes);
    for (let at = from; ; ) {
      const { bytesRead } = await file.read(block, 0, blockBytes, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function decompressed(path: string): Readable {
  const packed = createReadStream(path, { highWaterMark: BLOCK_BYTES });
  // An error destroys both streams, and the reader throws it.
  return pipeline(packed, createGunzip({ chunkSize: BLOCK_BYTES }), () => {});
}

/**
 * Pieces of the text, or of the rest after a piece that ended at byte `from`; a byte-order mark is passed over. Throws
 * UserError at the first byte that is not UTF-8.
 */
export async function* readText(input: TextInput, from = 0): AsyncGenerator<TextPiece> {
  const { name } = input;
  const bytes = from === 0 ? input.bytes() : input.bytesFrom!(from);
  let at = from;
  let rest: Buffer = Buffer.alloc(0);
  let first = from === 0;
  let wrong = 0;
  for await (const more of piecesOf(bytes)) {
    let piece: Buffer = rest.length === 0 ? more : Buffer.concat([rest, more]);
    if (first) {
      if (piece.length < 3) {
        rest = Buffer.from(piece);
        continue;
      }
      first = false;
      if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) {
        piece = piece.subarray(3);
        at = 3;
      }
    }
    const end = completeLength(piece);
    const sound = piece.subarray(0, end);
    rest = Buffer.from(piece.subarray(end));
    if (isUtf8(sound)) {
      yield pieceOf(sound, at);
      at += end;
      continue;
    }
    wrong = firstWrong(sound);
    yield pieceOf(sound.subarray(0, wrong), at);
    throw notUtf8(name, at + wrong);
  }
  wrong = isUtf8(rest) ? rest.length : firstWrong(rest);
  yield pieceOf(rest.subarray(0, wrong), at);
  if (wrong < rest.length) throw notUtf8(name, at + wrong);
}

/** Pieces end with a line where they can: in between values, if there is one a line. */
async function* piecesOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    for (let from = 0; from < block.length; ) {
      const most = Math.min(from + PIECE_BYTES, block.length);
      const line = block.lastIndexOf(LINE_BREAK, most - 1) + 1;
      const to = line > from ? line : most;
      yield block.subarray(from, to);
      from = to;
    }
  }
}

function pieceOf(bytes: Buffer, at: number): TextPiece {
  return { text: isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'), bytes, at };
}

function notUtf8(name: string, byte: number): UserError {
  return new UserError(`graph ${name}: byte ${byte}: the text is not UTF-8`);
}

/** Number of bytes of a character by its first byte; 1 also for bytes that begin none. */
function sizeOf(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  if (firstByte >= 0xe0) return 3;
  return firstByte >= 0xc0 ? 2 : 1;
}

/** The bytes up to a last character that may be continued by the next piece. */
function completeLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) break;
    if (byte >= 0xc0) return sizeOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function firstWrong(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const size = sizeOf(bytes[at]);
    if (!isUtf8(bytes.subarray(at, at + size))) return at;
    at += size;
  }
  return at;
}

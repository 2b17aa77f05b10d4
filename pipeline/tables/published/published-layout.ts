/**
 * A published file has three parts. Its blocks have 1,024 bytes each; the last may be shorter. The tail describes the file and
 * says where its blocks begin. The end has twelve bytes: the length of the tail, CRC-32 of tail and length, "MMP" and the
 * format version. The tail comes last because it is known last: a file is written in one go, in bounded memory. Blocks
 * begin at multiples of 1,024, so that none lies on two pages of a disk. Everything is little endian.
 *
 * Tail: first a byte, `6 · codec + 3 · side + dominant value`. It is 128 more if the next byte is the number of an
 * order other than that of the index. Next the digest of the codebook (4 bytes; none for a codec without). Then game
 * and slice, periods (how many, each), positions, blocks, bytes of the last block (varints). Then the index, block by
 * block: the CRC-32 (4 bytes), and the positions of each but the last (varint).
 */
import { fromHex, toHex } from '../../../operators/core/bytes-as-text.js';
import { crc32, hex } from '../../../operators/core/checksum.js';
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import type { Side } from '../../game/game.js';
import {
  type ByteList,
  byteSource,
  newByteList,
  putBytes,
  putText,
  putU32,
  putVarint,
} from '../codec/byte-list.js';
import { BLOCK_BYTES, BLOCK_POSITIONS, type CodecName, codecs, type FileFacts } from '../codec/codec.js';
import type { WdlSymbol } from '../codec/symbols.js';

const VERSION = 1;
/** "MMP" */
const MAGIC = 0x504d4d;
export const END_BYTES = 12;
const DIGEST_BYTES = 4;
/** Set in the first byte of a tail that has the number of an order. */
const ORDERED = 128;

/** The description of a file, known before it is written. */
export interface FileHead {
  readonly game: string;
  readonly slice: string;
  readonly side: Side;
  readonly codec: CodecName;
  /** Names the codebook: 8 hexadecimal digits; empty if the codec has none. */
  readonly codebook: string;
  readonly shape: FileFacts;
  /** The order of its positions: 0 for that of the index; up to 255. */
  readonly order: number;
}

/** Where the blocks are. */
export interface BlockIndex {
  readonly positions: number;
  /** The first position of each block, ascending. */
  readonly firsts: Float64Array;
  readonly crcs: Uint32Array;
  /** Bytes of the last block. */
  readonly lastBytes: number;
}

/** Bytes before the tail. */
function bytesOfBlocks({ firsts, lastBytes }: Pick<BlockIndex, 'firsts' | 'lastBytes'>): number {
  return firsts.length === 0 ? 0 : (firsts.length - 1) * BLOCK_BYTES + lastBytes;
}

/** Facts about the blocks that the writer knows at the end. */
export interface WrittenBlocks {
  readonly positions: number;
  readonly count: number;
  readonly lastBytes: number;
  /** The index as it is stored. */
  readonly index: ByteList;
}

/** Tail and end of a file, and the CRC-32 in its end. */
export function tailBytes(head: FileHead, blocks: WrittenBlocks): { bytes: Uint8Array; crc: string } {
  const list = newByteList();
  const kind = 6 * codecs.indexOf(head.codec) + 3 * head.side + head.shape.dominant;
  putBytes(list, head.order === 0 ? Uint8Array.of(kind) : Uint8Array.of(ORDERED + kind, head.order));
  putBytes(list, fromHex(head.codebook));
  putText(list, head.game);
  putText(list, head.slice);
  putVarint(list, head.shape.periods.length);
  for (const period of head.shape.periods) putVarint(list, period);
  putVarint(list, blocks.positions);
  putVarint(list, blocks.count);
  putVarint(list, blocks.lastBytes);
  putBytes(list, blocks.index.bytes.subarray(0, blocks.index.length));
  putU32(list, list.length);
  const crc = crc32(list.bytes.subarray(0, list.length));
  putU32(list, crc);
  putU32(list, MAGIC | (VERSION << 24));
  return { bytes: list.bytes.subarray(0, list.length), crc: hex(crc) };
}

/** Where the tail begins in a file of `size` bytes, from its last twelve. @throws as {@link parseTail}. */
export function tailStart(end: Uint8Array, size: number, object: string): number {
  const source = byteSource(end);
  const length = source.u32();
  source.u32();
  const mark = source.u32();
  if ((mark & 0xffffff) !== MAGIC) {
    throw new DamageError(
      object,
      'does not end as a published file does: it is cut short, or another kind of file',
    );
  }
  if (mark >>> 24 !== VERSION) {
    throw new StorageError(
      object,
      `is of format version ${mark >>> 24}; this program reads version ${VERSION}`,
    );
  }
  if (length + END_BYTES > size)
    throw new DamageError(object, 'is cut short or damaged: its tail has no room in it');
  return size - END_BYTES - length;
}

/**
 * Parses the tail and end of a file of `size` bytes. `crc`: the CRC-32 in its end, which tells the file from any other.
 * @throws DamageError if it is not as it was written; StorageError if it is of another version.
 */
export function parseTail(
  bytes: Uint8Array,
  size: number,
  object: string,
): { head: FileHead; index: BlockIndex; crc: string } {
  const tail = bytes.subarray(0, bytes.length - END_BYTES);
  const source = byteSource(bytes.subarray(tail.length + 4));
  const crc = crc32(bytes.subarray(0, tail.length + 4));
  if (crc !== source.u32()) {
    throw new DamageError(object, 'its head or its index is damaged: the CRC-32 is wrong');
  }
  const parsed = readTail(tail, object);
  const blocks = bytesOfBlocks(parsed.index);
  if (blocks + bytes.length !== size) {
    throw new DamageError(object, `has ${size} bytes where ${blocks + bytes.length} were written`);
  }
  return { ...parsed, crc: hex(crc) };
}

function readTail(tail: Uint8Array, object: string): { head: FileHead; index: BlockIndex } {
  try {
    const source = byteSource(tail);
    const [marked] = source.bytes(1);
    const kind = marked % ORDERED;
    const order = marked < ORDERED ? 0 : source.bytes(1)[0];
    const codec = codecs[Math.trunc(kind / 6)];
    const side = Math.trunc(kind / 3) % 2;
    const dominant = kind % 3;
    if (codec === undefined) throw new RangeError('names an unknown codec');
    const codebook = codec === 'packed' ? '' : toHex(source.bytes(DIGEST_BYTES));
    const game = source.text();
    const slice = source.text();
    const periods = Array.from({ length: bounded(source.varint(), tail.length) }, () => source.varint());
    const positions = source.varint();
    const blocks = bounded(source.varint(), tail.length);
    const lastBytes = bounded(source.varint(), BLOCK_BYTES);
    const firsts = new Float64Array(blocks);
    const crcs = new Uint32Array(blocks);
    let first = 0;
    for (let block = 0; block < blocks; block++) {
      firsts[block] = first;
      crcs[block] = source.u32();
      first = block === blocks - 1 ? positions : first + bounded(source.varint(), BLOCK_POSITIONS);
    }
    if (source.left() > 0 || first !== positions) throw new RangeError('does not add up');
    const shape = { dominant: dominant as WdlSymbol, periods };
    return {
      head: { game, slice, side: side as Side, codec, codebook, shape, order },
      index: { positions, firsts, crcs, lastBytes },
    };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw new DamageError(object, `its tail is not that of a published file: ${error.message}`, {
      cause: error,
    });
  }
}

function bounded(value: number, most: number): number {
  if (value > most) throw new RangeError('holds a number that is too large');
  return value;
}

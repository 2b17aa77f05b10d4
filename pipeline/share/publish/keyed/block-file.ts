/**
 * Files of numbered blocks behind a header, which are read a block at a time:
 *
 *   8 bytes   what it is
 *   u32, u32  bytes and CRC-32 of the header
 *   header    JSON
 *   blocks    u32 CRC-32 of the rest; the rest
 *   u32[]     where each block begins, counted from the first, and where the last ends. The CRC-32 of these words
 *
 * Integers are little-endian.
 */
import { crc32 } from '../../../../operators/core/checksum.js';
import { assert, DamageError, UserError } from '../../../../operators/core/errors.js';
import { newOnce } from '../../../../operators/core/once.js';
import { orAbort } from '../../../../operators/core/or-abort.js';
import { readSoundly, type Sink, type Store } from '../../../../operators/storage/store.js';

/** Bytes before the header. */
const FRONT_BYTES = 16;
/** Blocks that are kept, of some kilobytes each. */
const MOST_KEPT = 256;

interface Written {
  readonly bytes: number;
  readonly checksum: number;
}

export interface NewBlockFile {
  readonly magic: string;
  readonly header: object;
  readonly count: number;
  /** Each begins with four bytes for its CRC-32, which are filled here. */
  readonly blocks: AsyncIterable<Uint8Array>;
}

/** Writes a file in place of any before. Where it is to `verify`, it is read again. @returns its bytes. @throws DamageError if it then differs. */
export async function putBlockFile(
  to: Store,
  name: string,
  file: NewBlockFile,
  verify: boolean,
): Promise<number> {
  const sink = await to.create(name);
  return orAbort(sink, async () => {
    const written = await writeBlocks(sink, file);
    await sink.close();
    if (verify) await requireSame(to, name, written);
    return written.bytes;
  });
}

async function writeBlocks(sink: Sink, { magic, header, count, blocks }: NewBlockFile): Promise<Written> {
  let bytes = 0;
  let checksum = 0;
  const write = async (part: Uint8Array): Promise<void> => {
    checksum = crc32(part, checksum);
    bytes += part.length;
    await sink.write([part]);
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const front = new Uint8Array(FRONT_BYTES);
  new TextEncoder().encodeInto(magic, front);
  const view = new DataView(front.buffer);
  view.setUint32(8, text.length, true);
  view.setUint32(12, crc32(text), true);
  await write(front);
  await write(text);
  const first = bytes;
  const back = new Uint8Array(backBytes(count));
  const words = new DataView(back.buffer);
  let number = 0;
  for await (const block of blocks) {
    new DataView(block.buffer, block.byteOffset).setUint32(0, crc32(block.subarray(4)), true);
    words.setUint32(4 * number++, bytes - first, true);
    await write(block);
  }
  assert(number === count, 'all blocks are written');
  words.setUint32(4 * number, bytes - first, true);
  words.setUint32(4 * number + 4, crc32(back.subarray(0, 4 * number + 4)), true);
  await write(back);
  return { bytes, checksum };
}

/** Bytes behind the blocks. */
function backBytes(count: number): number {
  return 4 * (count + 2);
}

const READ_BYTES = 1 << 20;

/** @throws DamageError if the file is not what was written to it. */
async function requireSame(to: Store, name: string, { bytes, checksum }: Written): Promise<void> {
  let found = 0;
  for (let at = 0; at < bytes; at += READ_BYTES) {
    const part = new Uint8Array(Math.min(READ_BYTES, bytes - at));
    await to.read(name, at, part);
    found = crc32(part, found);
  }
  if (found !== checksum) throw new DamageError(name, 'is not what was written to it');
}

export interface BlockFile<Header> {
  readonly header: Header;
  /** The number of blocks. */
  readonly blocks: number;
  /** With its CRC-32. */
  block(number: number): Promise<Uint8Array>;
}

export interface BlockFileKind<Header> {
  readonly magic: string;
  /** Names its kind: "published file of a keyed game". */
  readonly what: string;
  /** How many blocks it has; null if the header cannot be. */
  readonly count: (header: Header) => number | null;
  /** For messages: what is missing if there is no file. */
  readonly missing: string;
}

/** @throws UserError if there is no such file; StorageError, DamageError. */
export async function openBlockFile<Header>(
  store: Store,
  name: string,
  kind: BlockFileKind<Header>,
): Promise<BlockFile<Header>> {
  const size = await store.size(name);
  if (size === null) throw new UserError(`${kind.missing} in ${store.uri}: there is no ${name}`);
  const { header, count, first } = await readSoundly(store, name, () => readHeader(store, name, size, kind));
  const back = await readSoundly(store, name, () => readBack(store, name, size, count));
  const once = newOnce<number, Uint8Array>({ most: MOST_KEPT });
  return {
    header,
    blocks: count,
    block: (number) =>
      once(number, () => {
        const from = back.getUint32(4 * number, true);
        const bytes = back.getUint32(4 * number + 4, true) - from;
        return readSoundly(store, name, () => readBlock(store, name, first + from, bytes));
      }),
  };
}

async function readHeader<Header>(
  store: Store,
  name: string,
  size: number,
  { magic, what, count }: BlockFileKind<Header>,
): Promise<{ header: Header; count: number; first: number }> {
  const front = new Uint8Array(FRONT_BYTES);
  if (size < FRONT_BYTES) throw new DamageError(name, 'is too short');
  await store.read(name, 0, front);
  if (new TextDecoder().decode(front.subarray(0, magic.length)) !== magic)
    throw new DamageError(name, `is not a ${what}`);
  const view = new DataView(front.buffer);
  const length = view.getUint32(8, true);
  if (FRONT_BYTES + length > size) throw new DamageError(name, 'is too short');
  const text = new Uint8Array(length);
  await store.read(name, FRONT_BYTES, text);
  if (crc32(text) !== view.getUint32(12, true)) throw new DamageError(name, 'has a damaged header');
  const header = JSON.parse(new TextDecoder().decode(text)) as Header;
  const blocks = count(header);
  if (blocks === null) throw new DamageError(name, 'has an impossible header');
  return { header, count: blocks, first: FRONT_BYTES + length };
}

/** Where blocks begin and end. */
async function readBack(store: Store, name: string, size: number, count: number): Promise<DataView> {
  const bytes = backBytes(count);
  const back = new Uint8Array(bytes);
  if (size < bytes) throw new DamageError(name, 'is too short');
  await store.read(name, size - bytes, back);
  const view = new DataView(back.buffer);
  if (crc32(back.subarray(0, bytes - 4)) !== view.getUint32(bytes - 4, true))
    throw new DamageError(name, 'is damaged at its end');
  return view;
}

async function readBlock(store: Store, name: string, from: number, bytes: number): Promise<Uint8Array> {
  const block = new Uint8Array(bytes);
  await store.read(name, from, block);
  const view = new DataView(block.buffer);
  if (crc32(block.subarray(4)) !== view.getUint32(0, true))
    throw new DamageError(name, `is damaged at byte ${from}`);
  return block;
}

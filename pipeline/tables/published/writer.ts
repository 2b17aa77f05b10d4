/** Writes a published file: the values of one side of a slice in blocks that can be looked into one by one. */
import { createHash } from 'node:crypto';
import { crc32 } from '../../../operators/core/checksum.js';
import { assert } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Side } from '../../game/game.js';
import { newByteList, putU32, putVarint } from '../codec/byte-list.js';
import { BLOCK_BYTES, type Coder, type FileFacts, valuesOfCodec } from '../codec/codec.js';
import { tailBytes } from './published-layout.js';

export interface PublishedFile {
  readonly game: string;
  readonly slice: string;
  readonly side: Side;
  readonly shape: FileFacts;
  /** The order that its symbols come in: see FileHead. */
  readonly order: number;
}

export interface WrittenFile {
  readonly bytes: number;
  readonly blocks: number;
  readonly positions: number;
  readonly dontCares: number;
  /** Runs that the blocks decode to. */
  readonly runs: number;
  /** SHA-256 of the file in hexadecimal. */
  readonly sha256: string;
  /** CRC-32 in its end: 8 hexadecimal digits. */
  readonly crc: string;
}

export interface PublishedWriter {
  /** The next symbols, in the order of the file; they may be reused when the promise resolves. */
  add(symbols: Uint8Array): Promise<void>;
  /** Publishes the file. */
  close(): Promise<WrittenFile>;
  abort(): Promise<void>;
}

/** How many symbols are coded before their blocks are written. */
const BATCH = 1 << 20;

/**
 * Begins the file `name`; nothing is visible before `close`. Memory: what the coder keeps (under 2 MB), blocks of one
 * batch, and seven bytes of index a block.
 */
export async function createPublished(
  store: Store,
  name: string,
  coder: Coder,
  { game, slice, side, shape, order }: PublishedFile,
): Promise<PublishedWriter> {
  const any = valuesOfCodec(coder.codec);
  const sink = await store.create(name);
  const hash = createHash('sha256');
  const index = newByteList();
  let coded: Uint8Array[] = [];
  /** The last block: it is padded when another follows. */
  let last: { readonly bytes: Uint8Array; readonly positions: number } | null = null;
  let bytes = 0;
  let blocks = 0;
  let positions = 0;
  let runs = 0;
  let added = 0;
  let dontCares = 0;

  const encoder = coder.newEncoder(shape, (block, blockPositions, blockRuns) => {
    if (last !== null) {
      const padded = new Uint8Array(BLOCK_BYTES);
      padded.set(last.bytes);
      finish(padded);
      putVarint(index, last.positions);
    }
    last = { bytes: block.slice(), positions: blockPositions };
    positions += blockPositions;
    runs += blockRuns;
  });

  function finish(block: Uint8Array): void {
    coded.push(block);
    putU32(index, crc32(block));
    bytes += block.length;
    blocks++;
  }

  async function write(pieces: Uint8Array[]): Promise<void> {
    for (const piece of pieces) hash.update(piece);
    if (pieces.length > 0) await sink.write(pieces);
  }

  return {
    async add(symbols) {
      added += symbols.length;
      for (let from = 0; from < symbols.length; from += BATCH) {
        const batch = symbols.subarray(from, from + BATCH);
        for (let i = 0; i < batch.length; i++) dontCares += batch[i] === any ? 1 : 0;
        encoder.add(batch);
        await write(coded);
        coded = [];
      }
    },
    async close() {
      encoder.end();
      assert(positions === added, 'every position is in a block');
      const lastBytes = last?.bytes.length ?? 0;
      if (last !== null) finish(last.bytes);
      const head = { game, slice, side, codec: coder.codec, codebook: coder.digest, shape, order };
      const tail = tailBytes(head, { positions, count: blocks, lastBytes, index });
      await write([...coded, tail.bytes]);
      await sink.close();
      const sha256 = hash.digest('hex');
      return { bytes: bytes + tail.bytes.length, blocks, positions, dontCares, runs, sha256, crc: tail.crc };
    },
    abort: () => sink.abort(),
  };
}

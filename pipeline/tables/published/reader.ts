/** Reads a published file: its tail once, then one block at a time, each checked and decoded by itself. */

import { crc32 } from '../../../operators/core/checksum.js';
import { assert, DamageError, StorageError } from '../../../operators/core/errors.js';
import { lastAtMost } from '../../../operators/core/search.js';
import { objectName } from '../../../operators/storage/object-names.js';
import { readSoundly, type Store } from '../../../operators/storage/store.js';
import { BLOCK_BYTES, type Coder } from '../codec/codec.js';
import { packedCoder } from './packed.js';
import { END_BYTES, type FileHead, parseTail, tailStart } from './published-layout.js';

/** The decoded positions of a block. */
export interface BlockRuns {
  /** The position of the file that the block begins with. */
  readonly first: number;
  /** Where each run ends, relative to `first`; ascending. */
  readonly ends: Uint32Array;
  /** The value of each run; neighbours differ. */
  readonly values: Uint8Array;
}

/** Positions in order, expanded: `symbols[i]` is the value of position first + i, valid until the next is asked for. */
export interface Expanded {
  readonly first: number;
  readonly length: number;
  readonly symbols: Uint8Array;
}

export interface Published {
  /** For messages. */
  readonly object: string;
  readonly head: FileHead;
  /** CRC-32 in its end, which tells the file from any other: 8 hexadecimal digits. */
  readonly crc: string;
  readonly positions: number;
  readonly blocks: number;
  /** The first position of each block. */
  readonly firsts: Float64Array;
  /** The block that holds a position of the file. */
  blockOf(position: number): number;
  /** Bytes that the block takes in the file. */
  blockBytes(block: number): number;
  /**
   * One read of at most 1,024 bytes. The arrays are the caller's.
   * @throws DamageError that names file and block.
   */
  readBlock(block: number): Promise<BlockRuns>;
  /** All values, from position 0 on; don't-cares show what they were filled with. Throws as {@link readBlock}. */
  values(): AsyncIterable<Expanded>;
}

/** Most files have their whole tail in so many last bytes, so that opening takes one read. */
const LIKELY_TAIL = 4096;
/** How many positions are expanded at once. */
const BATCH = 1 << 16;
/** How many blocks are read at once when all are read in order. */
const BLOCKS_PER_READ = 64;

/**
 * Opens the file `name`, written with one of `codebooks` (or codec `packed`, which needs none).
 * @throws DamageError if it is not there or not as it was written. StorageError if it is of another version, or the
 * codebook that it was written with is not among them.
 */
export async function openPublished(
  store: Store,
  name: string,
  codebooks: readonly Coder[] = [],
): Promise<Published> {
  const object = objectName(store, name);
  const { head, index, crc } = await readSoundly(store, name, () => readTail(store, name, object));
  const coder = coderOf(head, codebooks, object);
  const { firsts, positions } = index;
  const blocks = firsts.length;
  const { blockBytes, readBlocks } = newBlockReader(store, { name, object, head, index, coder });

  async function* values(): AsyncIterable<Expanded> {
    const symbols = new Uint8Array(BATCH);
    for (let from = 0; from < blocks; from += BLOCKS_PER_READ) {
      for (const runs of await readBlocks(from, Math.min(blocks, from + BLOCKS_PER_READ))) {
        yield* expand(runs, symbols);
      }
    }
  }

  return {
    object,
    head,
    crc,
    positions,
    blocks,
    firsts,
    blockOf(position) {
      assert(position >= 0 && position < positions, `${object} has a position ${position}`);
      return lastAtMost(firsts, position);
    },
    blockBytes,
    async readBlock(block) {
      assert(block >= 0 && block < blocks, `${object} has a block ${block}`);
      return (await readBlocks(block, block + 1))[0];
    },
    values,
  };
}

/** An open file. */
interface Opened {
  readonly name: string;
  readonly object: string;
  readonly head: FileHead;
  readonly index: ReturnType<typeof parseTail>['index'];
  readonly coder: Coder;
}

/** Reads blocks that follow each other, each checked and decoded by itself. */
function newBlockReader(store: Store, { name, object, head, index, coder }: Opened) {
  const { firsts, crcs, positions, lastBytes } = index;
  const blocks = firsts.length;

  function blockBytes(block: number): number {
    return block === blocks - 1 ? lastBytes : BLOCK_BYTES;
  }

  function damage(block: number, what: string): DamageError {
    return new DamageError(object, `block ${block} of ${blocks} ${what}`);
  }

  function decode(block: number, bytes: Uint8Array): BlockRuns {
    if (crc32(bytes) !== crcs[block]) throw damage(block, 'is damaged: its CRC-32 is wrong');
    const end = block === blocks - 1 ? positions : firsts[block + 1];
    const list = coder.decode(bytes, end - firsts[block], head.shape);
    if (list === null) throw damage(block, `is not a block of codec ${head.codec}`);
    return {
      first: firsts[block],
      ends: list.ends.slice(0, list.count),
      values: list.values.slice(0, list.count),
    };
  }

  async function readBlocks(from: number, to: number): Promise<BlockRuns[]> {
    const bytes = new Uint8Array((to - from - 1) * BLOCK_BYTES + blockBytes(to - 1));
    return readSoundly(store, name, async () => {
      try {
        await store.read(name, from * BLOCK_BYTES, bytes);
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        const Kind = error instanceof DamageError ? DamageError : StorageError;
        throw new Kind(object, `block ${from} of ${blocks} cannot be read: ${error.message}`, {
          // Keep the system's own error: readers use it to tell a limit of the machine from damage.
          cause: error.cause,
        });
      }
      return Array.from({ length: to - from }, (_, i) => {
        const at = i * BLOCK_BYTES;
        return decode(from + i, bytes.subarray(at, at + blockBytes(from + i)));
      });
    });
  }

  return { blockBytes, readBlocks };
}

async function readTail(store: Store, name: string, object: string): Promise<ReturnType<typeof parseTail>> {
  const size = await store.size(name);
  if (size === null) throw new DamageError(object, 'no such file');
  if (size < END_BYTES) throw new DamageError(object, `is cut short: it has ${size} bytes`);
  const likely = await readRange(store, name, Math.max(0, size - LIKELY_TAIL), size);
  const start = tailStart(likely.subarray(-END_BYTES), size, object);
  const tail = size - start > likely.length ? await readRange(store, name, start, size) : likely;
  return parseTail(tail.subarray(tail.length - (size - start)), size, object);
}

async function readRange(store: Store, name: string, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  await store.read(name, from, bytes);
  return bytes;
}

function coderOf({ codec, codebook }: FileHead, codebooks: readonly Coder[], object: string): Coder {
  const found = codebooks.find((book) => book.codec === codec && book.digest === codebook);
  if (found !== undefined) return found;
  if (codec === 'packed') return packedCoder();
  const given = codebooks.map((book) => `${book.codec} ${book.digest}`).join(', ') || 'none';
  throw new StorageError(object, `was written with codebook ${codec} ${codebook}; given: ${given}`);
}

function* expand({ first, ends, values }: BlockRuns, symbols: Uint8Array): Iterable<Expanded> {
  let batchFirst = first;
  let filled = 0;
  let at = 0;
  for (let run = 0; run < ends.length; run++) {
    while (at < ends[run]) {
      const length = Math.min(ends[run] - at, symbols.length - filled);
      symbols.fill(values[run], filled, filled + length);
      filled += length;
      at += length;
      if (filled < symbols.length) continue;
      yield { first: batchFirst, length: filled, symbols };
      batchFirst += filled;
      filled = 0;
    }
  }
  if (filled > 0) yield { first: batchFirst, length: filled, symbols };
}

/**
 * Decoded blocks of published files, those looked into last, within a number of bytes. Lake, Schaeffer & Lu 1994, section 4,
 * keep the blocks themselves; runs here are searched, not read from the beginning.
 *
 * Lookups go through typed arrays and numbers alone. Binary search over the firsts of its file finds the block, the
 * block's number its slot. Binary search over the slot's ends finds the run.
 */

import { assert } from '../../../operators/core/errors.js';
import { RecentSlots } from '../../../operators/core/recent-cache.js';
import { firstAtLeast, lastAtMost } from '../../../operators/core/search.js';
import type { BlockRuns, Published } from './reader.js';

export interface RunCacheCounts {
  /** Lookups that a cached block answered. */
  hits: number;
  /** Lookups that had to wait for a block. */
  misses: number;
  /** Bytes of blocks read from stores. */
  bytesRead: number;
}

export interface RunCache {
  /** Registers a file and returns its number for lookups, from 0 on. */
  add(file: Published): number;
  /** The value of a position, a symbol of the file, if its block is cached, else -1, which counts as nothing. */
  valueIfCached(file: number, position: number): number;
  /** Reads the block if it must. @throws DamageError that names file and block. */
  value(file: number, position: number): Promise<number>;
  readonly counts: Readonly<RunCacheCounts>;
  /** Bytes that the cached blocks take, about. */
  heldBytes(): number;
}

/** Bytes of a block in addition to its runs: the objects of its arrays. */
const BLOCK_OVERHEAD = 256;
const NONE = -1;

/** `bytes`: memory for the cached blocks; the block read last stays however large it is. */
export function newRunCache(bytes: number): RunCache {
  const files: Published[] = [];
  const firstsOf: Float64Array[] = [];
  /** By file: the slot of each block. */
  const slotsOf: Int32Array[] = [];
  /** By file: the block looked into last, where the next lookup often falls. */
  const lately: number[] = [];

  /** By slot: the file and the block. */
  const fileOf: number[] = [];
  const blockIn: number[] = [];
  const recent = new RecentSlots<BlockRuns>(bytes, (slot) => {
    slotsOf[fileOf[slot]][blockIn[slot]] = NONE;
  });

  const reading = new Map<number, Promise<BlockRuns>>();
  const counts: RunCacheCounts = { hits: 0, misses: 0, bytesRead: 0 };

  function blockOf(file: number, position: number): number {
    const firsts = firstsOf[file];
    const last = lately[file];
    if (firsts[last] <= position && (last + 1 === firsts.length || position < firsts[last + 1])) return last;
    return (lately[file] = lastAtMost(firsts, position));
  }

  function keep(file: number, block: number, runs: BlockRuns): void {
    const slot = recent.add(runs, sizeOf(runs));
    fileOf[slot] = file;
    blockIn[slot] = block;
    slotsOf[file][block] = slot;
  }

  async function read(file: number, block: number): Promise<BlockRuns> {
    const runs = await files[file].readBlock(block);
    counts.bytesRead += files[file].blockBytes(block);
    keep(file, block, runs);
    return runs;
  }

  function valueIfCached(file: number, position: number): number {
    const slot = slotsOf[file][blockOf(file, position)];
    if (slot === NONE) return NONE;
    counts.hits++;
    return valueIn(recent.use(slot), position);
  }

  return {
    add(file) {
      files.push(file);
      firstsOf.push(file.firsts);
      slotsOf.push(new Int32Array(file.blocks).fill(NONE));
      lately.push(0);
      return files.length - 1;
    },
    valueIfCached,
    async value(file, position) {
      const { object, positions } = files[file];
      assert(position >= 0 && position < positions, `${object} has a position ${position}`);
      const cached = valueIfCached(file, position);
      if (cached !== NONE) return cached;
      counts.misses++;
      const block = blockOf(file, position);
      const key = file * 2 ** 32 + block;
      let runs = reading.get(key);
      if (runs === undefined) {
        runs = read(file, block).finally(() => reading.delete(key));
        reading.set(key, runs);
      }
      return valueIn(await runs, position);
    },
    counts,
    heldBytes: () => recent.held,
  };
}

function sizeOf({ ends, values }: BlockRuns): number {
  return ends.byteLength + values.byteLength + BLOCK_OVERHEAD;
}

function valueIn({ first, ends, values }: BlockRuns, position: number): number {
  const wanted = position - first;
  return values[firstAtLeast(ends, wanted + 1, 0, ends.length - 1)];
}

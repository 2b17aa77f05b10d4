/**
 * Values by pair of kings. In scratch there is a block a pair, and in the arena of the kernels as many blocks as
 * there is room for. A pass goes from pair to pair and needs those that a king's move leads to, so blocks that were
 * used last are kept.
 */
import { UserError } from '../../../../../operators/core/errors.js';
import type { Swap } from '../../../../../operators/storage/swap.js';
import { bytesAt, type Kernels } from '../kernels.js';

/** An array in scratch. */
export interface Blocks {
  readonly swap: Swap;
  /** Bytes of a block. */
  readonly bytes: number;
  readonly count: number;
}

export interface BlockPool {
  /** The address of the words that say where in the arena each block is. */
  readonly table: number;
  /** Brings these blocks to the arena. */
  use(numbers: readonly number[]): void;
  address(number: number): number;
}

/** The blocks of an array that a pass needs. */
export interface WantedBlocks {
  readonly blocks: Blocks;
  /** Blocks that are needed at once. */
  readonly least: number;
}

const ALIGNMENT = 64;

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/**
 * Pools of arrays in the arena, which `allocate` gives out; `besides` bytes are left to others. Small arrays are there whole before
 * large ones get more than they need. Throws UserError if the memory is too small.
 */
export function newPools(
  kernels: Kernels,
  allocate: (bytes: number) => number,
  wanted: readonly WantedBlocks[],
  besides: number,
): BlockPool[] {
  const all = wanted.map(({ blocks }) => blocks);
  const counts = wanted.map(({ blocks, least }) => Math.min(blocks.count, least));
  const least = all.reduce(
    (sum, { bytes, count }, i) => sum + counts[i] * aligned(bytes) + aligned(4 * count),
    besides,
  );
  if (least > kernels.arena) {
    const needed = Math.ceil((least / kernels.arena) * kernels.memory);
    throw new UserError(
      `--memory: ${kernels.memory} bytes are too few for blocks of the endings, ${needed} are needed`,
    );
  }
  let room = kernels.arena - least - ALIGNMENT * (all.length + 8);
  const bySize = [...all.keys()].sort((a, b) => all[a].bytes * all[a].count - all[b].bytes * all[b].count);
  for (const i of bySize) {
    const more = Math.max(0, Math.min(all[i].count - counts[i], Math.floor(room / aligned(all[i].bytes))));
    counts[i] += more;
    room -= more * aligned(all[i].bytes);
  }
  return all.map((blocks, i) => newPool(kernels, allocate, blocks, counts[i]));
}

function newPool(
  kernels: Kernels,
  allocate: (bytes: number) => number,
  { swap, bytes, count }: Blocks,
  slots: number,
): BlockPool {
  const table = allocate(4 * count);
  const first = allocate(slots * aligned(bytes));
  const addresses = new Int32Array(kernels.wasm.memory.buffer, table, count).fill(0);
  /** A Map keeps the order of insertion: the first block is the one not used for the longest time. */
  const recent = new Map<number, number>();
  return {
    table,
    address: (number) => addresses[number],
    use(numbers) {
      for (const number of numbers) {
        const at = recent.get(number);
        if (at === undefined) continue;
        recent.delete(number);
        recent.set(number, at);
      }
      for (const number of numbers) {
        if (recent.has(number)) continue;
        let at = first + recent.size * aligned(bytes);
        if (recent.size === slots) {
          const [oldest, freed] = recent.entries().next().value!;
          recent.delete(oldest);
          addresses[oldest] = 0;
          at = freed;
        }
        swap.read(number * bytes, bytesAt(kernels, at, bytes));
        recent.set(number, at);
        addresses[number] = at;
      }
    },
  };
}

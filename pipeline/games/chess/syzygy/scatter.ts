/**
 * The subtables of a side in blocks: rows come in any order, go to the pages of their blocks, and full pages to scratch.
 * Then each block is made of its rows. A distribution sort whose rows are a word (operators/distribute/distribute.ts sorts two), so
 * that what is kept of an index is all that is moved. Writes and reads every row once.
 */

import { UserError } from '../../../../operators/core/errors.js';
import { writeWords } from '../../../../operators/core/wasm.js';
import type { Swap } from '../../../../operators/storage/swap.js';
import { bytesAt, ioBytes, type Kernels, layOut } from './kernels.js';

/** As in assembly/tables.ts. */
const MOST_BUCKETS = 16384;
/** Indices of a block: its number in it takes 20 bits of a row. */
const MOST_BITS = 20;
const MOST_PAGE = 1 << 16;
const LEAST_PAGE = 64;
/** The share of the arena that pages may take. */
const PAGES_SHARE = 4 / 5;
/** A block of values on its way takes four bytes an index, and half of the arena. */
const BLOCK_SHARE = 8;

export interface Scatter {
  /** The address, after the pages, of memory that may be used while rows are added. */
  readonly space: number;
  /** Blocks of each subtable; a block has 2^bits indices, the last of a subtable fewer. */
  readonly blocks: readonly number[];
  readonly bits: number;
  /** All rows are there. */
  seal(): void;
  /** Shows the rows of a block of a subtable, read to the address `into`, of ioBytes; the pages are free. */
  read(subtable: number, block: number, into: number, show: (rows: number) => void): void;
  /** Replaces each row of a block by the value of its index, with more bits. */
  answer(subtable: number, block: number, values: Uint16Array, more: number): void;
  /** After all blocks were answered: the kernel takes the answers of each bucket in the order in which its rows were put. */
  recallAnswers(): void;
  dispose(): void;
}

/** `space` bytes are left behind the pages. Throws UserError if the memory is too small for pages. */
export function newScatter(kernels: Kernels, sizes: readonly number[], space: number): Scatter {
  const { wasm, host, arena } = kernels;
  const bits = Math.max(14, Math.min(MOST_BITS, Math.floor(Math.log2(arena / BLOCK_SHARE))));
  const blocks = sizes.map((size) => Math.ceil(size / 2 ** bits));
  const first = blocks.map((_, i) => blocks.slice(0, i).reduce((sum, count) => sum + count, 0));
  const buckets = blocks.reduce((sum, count) => sum + count, 0);
  const mostPage = Math.min(MOST_PAGE, ioBytes(kernels));
  const page = Math.min(mostPage, Math.floor((PAGES_SHARE * arena) / buckets) & ~3);
  if (page < LEAST_PAGE || buckets > MOST_BUCKETS) {
    throw new UserError(
      `--memory: more is needed for an ending of ${Math.max(...sizes)} indices; ${arena} bytes are left for buffers`,
    );
  }
  const allocate = layOut(kernels);
  const pages = allocate(page * buckets);
  const held = new Int32Array(wasm.memory.buffer, wasm.HELD.value, buckets).fill(0);
  writeWords(kernels.wasm, 'FIRST_BUCKET', first);
  wasm.setPages(pages, page / 4, bits);
  const swap: Swap = kernels.scratch.swap();
  /** By bucket: offsets of its pages in scratch, and rows in each. */
  const spilled: number[][] = blocks.flatMap((count) => Array.from({ length: count }, () => []));
  let end = 0;
  const spill = (bucket: number, rows: number) => {
    swap.write(end, bytesAt(kernels, pages + bucket * page, 4 * rows));
    spilled[bucket].push(end, rows);
    end += 4 * rows;
  };
  host.spill = spill;
  return {
    bits,
    blocks,
    space: allocate(space),
    seal() {
      for (let bucket = 0; bucket < buckets; bucket++) if (held[bucket] > 0) spill(bucket, held[bucket]);
    },
    read(subtable, block, into, show) {
      const places = spilled[first[subtable] + block];
      for (let i = 0; i < places.length; i += 2) {
        swap.read(places[i], bytesAt(kernels, into, 4 * places[i + 1]));
        show(places[i + 1]);
      }
    },
    answer(subtable, block, values, more) {
      const places = spilled[first[subtable] + block];
      for (let i = 0; i < places.length; i += 2) {
        const rows = new Uint32Array(wasm.memory.buffer, pages, places[i + 1]);
        const bytes = bytesAt(kernels, pages, 4 * rows.length);
        swap.read(places[i], bytes);
        for (let row = 0; row < rows.length; row++) rows[row] = values[rows[row] >>> 12] | more;
        swap.write(places[i], bytes);
      }
    },
    recallAnswers() {
      const taken = new Int32Array(wasm.memory.buffer, wasm.TAKEN.value, buckets).fill(0);
      held.fill(0);
      const next = new Uint32Array(buckets);
      host.recall = (bucket) => {
        const places = spilled[bucket];
        const at = next[bucket];
        swap.read(places[at], bytesAt(kernels, pages + bucket * page, 4 * places[at + 1]));
        held[bucket] = places[at + 1];
        taken[bucket] = 0;
        next[bucket] = at + 2;
      };
    },
    dispose: () => swap.remove(),
  };
}

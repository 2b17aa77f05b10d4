/** The blocks of tables that were read last, within a number of bytes. Tables may be of several games and metrics. */
import type { Column, DenseBatch } from '../../operators/runs/types.js';
import type { Side, SliceIndex } from '../contract/game.js';
import type { TableManifest } from '../formats/manifest.js';
import { slicePrefix } from '../table/table-names.js';
import type { ValueTable } from '../table/value-table.js';
import type { OpenValues } from './open-values.js';

interface Block {
  readonly first: number;
  readonly codes: Column;
}

/** Blocks of a table: of its values or, by a `kind`, of something else that it says of positions. */
export interface CachedBlocks {
  readonly manifest: Pick<TableManifest, 'game' | 'metric' | 'slice'>;
  readonly kind?: string;
  block(side: Side, part: number, key: number): Promise<DenseBatch>;
}

/** How many of the codes asked for lay in cached blocks, how many did not, and the bytes of the blocks that were read. */
export interface BlockCacheCounts {
  hits: number;
  misses: number;
  bytesRead: number;
}

/** Holds the table blocks that were read last. */
export interface BlockCache {
  /** The code of a position; reads the block that holds it unless it is cached. StorageError if that is damaged. */
  code(table: CachedBlocks, side: Side, part: number, key: number): Promise<number>;
  readonly counts: Readonly<BlockCacheCounts>;
}

/** `bytes`: what the cached blocks may take; the block read last is kept however large it is. */
export function newBlockCache(bytes: number): BlockCache {
  // A Map keeps the order of insertion: the first block is the one not used for the longest time.
  const recent = new Map<string, Block>();
  /** The cached blocks of a part, by their first keys: few, so a walk finds the right one. */
  const firsts = new Map<string, number[]>();
  const counts: BlockCacheCounts = { hits: 0, misses: 0, bytesRead: 0 };
  let held = 0;

  function find(where: string, key: number): Block | undefined {
    for (const first of firsts.get(where) ?? []) {
      const name = `${where}/${first}`;
      const block = recent.get(name)!;
      if (key < first || first + block.codes.length <= key) continue;
      recent.delete(name);
      recent.set(name, block);
      return block;
    }
    return undefined;
  }

  function keep(where: string, block: Block): void {
    const name = `${where}/${block.first}`;
    recent.set(name, block);
    firsts.set(where, [...(firsts.get(where) ?? []), block.first]);
    held += block.codes.byteLength;
    for (const [oldest, old] of recent) {
      if (held <= bytes || oldest === name) break;
      recent.delete(oldest);
      held -= old.codes.byteLength;
      const owner = oldest.slice(0, oldest.lastIndexOf('/'));
      const rest = firsts.get(owner)!.filter((first) => first !== old.first);
      if (rest.length > 0) firsts.set(owner, rest);
      else firsts.delete(owner);
    }
  }

  return {
    counts,
    async code(table, side, part, key) {
      const { game, metric, slice } = table.manifest;
      const where = `${slicePrefix(game, metric, slice)}${table.kind ?? ''}/${side}/${part}`;
      let block = find(where, key);
      if (block !== undefined) counts.hits++;
      else {
        const read: DenseBatch = await table.block(side, part, key);
        block = { first: read.first, codes: read.columns[0] };
        counts.misses++;
        counts.bytesRead += block.codes.byteLength;
        // Another call may have read the same block while this one waited.
        if (!recent.has(`${where}/${block.first}`)) keep(where, block);
      }
      return block.codes[key - block.first];
    },
  };
}

/** The values of a table, by cached blocks; no metric that it may have knows a clock. */
export function cachedValues(table: ValueTable<SliceIndex>, cache: BlockCache): OpenValues {
  const { valueType } = table.manifest;
  return { valueType, code: ({ side, part, key }) => cache.code(table, side, part, key) };
}

/** The blocks of tables that were read last, within a number of bytes. Tables may be of several games and metrics. */
import { RecentCache } from '../../../operators/core/recent-cache.js';
import type { Column, DenseBatch } from '../../../operators/runs/types.js';
import type { Side, SliceIndex } from '../../game/game.js';
import type { TableManifest } from '../../game/manifest.js';
import { slicePrefix } from '../table-names.js';
import type { TableColumn, ValueTable } from '../value-table.js';
import type { OpenValues } from './open-values.js';

interface Block {
  readonly first: number;
  readonly codes: Column;
}

/**
 * Blocks of a table: of its values or, with a `kind`, of another column of its positions. If a table takes the place of one with other values,
 * their digests differ, so they share no blocks. Where tables are not replaced, they need no digests.
 */
export interface CachedBlocks {
  readonly manifest: Pick<TableManifest, 'game' | 'metric' | 'slice'> &
    Partial<Pick<TableManifest, 'digests'>>;
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
  /** The cached blocks of a part: few, so a walk finds the right one. */
  const blocksOf = new Map<string, Block[]>();
  const recent = new RecentCache<string, Block>(bytes, (oldest, block) => {
    const owner = oldest.slice(0, oldest.lastIndexOf('/'));
    const rest = blocksOf.get(owner)!.filter((other) => other !== block);
    if (rest.length > 0) blocksOf.set(owner, rest);
    else blocksOf.delete(owner);
  });
  const counts: BlockCacheCounts = { hits: 0, misses: 0, bytesRead: 0 };
  const owners = new WeakMap<CachedBlocks['manifest'], readonly [string, string]>();

  /** By side, the first part of the names of a table's blocks. */
  function ownersOf(manifest: CachedBlocks['manifest']): readonly [string, string] {
    let known = owners.get(manifest);
    if (known === undefined) {
      const { game, metric, slice, digests } = manifest;
      const prefix = slicePrefix(game, metric, slice);
      known = [`${prefix}/${digests?.[0]}/0`, `${prefix}/${digests?.[1]}/1`];
      owners.set(manifest, known);
    }
    return known;
  }

  function find(where: string, key: number): Block | undefined {
    for (const { first, codes } of blocksOf.get(where) ?? []) {
      if (first <= key && key < first + codes.length) return recent.get(`${where}/${first}`);
    }
    return undefined;
  }

  function keep(where: string, block: Block): void {
    const name = `${where}/${block.first}`;
    // Another call may have read the same block while this one waited.
    if (recent.get(name) !== undefined) return;
    recent.set(name, block, block.codes.byteLength);
    blocksOf.set(where, [...(blocksOf.get(where) ?? []), block]);
  }

  return {
    counts,
    async code(table, side, part, key) {
      const where = `${ownersOf(table.manifest)[side]}${table.kind ?? ''}/${part}`;
      let block = find(where, key);
      if (block !== undefined) counts.hits++;
      else {
        const read: DenseBatch = await table.block(side, part, key);
        block = { first: read.first, codes: read.columns[0] };
        counts.misses++;
        counts.bytesRead += block.codes.byteLength;
        keep(where, block);
      }
      return block.codes[key - block.first];
    },
  };
}

/** The values of a table, by cached blocks, for metrics without values by clock. @param numbers those beside them, if there are any. */
export function cachedValues(
  table: ValueTable<SliceIndex>,
  cache: BlockCache,
  numbers: TableColumn | null = null,
): OpenValues {
  const { manifest } = table;
  const beside = numbers === null ? null : { manifest, kind: '/numbers', block: numbers.block };
  return {
    valueType: manifest.valueType,
    code: ({ side, part, key }) => cache.code(table, side, part, key),
    ...(beside !== null && { number: ({ side, part, key }) => cache.code(beside, side, part, key) }),
  };
}

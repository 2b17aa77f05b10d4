/**
 * Values of a table as a static site has them, for the export that writes them and the page that reads them.
 *
 * The values of a side to move, in index order, are cut into blocks. A block is followed by its CRC-32, and so many blocks are
 * a file. Where a block lies follows from the index alone, so nothing is read but the blocks that hold the positions asked for.
 * The CRC goes on from the table's digest, the side and the number of the block: a block of another place is reported as damaged.
 */
import { crc32 } from '../../operators/core/checksum.js';
import type { Side, SliceIndex } from '../../pipeline/game/game.js';
import type { TableManifest } from '../../pipeline/game/manifest.js';
import type { Metric } from '../../pipeline/game/value.js';
import { slicePrefix } from '../../pipeline/tables/table-names.js';

/** Bytes of values in a block; the last block of a side may have fewer. */
export const BLOCK_BYTES = 4096;
/** Bytes of the CRC-32 behind them, the least byte first. */
export const CRC_BYTES = 4;
/** Blocks of a file; the last file of a side may have fewer. */
const FILE_BLOCKS = 256;

/** The description of a slice's table on a site. */
export interface SiteTable {
  readonly type: TableManifest['valueType'];
  /** The parts of the index whose order the values have. */
  readonly parts: number;
  readonly width: number;
  /** The digests of both sides, in short. */
  readonly seal: string;
  /** The same of the numbers beside the values, where the metric has them. */
  readonly numbers?: string;
}

/** A column of a table: its values, or the numbers beside them. */
export interface SiteColumn {
  readonly what: 'values' | 'numbers';
  readonly type: SiteTable['type'] | 'u8';
  readonly seal: string;
}

export function columnsOf({ type, seal, numbers }: SiteTable): readonly [SiteColumn, ...SiteColumn[]] {
  const values = { what: 'values', type, seal } as const;
  return numbers === undefined ? [values] : [values, { what: 'numbers', type: 'u8', seal: numbers }];
}

/** The tables of a game and metric, by slice. */
export type SiteTables = Readonly<Record<string, SiteTable>>;

export function siteTable({ valueType, parts, width, digests, numbers }: TableManifest): SiteTable {
  const sealOf = (all: readonly string[]) => all.map((digest) => digest.slice(0, 8)).join('');
  const entry = { type: valueType, parts, width, seal: sealOf(digests) };
  return numbers === undefined ? entry : { ...entry, numbers: sealOf(numbers.digests) };
}

/** Rows [first, first + rows) of a side, and where they lie. */
export interface ValueBlock {
  readonly number: number;
  readonly first: number;
  readonly rows: number;
  /** The number of the file, and the byte of it at which the block begins. */
  readonly file: number;
  readonly offset: number;
  /** Bytes of the values and their CRC. */
  readonly bytes: number;
}

export function rowBytes(type: SiteColumn['type']): number {
  return type === 'i16' ? 2 : 1;
}

/** The block that holds a row of a side. */
export function blockOf({ size }: SliceIndex, type: SiteColumn['type'], row: number): ValueBlock {
  const most = BLOCK_BYTES / rowBytes(type);
  const number = Math.floor(row / most);
  const first = number * most;
  const rows = Math.min(most, size - first);
  const file = Math.floor(number / FILE_BLOCKS);
  const offset = (number % FILE_BLOCKS) * (BLOCK_BYTES + CRC_BYTES);
  return { number, first, rows, file, offset, bytes: rows * rowBytes(type) + CRC_BYTES };
}

export function fileName(
  game: string,
  metric: Metric,
  slice: string,
  { what }: Pick<SiteColumn, 'what'>,
  side: Side,
  file: number,
): string {
  return `${slicePrefix(game, metric, slice)}/${what}-${side}-${file}`;
}

/** The CRC-32 of a block's values. */
export function crcOf(
  values: Uint8Array,
  { seal }: Pick<SiteColumn, 'seal'>,
  side: Side,
  number: number,
): number {
  return crc32(values, crc32(new TextEncoder().encode(`${seal} ${side} ${number}`)));
}

/** Tables of a static site (jobs/site/value-blocks.ts): a read for each block that is not at hand, and no directory. */

import { DamageError, StorageError } from '../../../operators/core/errors.js';
import type { Interval } from '../../../operators/core/interval.js';
import { own } from '../../../operators/core/own.js';
import { objectName } from '../../../operators/storage/object-names.js';
import { readSoundly, type Store } from '../../../operators/storage/store.js';
import type { Game, Side, Slice } from '../../../pipeline/game/game.js';
import type { Metric, ValueColumn } from '../../../pipeline/game/value.js';
import { assumedNumbers, assumedTable } from '../../../pipeline/tables/assumed-table.js';
import { drawnThroughout } from '../../../pipeline/tables/probe/drawn-throughout.js';
import type { TableColumn, ValueTable } from '../../../pipeline/tables/value-table.js';
import {
  blockOf,
  CRC_BYTES,
  columnsOf,
  crcOf,
  fileName,
  rowBytes,
  type SiteColumn,
  type SiteTable,
  type SiteTables,
  type ValueBlock,
} from '../../site/value-blocks.js';

/** A table, and the numbers beside its values, if it has them. */
interface SiteValuesOf {
  readonly table: ValueTable;
  readonly numbers: TableColumn | null;
}

/** The table of a slice; null if all its positions are drawn and it needs none. Throws StorageError if it has none, but needs one. */
export function siteTableOf(
  store: Store,
  game: Game,
  metric: Metric,
  tables: SiteTables,
  name: string,
): SiteValuesOf | null {
  const slice = game.slice(name);
  const found = own(tables, name);
  const where = `${store.uri}/${game.name}/${metric}/${name}`;
  if (slice.assumed !== undefined) {
    const table = assumedTable(game.name, metric, slice, slice.assumed);
    return { table, numbers: assumedNumbers(metric, slice, slice.assumed) };
  }
  if (found === undefined) {
    if (drawnThroughout(slice)) return null;
    throw new StorageError(where, 'there is no such table');
  }
  const entry: SiteTable = found;
  if (entry.parts !== slice.parts || entry.width !== slice.width)
    throw new StorageError(where, `is in the order of another index of ${name} than this version uses`);
  const [values, numbers] = columnsOf(entry).map((column) => {
    const nameOf = (side: Side, file: number) => fileName(game.name, metric, name, column, side, file);
    return columnReader(slice, column, readerOf(store, column, nameOf));
  });
  const manifest = { game: game.name, metric, slice: name, valueType: entry.type };
  return { table: { slice, manifest, ...values }, numbers: numbers ?? null };
}

/** A column as tables have theirs: in order, and by blocks. */
function columnReader(slice: Slice, entry: SiteColumn, reading: ReturnType<typeof readerOf>) {
  async function block(side: Side, part: number, key: number) {
    const found = blockOf(slice, entry.type, part * slice.width + key);
    const [values] = await reading.read(side, [found]);
    const { from, to } = rowsOf(slice, found, part);
    const column = values.slice(from - found.first, to - found.first);
    return { major: part, first: from - part * slice.width, length: to - from, columns: [column] };
  }

  async function* values(side: Side, from: number, to: number) {
    let part = from;
    for (let row = from * slice.width; part < to; ) {
      // All blocks of a file that are left are one read.
      const some = restOfFile(slice, entry, row);
      const columns = await reading.read(side, some);
      for (const [i, each] of some.entries()) {
        for (; part < to; part++) {
          const range = rowsOf(slice, each, part);
          if (range.from >= range.to) break;
          const column = columns[i].subarray(range.from - each.first, range.to - each.first);
          yield {
            major: part,
            first: range.from - part * slice.width,
            length: column.length,
            columns: [column],
          };
          if (range.to < part * slice.width + slice.partSize(part)) break;
        }
        row = each.first + each.rows;
      }
    }
  }

  return { block, values };
}

/** The rows of a part that a block has. */
function rowsOf(slice: Slice, { first, rows }: ValueBlock, part: number): Interval {
  const start = part * slice.width;
  return { from: Math.max(first, start), to: Math.min(first + rows, start + slice.partSize(part)) };
}

/** The block with a row, and those behind it in the same file. */
function restOfFile(slice: Slice, { type }: SiteColumn, from: number): ValueBlock[] {
  const blocks = [blockOf(slice, type, from)];
  for (;;) {
    const { file, first, rows } = blocks.at(-1)!;
    if (first + rows >= slice.size) return blocks;
    const next = blockOf(slice, type, first + rows);
    if (next.file !== file) return blocks;
    blocks.push(next);
  }
}

/** Reads blocks that follow each other in a file, and checks each. */
function readerOf(store: Store, entry: SiteColumn, nameOf: (side: Side, file: number) => string) {
  return {
    async read(side: Side, blocks: readonly ValueBlock[]): Promise<(ValueColumn | Uint8Array)[]> {
      const [{ file, offset }] = blocks;
      const name = nameOf(side, file);
      const bytes = new Uint8Array(blocks.reduce((sum, each) => sum + each.bytes, 0));
      return readSoundly(store, name, async () => {
        await store.read(name, offset, bytes);
        return blocks.map((each) => {
          const at = each.offset - offset;
          const end = at + each.bytes - CRC_BYTES;
          // A copy of its own, so that 16-bit values begin at an even byte.
          const values = bytes.slice(at, end);
          if (new DataView(bytes.buffer).getUint32(end, true) !== crcOf(values, entry, side, each.number))
            throw new DamageError(
              objectName(store, name),
              `block ${each.number} does not match its checksum (byte ${each.offset})`,
            );
          if (entry.type === 'u8') return values;
          return rowBytes(entry.type) === 1
            ? new Int8Array(values.buffer)
            : new Int16Array(values.buffer, 0, each.rows);
        });
      });
    },
  };
}

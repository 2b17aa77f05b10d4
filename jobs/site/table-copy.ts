/** Tables as a static site has them: the same values, in blocks (value-blocks.ts). */
import { createHash } from 'node:crypto';
import { DamageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/object-names.js';
import { putOver, readAll, type Store } from '../../operators/storage/store.js';
import type { Game, Side } from '../../pipeline/game/game.js';
import type { Metric } from '../../pipeline/game/value.js';
import { openNumbers } from '../../pipeline/tables/numbers.js';
import { openTable, type Table } from '../../pipeline/tables/table.js';
import { slicePrefix, tableManifestName } from '../../pipeline/tables/table-names.js';
import { digestOfParts } from '../../pipeline/tables/writer.js';
import { breathe } from '../cli/output.js';
import { json } from './folder.js';
import { SITE_VERSION } from './site-layout.js';
import {
  BLOCK_BYTES,
  blockOf,
  CRC_BYTES,
  columnsOf,
  crcOf,
  fileName,
  rowBytes,
  type SiteColumn,
  type SiteTable,
  siteTable,
  type ValueBlock,
} from './value-blocks.js';

/** A table that the site has. */
interface CopiedTable {
  readonly table: SiteTable;
  /** The names of its objects. */
  readonly names: readonly string[];
}

/**
 * Copies a table, unless it is there. Null if `from` has none.
 * @throws StorageError; DamageError if its values are not those of its digest.
 */
export async function copyTable(
  game: Game,
  metric: Metric,
  slice: string,
  from: Store,
  to: Store,
): Promise<CopiedTable | null> {
  const table = await openTable(from, game, metric, slice);
  if (table === null) return null;
  const entry = siteTable(table.manifest);
  const mark = tableManifestName(game.name, metric, slice);
  const record = json({ version: SITE_VERSION, digests: table.manifest.digests, ...entry });
  const columns = columnsOf(entry);
  const names = columns.flatMap((column) =>
    ([0, 1] as const).flatMap((side) => fileNames(table, column, side)),
  );
  const there = await readAll(to, mark);
  if (there === null || Buffer.compare(there, record) !== 0) {
    await to.delete(mark);
    for (const column of columns)
      for (const side of [0, 1] as const) await copySide(table, column, side, from, to);
    await putOver(to, mark, record);
  }
  return { table: entry, names: [mark, ...names] };
}

function fileNames({ slice, manifest }: Table, column: SiteColumn, side: Side): string[] {
  const last = blockOf(slice, column.type, slice.size - 1);
  return Array.from({ length: last.file + 1 }, (_, file) =>
    fileName(manifest.game, manifest.metric, slice.name, column, side, file),
  );
}

async function copySide(table: Table, entry: SiteColumn, side: Side, from: Store, to: Store): Promise<void> {
  const { slice, manifest } = table;
  const isValues = entry.what === 'values';
  const batches = isValues
    ? table.values(side, 0, slice.parts)
    : openNumbers(from, table).values(side, 0, slice.parts);
  const expected = (isValues ? manifest.digests : manifest.numbers!.digests)[side];
  const digests: string[] = [];
  const files = newFiles(table, entry, side, to);
  let hash = createHash('sha256');
  let hashed = 0;
  for await (const { major, length, columns } of batches) {
    const [column] = columns;
    const values = new Uint8Array(column.buffer, column.byteOffset, length * rowBytes(entry.type));
    for (; hashed < major; hashed++) {
      digests.push(hash.digest('hex'));
      hash = createHash('sha256');
    }
    hash.update(values);
    await files.add(values);
    await breathe();
  }
  digests.push(hash.digest('hex'));
  if (digestOfParts(digests) !== expected) {
    throw new DamageError(
      objectName(to, slicePrefix(manifest.game, manifest.metric, slice.name)),
      `the ${entry.what} of the table it is copied from are not those of its digest`,
    );
  }
}

/** Takes the values of a side in order, and writes each file when it is full. */
function newFiles({ slice, manifest }: Table, entry: SiteColumn, side: Side, to: Store) {
  const values = new Uint8Array(BLOCK_BYTES);
  let block: ValueBlock = blockOf(slice, entry.type, 0);
  let held = 0;
  let blocks: Uint8Array[] = [];

  async function endBlock(): Promise<void> {
    const full = new Uint8Array(held + CRC_BYTES);
    full.set(values.subarray(0, held));
    const crc = crcOf(full.subarray(0, held), entry, side, block.number);
    new DataView(full.buffer).setUint32(held, crc, true);
    blocks.push(full);
    held = 0;
    const row = block.first + block.rows;
    const next = row < slice.size ? blockOf(slice, entry.type, row) : null;
    if (next === null || next.file !== block.file) {
      const name = fileName(manifest.game, manifest.metric, slice.name, entry, side, block.file);
      await putOver(to, name, Buffer.concat(blocks));
      blocks = [];
    }
    block = next ?? block;
  }

  return {
    async add(some: Uint8Array): Promise<void> {
      for (let at = 0; at < some.length; ) {
        const room = block.rows * rowBytes(entry.type) - held;
        const taken = some.subarray(at, at + room);
        values.set(taken, held);
        held += taken.length;
        at += taken.length;
        if (taken.length === room) await endBlock();
      }
    },
  };
}

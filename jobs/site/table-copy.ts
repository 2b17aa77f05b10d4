/**
 * Tables as a static site has them: the same values, in runs that make looking a position up over the network cheap.
 *
 * A run's directory is read once, then a record batch for each position that is not near one seen before. Solved tables have
 * batches of 64 Ki positions, for reading in order. Here a batch is 4 KiB, and a run has so few of them (512) that its
 * directory is read by the 18 KiB with which a run is opened; a table of more is several runs, of which a probe opens those
 * that its moves lead to.
 */
import { newCounters } from '../../operators/core/counters.js';
import { DamageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/names.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game, Side } from '../../pipeline/game.js';
import { commitManifest, type PartRun, readManifest, TableManifest } from '../../pipeline/manifest.js';
import { slicePrefix, tableManifestName } from '../../pipeline/table/names.js';
import { openTable, type Table } from '../../pipeline/table/table.js';
import { commitVerified, readVerified, verifiedName } from '../../pipeline/table/verified.js';
import { digestOfParts, type TableWriter, writeValues } from '../../pipeline/table/writer.js';
import type { Metric, ValueColumn } from '../../pipeline/value.js';
import { breathe } from '../output.js';

const BATCH_BYTES = 4096;
const RUN_BATCHES = 512;

/**
 * Copies a table, unless it is there. Null if `from` has none.
 * @returns the names of the objects in `to`. @throws StorageError; DamageError if its values are not those of its digest.
 */
export async function copyTable(
  game: Game,
  metric: Metric,
  slice: string,
  from: Store,
  to: Store,
): Promise<string[] | null> {
  const table = await openTable(from, game, metric, slice);
  if (table === null) return null;
  const name = tableManifestName(game.name, metric, slice);
  const there = await readManifest(to, name, TableManifest);
  let manifest = there !== null && there.digests.join() === table.manifest.digests.join() ? there : null;
  if (manifest === null) {
    await to.delete(name);
    const values: [PartRun[], PartRun[]] = [await copySide(table, 0, to), await copySide(table, 1, to)];
    manifest = await commitManifest(to, name, { ...table.manifest, values }, TableManifest);
  }
  const verified = await readVerified(from, table.manifest);
  const names = [name, ...manifest.values.flat().map((run) => run.name)];
  if (verified === null) return names;
  await commitVerified(to, manifest, verified);
  return [...names, verifiedName(game.name, metric, slice)];
}

async function copySide(table: Table, side: Side, to: Store): Promise<PartRun[]> {
  const { slice, manifest } = table;
  const { metric, valueType } = manifest;
  const batchRows = BATCH_BYTES / (valueType === 'i8' ? 1 : 2);
  const parts = Math.max(1, Math.floor((RUN_BATCHES * batchRows) / slice.width));
  const prefix = slicePrefix(manifest.game, metric, slice.name);
  const env = { batchRows, counters: newCounters() };
  const runs: PartRun[] = [];
  const digests: string[] = [];
  for (let from = 0; from < slice.parts; from += parts) {
    const interval = { from, to: Math.min(slice.parts, from + parts) };
    const head = { slice: slice.name, metric, side, type: valueType, parts: interval };
    const write = async (writer: TableWriter): Promise<void> => {
      for await (const { major, columns } of table.values(side, interval.from, interval.to)) {
        await writer.append(major, columns[0] as ValueColumn);
        await breathe();
      }
    };
    const { run, partDigests } = await writeValues(to, prefix, head, env, write);
    runs.push(run);
    digests.push(...partDigests);
  }
  if (digestOfParts(digests) !== manifest.digests[side]) {
    throw new DamageError(
      objectName(to, prefix),
      'the values of the table it is copied from are not those of its digest',
    );
  }
  return runs;
}

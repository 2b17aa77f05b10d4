/** Tables with wrong values whose checksums are all right: only a derivation by forward moves can find such faults. */
import { newCounters } from '../../operators/core/counters.js';
import { openRun } from '../../operators/runs/reader.js';
import { createRun } from '../../operators/runs/writer.js';
import type { Store } from '../../operators/storage/store.js';
import { commitManifest, type PartRun, readManifest, TableManifest } from '../../pipeline/game/manifest.js';
import type { ValueColumn } from '../../pipeline/game/value.js';

/** Changes `manifest` (a table.json), and seals it again. */
export async function forgeManifest(
  store: Store,
  manifest: string,
  change: (table: TableManifest) => TableManifest,
): Promise<void> {
  const table = (await readManifest(store, manifest, TableManifest))!;
  await store.delete(manifest);
  await commitManifest(store, manifest, change(table), TableManifest);
}

/** Lets `change` change the values of the first run of a side, batch by batch; returns how many batches it changed. */
export async function forgeValues(
  store: Store,
  manifest: string,
  side: 0 | 1,
  change: (values: ValueColumn, major: number, first: number) => boolean,
): Promise<number> {
  const table = (await readManifest(store, manifest, TableManifest))!;
  const counters = newCounters();
  const [run, ...others] = table.values[side];
  const reader = await openRun(store, run, { counters });
  const writer = await createRun(store, run.name, reader.spec, { batchRows: 65536, counters });
  let changed = 0;
  for await (const { major, first, length, columns } of reader.denseCursor()) {
    const values = columns[0].slice() as ValueColumn;
    if (change(values, major, first)) changed++;
    await writer.append(major, length, null, [values]);
  }
  const { crc } = await writer.close();
  const forged: PartRun[] = [{ ...run, crc }, ...others];
  await forgeManifest(store, manifest, (before) => ({
    ...before,
    values: side === 0 ? [forged, before.values[1]] : [before.values[0], forged],
  }));
  return changed;
}

/** Histories of slices that earlier processes left unfinished. */
import { StorageError } from '../../operators/core/errors.js';
import type { Store } from '../../operators/storage/store.js';
import { readManifest } from '../../pipeline/game/manifest.js';
import type { Metric } from '../../pipeline/game/value.js';
import {
  EndRecord,
  type History,
  ProgressRecord,
  runsAmong,
  runsFolder,
} from '../../pipeline/tables/records/record-shapes.js';
import { interrupted } from '../../pipeline/tables/records/slice-record.js';

/** Runs that are looked at, the latest. */
const LOOKED_AT = 8;

/** Histories by slice; the last one counts. Records that cannot be read are left out. */
export async function earlierHistories(
  store: Store,
  game: string,
  metric: Metric,
): Promise<Map<string, History>> {
  const found = new Map<string, History>();
  for (const { progress, end } of runsAmong(await store.list(`${runsFolder(game)}/`)).slice(-LOOKED_AT)) {
    if (progress === null) continue;
    try {
      if (end !== null && (await readManifest(store, end, EndRecord))?.how === 'done') continue;
      const last = await readManifest(store, progress, ProgressRecord);
      if (last?.metric !== metric) continue;
      for (const slice of last.slices) found.set(slice.slice, interrupted(slice, last.at));
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
  return found;
}

/** The tables that an ending converts to: solved once in a common store, then lent to each run. */
import { copyFileSync, linkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert } from '../../operators/core/errors.js';
import { writing } from '../../operators/storage/errno.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game } from '../../pipeline/game/game.js';
import { readManifest, TableManifest } from '../../pipeline/game/manifest.js';
import { planSlices } from '../../pipeline/game/plan.js';
import type { Metric } from '../../pipeline/game/value.js';
import { tableManifestName } from '../../pipeline/tables/table-names.js';

/** All slices that `slice` leads to, each after those it leads to itself; without `slice`. */
export function slicesBelow(game: Game, slice: string): string[] {
  return planSlices(game, [slice])
    .map((planned) => planned.slice)
    .filter((name) => name !== slice);
}

/** Dependencies that have no table in the store. */
export async function missingTables(
  store: Store,
  game: Game,
  metric: Metric,
  slices: readonly string[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const slice of slices) {
    if ((await store.size(tableManifestName(game.name, metric, slice))) === null) missing.push(slice);
  }
  return missing;
}

/** Puts the tables in the folder `to` of another store: the same files under a second name, or copies. Throws StorageError. */
export async function lendTables(
  from: { readonly store: Store; readonly folder: string },
  to: string,
  game: Game,
  metric: Metric,
  slices: readonly string[],
): Promise<void> {
  writing(to, () => mkdirSync(to, { recursive: true }));
  for (const slice of slices) {
    const name = tableManifestName(game.name, metric, slice);
    const table = await readManifest(from.store, name, TableManifest);
    assert(table !== null, `${slice} was solved before it is lent`);
    for (const file of [...table.values.flat().map((run) => run.name), name]) {
      writing(to, () => lend(join(from.folder, file), join(to, file)));
    }
  }
}

function lend(file: string, as: string): void {
  mkdirSync(dirname(as), { recursive: true });
  try {
    linkSync(file, as);
  } catch {
    // Another file system, or one without links.
    copyFileSync(file, as);
  }
}

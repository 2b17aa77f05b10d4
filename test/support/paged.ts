import { newCounters } from '../../operators/core/counters.js';
import type { PageFolder } from '../../operators/storage/page-folder.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game, SliceCatalogue } from '../../pipeline/game/game.js';
import { brokenIn, type Metric, type ValueColumn } from '../../pipeline/game/value.js';
import {
  type PagedOptions,
  type PagedResult,
  solvePagedSlice,
} from '../../pipeline/rivals/paged/solve-slice.js';
import { needTable } from '../../pipeline/tables/table.js';
import { memoryPageFolder } from './memory-page-folder.js';
import { budgetOf, MiB } from './solving.js';

/** Solves one slice with the paged solver, in memory unless given a folder. */
export function solvePaged(
  game: Game,
  slice: string,
  metric: Metric,
  store: Store,
  more: Partial<PagedOptions> = {},
): Promise<PagedResult> {
  const pages = memoryPageFolder();
  return solvePagedSlice({
    game,
    slice,
    metric,
    store,
    budget: budgetOf(64 * MiB),
    pages,
    progress: () => {},
    ...more,
  });
}

/** All values of a table by side, null where broken. */
export async function valuesOf(
  game: SliceCatalogue,
  slice: string,
  metric: Metric,
  store: Store,
): Promise<(number | null)[][]> {
  const table = await needTable(store, game, metric, slice, newCounters());
  const sides: (number | null)[][] = [];
  for (const side of [0, 1] as const) {
    const values: (number | null)[] = [];
    for await (const batch of table.values(side, 0, table.slice.parts)) {
      const column = batch.columns[0] as ValueColumn;
      const broken = brokenIn(column);
      for (let i = 0; i < batch.length; i++) values.push(column[i] === broken ? null : column[i]);
    }
    sides.push(values);
  }
  return sides;
}

export class Crash extends Error {}

/**
 * The folder as seen by a process that is killed. It is killed at its `at`-th page write, when half of the page is
 * still written. Or it is killed at its `at`-th replacement of a small file, before or after it.
 */
export function killedFolder(folder: PageFolder, what: 'write' | 'before' | 'after', at: number): PageFolder {
  let left = at;
  let dead = false;
  const alive = (): void => {
    if (dead) throw new Crash();
  };
  const die = (): never => {
    dead = true;
    throw new Crash();
  };
  return {
    ...folder,
    open(name, empty) {
      alive();
      const file = folder.open(name, empty);
      return {
        ...file,
        write(page, pool, offset) {
          alive();
          if (what !== 'write' || --left > 0) return file.write(page, pool, offset);
          const torn = folder.pool(1);
          file.read(page, torn, 0);
          torn.set(pool.subarray(offset, offset + torn.length / 2));
          file.write(page, torn, 0);
          die();
        },
      };
    },
    replace(name, bytes) {
      alive();
      const last = what !== 'write' && --left === 0;
      if (last && what === 'before') die();
      folder.replace(name, bytes);
      if (last) die();
    },
    delete(name) {
      if (!dead) folder.delete(name);
    },
    remove() {
      alive();
      folder.remove();
    },
  };
}

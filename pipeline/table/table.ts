/**
 * A finished table: the values of all positions of a slice under one metric, in index order, as dense runs.
 */

import type { Counters } from '../../operators/core/counters.js';
import { newCounters } from '../../operators/core/counters.js';
import { assert, StorageError, UserError } from '../../operators/core/errors.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import type { Store } from '../../operators/storage/store.js';
import type { Game, Side, Slice } from '../game.js';
import { type PartRun, readManifest, TableManifest } from '../manifest.js';
import { namedSlice } from '../slice-words.js';
import type { Metric } from '../value.js';
import { tableManifestName } from './names.js';

/** A solved slice: its values, and what its manifest says. */
export interface Table {
  readonly slice: Slice;
  readonly manifest: TableManifest;
  /** Values of the parts [from, to) in order; columns[0] holds the codes of pipeline/value.ts. */
  values(side: Side, from: number, to: number): DenseCursor;
  /** An owned block of values that contains `key`. */
  block(side: Side, part: number, key: number): Promise<DenseBatch>;
}

/** Opens the table of `slice`; null if it is not solved in this store. Damage is a StorageError. */
export async function openTable(
  store: Store,
  game: Game,
  metric: Metric,
  sliceName: string,
  counters: Counters = newCounters(),
): Promise<Table | null> {
  const name = tableManifestName(game.name, metric, sliceName);
  const manifest = await readManifest(store, name, TableManifest);
  if (manifest === null) return null;
  const slice = game.slice(sliceName);
  if (manifest.slice !== sliceName || manifest.parts !== slice.parts || manifest.width !== slice.width) {
    throw new StorageError(name, `describes another index of ${sliceName} than this version uses`);
  }
  const readers = new Map<string, Promise<RunReader>>();
  const reader = (run: PartRun): Promise<RunReader> => {
    let opened = readers.get(run.name);
    if (!opened) {
      opened = openRun(store, run.name, { counters, expect: { kind: 'values' } });
      readers.set(run.name, opened);
      // What fails now may be mended the next time.
      opened.catch(() => readers.delete(run.name));
    }
    return opened;
  };

  async function* values(side: Side, from: number, to: number): DenseCursor {
    for (const run of manifest!.values[side]) {
      const range = { from: Math.max(from, run.from), to: Math.min(to, run.to) };
      if (range.from < range.to) yield* (await reader(run)).denseCursor(range);
    }
  }

  async function block(side: Side, part: number, key: number): Promise<DenseBatch> {
    const run = manifest!.values[side].find((candidate) => candidate.from <= part && part < candidate.to);
    assert(run !== undefined, `${sliceName} has a run for part ${part}`);
    return { major: part, ...(await (await reader(run)).denseBlock(part, key)) };
  }

  return { slice, manifest, values, block };
}

/** The tables of all that a slice converts to, in the order of its dependencies. Throws as {@link needTable}. */
export async function needDependencies(
  store: Store,
  game: Game,
  metric: Metric,
  slice: Slice,
  counters?: Counters,
): Promise<Table[]> {
  const tables: Table[] = [];
  for (const dependency of slice.dependencies) {
    tables.push(await needTable(store, game, metric, dependency.slice, counters));
  }
  return tables;
}

/** Nobody has solved or published the slice yet: the line says with which command to. */
export class MissingTableError extends UserError {
  constructor(
    readonly slice: string,
    message: string,
  ) {
    super(message);
  }
}

/** As {@link openTable}, but a table that is not there is the user's error, with the command that makes it. */
export async function needTable(
  store: Store,
  game: Game,
  metric: Metric,
  sliceName: string,
  counters?: Counters,
): Promise<Table> {
  const table = await openTable(store, game, metric, sliceName, counters);
  if (table !== null) return table;
  throw new MissingTableError(
    sliceName,
    `${namedSlice(game, sliceName)} is not solved for ${metric} in ${store.uri}: run "mergemate solve ${game.name} ${sliceName} --metric ${metric}" first`,
  );
}

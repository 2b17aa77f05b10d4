/**
 * A finished table: the values of all positions of a slice under one metric, in index order, as dense runs.
 */

import type { Counters } from '../../operators/core/counters.js';
import { newCounters } from '../../operators/core/counters.js';
import { assert, DamageError, StorageError, UserError } from '../../operators/core/errors.js';
import { newOnce } from '../../operators/core/once.js';
import { openRun, type RunReader } from '../../operators/runs/reader.js';
import type { Reading } from '../../operators/runs/record-batches.js';
import type { DenseBatch, DenseCursor } from '../../operators/runs/types.js';
import { expectIfListed } from '../../operators/storage/doubted-absence.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import type { Side, Slice, SliceCatalogue, SliceIndex } from '../game/game.js';
import { type PartRun, readManifest, TableManifest } from '../game/manifest.js';
import { withRemedy } from '../game/remedy.js';
import { namedSlice } from '../game/slice-words.js';
import type { Metric } from '../game/value.js';
import { assumedTable } from './assumed-table.js';
import { guardOf } from './table-guard.js';
import { tableManifestName } from './table-names.js';
import type { TableColumn, ValueTable } from './value-table.js';
import { describeSide, type SideRun } from './values-run.js';

/** A solved slice: its values and its manifest. */
export interface Table<Index extends SliceIndex = Slice> extends ValueTable<Index> {
  readonly manifest: TableManifest;
}

/** Opens the table of `slice`; null if it is not solved in this store. @throws StorageError for damage, and the error of the game's guard. */
export async function openTable<Index extends SliceIndex>(
  store: Store,
  game: Pick<SliceCatalogue<Index>, 'name' | 'slice'>,
  metric: Metric,
  sliceName: string,
  counters: Counters = newCounters(),
): Promise<Table<Index> | null> {
  const name = tableManifestName(game.name, metric, sliceName);
  const manifest = await readManifest(store, name, TableManifest);
  if (manifest === null) return null;
  await guardOf(game)?.(store);
  const slice = game.slice(sliceName);
  if (manifest.game !== game.name || manifest.metric !== metric || manifest.slice !== sliceName)
    throw new DamageError(
      objectName(store, name),
      `is the manifest of ${manifest.game} ${manifest.metric} ${manifest.slice}`,
    );
  requireIndex(manifest, slice);
  const { valueType: type, values: runs } = manifest;
  return { slice, manifest, ...openSides(store, { slice, metric, type, runs }, 'values', counters) };
}

/** @throws StorageError if the positions of the table are numbered otherwise than those of the slice are now. */
export function requireIndex(manifest: TableManifest, slice: SliceIndex): void {
  const isOther = (['parts', 'width', 'numbering'] as const).some((what) => manifest[what] !== slice[what]);
  if (!isOther) return;
  const name = tableManifestName(manifest.game, manifest.metric, slice.name);
  throw new StorageError(name, `describes another index of ${slice.name} than this version uses`);
}

/** The runs of both sides that go by index. */
export interface SideRuns {
  readonly slice: SliceIndex;
  readonly metric: Metric;
  readonly type: string;
  readonly runs: readonly [readonly PartRun[], readonly PartRun[]];
}

/** Reads such runs. Each is opened, and compared with the index, when it is first read. */
export function openSides(
  store: Store,
  { slice, metric, type, runs }: SideRuns,
  what: SideRun,
  counters: Counters,
): TableColumn {
  const once = newOnce<string, RunReader>();

  async function open(run: PartRun, side: Side): Promise<RunReader> {
    const expect = describeSide(what, slice.name, metric, side);
    const reader = await openRun(store, run, { counters, expect });
    const { dense, columns } = reader.spec;
    if (!dense || columns.length !== 1 || columns[0].type !== type)
      throw new DamageError(objectName(store, run.name), `is not a run of ${what} of type ${type}`);
    for (let part = run.from; part < run.to; part++) {
      const rows = reader.segmentRows(part);
      if (rows === slice.partSize(part)) continue;
      throw new DamageError(
        objectName(store, run.name),
        `has ${rows} ${what} of part ${part}, not ${slice.partSize(part)}`,
      );
    }
    return reader;
  }

  const reader = (side: Side, run: PartRun) => once(run.name, () => open(run, side));

  return {
    async *values(side, from, to, reading?: Reading): DenseCursor {
      for (const run of runs[side]) {
        const range = { from: Math.max(from, run.from), to: Math.min(to, run.to) };
        if (range.from < range.to) yield* (await reader(side, run)).denseCursor(range, reading);
      }
    },
    async block(side, part, key): Promise<DenseBatch> {
      const run = runs[side].find((candidate) => candidate.from <= part && part < candidate.to);
      assert(run !== undefined, `${slice.name} has a run for part ${part}`);
      return { major: part, ...(await (await reader(side, run)).denseBlock(part, key)) };
    },
  };
}

/** The tables of all that a slice converts to, in the order of its dependencies. Throws as {@link needTable}. */
export async function needDependencies<Index extends SliceIndex>(
  store: Store,
  game: Pick<SliceCatalogue<Index>, 'name' | 'slice'>,
  metric: Metric,
  slice: Pick<SliceIndex, 'dependencies'>,
  counters?: Counters,
): Promise<Table<Index>[]> {
  const tables: Table<Index>[] = [];
  for (const dependency of slice.dependencies) {
    const there = game.slice(dependency.slice);
    if (there.assumed !== undefined) {
      tables.push(assumedTable(game.name, metric, there, there.assumed));
      continue;
    }
    store.expect?.(tableManifestName(game.name, metric, dependency.slice));
    tables.push(await needTable(store, game, metric, dependency.slice, counters));
  }
  return tables;
}

/** The slice is neither solved nor published. */
export class MissingTableError extends UserError {
  constructor(
    readonly slice: string,
    message: string,
  ) {
    super(message);
  }
}

/** {@link openTable} for a table that the user needs: a missing one is a UserError, unless a listing shows it. */
export async function needTable<Index extends SliceIndex>(
  store: Store,
  game: Pick<SliceCatalogue<Index>, 'name' | 'slice' | 'sliceWords'>,
  metric: Metric,
  sliceName: string,
  counters?: Counters,
): Promise<Table<Index>> {
  const open = () => openTable(store, game, metric, sliceName, counters);
  const name = tableManifestName(game.name, metric, sliceName);
  const table = (await open()) ?? ((await expectIfListed(store, name)) ? await open() : null);
  if (table !== null) return table;
  throw withRemedy(
    new MissingTableError(
      sliceName,
      `${namedSlice(game, sliceName)} is not solved for ${metric} in ${store.uri}`,
    ),
    { task: 'solve', game: game.name, metric, slice: sliceName },
  );
}

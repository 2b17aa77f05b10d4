/**
 * Leaves: slices of a root (root.ts) whose values come from Syzygy files, so that nothing below them is solved. Each legal position of a leaf is
 * looked up, which makes its table. A move to such a position is a capture or a promotion. Where these restart the count of the metric, as they do under `dtc` and `dtz`, the outcome of the position is
 * all that the move's value depends on; so the files of outcomes (.rtbw) are enough, and values are exact. Under `dtz` a cursed win counts as
 * one of 101 plies, the least that is cursed. Under `dtm` the count goes on, and no file has it.
 *
 * Cost: a few microseconds a position, in one thread; memory: that of the tables' cache.
 */
import { DamageError } from '../../../operators/core/errors.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { Store } from '../../../operators/storage/store.js';
import { CENSUS_ROWS, newCensus, piecesOf, readStatus } from '../../game/fill-census.js';
import { type Game, type Side, type Slice, Status } from '../../game/game.js';
import { readManifest, TableManifest } from '../../game/manifest.js';
import type { ProgressListener } from '../../game/progress.js';
import { stipulations } from '../../game/stipulation.js';
import { brokenCode, type Metric, RULE_PLIES } from '../../game/value.js';
import { chess } from '../../games/chess/chess.js';
import { readRootSlice } from '../../games/chess/root-slices.js';
import { fileName } from '../../games/chess/syzygy/format.js';
import { capturedTo, exchangedMaterial, type Material, MOST_MEN } from '../../games/chess/syzygy/material.js';
import { openSyzygyTables, type SyzygyTables } from '../../games/chess/syzygy/read/tables.js';
import { makeTable } from '../../tables/made-table.js';
import { tableManifestName } from '../../tables/table-names.js';

const BROKEN = brokenCode('i8');

/** Whether outcomes are all that values of the metric depend on beyond captures and promotions. */
export function takesOutcomes(metric: Metric): boolean {
  const { goalOf, rule50, plies, restartsAt } = stipulations[metric];
  return goalOf === 'either' && rule50 !== 'clocked' && (!plies || restartsAt !== null);
}

/** Codes under a metric by outcome (`SyzygyOutcome`). */
function codesUnder(metric: Metric): readonly number[] {
  const { plies, rule50 } = stipulations[metric];
  if (!plies) return [-1, -1, 0, 1, 1];
  const cursed = rule50 === 'cursed' ? RULE_PLIES + 1 : 1;
  return [-2, -cursed - 1, 0, cursed, 1];
}

/** The stores with Syzygy files. Where several have the file of an ending, the first of them is read. */
export class LeafFiles {
  readonly #stores: readonly Store[];
  readonly #found = new Map<string, Promise<{ store: Store; name: string; size: number } | null>>();

  constructor(stores: readonly Store[]) {
    this.#stores = stores;
  }

  /** Whether all files are there that are read for positions with these men beside the kings. Throws StorageError. */
  async have(white: string, black: string): Promise<boolean> {
    if (2 + white.length + black.length > MOST_MEN) return false;
    const found = await Promise.all(capturedTo(white, black).map((each) => this.#find(each)));
    return found.every((file) => file !== null);
  }

  /** The same files, each with the checksum at its end. Throws StorageError, and DamageError for a file too short to be a Syzygy file. */
  async identify(white: string, black: string): Promise<NonNullable<TableManifest['source']>> {
    const found = await Promise.all(capturedTo(white, black).map((each) => this.#find(each)));
    const files = found.filter((file) => file !== null);
    return Promise.all(
      files.map(async ({ store, name, size }) => {
        const checksum = new Uint8Array(16);
        if (size < checksum.length) throw new DamageError(objectName(store, name), 'is not a Syzygy file');
        await store.read(name, size - checksum.length, checksum);
        return { file: name, checksum: Buffer.from(checksum).toString('hex') };
      }),
    );
  }

  open(cacheBytes: number): SyzygyTables {
    return openSyzygyTables(this.#stores, cacheBytes);
  }

  #find(material: Material) {
    let found = this.#found.get(material.name);
    if (found === undefined) this.#found.set(material.name, (found = this.#look(material)));
    return found;
  }

  async #look(material: Material) {
    for (const each of [material, exchangedMaterial(material)]) {
      const name = fileName(each, 'wdl');
      for (const store of this.#stores) {
        const size = await store.size(name);
        if (size !== null) return { store, name, size };
      }
    }
    return null;
  }
}

export interface LeafOptions {
  readonly metric: Metric;
  readonly store: Store;
  readonly files: LeafFiles;
  /** Bytes of the cache of the files. */
  readonly memory: number;
  readonly batchRows: number;
  /** Ends the names of runs, as in SliceOptions. */
  readonly attempt: string;
  readonly progress: ProgressListener;
}

/** The slices without a table. @param differs called for each table that was made of a file with another checksum than the one that is there now. */
export async function missingLeaves(
  { metric, store, files }: Pick<LeafOptions, 'metric' | 'store'> & { readonly files: LeafFiles | null },
  slices: readonly string[],
  differs: (slice: string, file: string) => void,
): Promise<string[]> {
  const missing: string[] = [];
  for (const name of slices) {
    const made = await readManifest(store, tableManifestName(chess.name, metric, name), TableManifest);
    if (made === null) missing.push(name);
    else if (files !== null) {
      const now = new Map((await files.identify(...menOf(name))).map((each) => [each.file, each.checksum]));
      const other = (made.source ?? []).find(({ file, checksum }) => now.get(file) !== checksum);
      if (other !== undefined) differs(name, other.file);
    }
  }
  return missing;
}

/** Makes the tables of slices. Throws StorageError, DamageError of files, MissingFileError. */
export async function makeLeaves(options: LeafOptions, slices: readonly string[]): Promise<void> {
  const { metric, files, memory, progress } = options;
  const tables = files.open(memory);
  for (const [i, name] of slices.entries()) {
    const slice = chess.slice(name);
    progress({ type: 'slice', slice: name, number: i + 1, of: slices.length });
    const source = await files.identify(...menOf(name));
    const codes = (side: Side) => codesOf(tables, slice, side, codesUnder(metric));
    await makeTable({ ...options, game: chess as Game, slice, phase: 'look up', source, codes });
    progress({ type: 'finished', slice: name });
  }
}

function menOf(slice: string): readonly [string, string] {
  return readRootSlice(slice)!.shape.men;
}

async function* codesOf(
  tables: SyzygyTables,
  slice: Slice,
  side: Side,
  ofOutcome: readonly number[],
): AsyncGenerator<{ part: number; key: number; codes: Int8Array }> {
  const census = newCensus(CENSUS_ROWS);
  const status = new Uint8Array(CENSUS_ROWS);
  const all = new Int8Array(CENSUS_ROWS);
  for (let part = 0; part < slice.parts; part++) {
    for (const { first, length } of piecesOf(slice, part)) {
      slice.census(side, part, first, length, census);
      readStatus(census, first, length, status);
      for (let i = 0; i < length; i++) {
        all[i] = status[i] === Status.broken ? BROKEN : status[i] === Status.lost ? -1 : 0;
        if (status[i] !== Status.open) continue;
        const board = chess.board({ slice: slice.name, side, part, key: first + i });
        all[i] = ofOutcome[tables.outcomeAtHand(board) ?? (await tables.outcome(board))];
      }
      yield { part, key: first, codes: all.subarray(0, length) };
    }
  }
}

/** Checks each kind of object that mergemate writes: that its content and its place are those with which it was written. */
import { newCounters } from '../../../operators/core/counters.js';
import { DamageError, StorageError } from '../../../operators/core/errors.js';
import { type BundleRef, openBundled } from '../../../operators/runs/bundle.js';
import { openRun, type RunReader } from '../../../operators/runs/reader.js';
import type { RunRef } from '../../../operators/runs/types.js';
import { objectName } from '../../../operators/storage/object-names.js';
import type { Store } from '../../../operators/storage/store.js';
import type { TableManifest } from '../../game/manifest.js';
import { metrics } from '../../game/value.js';
import { EXTENSION, type FileKind } from '../../games/chess/syzygy/format.js';
import { materialOf } from '../../games/chess/syzygy/material.js';
import { checkFile } from '../../games/chess/syzygy/read/sound.js';
import type { Codebook } from '../../tables/codec/codec.js';
import type { CatalogueFile } from '../../tables/published/catalogue.js';
import { openPublished } from '../../tables/published/reader.js';
import { describeSide, type SideRun } from '../../tables/values-run.js';
import { namesKind, nodesKind } from '../publish/graph/published-graph.js';
import { type BlockFile, openBlockFile } from '../publish/keyed/block-file.js';
import { keyedKind } from '../publish/keyed/published-keyed.js';

/** For reading an object whose damage is reported elsewhere. */
export function nullIfDamaged(error: unknown): null {
  if (error instanceof StorageError) return null;
  throw error;
}

/** Bytes of a bundle that are held at once. */
const WINDOW = 1 << 20;

/** Reads a run, or all runs of a bundle, to their ends. Throws DamageError if it is not there, or not as it was written. */
export async function checkRun(store: Store, ref: RunRef | BundleRef): Promise<void> {
  const counters = newCounters();
  if (!('ends' in ref)) return readThrough(await openRun(store, ref, { counters }));
  for (const i of ref.ends.keys()) {
    const opened = await openBundled(store, ref, i, { counters, window: WINDOW });
    if (opened !== null) await readThrough(opened.run);
  }
}

async function readThrough(run: RunReader): Promise<void> {
  const batches: AsyncIterable<unknown> = run.spec.dense ? run.denseCursor() : run.cursor();
  for await (const _ of batches) {
    // Each batch is checked as it is read.
  }
}

/** Reads a run of a table's values, or of another column; throws as {@link checkRun}. */
export async function checkValues(
  store: Store,
  table: TableManifest,
  what: SideRun,
  side: 0 | 1,
  run: TableManifest['values'][0][0],
): Promise<void> {
  const expect = describeSide(what, table.slice, table.metric, side);
  const reader = await openRun(store, run, { counters: newCounters(), expect });
  for (let part = run.from; part < run.to; part++) {
    const size = Math.min(table.width, table.size - part * table.width);
    if (reader.segmentRows(part) === size) continue;
    throw new DamageError(objectName(store, run.name), `does not hold the ${size} ${what} of part ${part}`);
  }
  await readThrough(reader);
}

/** Reads a published file of a game; throws DamageError. */
export async function checkPublished(
  store: Store,
  name: string,
  game: string,
  entry: CatalogueFile,
  books: readonly Codebook[],
): Promise<void> {
  const file = await openPublished(store, name, books);
  const { head, crc } = file;
  const isIt = head.game === game && head.slice === entry.slice && head.side === entry.side;
  if (!isIt || crc !== entry.crc || file.positions !== entry.positions)
    throw new DamageError(file.object, 'is another file than the catalogue names');
  for await (const _ of file.values()) {
    // Each block is checked as it is read.
  }
}

const BLOCKS = new RegExp(`^([^/]+)\\.(${metrics.join('|')})\\.(values|nodes|names)$`);

/** A published file of a keyed game or a graph. */
export const isPublishedGraph = (name: string): boolean => BLOCKS.test(name);

/** Reads a published file of a keyed game or a graph; throws DamageError. */
export async function checkPublishedGraph(store: Store, name: string): Promise<void> {
  const [, game, metric, what] = BLOCKS.exec(name)!;
  const missing = name;
  const file: BlockFile<{ readonly game?: string; readonly graph?: string; readonly metric?: string }> =
    what === 'values'
      ? await openBlockFile(store, name, { ...keyedKind, missing })
      : what === 'nodes'
        ? await openBlockFile(store, name, { ...nodesKind, missing })
        : await openBlockFile(store, name, { ...namesKind, missing });
  const { header, blocks } = file;
  if ((header.game ?? header.graph) !== game || (header.metric ?? metric) !== metric)
    throw new DamageError(objectName(store, name), `is the file of ${header.game ?? header.graph}`);
  for (let block = 0; block < blocks; block++) await file.block(block);
}

const SYZYGY = /^K([QRBNP]*)vK([QRBNP]*)\.(rtbw|rtbz)$/;

export const isSyzygy = (name: string): boolean => SYZYGY.test(name);

/** Reads a file of Syzygy's to its end. Throws DamageError. */
export async function checkSyzygy(store: Store, name: string): Promise<void> {
  const [, white, black, extension] = SYZYGY.exec(name)!;
  const kind: FileKind = extension === EXTENSION.wdl ? 'wdl' : 'dtz';
  const found = await checkFile(store, kind, materialOf(white, black));
  if (found === null) throw new DamageError(objectName(store, name), 'is missing');
  if (!found.isSound) throw found.damage;
}

/**
 * The catalogue of a publication: the slices and sides that it holds, in which files, written with which codebooks. Until the
 * files are verified the catalogue is a *draft*, an object of another name, which probes do not read. So probes never
 * read a publication that was interrupted or found wrong.
 *
 * A place has one publication of a game for wins, draws and losses, and one for each metric of problems. Objects of the latter have the metric in
 * their names.
 */

import { z } from 'zod';
import { UserError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Side, SliceCatalogue } from '../../game/game.js';
import { putRecord, readRecord } from '../../game/record.js';
import { withRemedy } from '../../game/remedy.js';
import { PUBLISHED_METRIC, publishedAs, publishedMetrics } from '../../game/stipulation.js';
import { type Metric, metrics } from '../../game/value.js';
import { codecs } from '../codec/codec.js';
import { type PublishedColumn, publishedColumns } from './columns.js';

const VERSION = 2;

const Count = z.int().nonnegative();

const CatalogueFile = z.object({
  slice: z.string(),
  side: z.union([z.literal(0), z.literal(1)]),
  /** Left out of files of wins, draws and losses. */
  column: z.enum(['plies', 'numbers']).optional(),
  class: z.string(),
  pieces: Count,
  positions: Count,
  dontCares: Count,
  runs: Count,
  blocks: Count,
  bytes: Count,
  sha256: z.string(),
  /** CRC-32 of its tail, which has those of its blocks: 8 hexadecimal digits. */
  crc: z.string(),
  /** The digest of the values, or numbers, of the table that it was made from. */
  table: z.string(),
  /** The other side of the slice is not stored: a search finds its values. */
  alone: z.literal(true).optional(),
});
/** A published file. */
export type CatalogueFile = z.infer<typeof CatalogueFile>;

const Catalogue = z.object({
  version: z.literal(VERSION),
  game: z.string(),
  /** The metric of the tables that it was made from: `publishedAs` says what the files answer. */
  metric: z.enum(metrics),
  codec: z.enum(codecs),
  codebooks: z.array(z.object({ name: z.string(), pieces: Count, bytes: Count })),
  files: z.array(CatalogueFile),
});
export type Catalogue = z.infer<typeof Catalogue>;

/** What the names of a publication's objects have behind a dot: nothing for wins, draws and losses. */
const mark = (metric: Metric): string =>
  publishedAs(metric) === PUBLISHED_METRIC ? '' : `.${publishedAs(metric)}`;

export function catalogueName(game: string, metric: Metric): string {
  return `${game}/catalogue${mark(metric)}.json`;
}

/** The name of a catalogue whose files are written, but not yet verified. */
export function draftName(game: string, metric: Metric): string {
  return `${game}/catalogue-draft${mark(metric)}.json`;
}

/** What the name of an object of a publication tells: its game and metric, and what it is. Null for other objects. */
export function publishedObject(name: string): PublishedObject | null {
  const [game, file = '', ...deeper] = name.split('/');
  const others = file.split('.');
  const extension = others.pop();
  const metric = publishedMetrics.find((each) => others.includes(each)) ?? PUBLISHED_METRIC;
  if (deeper.length > 0) return null;
  if (name === catalogueName(game, metric)) return { game, metric, kind: 'catalogue' };
  if (name === draftName(game, metric)) return { game, metric, kind: 'draft' };
  const isFile = publishedColumns.some((column) => column === extension) || extension === 'bin';
  return isFile ? { game, metric, kind: 'file' } : null;
}

export interface PublishedObject {
  readonly game: string;
  readonly metric: Metric;
  readonly kind: 'catalogue' | 'draft' | 'file';
}

/** The file of a side of a slice. */
export function publishedName(
  game: Pick<SliceCatalogue, 'name' | 'colours'>,
  metric: Metric,
  { slice, side, column = 'wdl' }: { slice: string; side: Side; column?: PublishedColumn | undefined },
): string {
  return `${game.name}/${slice}.${game.colours[side]}${mark(metric)}.${column}`;
}

export function codebookName(game: string, metric: Metric, pieces: number, column: PublishedColumn): string {
  return `${game}/codebook-${pieces}${column === 'wdl' ? '' : `${mark(metric)}.${column}`}.bin`;
}

export function newCatalogue(head: Omit<Catalogue, 'version'>): Catalogue {
  return { version: VERSION, ...head };
}

/** Null if nothing is published. Throws DamageError, StorageError for another version. */
export function readCatalogue(store: Store, game: string, metric: Metric): Promise<Catalogue | null> {
  return readRecord(store, catalogueName(game, metric), Catalogue, 'catalogue');
}

/** As {@link readCatalogue}; UserError if nothing is published. */
export async function needCatalogue(store: Store, game: string, metric: Metric): Promise<Catalogue> {
  const found = await readCatalogue(store, game, metric);
  if (found !== null) return found;
  const tables = `${game} tables${mark(metric) === '' ? '' : ` of ${metric}`}`;
  if ((await readDraft(store, game, metric)) !== null) {
    throw withRemedy(new UserError(`the ${tables} published in ${store.uri} are not verified`), {
      task: 'publish again',
      game,
      metric,
    });
  }
  throw withRemedy(new UserError(`no ${tables} are published in ${store.uri}`), {
    task: 'publish',
    game,
    metric,
  });
}

/** Null if nothing waits to be verified. Throws as {@link readCatalogue}. */
export function readDraft(store: Store, game: string, metric: Metric): Promise<Catalogue | null> {
  return readRecord(store, draftName(game, metric), Catalogue, 'catalogue');
}

export async function writeDraft(store: Store, catalogue: Catalogue): Promise<void> {
  await putRecord(store, draftName(catalogue.game, catalogue.metric), catalogue);
}

export async function deleteDraft(store: Store, game: string, metric: Metric): Promise<void> {
  await store.delete(draftName(game, metric));
}

/** Makes the draft the catalogue, which probes read. The bytes of a catalogue do not depend on whether it was a draft before. */
export async function finishPublication(store: Store, catalogue: Catalogue): Promise<void> {
  await putRecord(store, catalogueName(catalogue.game, catalogue.metric), Catalogue.parse(catalogue));
  await deleteDraft(store, catalogue.game, catalogue.metric);
}

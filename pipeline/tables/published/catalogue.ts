/**
 * The catalogue of a publication: the slices and sides that it holds, in which files, written with which codebooks. Until the
 * files are verified the catalogue is a *draft*, an object of another name, which probes do not read. So probes never
 * read a publication that was interrupted or found wrong.
 */

import { z } from 'zod';
import { UserError } from '../../../operators/core/errors.js';
import type { Store } from '../../../operators/storage/store.js';
import type { Side, SliceCatalogue } from '../../game/game.js';
import { putRecord, readRecord } from '../../game/record.js';
import { withRemedy } from '../../game/remedy.js';
import { metrics } from '../../game/value.js';
import { codecs } from '../codec/codec.js';

const VERSION = 2;

const Count = z.int().nonnegative();

const CatalogueFile = z.object({
  slice: z.string(),
  side: z.union([z.literal(0), z.literal(1)]),
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
  /** The digest of the values of the table that it was made from. */
  table: z.string(),
  /** The other side of the slice is not stored: a search finds its values. */
  alone: z.literal(true).optional(),
});
/** A published file. */
export type CatalogueFile = z.infer<typeof CatalogueFile>;

const Catalogue = z.object({
  version: z.literal(VERSION),
  game: z.string(),
  /** The metric of the tables that it was made from; published values are wins, draws and losses. */
  metric: z.enum(metrics),
  codec: z.enum(codecs),
  codebooks: z.array(z.object({ name: z.string(), pieces: Count, bytes: Count })),
  files: z.array(CatalogueFile),
});
export type Catalogue = z.infer<typeof Catalogue>;

export function catalogueName(game: string): string {
  return `${game}/catalogue.json`;
}

/** The name of a catalogue whose files are written, but not yet verified. */
export function draftName(game: string): string {
  return `${game}/catalogue-draft.json`;
}

/** The file of a side of a slice. */
export function publishedName(
  game: Pick<SliceCatalogue, 'name' | 'colours'>,
  slice: string,
  side: Side,
): string {
  return `${game.name}/${slice}.${game.colours[side]}.wdl`;
}

export function codebookName(game: string, pieces: number): string {
  return `${game}/codebook-${pieces}.bin`;
}

export function newCatalogue(head: Omit<Catalogue, 'version'>): Catalogue {
  return { version: VERSION, ...head };
}

/** Null if nothing is published. Throws DamageError, StorageError for another version. */
export function readCatalogue(store: Store, game: string): Promise<Catalogue | null> {
  return readRecord(store, catalogueName(game), Catalogue, 'catalogue', VERSION);
}

/** As {@link readCatalogue}; UserError if nothing is published. */
export async function needCatalogue(store: Store, game: string): Promise<Catalogue> {
  const found = await readCatalogue(store, game);
  if (found !== null) return found;
  if ((await readDraft(store, game)) !== null) {
    throw withRemedy(new UserError(`the ${game} tables published in ${store.uri} are not verified`), {
      task: 'publish again',
      game,
    });
  }
  throw withRemedy(new UserError(`no ${game} tables are published in ${store.uri}`), {
    task: 'publish',
    game,
  });
}

/** Null if nothing waits to be verified. Throws as {@link readCatalogue}. */
export function readDraft(store: Store, game: string): Promise<Catalogue | null> {
  return readRecord(store, draftName(game), Catalogue, 'catalogue', VERSION);
}

export async function writeDraft(store: Store, catalogue: Catalogue): Promise<void> {
  await putRecord(store, draftName(catalogue.game), catalogue);
}

export async function deleteDraft(store: Store, game: string): Promise<void> {
  await store.delete(draftName(game));
}

/** Makes the draft the catalogue, which probes read. The bytes of a catalogue do not depend on whether it was a draft before. */
export async function finishPublication(store: Store, catalogue: Catalogue): Promise<void> {
  await putRecord(store, catalogueName(catalogue.game), Catalogue.parse(catalogue));
  await deleteDraft(store, catalogue.game);
}

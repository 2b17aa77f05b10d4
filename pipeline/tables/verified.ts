/** The record that a table was verified: it names the digest of the table's manifest, so it holds for that table only. */
import type { Store } from '../../operators/storage/store.js';
import { FORMAT_VERSION } from '../game/format-version.js';
import { readManifest, TableManifest, VerifiedManifest } from '../game/manifest.js';
import { digestOf } from '../game/record.js';
import type { Metric } from '../game/value.js';
import { slicePrefix, tableManifestName } from './table-names.js';

export function verifiedName(game: string, metric: Metric, slice: string): string {
  return `${slicePrefix(game, metric, slice)}/verified.json`;
}

/** The record of this table; null if it has not been verified, or only another one in its place has. */
export async function readVerified(store: Store, table: TableManifest): Promise<VerifiedManifest | null> {
  const name = verifiedName(table.game, table.metric, table.slice);
  const found = await readManifest(store, name, VerifiedManifest);
  return found !== null && isVerificationOf(found, table) ? found : null;
}

/** A finished table. */
export interface FinishedTable {
  readonly table: TableManifest;
  /** Verified positions; null if verification was not asked for. */
  readonly verified: number | null;
}

/** The table of a slice if no work is left for it (it is verified, or need not be), else null. */
export async function readFinished(
  {
    game,
    metric,
    store,
    verify,
  }: {
    readonly game: { readonly name: string };
    readonly metric: Metric;
    readonly store: Store;
    readonly verify: boolean;
  },
  slice: string,
): Promise<FinishedTable | null> {
  const table = await readManifest(store, tableManifestName(game.name, metric, slice), TableManifest);
  if (table === null || !verify) return table && { table, verified: null };
  const verified = await readVerified(store, table);
  return verified && { table, verified: verified.positions };
}

/** The record of a table, and of what its verification counted. */
export function verifiedManifest(
  table: TableManifest,
  {
    positions,
    requests,
    doubtful = 0,
  }: { readonly positions: number; readonly requests: number; readonly doubtful?: number },
): VerifiedManifest {
  const { game, slice } = table;
  const digest = digestOf(TableManifest.parse(table));
  const counted = { positions, requests, ...(doubtful > 0 && { doubtful }) };
  return { version: FORMAT_VERSION, game, slice, step: 'verified', table: digest, ...counted };
}

/** Whether the record is of the table with this manifest, not of one that it has replaced. */
export function isVerificationOf(verified: VerifiedManifest, table: TableManifest): boolean {
  return verified.table === digestOf(TableManifest.parse(table));
}

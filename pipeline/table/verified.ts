/** The record that a table was verified: it names the digest of the table's manifest, so it holds for that table only. */
import type { Store } from '../../operators/storage/store.js';
import {
  commitManifest,
  FORMAT_VERSION,
  readManifest,
  TableManifest,
  VerifiedManifest,
} from '../formats/manifest.js';
import { digestOf } from '../formats/record.js';
import type { Metric } from '../formats/value.js';
import { slicePrefix } from './table-names.js';

export function verifiedName(game: string, metric: Metric, slice: string): string {
  return `${slicePrefix(game, metric, slice)}/verified.json`;
}

/** The record of this very table; null if it has not been verified. */
export async function readVerified(store: Store, table: TableManifest): Promise<VerifiedManifest | null> {
  const name = verifiedName(table.game, table.metric, table.slice);
  const found = await readManifest(store, name, VerifiedManifest);
  return found !== null && isOf(found, table) ? found : null;
}

/** The record of a table, and of what its verification counted. */
export function verifiedManifest(
  table: TableManifest,
  { positions, requests }: { readonly positions: number; readonly requests: number },
): VerifiedManifest {
  const { game, slice } = table;
  const digest = digestOf(TableManifest.parse(table));
  return { version: FORMAT_VERSION, game, slice, step: 'verified', table: digest, positions, requests };
}

/** Says that the table was verified; a record of another table is replaced. */
export async function commitVerified(
  store: Store,
  table: TableManifest,
  counted: { readonly positions: number; readonly requests: number },
): Promise<void> {
  const name = verifiedName(table.game, table.metric, table.slice);
  const verified = verifiedManifest(table, counted);
  const before = await readManifest(store, name, VerifiedManifest);
  if (before !== null && !isOf(before, table)) await store.delete(name);
  await commitManifest(store, name, verified, VerifiedManifest);
}

/** Whether the record is of this very manifest. */
export function isOf(verified: VerifiedManifest, table: TableManifest): boolean {
  return verified.table === digestOf(TableManifest.parse(table));
}

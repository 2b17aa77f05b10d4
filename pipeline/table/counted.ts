/** Checks the counts in a table's manifest against a recount of its values. */
import { DamageError } from '../../operators/core/errors.js';
import type { Side } from '../contract/game.js';
import type { TableManifest } from '../formats/manifest.js';
import { tableManifestName } from './names.js';

/** Counts the canonical positions of one side. */
export interface SideCounts {
  readonly positions: number;
  readonly wins: number;
  readonly losses: number;
}

/** Throws DamageError if the manifest has counted otherwise. */
export function requireCounted(manifest: TableManifest, side: Side, counted: SideCounts): void {
  for (const what of ['positions', 'wins', 'losses'] as const) {
    if (counted[what] === manifest[what][side]) continue;
    const name = tableManifestName(manifest.game, manifest.metric, manifest.slice);
    const says = `says ${manifest[what][side]} ${what} of side ${side}`;
    throw new DamageError(name, `${says}, the values of the table are ${counted[what]}`);
  }
}

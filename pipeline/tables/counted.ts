/** Counts the values of a table, for its manifest; checks the counts of a manifest against a recount. */

import { DamageError } from '../../operators/core/errors.js';
import type { Side, SliceIndex } from '../game/game.js';
import type { TableManifest } from '../game/manifest.js';
import { withoutRepeats } from '../game/repeats.js';
import { stipulations } from '../game/stipulation.js';
import { brokenIn, type Metric, type ValueColumn } from '../game/value.js';
import { tableManifestName } from './table-names.js';

/** Counts the canonical positions of one side. */
export interface SideCounts {
  readonly positions: number;
  readonly wins: number;
  readonly losses: number;
}

/** Throws DamageError if the manifest has other counts. */
export function requireCounted(manifest: TableManifest, side: Side, counted: SideCounts): void {
  for (const what of ['positions', 'wins', 'losses'] as const) {
    if (counted[what] === manifest[what][side]) continue;
    const name = tableManifestName(manifest.game, manifest.metric, manifest.slice);
    const says = `says ${manifest[what][side]} ${what} of side ${side}`;
    throw new DamageError(name, `${says}, the values of the table are ${counted[what]}`);
  }
}

/** The counts of one side; `longestWin` is 0 if nothing is won. */
export interface TableCounts {
  positions: number;
  wins: number;
  losses: number;
  longestWin: number;
}

export function newTableCounts(): TableCounts {
  return { positions: 0, wins: 0, losses: 0, longestWin: 0 };
}

/** Counts the codes of a part from `first` on. */
export function countCodes(
  counts: TableCounts,
  slice: SliceIndex,
  part: number,
  first: number,
  codes: ValueColumn,
): void {
  const broken = brokenIn(codes);
  for (const code of withoutRepeats(slice, part, first, codes)) {
    if (code === broken) continue;
    counts.positions++;
    if (code < 0) counts.losses++;
    if (code <= 0) continue;
    counts.wins++;
    counts.longestWin = Math.max(counts.longestWin, code);
  }
}

type OfSides<T> = [T, T];

/** The facts in a manifest about the values of both sides. */
export function countsOf(sides: Readonly<OfSides<TableCounts>>, metric: Metric) {
  const of = (what: keyof TableCounts) => sides.map((counts) => counts[what]) as OfSides<number>;
  const longestWin = sides.map(({ wins, longestWin: plies }) =>
    stipulations[metric].plies && wins > 0 ? plies : null,
  ) as OfSides<number | null>;
  return { positions: of('positions'), wins: of('wins'), losses: of('losses'), longestWin };
}

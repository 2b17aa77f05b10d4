/** Claims: which rank solves a small slice. A claim only saves work: two ranks that solve the same slice do no harm. */
import { z } from 'zod';
import type { Store } from '../../../operators/storage/store.js';
import { FORMAT_VERSION } from '../../game/format-version.js';
import type { SliceCatalogue } from '../../game/game.js';
import { commitManifest, readManifest } from '../../game/manifest.js';
import type { Metric } from '../../game/value.js';
import { slicePrefix } from '../../tables/table-names.js';

export const ClaimRecord = z.object({
  version: z.literal(FORMAT_VERSION),
  game: z.string(),
  slice: z.string(),
  step: z.literal('claim'),
  rank: z.number().int().nonnegative(),
});
export type ClaimRecord = z.infer<typeof ClaimRecord>;

export interface Claimant {
  readonly store: Store;
  readonly game: Pick<SliceCatalogue, 'name'>;
  readonly metric: Metric;
  /** Claims of other jobs do not count: their ranks may never come back. */
  readonly job: string;
  readonly rank: number;
}

const nameOf = ({ game, metric, job }: Claimant, slice: string) =>
  `${claimsOf(job)}/${slicePrefix(game.name, metric, slice)}.json`;

/** The folder of the claims of a job. */
export function claimsOf(job: string): string {
  return `ranks/${job}/claims`;
}

/** The game of the claim that an object is; null if it is none. */
export function gameOfClaim(name: string): string | null {
  return /^ranks\/[\w-]+\/claims\/([^/]+)\/[^/]+\/[^/]+\.json$/.exec(name)?.[1] ?? null;
}

/** Whether the slice is this rank's to solve: it had no claim, or this rank claimed it before it was lost. */
export async function claim(claimant: Claimant, slice: string): Promise<boolean> {
  const { store, game, rank } = claimant;
  const wanted: ClaimRecord = { version: FORMAT_VERSION, game: game.name, slice, step: 'claim', rank };
  return (await commitManifest(store, nameOf(claimant, slice), wanted, ClaimRecord)).rank === rank;
}

/** The rank that has claimed a slice; null if none has. */
export async function claimantOf(claimant: Claimant, slice: string): Promise<number | null> {
  return (await readManifest(claimant.store, nameOf(claimant, slice), ClaimRecord))?.rank ?? null;
}

/** Deletes the claim of a rank that is lost, so that the next rank to claim the slice gets it. */
export function forsake(claimant: Claimant, slice: string): Promise<void> {
  return claimant.store.delete(nameOf(claimant, slice));
}

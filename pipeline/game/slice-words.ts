/** Slices in messages: a name such as KPKP.64 does not explain itself. */
import type { SliceCatalogue } from './game.js';

/** "KPKP.64 (white pawn on rank 6, black pawn on rank 4)"; the name alone where it says all. */
export function namedSlice(game: Pick<SliceCatalogue, 'sliceWords'>, slice: string): string {
  const words = game.sliceWords?.(slice) ?? null;
  return words === null ? slice : `${slice} (${words})`;
}

/** Names of slices in messages, with an explanation where the name needs one, as KPKP.64 does. */
import type { SliceCatalogue } from './game.js';

/** "KPKP.64 (white pawn on rank 6, black pawn on rank 4)"; the name alone where that is enough. */
export function namedSlice(game: Pick<SliceCatalogue, 'sliceWords'>, slice: string): string {
  const words = game.sliceWords?.(slice) ?? null;
  return words === null ? slice : `${slice} (${words})`;
}

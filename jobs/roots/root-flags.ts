/** Flags of `solve` and `plan` that ask for a root (pipeline/games/chess/root.ts). */
import { UserError } from '../../operators/core/errors.js';
import type { Ending, Game } from '../../pipeline/game/game.js';

export interface RootFlags {
  /** A FEN, or a PGN file whose last position is meant. */
  readonly from?: string;
  readonly stopAt?: number;
  readonly mostPieces?: number;
  readonly promote?: string;
  /** Moves that one side does not make, as {@link askedNever} reads them. */
  readonly never?: string;
  /** Places of Syzygy files in which endings are looked up that the store has no tables of. */
  readonly syzygy?: string | readonly string[];
}

/** Throws UserError if endings are given beside `--from`. */
export function requireRoot(
  { from, pieces }: RootFlags & { readonly pieces?: number | undefined },
  endings: readonly string[],
): void {
  if (from !== undefined && (endings.length > 0 || pieces !== undefined))
    throw new UserError('give either endings (or --men) or --from');
}

/** Whether slices of roots are among those of a job. */
export async function isOfRoot({
  game,
  endings,
}: {
  readonly game: Game;
  readonly endings: readonly Ending[];
}): Promise<boolean> {
  if (game.name !== 'chess') return false;
  const { rootIn } = await import('../../pipeline/games/chess/root-slices.js');
  return endings.some(({ name }) => rootIn(name) !== null);
}

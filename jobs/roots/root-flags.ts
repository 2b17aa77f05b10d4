/** Flags of `solve` and `plan` that ask for a root (pipeline/games/chess/root.ts). */
import { UserError } from '../../operators/core/errors.js';

export interface RootFlags {
  /** A FEN, or a PGN file whose last position is meant. */
  readonly from?: string;
  readonly stopAt?: number;
  readonly mostPieces?: number;
  readonly promote?: string;
}

/** Throws UserError if flags are given that say how a root is solved, and no root. */
export function requireRoot({ from, stopAt, mostPieces, promote }: RootFlags): void {
  if (from === undefined && [stopAt, mostPieces, promote].some((each) => each !== undefined))
    throw new UserError('--stop-at, --most-pieces and --promote go with --from');
}

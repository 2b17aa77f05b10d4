/** Flags of `solve` and `plan` that ask for a root (pipeline/games/chess/root.ts). */
import { UserError } from '../../operators/core/errors.js';

export interface RootFlags {
  /** A FEN, or a PGN file whose last position is meant. */
  readonly from?: string;
  readonly stopAt?: number;
  readonly mostPieces?: number;
  readonly promote?: string;
}

/** Throws UserError if flags for the solving of a root are given without `--from`. */
export function requireRoot({ from, stopAt, mostPieces, promote }: RootFlags): void {
  if (from === undefined && [stopAt, mostPieces, promote].some((each) => each !== undefined))
    throw new UserError('--stop-at, --most-pieces and --promote go with --from');
}

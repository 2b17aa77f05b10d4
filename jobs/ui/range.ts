/** Values between two bounds, in words: where unknown positions can be reached, a position has a worst and a best case. */
import { outcomeRank, type Value, type Wdl } from '../../pipeline/game/value.js';

const DRAW = outcomeRank({ wdl: 'draw' });

/** The worst case of the mover, and with `most` the best case, if it differs. */
export interface Range extends Value {
  readonly most?: Value | undefined;
}

/** "win in 11 to 25 plies", "at least a draw", "at most a draw", "unknown" */
export function rangeWords({ wdl, plies, most = { wdl, plies } }: Range): string {
  const [least, greatest] = [outcomeRank({ wdl }), outcomeRank(most)];
  if (least > DRAW) return `win${between(most.plies, plies)}`;
  if (greatest < DRAW) return `loss${between(plies, most.plies)}`;
  if (least === DRAW) return 'at least a draw';
  return greatest === DRAW ? 'at most a draw' : 'unknown';
}

/** "draw"; "at least a draw" where the outcome is open, and `most` is the best case. */
export function outcomeRange({ wdl, most }: { readonly wdl: Wdl; readonly most?: Wdl | undefined }): string {
  return most === undefined ? wdl : rangeWords({ wdl, plies: null, most: { wdl: most, plies: null } });
}

function between(fewest: number | null, most: number | null): string {
  if (most === null) return '';
  return fewest === null ? ` in at most ${most} plies` : ` in ${fewest} to ${most} plies`;
}

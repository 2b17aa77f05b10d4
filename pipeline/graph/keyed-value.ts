/** Values of positions of keyed games. */
import type { Side } from '../game.js';
import type { Wdl } from '../value.js';

/** What a position is worth, for the side to move. */
export interface KeyedValue {
  readonly wdl: Wdl;
  /** Until the end of the game; null if it is drawn, and under `wdl`. */
  readonly plies: number | null;
}

/** What a position is worth for a side, by who wins it. */
export function valueFor(
  side: Side,
  { winner, plies }: { readonly winner: Side | null; readonly plies: number | null },
): KeyedValue {
  return { wdl: winner === null ? 'draw' : winner === side ? 'win' : 'loss', plies };
}

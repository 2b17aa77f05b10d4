import { flow, Kind } from '../../game/events.js';
import type { Side } from '../../game/game.js';
import { type Codec, CodeKind } from './codes.js';

/** How many positions have which code: the open ones, and those of each ply. */
export interface PlyTally {
  /** Positions of a side that are unknown, bounded by conversions to a draw, or to a loss. */
  readonly open: [number, number];
  /** Positions by flow and ply; under `wdl` all at ply 0, broken ones among the wins. */
  readonly byPly: readonly [number[], number[], number[], number[]];
}

export function newTally(): PlyTally {
  return { open: [0, 0], byPly: [[], [], [], []] };
}

/** Takes `by` positions with `code` into the tally; out of it if negative. */
export function count(tally: PlyTally, codec: Codec, side: Side, code: number, by: number): void {
  const kind = codec.kindOf[code];
  if (kind === CodeKind.broken) return;
  if (kind !== CodeKind.win && kind !== CodeKind.loss) {
    tally.open[side] += by;
    return;
  }
  const plies = tally.byPly[flow(kind === CodeKind.win ? Kind.win : Kind.loss, side)];
  const ply = codec.plyOf[code];
  plies[ply] = (plies[ply] ?? 0) + by;
}

export function atPly(tally: PlyTally, flowNumber: number, ply: number): number {
  return tally.byPly[flowNumber][ply] ?? 0;
}

/** The last ply that any position has; -1 if none is won or lost. */
export function longestPly(tally: PlyTally): number {
  let longest = -1;
  for (const plies of tally.byPly) {
    for (let ply = plies.length - 1; ply > longest; ply--) if (plies[ply] > 0) longest = ply;
  }
  return longest;
}

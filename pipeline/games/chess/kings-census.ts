/** The census of the two kings alone: there is no man whose squares could be a row. All pairs are legal positions. */
import { fillCensus } from '../../game/fill-census.js';
import { type Slice, Status } from '../../game/game.js';
import { Kind, LINE, PAIR_BLACK, PAIR_WHITE, RAY_START, RAYS } from './geometry.js';

/** The one part has the pairs as its keys. */
export const kingsCensus: Slice['census'] = (side, _part, first, length, out) =>
  fillCensus(first, length, out, (i) => {
    const moves = movesOf(
      side === 0 ? PAIR_WHITE : PAIR_BLACK,
      side === 0 ? PAIR_BLACK : PAIR_WHITE,
      first + i,
    );
    return { status: moves > 0 ? Status.open : Status.drawn, moves, conversions: 0 };
  });

function movesOf(own: Uint8Array, other: Uint8Array, pair: number): number {
  const rays = (Kind.king << 6) | own[pair];
  const steps = RAYS.subarray(RAY_START[rays], RAY_START[rays + 1]);
  return steps.filter((step) => (LINE[((step & 63) << 6) | other[pair]] & 8) === 0).length;
}

/** The ladder of a position by those of its successors. */
import { DRAWN_LADDER, type Ladders, MATED_LADDER } from '../tables/ladders.js';

/** Whether the player to move is lost there, at clock 0 at least. */
function isLost({ plies }: Ladders, ladder: number): boolean {
  return ladder === MATED_LADDER || (ladder !== DRAWN_LADDER && (plies[ladder] & 1) === 0);
}

/**
 * @param successors ladders of the positions that moves in the slice lead to; there are some, or a conversion. They are reordered.
 * @param conversion the code of the best conversion for the player who makes it, null if there is none.
 * @param zeroed the last clock at which a conversion can be made.
 */
export function derivedLadder(
  ladders: Ladders,
  successors: Uint32Array,
  conversion: number | null,
  zeroed: number,
): number {
  let wins = conversion !== null && conversion > 0;
  let draws = conversion === 0;
  for (let i = 0; i < successors.length; i++) {
    if (successors[i] === DRAWN_LADDER) draws = true;
    else if (isLost(ladders, successors[i])) wins = true;
  }
  if (wins)
    return wonLadder(ladders, successors, conversion !== null && conversion > 0 ? conversion : null, zeroed);
  return draws ? DRAWN_LADDER : lostLadder(ladders, successors, conversion, zeroed);
}

/** By plies of a win, the last clock at which some move gives it; used again. */
const limits = new Int8Array(0x10000).fill(-1);

/** The best of the moves to lost positions, at every clock. */
function wonLadder(
  ladders: Ladders,
  successors: Uint32Array,
  conversion: number | null,
  zeroed: number,
): number {
  const { until, plies, parent } = ladders;
  let most = 0;
  let least = 0x10000;
  const note = (count: number, limit: number): void => {
    if (limit > limits[count]) limits[count] = limit;
    most = Math.max(most, count);
    least = Math.min(least, count);
  };
  if (conversion !== null) note(conversion, zeroed);
  for (let i = 0; i < successors.length; i++) {
    if (!isLost(ladders, successors[i])) continue;
    // The mated have one rung, of no plies.
    for (let at = successors[i]; at !== DRAWN_LADDER; at = parent[at]) note(plies[at] + 1, until[at] - 1);
  }
  let ladder = DRAWN_LADDER;
  let reached = -1;
  for (let count = least; count <= most; count++) {
    if (limits[count] > reached) {
      reached = limits[count];
      ladder = ladders.raised(ladder, count, reached);
    }
    limits[count] = -1;
  }
  return ladder;
}

/** The longest of moves that all lose, at every clock at which they do. */
function lostLadder(
  ladders: Ladders,
  successors: Uint32Array,
  conversion: number | null,
  zeroed: number,
): number {
  const { until, plies, parent } = ladders;
  let ladder = DRAWN_LADDER;
  for (let clock = 0; ; ) {
    let longest = conversion === null ? 0 : -conversion - 1;
    let limit = conversion === null ? 127 : zeroed;
    for (let i = 0; i < successors.length; i++) {
      let at = successors[i];
      if (until[at] < clock + 1) return ladder;
      while (parent[at] !== DRAWN_LADDER && until[parent[at]] >= clock + 1) at = parent[at];
      if (plies[at] + 1 > longest) longest = plies[at] + 1;
      if (until[at] - 1 < limit) limit = until[at] - 1;
    }
    if (clock > limit) return ladder;
    ladder = ladders.raised(ladder, longest, limit);
    clock = limit + 1;
  }
}

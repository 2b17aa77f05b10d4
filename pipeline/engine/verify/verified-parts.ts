/** Which parts a partition verifies, and what comes of it. */
import type { Interval } from '../../../operators/core/interval.js';
import type { Side, Slice } from '../../game/game.js';
import { SIDES } from '../../game/side.js';
import type { DerivedPart } from '../../game/step-manifests.js';

/** A part of the positions of a side. */
export interface SidePart {
  readonly side: Side;
  readonly part: number;
}

/**
 * The parts that the partition with the parts [from, to) verifies. Partitions that own all parts together verify each part of each
 * side once. By keys they are those that it owns, side by side, ascending.
 *
 * By rows, verification reads all parts that moves lead to. So the parts of both sides are put in a sequence in which neighbours lead
 * to the same parts, those with Black to move after those with White to move. Each partition takes an interval of that sequence that
 * weighs as much as the others. So most partitions have one side to move, and read parts of the other side alone.
 */
export function verifiedParts({ parts, rowMoves }: Slice, { from, to }: Interval): SidePart[] {
  if (rowMoves === undefined) {
    return SIDES.flatMap((side) => Array.from({ length: to - from }, (_, i) => ({ side, part: from + i })));
  }
  const all = SIDES.flatMap((side) => rowMoves.inOrder(side).map((part) => ({ side, part })));
  return all.slice(placeOf(parts, from, rowMoves.weights), placeOf(parts, to, rowMoves.weights));
}

/** The place in the sequence up to which its parts weigh `share` of `parts`. */
function placeOf(parts: number, share: number, [white, black]: readonly [number, number]): number {
  const weight = share * (white + black);
  const beyond = weight - parts * white;
  return beyond <= 0 ? Math.ceil(weight / white) : parts + Math.ceil(beyond / black);
}

/** By side and part. */
export function bySideAndPart(a: SidePart, b: SidePart): number {
  return a.side - b.side || a.part - b.part;
}

export function newDerivedPart(): DerivedPart {
  return { positions: 0, requests: 0, mismatches: [], wrong: 0, doubtful: 0 };
}

/** The endings that captures lead to, by the man taken. */
import type { Dependency, Side } from '../../game/game.js';
import { changesOf, placeOf } from '../../games/chess/changes.js';
import type { Space } from '../../games/chess/index-space.js';
import { slotOf } from '../../games/chess/placements.js';
import { shapeOf } from '../../games/chess/shape.js';

/** The position that a capture of one of the men leads to. */
interface Capture {
  /** Number of the ending among the dependencies, and its index space. */
  readonly dependency: number;
  readonly target: Space;
  /** The colours are exchanged there. */
  readonly flipped: boolean;
  /** For each man but the one taken: its number there. */
  readonly manThere: Uint8Array;
}

export interface CaptureTable {
  readonly dependencies: readonly Dependency[];
  /** By number of the man taken. */
  readonly byMan: readonly Capture[];
}

/** The captures in `space`, an index without pawns; they are all moves that leave it. */
export function capturesOf(space: Space): CaptureTable {
  const { dependencies, all } = changesOf([shapeOf(space.name)]);
  const slotHere = (man: number) => 8 * space.sideOf[man] + space.kindOf[man];
  const men = Array.from({ length: space.men }, (_, man) => man);
  const byMan = men.map((taken) => {
    const capture = placeOf((1 - space.sideOf[taken]) as Side, 1 + space.kindOf[taken], 0);
    const { dependency, target, flipped } = all.find(({ place }) => place === capture)!;
    const manThere = new Uint8Array(space.men);
    for (const {
      men: [like],
      first,
    } of target.groups) {
      const slot = slotOf(like) ^ (flipped ? 8 : 0);
      men
        .filter((man) => man !== taken && slotHere(man) === slot)
        .forEach((man, i) => {
          manThere[man] = first + i;
        });
    }
    return { dependency, target, flipped, manThere };
  });
  return { dependencies, byMan };
}

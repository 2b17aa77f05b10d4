/** The endings that captures lead to, found without the changes of the kernels. */
import type { Dependency, Side } from '../../../../../pipeline/game/game.js';
import { changesOf } from '../../../../../pipeline/games/chess/changes.js';
import { type Space, spaceOf } from '../../../../../pipeline/games/chess/index-space.js';
import { inOrder, shapeOf, sliceOf } from '../../../../../pipeline/games/chess/shape.js';

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
export function capturesOf(space: Space, { dependencies } = changesOf([shapeOf(space.name)])): CaptureTable {
  const byMan: Capture[] = [];
  for (let taken = 0; taken < space.men; taken++) {
    const rest = Array.from({ length: space.men }, (_, man) => man).filter((man) => man !== taken);
    const letters = (side: number) =>
      rest
        .filter((man) => space.sideOf[man] === side)
        .map((man) => 'QRBN'[space.kindOf[man]])
        .join('');
    const men = [inOrder(letters(0)), inOrder(letters(1))] as const;
    const { slice, flipped } = sliceOf({ men, ranks: [[], []], taker: null });
    const target = spaceOf(slice);
    const dependency = dependencies.findIndex((known) => known.slice === slice);
    const manThere = new Uint8Array(space.men);
    for (const {
      men: [like],
      first,
    } of target.groups) {
      const side = flipped ? 1 - like.side : like.side;
      rest
        .filter((man) => space.sideOf[man] === side && space.kindOf[man] === like.kind)
        .forEach((man, i) => {
          manThere[man] = first + i;
        });
    }
    byMan.push({ dependency, target, flipped, manThere });
  }
  return { dependencies, byMan };
}

/**
 * The man that captures by `side` take which lead to a dependency with `sideThere` to move: of a group of like men the last. There is
 * at most one, for two kinds of men taken by the same side leave different endings. -1 if there is none.
 */
export function takenBy(
  space: Space,
  { byMan }: CaptureTable,
  side: Side,
  dependency: number,
  sideThere: Side,
): number {
  return byMan.findLastIndex((capture, man) => {
    const opponent = 1 - side;
    if (space.sideOf[man] !== opponent || capture.dependency !== dependency) return false;
    return sideThere === (capture.flipped ? side : opponent);
  });
}

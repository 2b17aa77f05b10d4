/**
 * Where the moves that leave a slice lead: captures, advances of a leading man, and crowning. Pieces, kings and
 * leading ranks are the directions in which slices depend on each other (Lake, Schaeffer & Lu 1994, section 3.1).
 */
import type { Side } from '../../game/game.js';
import { canonical, exists, mirrored, NOTHING, type Shape } from './classes.js';
import { MEN_RANKS } from './squares.js';

/** A kind of conversion, and what it leads to. */
export interface Conversion {
  readonly takenKings: number;
  readonly takenMen: number;
  readonly crowned: 0 | 1;
  /** The slice as the player to move then sees it. */
  readonly after: Shape;
}

/** The conversions of the player who sees this shape; some may be of no position. */
export function conversionsOf(shape: Shape): Conversion[] {
  const found: Conversion[] = [];
  const { ownKings, ownMen, ownRank, enemyKings, enemyMen, enemyRank } = shape;

  function add(takenKings: number, takenMen: number, crowned: 0 | 1, rank: number, theirRank: number): void {
    const after = mirrored({
      ownKings: ownKings + crowned,
      ownMen: ownMen - crowned,
      ownRank: rank,
      enemyKings: enemyKings - takenKings,
      enemyMen: enemyMen - takenMen,
      enemyRank: theirRank,
    });
    if (exists(after)) found.push({ takenKings, takenMen, crowned, after });
  }

  if (ownMen > 0) {
    if (ownRank < MEN_RANKS - 1) add(0, 0, 0, ownRank + 1, enemyRank);
    else for (const rank of ranksUpTo(ownMen - 1, ownRank)) add(0, 0, 1, rank, enemyRank);
  }
  for (let takenKings = 0; takenKings <= enemyKings; takenKings++) {
    for (let takenMen = 0; takenMen <= enemyMen; takenMen++) {
      const jumps = takenKings + takenMen;
      if (jumps === 0) continue;
      const theirs = takenMen === 0 ? [enemyRank] : ranksUpTo(enemyMen - takenMen, enemyRank);
      for (const theirRank of theirs) {
        // A man gains two ranks by a jump.
        const last = ownMen === 0 ? 0 : Math.min(MEN_RANKS - 1, ownRank + 2 * jumps);
        for (let rank = ownRank; rank <= last; rank++) add(takenKings, takenMen, 0, rank, theirRank);
        const from = MEN_RANKS - 2 * jumps;
        if (ownMen === 0 || from < 0 || from > ownRank) continue;
        for (const rank of ranksUpTo(ownMen - 1, ownRank)) add(takenKings, takenMen, 1, rank, theirRank);
      }
    }
  }
  return found;
}

function ranksUpTo(men: number, rank: number): number[] {
  return men === 0 ? [0] : Array.from({ length: rank + 1 }, (_, i) => i);
}

/** Where a conversion leads: the number of a dependency, its side to move, and what that side sees. */
export interface ConversionTarget {
  readonly dependency: number;
  readonly side: Side;
  /** Null for the end of the game, which has one position. */
  readonly shape: Shape | null;
}

/** The slices that conversions of either side lead to, in a fixed order. */
export function dependenciesOf(shapes: readonly [Shape, Shape]): string[] {
  return [...new Set(shapes.flatMap(conversionsOf).map(({ after }) => canonical(after).slice))].sort();
}

/** Where each kind of conversion leads, by {@link targetNumber}. `names`: of the dependencies, in their order. */
export function targetsOf(shape: Shape, names: readonly string[]): Map<number, ConversionTarget> {
  return new Map(
    conversionsOf(shape).map(({ takenKings, takenMen, crowned, after }) => {
      const { slice, side } = canonical(after);
      const { ownRank, enemyRank } = after;
      const target = { dependency: names.indexOf(slice), side, shape: slice === NOTHING ? null : after };
      return [targetNumber(shape.enemyMen, takenKings, takenMen, crowned, ownRank, enemyRank), target];
    }),
  );
}

/** Ranks as the player to move after the conversion sees them; `enemyMen` before it. */
export function targetNumber(
  enemyMen: number,
  takenKings: number,
  takenMen: number,
  crowned: number,
  ownRank: number,
  enemyRank: number,
): number {
  const kind = (takenKings * (enemyMen + 1) + takenMen) * 2 + crowned;
  return (kind * MEN_RANKS + ownRank) * MEN_RANKS + enemyRank;
}

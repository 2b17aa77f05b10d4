/** Reading the positions of a side for the kernels in TypeScript (plain-kernels.ts). */
import type { Half } from '../../../../../pipeline/games/checkers/halves.js';
import {
  type CheckersPlacement,
  newUnranker,
  type Unranker,
} from '../../../../../pipeline/games/checkers/space.js';
import { canCapture, ranksBelow } from '../../../../../pipeline/games/checkers/squares.js';

/** A side of the slice with what reads its positions. */
export interface ReadHalf extends Half {
  readonly place: CheckersPlacement;
  readonly read: Unranker['read'];
  /** The ranks below that of the leading man, which may advance without leaving the slice; and that rank. */
  readonly following: number;
  readonly leading: number;
}

export function readable(half: Half): ReadHalf {
  const { place, read } = newUnranker(half.space);
  const { ownMen, ownRank } = half.space.shape;
  return {
    ...half,
    place,
    read,
    following: ranksBelow(ownRank),
    leading: ownMen === 0 ? 0 : ranksBelow(ownRank + 1) & ~ranksBelow(ownRank),
  };
}

export function readsCapture({ men, kings, enemyMen, enemyKings }: CheckersPlacement): boolean {
  const enemies = enemyMen | enemyKings;
  return canCapture(men, kings, enemies, ~(men | kings | enemies));
}

export function readsThreat({
  turnedMen,
  turnedKings,
  turnedEnemyMen,
  turnedEnemyKings,
}: CheckersPlacement): boolean {
  const enemies = turnedMen | turnedKings;
  return canCapture(
    turnedEnemyMen,
    turnedEnemyKings,
    enemies,
    ~(turnedEnemyMen | turnedEnemyKings | enemies),
  );
}

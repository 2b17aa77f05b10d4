/**
 * Endings that a proof of the game's value is thought to need (Schaeffer et al. 2003, section 4.3): neither side has two pieces more
 * than the other, nor three kings more, and there are no more than six kings.
 */
import type { Shape } from './classes.js';

type Pieces = Pick<Shape, 'ownKings' | 'enemyKings' | 'ownMen' | 'enemyMen'>;

const MOST_KINGS = 6;

/** Of up to ten pieces; the paper allows fewer kings with more pieces. */
export function isPlausible({ ownKings, enemyKings, ownMen, enemyMen }: Pieces): boolean {
  return (
    Math.abs(ownKings + ownMen - enemyKings - enemyMen) <= 1 &&
    Math.abs(ownKings - enemyKings) <= 2 &&
    ownKings + enemyKings <= MOST_KINGS
  );
}

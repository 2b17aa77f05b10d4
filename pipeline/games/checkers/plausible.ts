/**
 * Endings that a proof of the game's value is thought to need (Schaeffer et al. 2003, section 4.3). Neither side has
 * two pieces more than the other, nor three kings more. If there are nine or ten pieces, no more than six are kings.
 * The paper states the last for all of up to ten, but its sizes (table 5) are those of all kings up to eight pieces.
 */
import type { Shape } from './classes.js';

type Pieces = Pick<Shape, 'ownKings' | 'enemyKings' | 'ownMen' | 'enemyMen'>;

const MOST_KINGS = 6;
const ANY_KINGS = 8;

export function isPlausible({ ownKings, enemyKings, ownMen, enemyMen }: Pieces): boolean {
  const kings = ownKings + enemyKings;
  return (
    Math.abs(ownKings + ownMen - enemyKings - enemyMen) <= 1 &&
    Math.abs(ownKings - enemyKings) <= 2 &&
    (kings <= MOST_KINGS || kings + ownMen + enemyMen <= ANY_KINGS)
  );
}

/**
 * Orders of a slice's positions that differ in the digits of the kings (space.ts has the index). Each set of kings
 * may be counted from the far side of the board, and the mover's kings may be the least digit. The slice decides
 * which of these makes the longest runs, and where. Next to a man that is about to be crowned, its distance from a
 * king decides.
 *
 * Men do not move between positions that change places, so all follows from the numbers of the squares that men leave free.
 */
import type { IndexOrder } from '../../game/game.js';
import { binomial, type CheckersSpace, deposit, rankSet, setsOf } from './space.js';
import { turned } from './squares.js';

/** The number of an order is a sum of these. */
const OWN_TURNED = 1;
const ENEMY_TURNED = 2;
const OWN_LEAST = 4;
const ORDERS = 8;

/** Positions that change places are held in memory together, with a number of four bytes each. */
const LONGEST_SPAN = 1 << 23;

const known = new WeakMap<CheckersSpace, readonly (IndexOrder | null)[]>();

/** All orders of a space by number. */
export function kingOrders(space: CheckersSpace): readonly (IndexOrder | null)[] {
  let orders = known.get(space);
  if (orders === undefined) {
    orders = Array.from({ length: ORDERS }, (_, number) =>
      isUseful(space, number) ? newOrder(space, number) : null,
    );
    known.set(space, orders);
  }
  return orders;
}

/** A set of no kings has one order only, and there is nothing that it could change places with. */
function isUseful({ shape: { ownKings, enemyKings }, kings }: CheckersSpace, number: number): boolean {
  if (number === 0 || kings > LONGEST_SPAN) return false;
  if (ownKings === 0) return number === ENEMY_TURNED && enemyKings > 0;
  return enemyKings > 0 || number === OWN_TURNED;
}

function newOrder(space: CheckersSpace, number: number): IndexOrder {
  const { shape, kings: span } = space;
  const { ownKings, enemyKings } = shape;
  const free = 32 - shape.ownMen - shape.enemyMen;
  const ownTurned = (number & OWN_TURNED) !== 0;
  const enemyTurned = (number & ENEMY_TURNED) !== 0;
  const ownLeast = (number & OWN_LEAST) !== 0;
  const ownSets = setsOf(ownKings);
  const enemySets = setsOf(enemyKings);
  const least = ownLeast ? binomial(free - enemyKings, ownKings) : space.enemyKings;
  const view = (squares: number, isTurned: boolean) => (isTurned ? turned(squares) >>> (32 - free) : squares);

  return {
    span,
    periods: [...new Set([least, span])].filter((period) => period > 1 && period < space.size),
    placeOf(index) {
      const rest = index % span;
      const ownRank = Math.floor(rest / space.enemyKings);
      const own = ownSets[ownRank];
      const enemy = deposit(enemySets[rest - ownRank * space.enemyKings], own);
      const first = ownLeast ? rankSet(view(enemy, enemyTurned), 0) : rankSet(view(own, ownTurned), 0);
      const second = ownLeast
        ? rankSet(view(own, ownTurned), view(enemy, ownTurned))
        : rankSet(view(enemy, enemyTurned), view(own, enemyTurned));
      return index - rest + first * least + second;
    },
  };
}

/**
 * Classes and slices of positions, and their names. A class is the number of kings and men of each side, "bk wk bc wc" as
 * four digits. A slice is a class with the rank of each side's leading man (Lake, Schaeffer & Lu 1994, section 3.1):
 * "2110.50". A side without men has rank 0 there, and a class without men has one slice, with the name of the class.
 */
import { UserError } from '../../../operators/core/errors.js';
import type { Ending } from '../../game/game.js';
import { MEN_RANKS } from './squares.js';

/** A slice as the mover sees it: own kings and men, those of the other player, and the ranks of the leading men. */
export interface Shape {
  readonly ownKings: number;
  readonly enemyKings: number;
  readonly ownMen: number;
  readonly enemyMen: number;
  /** 0 to 6 from the owner's side of the board; 0 without men. */
  readonly ownRank: number;
  readonly enemyRank: number;
}

/** The pieces of the largest databases built so far (Schaeffer et al. 2003). */
export const MOST_PIECES = 10;
/** The end of the game: the side to move has nothing left. */
export const NOTHING = '0000';

export function mirrored(shape: Shape): Shape {
  return {
    ownKings: shape.enemyKings,
    enemyKings: shape.ownKings,
    ownMen: shape.enemyMen,
    enemyMen: shape.ownMen,
    ownRank: shape.enemyRank,
    enemyRank: shape.ownRank,
  };
}

/** Positive if the mover is the stronger: more pieces, then more kings, then the leading man further ahead. */
function strength({ ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank }: Shape): number {
  return ownKings + ownMen - enemyKings - enemyMen || ownKings - enemyKings || ownRank - enemyRank;
}

/** The name of the class. */
function digitsOf({ ownKings, enemyKings, ownMen, enemyMen }: Shape): string {
  return `${ownKings}${enemyKings}${ownMen}${enemyMen}`;
}

/** The name of a slice with Black to move and this shape, which need not be the stronger. */
export function nameOf(shape: Shape): string {
  const { ownMen, enemyMen, ownRank, enemyRank } = shape;
  const digits = digitsOf(shape);
  return ownMen + enemyMen === 0 ? digits : `${digits}.${ownRank}${enemyRank}`;
}

/** Slices are named so that Black is not the weaker. `side`: 0 if the mover is Black then. */
export function canonical(shape: Shape): { slice: string; side: 0 | 1 } {
  if (shape.ownKings + shape.ownMen === 0) return { slice: NOTHING, side: 0 };
  return strength(shape) < 0
    ? { slice: nameOf(mirrored(shape)), side: 1 }
    : { slice: nameOf(shape), side: 0 };
}

/** The shape of a slice for Black to move. */
export function shapeOf(slice: string): Shape {
  const [ownKings, enemyKings, ownMen, enemyMen] = [...slice.slice(0, 4)].map(Number);
  const [ownRank, enemyRank] = slice.length > 4 ? [Number(slice[5]), Number(slice[6])] : [0, 0];
  return { ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank };
}

/** Where the leading men stand, in ranks counted from their owner's side; null for a slice without men. */
export function wordsOf(slice: string): string | null {
  const { ownMen, enemyMen, ownRank, enemyRank } = shapeOf(slice);
  const own = ownMen === 0 ? [] : [`Black's leading man on rank ${ownRank} of 0 to ${MEN_RANKS - 1}`];
  const enemy = enemyMen === 0 ? [] : [`White's leading man on rank ${enemyRank} of 0 to ${MEN_RANKS - 1}`];
  return [...own, ...enemy].join(', ') || null;
}

function ranksFor(men: number): number[] {
  return men === 0 ? [0] : Array.from({ length: MEN_RANKS }, (_, i) => MEN_RANKS - 1 - i);
}

/**
 * Whether both sides can have their leading men there. The ranks up to it have squares enough, and men who take all of these leave
 * none to a leading man of the other side.
 */
export function exists({ ownMen, ownRank, enemyMen, enemyRank }: Shape): boolean {
  const [room, enemyRoom] = [4 * (ownRank + 1) - ownMen, 4 * (enemyRank + 1) - enemyMen];
  if (room < 0 || enemyRoom < 0) return false;
  const meet = ownMen > 0 && enemyMen > 0 && ownRank + enemyRank >= MEN_RANKS;
  return !meet || (room > 0 && enemyRoom > 0);
}

/** The slices of a class whose Black is not the weaker, those with leading men further ahead first. */
function slicesOf(digits: string): string[] {
  const shape = shapeOf(digits);
  const slices: string[] = [];
  for (const ownRank of ranksFor(shape.ownMen)) {
    for (const enemyRank of ranksFor(shape.enemyMen)) {
      const ranked = { ...shape, ownRank, enemyRank };
      if (exists(ranked) && strength(ranked) >= 0) slices.push(nameOf(ranked));
    }
  }
  return slices;
}

function endingOf(shape: Shape, name: string, slices: string[], flipped: boolean): Ending {
  const { ownKings, enemyKings, ownMen, enemyMen } = shape;
  const isClass = name.length === 4;
  return {
    name,
    exchanged: isClass ? digitsOf(mirrored(shape)) : nameOf(mirrored(shape)),
    class: digitsOf(shape),
    pieces: ownKings + enemyKings + ownMen + enemyMen,
    slices,
    flipped,
  };
}

/** Reads "2111" (a class), "2111.53" (a slice) or the same from White's side ("1211.35"). Throws UserError. */
export function readEnding(text: string): Ending {
  const quoted = JSON.stringify(text);
  const match = /^(\d)(\d)(\d)(\d)(?:\.(\d)(\d))?$/.exec(text.trim());
  if (match === null) {
    throw new UserError(
      `ending ${quoted}: expected four digits, the kings of Black and White and their men, such as 2110, and for one slice of them the ranks of the leading men, such as 2110.50`,
    );
  }
  const name = match[0];
  const shape = shapeOf(name);
  const { ownKings, enemyKings, ownMen, enemyMen, ownRank, enemyRank } = shape;
  const pieces = ownKings + enemyKings + ownMen + enemyMen;
  if (ownKings + ownMen === 0 || enemyKings + enemyMen === 0) {
    if (name === NOTHING) return endingOf(shape, name, [NOTHING], false);
    throw new UserError(`ending ${quoted}: a side has no pieces, so the game is over`);
  }
  if (pieces > MOST_PIECES) {
    throw new UserError(`ending ${quoted}: ${pieces} pieces, at most ${MOST_PIECES} are supported`);
  }
  if (match[5] === undefined) {
    const flipped = strength(shape) < 0;
    return endingOf(shape, name, slicesOf(flipped ? digitsOf(mirrored(shape)) : name), flipped);
  }
  for (const [side, men, rank] of [
    ['Black', ownMen, ownRank],
    ['White', enemyMen, enemyRank],
  ] as const) {
    if (men === 0 && rank > 0) throw new UserError(`ending ${quoted}: ${side} has no men, so its rank is 0`);
    if (rank >= MEN_RANKS) {
      throw new UserError(`ending ${quoted}: the ranks of leading men are 0 to ${MEN_RANKS - 1}`);
    }
    if (men > 4 * (rank + 1)) {
      throw new UserError(`ending ${quoted}: ${men} men of ${side} do not fit on ranks 0 to ${rank}`);
    }
  }
  const { slice, side } = canonical(shape);
  return endingOf(shape, side === 0 ? slice : name, [slice], side === 1);
}

/** All classes of 2 to `pieces` pieces whose Black is not the weaker, in an order in which they may be solved. */
export function endingsUpTo(pieces: number): Ending[] {
  if (pieces > MOST_PIECES) {
    throw new UserError(`${pieces} pieces are too many, at most ${MOST_PIECES} are supported`);
  }
  const endings: Ending[] = [];
  for (let total = 2; total <= pieces; total++) {
    for (let men = 0; men <= total; men++) {
      for (let black = total - 1; 2 * black >= total; black--) {
        for (let ownMen = 0; ownMen <= Math.min(men, black); ownMen++) {
          const enemyMen = men - ownMen;
          const white = total - black;
          if (enemyMen > white) continue;
          const shape = {
            ownKings: black - ownMen,
            enemyKings: white - enemyMen,
            ownMen,
            enemyMen,
            ownRank: 0,
            enemyRank: 0,
          };
          if (strength(shape) < 0) continue;
          const name = digitsOf(shape);
          endings.push(endingOf(shape, name, slicesOf(name), false));
        }
      }
    }
  }
  return endings;
}

/** The functions of a definition, which say what is wrong with a result that cannot be. */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../contract/game.js';
import { MAX_COUNT } from '../../formats/labels.js';
import {
  type Asker,
  askerOf,
  type Fields,
  messageOf,
  type NamedMove,
  placeOf,
  requireFields,
  shown,
} from '../definition.js';
import type { NumberedGame } from './numbered-definition.js';

/** Every function throws UserError for a fault, with the position in words. */
export interface CheckedDefinition<Position> extends Asker<Position> {
  indexOf(position: Position): number;
  mover(position: Position): Side;
  /** The position with this number; its own number and side are not looked at. */
  positionOf(index: number, side: Side): Position | null;
  /** The images of a position, in the definition's own order; none if the game has no symmetries. */
  turned(position: Position): Position[];
  ended(position: Position): 'lost' | 'drawn' | null;
  movesOf(position: Position): NamedMove<Position>[];
  text(position: Position): string;
}

/** The letters that name the sides in text. */
export const SIDES = 'wb';

const FIELDS: Fields = {
  needed: ['index', 'position', 'mover', 'moves'],
  optional: ['ended', 'parse', 'format', 'diagram', 'symmetries', 'unmoves'],
  values: ['size', 'stuck', 'slices'],
};

/** Throws UserError if a function is missing, or name, size or `stuck` cannot be. */
function requireDefinition<Position>(definition: NumberedGame<Position>): void {
  requireFields('numberedGame', definition, FIELDS);
  const { name, size, stuck = 'lost' } = definition;
  if (!Number.isSafeInteger(size) || size < 1)
    throw new UserError(`${name}: size is ${shown(size)}, not a whole number from 1 to 2^53 - 1`);
  if (stuck !== 'lost' && stuck !== 'drawn')
    throw new UserError(`${name}: stuck is ${shown(stuck)}, not 'lost' or 'drawn'`);
  const [first, missing] = definition.parse === undefined ? ['format', 'parse'] : ['parse', 'format'];
  if ((definition.parse === undefined) !== (definition.format === undefined))
    throw new UserError(`${name}: there is a ${first} without a ${missing}: one reads what the other writes`);
}

/** Throws UserError if a function is missing, or name, size or `stuck` cannot be. */
export function newCheckedDefinition<Position>(
  definition: NumberedGame<Position>,
): CheckedDefinition<Position> {
  requireDefinition(definition);
  const { name, size, symmetries } = definition;
  const asker = askerOf<Position>(name, text);
  const { wrong, ask, askAll, askMoves } = asker;

  function indexOf(position: Position): number {
    const index = ask(position, 'index', () => definition.index(position));
    if (Number.isInteger(index) && index >= 0 && index < size) return index;
    throw new UserError(
      `${name}: index(${shown(position)}) is ${shown(index)}, not a whole number from 0 to ${size - 1}`,
    );
  }

  function mover(position: Position): Side {
    const side = ask(position, 'mover', () => definition.mover(position));
    if (side === 0 || side === 1) return side;
    throw wrong(position, `mover is ${shown(side)}, not 0 or 1`);
  }

  function positionOf(index: number, side: Side): Position | null {
    const asked = `${name}: position(${index}, ${side})`;
    let position: Position | null | undefined;
    try {
      position = definition.position(index, side);
    } catch (error) {
      throw new UserError(`${asked} failed: ${messageOf(error)}${placeOf(error)}`);
    }
    if (position === undefined)
      throw new UserError(`${asked} is undefined: it must be null where there is no position`);
    if (position instanceof Promise) throw new UserError(`${asked} is ${shown(position)}, not a position`);
    return position;
  }

  function ended(position: Position): 'lost' | 'drawn' | null {
    const over = ask(position, 'ended', () => definition.ended?.(position) ?? null);
    if (over === null || over === 'lost' || over === 'drawn') return over;
    if ((over as string) !== 'won')
      throw wrong(position, `ended is ${shown(over)}, not 'lost', 'drawn' or null`);
    throw wrong(
      position,
      "ended is 'won', which no table can hold: have position give null for it, leave moves that lead to it out of moves, and say 'lost' of who has no other",
    );
  }

  function text(position: Position): string {
    return (
      definition.format?.(position) ?? `${definition.index(position)} ${SIDES[definition.mover(position)]}`
    );
  }

  return {
    ...asker,
    indexOf,
    mover,
    positionOf,
    turned: (position) =>
      symmetries === undefined ? [] : askAll(position, 'symmetries', () => symmetries(position)),
    ended,
    movesOf: (position) => askMoves(position, (each) => definition.moves(each), MAX_COUNT),
    text,
  };
}

/** The functions of a definition, which say what is wrong with a result that cannot be. */
import { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import { MAX_COUNT } from '../../../game/labels.js';
import {
  type Asker,
  askerOf,
  type Fields,
  messageOf,
  moverOf,
  type NamedMove,
  parseWith,
  placeIn,
  placeOf,
  requireFields,
  shown,
} from '../definition.js';
import { pliesOfEnd } from '../keyed/keyed-game.js';
import { MoveWatch } from '../move-watch.js';
import type { NumberedGame, NumberedPositions } from './numbered-definition.js';

/** Positions by their numbers. Every function throws UserError for a fault, with the position in words. */
export interface CheckedPositions<Position> extends Asker<Position> {
  indexOf(position: Position): number;
  mover(position: Position): Side;
  /** The position with this number; its own number and side are not looked at. */
  positionOf(index: number, side: Side): Position | null;
  /** The position with this number, whose own number and side must be these; null if there is none. */
  at(index: number, side: Side): Position | null;
  text(position: Position): string;
}

/** Every function throws UserError for a fault, with the position in words. */
export interface CheckedDefinition<Position> extends CheckedPositions<Position> {
  /** The images of a position, in the definition's own order; none if the game has no symmetries. */
  turned(position: Position): Position[];
  ended(position: Position): 'lost' | 'drawn' | null;
  movesOf(position: Position): NamedMove<Position>[];
}

/** The letters that name the sides in text. */
export const SIDES = 'wb';

const FIELDS: Fields = {
  needed: ['index', 'position', 'mover', 'moves'],
  optional: ['ended', 'parse', 'format', 'diagram', 'symmetries', 'unmoves'],
  values: ['size', 'stuck', 'slices'],
};

/** The functions that numbered games have that are solved as a whole, and others do not. */
const WHOLE = ['starts', 'board', 'players'];

/** Throws UserError if a function is missing, or name, size or `stuck` cannot be. */
function requireDefinition<Position>(definition: NumberedGame<Position>): void {
  for (const field of WHOLE)
    if ((definition as unknown as Record<string, unknown> | null)?.[field] !== undefined)
      throw new UserError(
        `${definition.name}: it has ${field} and neither score nor turns: 'free': only such games have it`,
      );
  requireFields('numberedGame', definition, FIELDS);
  requireSize(definition, Number.MAX_SAFE_INTEGER, '2^53 - 1');
  const { name, stuck = 'lost' } = definition;
  if (stuck !== 'lost' && stuck !== 'drawn')
    throw new UserError(`${name}: stuck is ${shown(stuck)}, not 'lost' or 'drawn'`);
}

/** Throws UserError if the size cannot be, or one of `parse` and `format` is missing. @param shownMost `most` in words. */
export function requireSize<Position>(
  { name, size, parse, format }: NumberedPositions<Position>,
  most: number,
  shownMost: string,
): void {
  if (!Number.isSafeInteger(size) || size < 1 || size > most)
    throw new UserError(`${name}: size is ${shown(size)}, not a whole number from 1 to ${shownMost}`);
  const [first, missing] = parse === undefined ? ['format', 'parse'] : ['parse', 'format'];
  if ((parse === undefined) !== (format === undefined))
    throw new UserError(`${name}: there is a ${first} without a ${missing}: one reads what the other writes`);
}

/** Throws UserError if a function is missing, or name, size or `stuck` cannot be. */
export function newCheckedDefinition<Position>(
  definition: NumberedGame<Position>,
): CheckedDefinition<Position> {
  requireDefinition(definition);
  const { symmetries } = definition;
  const positions = newCheckedPositions(definition);
  const { wrongResult, ask, askAll, movesInto, indexOf, mover, at } = positions;
  const list = (position: Position) => definition.moves(position);
  const watch = new MoveWatch<Position>({
    list,
    keyOf: (position) => definition.index(position) * 2 + definition.mover(position),
    again: (position) => at(indexOf(position), mover(position)) ?? position,
    wrong: (position, what) => wrongResult(position, 'moves', what),
  });

  function ended(position: Position): 'lost' | 'drawn' | null {
    const over = ask(position, 'ended', () => definition.ended?.(position) ?? null);
    if (over === null || over === 'lost' || over === 'drawn') return over;
    if (pliesOfEnd(over) !== null)
      throw wrongResult(
        position,
        'ended',
        `ended is ${shown(over)}: only a game with turns: 'free' may have ends with plies`,
      );
    if ((over as string) !== 'won')
      throw wrongResult(position, 'ended', `ended is ${shown(over)}, not 'lost', 'drawn' or null`);
    throw wrongResult(
      position,
      'ended',
      "ended is 'won', which no table can hold: have position give null for it, leave moves that lead to it out of moves, and give 'lost' where there is no other move; or give the game turns: 'free'",
    );
  }

  return {
    ...positions,
    turned: (position) =>
      symmetries === undefined ? [] : askAll(position, 'symmetries', () => symmetries(position)),
    ended,
    movesOf(position) {
      const moves: NamedMove<Position>[] = [];
      const length = movesInto(position, list, moves, MAX_COUNT, (after, _, move) => {
        try {
          indexOf(after);
        } catch (error) {
          throw positions.behind(position, move, error);
        }
      });
      watch.look(position, moves, length);
      return moves;
    },
  };
}

/** The positions of a definition whose members are known to be there. */
export function newCheckedPositions<Position>(
  definition: NumberedPositions<Position>,
  author: object = definition,
): CheckedPositions<Position> {
  const { name, size } = definition;
  const asker = askerOf<Position>(name, text, author);
  const { wrong, failed } = asker;
  const mover = moverOf(definition, asker);

  function indexOf(position: Position): number {
    let index: number;
    try {
      index = definition.index(position);
    } catch (error) {
      throw failed(position, 'index', error);
    }
    if (Number.isInteger(index) && index >= 0 && index < size) return index;
    throw new UserError(
      `${name}: index(${shown(position)}) is ${shown(index)}, not a whole number from 0 to ${size - 1}${placeIn(author, 'index')}`,
    );
  }

  function positionOf(index: number, side: Side): Position | null {
    // Most numbers of some games are no position, so words are made only where something is wrong.
    const asked = () => `${name}: position(${index}, ${side})`;
    let position: Position | null | undefined;
    try {
      position = definition.position(index, side);
    } catch (error) {
      throw new UserError(`${asked()} failed: ${messageOf(error)}${placeOf(error)}`);
    }
    if (position === undefined)
      throw new UserError(
        `${asked()} is undefined: it must be null where there is no position${placeIn(author, 'position')}`,
      );
    if (position instanceof Promise) throw new UserError(`${asked()} is ${shown(position)}, not a position`);
    return position;
  }

  function text(position: Position): string {
    if (definition.format !== undefined) return definition.format(position);
    return `${definition.index(position)} ${SIDES[definition.mover(position)] ?? '?'}`;
  }

  return {
    ...asker,
    indexOf,
    mover,
    positionOf,
    text,
    at(index, side) {
      const position = positionOf(index, side);
      if (position === null) return null;
      const back = indexOf(position);
      if (back !== index) throw wrong(position, `is position(${index}, ${side}), but its index is ${back}`);
      if (mover(position) !== side)
        throw wrong(position, `is position(${index}, ${side}), but its mover is ${1 - side}`);
      return position;
    },
  };
}

/** Reads a position by the definition's `parse`, or else as its number and a letter for the side to move. Throws UserError. */
export function parsePosition<Position>(
  definition: NumberedPositions<Position>,
  words: string,
  at: CheckedPositions<Position>['at'],
): Position {
  const { name, size } = definition;
  if (definition.parse !== undefined) return parseWith(name, words, (each) => definition.parse!(each));
  const [, digits, letter] = /^\s*(\d+)\s+([wb])\s*$/.exec(words) ?? [];
  const index = Number(digits);
  const side = SIDES.indexOf(letter ?? '?');
  if (side < 0 || index >= size)
    throw new UserError(
      `${name}: ${JSON.stringify(words)} is not a position: expected a number below ${size} and "w" or "b"`,
    );
  const position = at(index, side as Side);
  if (position !== null) return position;
  throw new UserError(
    `${name}: there is no position ${index} ${letter}: position(${index}, ${side}) is null`,
  );
}

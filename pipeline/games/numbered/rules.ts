/** The contents of a definition, with one line for each fault in it. */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game.js';
import { MAX_COUNT } from '../../labels.js';
import {
  askerOf,
  type Fields,
  messageOf,
  type NamedMove,
  parseWith,
  placeOf,
  requireFields,
  shown,
} from '../definition.js';
import type { NumberedGame } from './numbered-definition.js';
import { newRanges, type Range, type Ranges } from './ranges.js';

export interface Rules<Position> {
  readonly definition: NumberedGame<Position>;
  readonly ranges: Ranges;
  /** The position with this number, whose own number and side must be these; null if there is none. */
  at(index: number, side: Side): Position | null;
  /** The same, where there must be one: its own number and side were looked at before. */
  need(index: number, side: Side): Position;
  mover(position: Position): Side;
  /** The number of the canonical position: the least of those of all images. */
  home(position: Position): number;
  /** All images, this position among them, each once. */
  images(position: Position): Position[];
  /** The legal moves; none if the game is over. The numbers of the positions after them are not looked at. */
  moves(position: Position): NamedMove<Position>[];
  /**
   * The numbers of the canonical positions, with the game still going on, from which moves lead to any image of this one.
   * Each comes as often as a move does; there may also be numbers that are no position.
   */
  unmoves(position: Position): number[];
  terminal(position: Position): 'open' | 'lost' | 'drawn';
  /**
   * The position at an index: null if it is not canonical, else whether it is over, and how many moves there are if not.
   * Each move leads to a position with the other side to move, in the range or in a range that it may lead to.
   */
  examine(index: number, side: Side, range: Range): Examined | null;
  parse(text: string): Position;
  text(position: Position): string;
  wrong(position: Position, what: string): UserError;
}

export interface Examined {
  readonly terminal: 'open' | 'lost' | 'drawn';
  /** Moves that stay in the range, and that leave it. */
  readonly moves: number;
  readonly conversions: number;
}

const SIDES = 'wb';

const FIELDS: Fields = {
  needed: ['index', 'position', 'mover', 'moves'],
  optional: ['ended', 'parse', 'format', 'diagram', 'symmetries', 'unmoves'],
  values: ['size', 'stuck', 'slices'],
};

/** Throws UserError if a function is missing, or name, size, `stuck` or slices cannot be. */
export function newRules<Position>(definition: NumberedGame<Position>): Rules<Position> {
  requireFields('numberedGame', definition, FIELDS);
  const { name, size, stuck = 'lost', symmetries } = definition;
  if (!Number.isSafeInteger(size) || size < 1)
    throw new UserError(`${name}: size is ${shown(size)}, not a whole number from 1 to 2^53 - 1`);
  if (stuck !== 'lost' && stuck !== 'drawn')
    throw new UserError(`${name}: stuck is ${shown(stuck)}, not 'lost' or 'drawn'`);
  const [first, missing] = definition.parse === undefined ? ['format', 'parse'] : ['parse', 'format'];
  if ((definition.parse === undefined) !== (definition.format === undefined))
    throw new UserError(`${name}: there is a ${first} without a ${missing}: one reads what the other writes`);
  const ranges = newRanges(definition as NumberedGame<never>);

  const { wrong, named, ask, askAll, askMoves } = askerOf<Position>(name, text);

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

  function at(index: number, side: Side): Position | null {
    const position = positionOf(index, side);
    if (position === null) return null;
    const back = indexOf(position);
    if (back !== index) throw wrong(position, `is position(${index}, ${side}), but its index is ${back}`);
    if (mover(position) !== side)
      throw wrong(position, `is position(${index}, ${side}), but its mover is ${1 - side}`);
    return position;
  }

  function need(index: number, side: Side): Position {
    const position = positionOf(index, side);
    if (position === null)
      throw new UserError(`${name}: there is no position ${index} with side ${side} to move`);
    return position;
  }

  const turned = (position: Position) => askAll(position, 'symmetries', () => symmetries!(position));

  function home(position: Position): number {
    let least = indexOf(position);
    if (symmetries !== undefined)
      for (const image of turned(position)) least = Math.min(least, indexOf(image));
    return least;
  }

  function images(position: Position): Position[] {
    if (symmetries === undefined) return [position];
    return [...new Map([position, ...turned(position)].map((image) => [indexOf(image), image])).values()];
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

  function movesOf(position: Position): NamedMove<Position>[] {
    return askMoves(position, (each) => definition.moves(each), MAX_COUNT);
  }

  function text(position: Position): string {
    return (
      definition.format?.(position) ?? `${definition.index(position)} ${SIDES[definition.mover(position)]}`
    );
  }

  /** Checks that the images of a canonical position have one home, whichever of them is asked, in one slice. */
  function examineImages(position: Position, index: number, side: Side, range: Range): void {
    for (const image of images(position)) {
      if (mover(image) !== side) throw wrong(position, `its image ${named(image)} has another side to move`);
      const there = indexOf(image);
      if (at(there, side) === null) throw wrong(position, `its image ${named(image)} is no position`);
      if (ranges.of(there) !== range)
        throw wrong(position, `its image ${named(image)} is in the slice ${ranges.of(there).name}`);
      if (home(image) !== index) throw notClosed(position, image);
    }
  }

  const notClosed = (position: Position, image: Position) =>
    wrong(position, `symmetries of its image ${named(image)} do not lead to the same positions`);

  return {
    definition,
    ranges,
    at,
    need,
    mover,
    home,
    images,
    text,
    wrong,
    examine(index, side, range) {
      const position = at(index, side);
      if (position === null) return null;
      if (symmetries !== undefined) {
        if (home(position) !== index) return null;
        examineImages(position, index, side, range);
      }
      const over = ended(position);
      if (over !== null) return { terminal: over, moves: 0, conversions: 0 };
      const moves = movesOf(position);
      if (indexOf(position) !== index)
        throw wrong(need(index, side), 'moves changes the position that it is given');
      const other = (1 - side) as Side;
      let conversions = 0;
      for (const [called, after] of moves) {
        const leads = () => `the move ${called} leads to ${named(after)}`;
        if (mover(after) !== other) throw wrong(position, `${leads()} with the same side to move`);
        const there = home(after);
        const canonical = at(there, other);
        if (canonical === null) throw wrong(position, `${leads()}, which is no position`);
        if (symmetries !== undefined && home(canonical) !== there) throw notClosed(after, canonical);
        const target = ranges.of(there);
        if (target === range) continue;
        conversions++;
        if (!range.leadsTo.includes(target.name))
          throw wrong(
            position,
            `${leads()} in the slice ${target.name}, which ${range.name} does not name in leadsTo`,
          );
      }
      return {
        terminal: moves.length === 0 ? stuck : 'open',
        moves: moves.length - conversions,
        conversions,
      };
    },
    moves: (position) => (ended(position) === null ? movesOf(position) : []),
    unmoves(position) {
      const found: number[] = [];
      for (const image of images(position)) {
        for (const before of askAll(image, 'unmoves', () => definition.unmoves!(image))) {
          const index = indexOf(before);
          // Numbers that are no position are dropped later; here they are only kept from functions that know positions.
          const isKnown = definition.ended === undefined && symmetries === undefined;
          if (!isKnown && (positionOf(index, mover(before)) === null || ended(before) !== null)) continue;
          if (symmetries === undefined || home(before) === index) found.push(index);
        }
      }
      return found;
    },
    terminal: (position) => ended(position) ?? (movesOf(position).length === 0 ? stuck : 'open'),
    parse(words) {
      if (definition.parse !== undefined) return parseWith(name, words, (each) => definition.parse!(each));
      const [, digits, letter] = /^\s*(\d+)\s+([wb])\s*$/.exec(words) ?? [];
      const index = Number(digits);
      const side = SIDES.indexOf(letter ?? '?');
      if (side < 0 || index >= size)
        throw new UserError(
          `${name}: ${JSON.stringify(words)} is no position: a number below ${size} and "w" or "b" is`,
        );
      const position = at(index, side as Side);
      if (position !== null) return position;
      throw new UserError(
        `${name}: there is no position ${index} ${letter}: position(${index}, ${side}) is null`,
      );
    },
  };
}

/** The contents of a definition, with one line for each fault in it. */
import { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import type { NamedMove } from '../definition.js';
import { type CheckedDefinition, newCheckedDefinition, parsePosition } from './checked-definition.js';
import { type Examination, newExaminer } from './examine.js';
import type { NumberedGame } from './numbered-definition.js';
import type { Places } from './places.js';
import { newRanges, type Ranges } from './ranges.js';

export interface Rules<Position> extends Places<Position>, Examination {
  readonly definition: NumberedGame<Position>;
  readonly ranges: Ranges;
  mover(position: Position): Side;
  /** The legal moves; none if the game is over. The numbers of the positions after them are not looked at. */
  moves(position: Position): NamedMove<Position>[];
  /**
   * The numbers of the canonical positions, with the game still going on, from which moves lead to any image of this one.
   * Each comes as often as a move does; there may also be numbers that are no position.
   */
  unmoves(position: Position): number[];
  terminal(position: Position): 'open' | 'lost' | 'drawn';
  parse(text: string): Position;
  /** Both throw UserError if the definition's function fails or returns anything but text. */
  format(position: Position): string;
  diagram(position: Position): string;
  wrong(position: Position, what: string): UserError;
}

/** Throws UserError if a function is missing, or name, size, `stuck` or slices cannot be. */
export function newRules<Position>(definition: NumberedGame<Position>): Rules<Position> {
  const checked = newCheckedDefinition(definition);
  const { stuck = 'lost', symmetries } = definition;
  const ranges = newRanges(definition as NumberedGame<never>);
  const places = newPlaces(definition, checked);
  const { home, images } = places;
  const { askAll, indexOf, mover, positionOf, ended, movesOf, text, wrong } = checked;

  const format = (position: Position) => checked.askText(position, 'format', () => text(position));

  return {
    definition,
    ranges,
    ...places,
    mover,
    wrong,
    format,
    diagram: (position) =>
      definition.diagram === undefined
        ? format(position)
        : checked.askLines(position, 'diagram', () => definition.diagram!(position)),
    ...newExaminer(definition, checked, places, ranges),
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
    parse: (words) => parsePosition(definition, words, places.at),
  };
}

/** Images that are asked one by one, until one has a lesser number: `home` finds symmetries that list without end. */
const ENOUGH = 256;

function newPlaces<Position>(
  { name, symmetries }: NumberedGame<Position>,
  { indexOf, positionOf, turned, at }: CheckedDefinition<Position>,
): Places<Position> {
  function home(position: Position): number {
    let least = indexOf(position);
    if (symmetries !== undefined)
      for (const image of turned(position)) least = Math.min(least, indexOf(image));
    return least;
  }

  return {
    at,
    need(index, side) {
      const position = positionOf(index, side);
      if (position === null)
        throw new UserError(`${name}: there is no position ${index} with side ${side} to move`);
      return position;
    },
    home,
    isHome(position, index) {
      if (symmetries === undefined) return true;
      let asked = 0;
      try {
        for (const image of symmetries(position)) {
          if (indexOf(image) < index) return false;
          if (++asked === ENOUGH) break;
        }
      } catch {
        // `home` throws the message.
      }
      return home(position) === index;
    },
    images(position) {
      if (symmetries === undefined) return [position];
      return [...new Map([position, ...turned(position)].map((image) => [indexOf(image), image])).values()];
    },
  };
}

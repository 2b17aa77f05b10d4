/**
 * Games for people: positions with numbers and forward moves are enough to have a game solved. {@link simpleGame} makes of
 * them a {@link Game} with one slice, whose name is that of the game.
 */
import { UserError } from '../../../operators/core/errors.js';
import type { Address, Ending, Game, Move, Side } from '../../game.js';
import { newRules } from './rules.js';
import { simpleSlice } from './slice.js';

/**
 * Two players move in turn; no chance, nothing hidden. All functions are pure: the same answer whenever they are asked, in
 * whatever thread. What is wrong with a definition (a number out of range, a move to what is no position) is a
 * UserError that names the position, when the game is solved.
 */
export interface SimpleGame<Position> {
  /** Letters, digits and dashes: tables are stored under it. */
  readonly name: string;
  /**
   * Positions have numbers 0 … size - 1, at most 2^32 of them (2^53 with `unmoves`). A number may be a position with either
   * side to move, with one, or with none: gaps cost a byte or two in the table and nothing else.
   */
  readonly size: number;
  /** The number of a position. Positions with different sides to move may have the same. */
  index(position: Position): number;
  /** The position with this number and this side to move; null if there is none. */
  position(index: number, side: Side): Position | null;
  /** Who is to move: 0 ("white") or 1 ("black"). */
  mover(position: Position): Side;
  /**
   * The positions after each legal move, with the other side to move: at most 254. Several moves may lead to the same
   * position. Who passes has made a move. Not asked of positions that are `ended`.
   */
  moves(position: Position): Iterable<Position>;
  /**
   * Whether the game is over before anybody moves: the side to move has lost, or it is drawn. Null: it goes on.
   * There is no "won": where a move loses at once, leave it out of `moves`, and say 'lost' of who has no other. Without
   * this function the game goes on until somebody cannot move.
   */
  ended?(position: Position): 'lost' | 'drawn' | null;
  /** What it is for the side to move not to have a move: 'lost' unless this says 'drawn'. */
  readonly stuck?: 'lost' | 'drawn';
  /** Reads a position as people write it; throws an Error that says what is wrong. Else it is its number and "w" or "b". */
  parse?(text: string): Position;
  /** Writes what `parse` reads. */
  format?(position: Position): string;
  /** What a move is called, given the positions before and after it. Else it is called by the position after it. */
  moveName?(before: Position, after: Position): string;
  /** A picture in lines of text. Else it is the text of `format`. */
  diagram?(position: Position): string;
  /**
   * The positions from which a move leads here, each as often as `moves` has this one; the other side to move. Positions that
   * do not exist or have `ended` may be among them. Never needed; it saves the memory and time of writing all moves down.
   */
  unmoves?(position: Position): Iterable<Position>;
}

/** Throws UserError if name or size cannot be. Metrics are `dtw` (plies to the end of a won game) and `wdl`. */
export function simpleGame<Position>(definition: SimpleGame<Position>): Game<Position> {
  const { name } = definition;
  const rules = newRules(definition);
  const slice = simpleSlice(rules);
  const exchanged = `${name}-exchanged`;
  const ending: Ending = { name, slices: [name], flipped: false, exchanged, pieces: 1, class: name };

  function locate(position: Position): Address {
    const side = rules.mover(position);
    const index = rules.indexOf(position);
    if (rules.at(index, side) === null) throw rules.wrong(position, 'is no position');
    const part = Math.floor(index / slice.width);
    return { slice: name, side, part, key: index - part * slice.width };
  }

  return {
    name,
    colours: ['white', 'black'],
    metrics: ['dtw', 'wdl'],
    locatesMirrored: false,
    ending(text) {
      const asked = text.trim().toLowerCase();
      if (asked === name.toLowerCase()) return ending;
      if (asked === exchanged.toLowerCase()) return { ...ending, name: exchanged, exchanged: name };
      throw new UserError(
        `${JSON.stringify(text)} is no part of ${name}, which is solved as a whole: "${name}"`,
      );
    },
    whole: ending,
    endingsUpTo: () => [ending],
    slice: () => slice,
    parse(text) {
      const position = rules.parse(text);
      locate(position);
      return position;
    },
    format: rules.text,
    locate,
    board: ({ side, part, key }) => rules.need(part * slice.width + key, side),
    moves: (position) =>
      rules.moves(position).map((after): Move<Position> => {
        const called = definition.moveName?.(position, after) ?? rules.text(after);
        return { uci: called, san: called, board: after };
      }),
    terminal: rules.terminal,
    mover: (position) => (rules.mover(position) === 0 ? 'white' : 'black'),
    diagram: (position) => `${(definition.diagram?.(position) ?? rules.text(position)).trimEnd()}\n`,
  };
}

/**
 * Games for people: positions with numbers and forward moves are enough to have a game solved. {@link numberedGame} makes of
 * them a {@link Game}. It is one slice, whose name is that of the game, or several if the definition says so.
 */
import { UserError } from '../../../../operators/core/errors.js';
import type { Address, Ending, Game, Move } from '../../../game/game.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import { keepForwardRules } from './forward.js';
import type { FreeNumberedGame, NumberedGame, ScoredNumberedGame } from './numbered-definition.js';
import { newRules } from './rules.js';
import { numberedSlice, widthOf } from './slice.js';
import { wholeGame } from './whole-game.js';

/**
 * Makes a game of positions with numbers and forward moves. Without `score` it is a {@link Game} with the metrics `dtw` (plies to the
 * end of a won game) and `wdl`. With `score` it is a keyed game, for {@link solveKeyed}, of all positions, with `score`, `dtw` and `wdl`.
 * With `turns: 'free'` it is a keyed game of all positions with `dtw` and `wdl`.
 *
 * @throws UserError if a function is missing or has a name that is not known, or name, size, `stuck` or slices cannot be.
 */
export function numberedGame<Position>(
  definition: ScoredNumberedGame<Position> | FreeNumberedGame<Position>,
): KeyedRules<Position>;
export function numberedGame<Position>(definition: NumberedGame<Position>): Game<Position>;
export function numberedGame<Position>(
  definition: NumberedGame<Position> | ScoredNumberedGame<Position> | FreeNumberedGame<Position>,
): Game<Position> | KeyedRules<Position> {
  return isWhole(definition) ? wholeGame(definition) : gameOfSlices(definition);
}

function isWhole<Position>(
  definition: NumberedGame<Position> | ScoredNumberedGame<Position> | FreeNumberedGame<Position>,
): definition is ScoredNumberedGame<Position> | FreeNumberedGame<Position> {
  const { score, turns } = (definition ?? {}) as { score?: unknown; turns?: unknown };
  return score !== undefined || turns !== undefined;
}

function gameOfSlices<Position>(definition: NumberedGame<Position>): Game<Position> {
  const rules = newRules(definition);
  const { name } = definition;
  const { all } = rules.ranges;
  const slices = new Map(all.map((range) => [range.name, numberedSlice(rules, range)]));
  const endings: Ending[] = all.map((range) => endingOf(range.name, [range.name], range.depth));
  const whole = endingOf(name, [...slices.keys()], Math.max(...all.map(({ depth }) => depth)));
  const named = new Map([...endings, whole].map((ending) => [ending.name.toLowerCase(), ending]));

  /** Slices from which no others are reached have one piece, as it were, and others more. */
  function endingOf(called: string, slices: readonly string[], depth: number): Ending {
    const exchanged = `${called}.exchanged`;
    return { name: called, slices, flipped: false, exchanged, pieces: 1 + depth, class: name };
  }

  const parts =
    all.length === 1
      ? `, which is solved as a whole: "${name}"`
      : `: "${name}" is all of it, and its slices are ${[...slices.keys()].join(', ')}`;

  function locate(position: Position): Address {
    const side = rules.mover(position);
    const index = rules.home(position);
    if (rules.at(index, side) === null) throw rules.wrong(position, 'is not a position');
    const range = rules.ranges.of(index);
    const width = widthOf(range);
    const part = Math.floor((index - range.first) / width);
    return { slice: range.name, side, part, key: index - range.first - part * width };
  }

  const game: Game<Position> = {
    name,
    colours: ['white', 'black'],
    metrics: ['dtw', 'wdl'],
    locatesMirrored: false,
    ending(text) {
      const [, asked, exchanged] = /^(.*?)(\.exchanged)?$/.exec(text.trim().toLowerCase())!;
      const ending = named.get(asked);
      if (ending === undefined)
        throw new UserError(`${JSON.stringify(text)} is not a part of ${name}${parts}`);
      return exchanged === undefined ? ending : { ...ending, name: ending.exchanged, exchanged: ending.name };
    },
    whole,
    endingsUpTo: (pieces) =>
      whole.pieces <= pieces ? [whole] : endings.filter((ending) => ending.pieces <= pieces),
    slice(name) {
      const slice = slices.get(name);
      if (slice === undefined) throw new UserError(`there is no slice ${name}`);
      return slice;
    },
    parse(text) {
      const position = rules.parse(text);
      locate(position);
      return position;
    },
    format: rules.format,
    locate,
    board({ slice, side, part, key }) {
      const range = all.find(({ name }) => name === slice)!;
      return rules.need(range.first + part * widthOf(range) + key, side);
    },
    ...(definition.symmetries === undefined ? {} : { images: rules.images }),
    moves: (position) =>
      rules
        .moves(position)
        .map(([called, after]): Move<Position> => ({ uci: called, san: called, board: after })),
    terminal: rules.terminal,
    mover: (position) => (rules.mover(position) === 0 ? 'white' : 'black'),
    diagram: (position) => `${rules.diagram(position).trimEnd()}\n`,
  };
  keepForwardRules(game, definition, rules);
  return game;
}

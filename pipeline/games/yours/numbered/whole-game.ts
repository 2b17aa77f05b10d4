/**
 * Numbered games with scores, or with free turns, are keyed games whose keys are their numbers, and whose roots are all their positions.
 *
 * Tables of numbered games hold plies by slice, and a slice reads those of others. With scores, plies are counted from where the
 * ends by so many points came in (graph/outcomes.ts), which is another ply in every slice. So these games are one graph.
 * Tables of slices also take it that players move in turn, and have no value for a side to move that has won.
 */
import { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import { SIDES } from '../../../game/side.js';
import { type Fields, given, listedBy, type NamedMove, requireFields, shown } from '../definition.js';
import { keyedGame } from '../keyed/keyed-game.js';
import type { KeyedGame, KeyedRules } from '../keyed/keyed-rules.js';
import {
  type CheckedPositions,
  newCheckedPositions,
  parsePosition,
  requireSize,
} from './checked-definition.js';
import type { FreeNumberedGame, NumberedGame, ScoredNumberedGame } from './numbered-definition.js';

type WholeGame<Position> = ScoredNumberedGame<Position> | FreeNumberedGame<Position>;

const NEEDED = ['index', 'position', 'mover', 'moves'];
const OPTIONAL = ['ended', 'parse', 'format', 'diagram', 'symmetries', 'starts', 'board'];
const SCORED: Fields = {
  needed: [...NEEDED, 'score'],
  optional: OPTIONAL,
  values: ['size', 'players', 'turns'],
};
const FREE: Fields = { needed: NEEDED, optional: OPTIONAL, values: ['size', 'players', 'stuck', 'turns'] };
/** Fields that mean the same in a keyed game. */
const KEPT = ['moves', 'ended', 'score', 'stuck', 'diagram', 'symmetries', 'board', 'players'] as const;
/** Fields of a game that is solved by slices that mean the same in one that is solved as a whole. */
const FORWARD = ['index', 'position', 'mover', 'ended', 'symmetries', 'parse', 'format', 'diagram'] as const;
/** Fields of other numbered games, and why these cannot have them. */
const UNFIT = {
  slices: 'is solved as a whole',
  unmoves: 'is solved by its forward moves',
};
/** A key is a number with a bit for the side to move. */
const MOST_SIZE = 2 ** 52;
/** Roots that follow each other are so far apart, as a share of all numbers: the first roots are a sample of all. */
const STRIDE = (Math.sqrt(5) - 1) / 2;

/**
 * Throws UserError if a function is missing or has a name that is not known, or name or size cannot be. @param author the object that
 * the author wrote, whose functions messages tell the places of.
 */
export function wholeGame<Position>(
  definition: WholeGame<Position>,
  author: object = definition,
): KeyedRules<Position> {
  requireWhole(definition);
  requireSize(definition, MOST_SIZE, '2^52');
  const { starts } = definition;
  const checked = newCheckedPositions(definition, author);
  const { indexOf, mover, positionOf, at, named, wrong, text } = checked;

  const keyed: KeyedGame<Position, number> = {
    name: definition.name,
    *roots() {
      // Before anything is solved.
      for (const _ of starting());
      yield* everyPosition(definition.name, definition.size, at);
    },
    key: (position) => indexOf(position) * 2 + mover(position),
    // keyedGame finds out whether it is the position with this key.
    position: (key) => positionOf(Math.floor(key / 2), (key % 2) as Side) ?? missing(key),
    mover,
    parse: (words) => parsePosition(definition, words, at),
    format: text,
    ...given(definition as ScoredNumberedGame<Position> & FreeNumberedGame<Position>, KEPT),
  };
  const rules = keyedGame<Position, number>(keyed, author, {
    what: 'index',
    shown: (key) => String(key >> 1n),
    position: (key) => `position(${key >> 1n}, ${key & 1n})`,
    explain: (key) => void at(Number(key >> 1n), Number(key & 1n) as Side),
  });

  let missed: UserError | undefined;

  /**
   * All positions are roots, so what a move leads to beside them has no position. That is found when it is expanded, and not at every
   * move. So the move is looked for, once.
   */
  function missing(key: number): never {
    missed ??= findMissing(key);
    throw missed;
  }

  function findMissing(key: number): UserError {
    for (const position of everyPosition(definition.name, definition.size, at))
      for (const [called, after] of rules.moves(position))
        if (keyed.key(after) === key)
          return wrong(position, `the move ${called} leads to ${named(after)}, which is not a position`);
    return new UserError(`${definition.name}: ${rules.words.position(BigInt(key))} is null`);
  }

  /** The first position, by number, from which there is a move. */
  function firstOpen(): Position {
    for (let index = 0; index < definition.size; index++)
      for (const side of SIDES) {
        const position = at(index, side);
        if (position !== null && rules.moves(position).length > 0) return position;
      }
    throw new UserError(`${definition.name}: no position has a move`);
  }

  /** The entries of `starts`, each once. */
  function* starting(): Generator<Position> {
    if (starts === undefined) return;
    const seen = new Set<number>();
    for (const position of listedBy(definition.name, 'starts', () => starts.call(definition))) {
      if (positionOf(indexOf(position), mover(position)) === null)
        throw wrong(position, 'starts gives it, and position gives null for its index');
      const key = keyed.key(position);
      if (!seen.has(key)) yield position;
      seen.add(key);
    }
    if (seen.size === 0) throw new UserError(`${definition.name}: starts lists no position`);
  }

  return {
    ...rules,
    *starts() {
      if (starts === undefined) yield firstOpen();
      else yield* starting();
    },
  };
}

/** A game that is solved by slices, as a keyed game. @param moves its moves, none where it is over. */
export function forwardGame<Position>(
  definition: NumberedGame<Position>,
  moves: (position: Position) => NamedMove<Position>[],
): KeyedRules<Position> {
  const whole = wholeGame<Position>(
    {
      name: definition.name,
      size: definition.size,
      turns: 'free',
      stuck: definition.stuck ?? 'lost',
      moves,
      ...given(definition, FORWARD),
    },
    definition,
  );
  return {
    ...whole,
    // Tables by slices have a value for each side to move, so symmetries leave the mover as it is.
    keyInto(position, out) {
      whole.keyInto(position, out);
      return false;
    },
  };
}

function requireWhole<Position>(definition: WholeGame<Position>): void {
  const { name, score, turns, stuck } = definition as Partial<
    ScoredNumberedGame<Position> & FreeNumberedGame<Position>
  >;
  if (turns !== undefined && turns !== 'free')
    throw new UserError(`${name}: turns is ${shown(turns)}, not 'free'`);
  const kind = score === undefined ? "turns: 'free'" : 'score';
  for (const [field, why] of Object.entries(UNFIT))
    if ((definition as unknown as Record<string, unknown>)[field] !== undefined)
      throw new UserError(`${name}: it has both ${field} and ${kind}: a game with ${kind} ${why}`);
  if (score !== undefined && stuck !== undefined)
    throw new UserError(
      `${name}: it has both stuck and score: score tells who has won where nobody can move`,
    );
  requireFields('numberedGame', definition, score === undefined ? FREE : SCORED);
}

/** All positions whose numbers are wanted, spread over the numbers. */
export function* everyPosition<Position>(
  name: string,
  size: number,
  at: CheckedPositions<Position>['at'],
  isWanted: (index: number) => boolean = () => true,
): Generator<Position> {
  let stride = Math.max(1, Math.floor(size * STRIDE));
  while (commonDivisor(stride, size) > 1) stride++;
  let found = false;
  for (let index = 0, seen = 0; seen < size; seen++, index = (index + stride) % size) {
    if (!isWanted(index)) continue;
    for (const side of SIDES) {
      const position = at(index, side);
      if (position === null) continue;
      found = true;
      yield position;
    }
  }
  if (!found) throw new UserError(`${name}: position gives null for every number from 0 to ${size - 1}`);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

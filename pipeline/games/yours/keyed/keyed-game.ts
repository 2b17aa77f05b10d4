/** Makes keyed games (keyed-rules.ts) of what users write. */
import { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import {
  type Asker,
  askerOf,
  type Fields,
  listedBy,
  MOST_LISTED,
  moverOf,
  type NamedMove,
  noRoots,
  parseWith,
  requireFields,
  shown,
} from '../definition.js';
import { MoveWatch } from '../move-watch.js';
import { KEY_BITS, KeyList, KeyReader, MOST_KEY_BITS, newKey } from './key-words.js';
import type { BoardPicture, End, KeyedGame, KeyedRules, KeyText, ListedMoves } from './keyed-rules.js';
import { keysOf } from './keys.js';

/** More does not fit the byte that describes a node. */
export const MOST_SCORE = 125;
/** More does not fit the word that describes a node. */
export const MOST_END_PLIES = 8000;

const FIELDS: Fields = {
  needed: ['roots', 'key', 'position', 'mover', 'moves'],
  optional: ['ended', 'score', 'symmetries', 'parse', 'format', 'diagram', 'board'],
  values: ['stuck', 'players', 'keyBits'],
};

/**
 * Makes a keyed game, for {@link solveKeyed}, of roots, keys and forward moves.
 *
 * @throws UserError if a function is missing or has a name that is not known, or the name or `stuck` cannot be.
 * @param author the object that the author wrote, if the definition was made of another. @param words how messages then speak of keys.
 */
export function keyedGame<Position, Key extends bigint | number = bigint>(
  definition: KeyedGame<Position, Key>,
  author: object = definition,
  words?: KeyText,
): KeyedRules<Position> {
  requireFields('keyedGame', definition, FIELDS);
  const { name, stuck = 'lost' } = definition;
  if (stuck !== 'lost' && stuck !== 'drawn')
    throw new UserError(`${name}: stuck is ${shown(stuck)}, not 'lost' or 'drawn'`);
  const { players = ['white', 'black'], board, keyBits = KEY_BITS } = definition;
  if (!Number.isInteger(keyBits) || keyBits < 1 || keyBits > MOST_KEY_BITS)
    throw new UserError(
      `${name}: keyBits is ${shown(keyBits)}, not an integer from 1 to ${MOST_KEY_BITS}: how many bits keys have`,
    );
  if (!arePlayers(players))
    throw new UserError(`${name}: players is ${shown(players)}, not two names that differ`);
  const asker = askerOf<Position>(name, text, author);
  const { wrong, wrongResult, askText, askLines, movesInto } = asker;
  const mover = moverOf(definition, asker);
  const keys = keysOf({ definition, keyBits, asker, mover, author, words });
  const score = definition.score === undefined ? null : scoreOf(definition, asker);
  if (score !== null && definition.stuck !== undefined)
    throw new UserError(
      `${name}: it has both stuck and score: score tells who has won where nobody can move`,
    );
  const ended = endedOf(definition, asker, mover, score);

  function text(position: Position): string {
    if (definition.format !== undefined) return definition.format(position);
    const key = definition.key(position);
    // What is no key would name no position.
    return reader.read(key, found) ? String(key) : shown(position);
  }

  const reader = new KeyReader(keyBits);
  const format = (position: Position) => askText(position, 'format', () => text(position));
  const roots = () => listedBy(name, 'roots', () => definition.roots());
  const list = (position: Position) => definition.moves(position);
  const watch = new MoveWatch<Position>({
    list,
    keyOf: (position) => definition.key(position),
    again: (position) => keys.at(keys.ownKeyOf(position)),
    wrong: (position, what) => wrongResult(position, 'moves', what),
  });
  const found = newKey(keyBits);

  function listMoves(position: Position, listed: ListedMoves<Position>): number {
    const { moves, exchanged } = listed;
    const length = movesInto(position, list, moves, MOST_LISTED, (after, at, move) => {
      try {
        exchanged[at] = keys.keyInto(after, found);
      } catch (error) {
        throw asker.behind(position, move, error);
      }
      listed.keys.put(at, found);
    });
    watch.look(position, moves, length);
    return length;
  }

  function moves(position: Position): NamedMove<Position>[] {
    if (ended(position) !== null) return [];
    const listed: NamedMove<Position>[] = [];
    listMoves(position, { moves: listed, keys: new KeyList(keyBits), exchanged: [] });
    return listed;
  }

  /** A game may name a position twice among its roots. */
  function* starts(): Generator<Position> {
    const seen = new Set<bigint>();
    for (const root of roots()) {
      const key = keys.ownKeyOf(root);
      if (!seen.has(key)) yield root;
      seen.add(key);
    }
    if (seen.size === 0) throw noRoots(name);
  }

  return {
    kind: 'keyed',
    name,
    colours: players,
    stuck,
    keyBits,
    ...keys,
    ended,
    score,
    wrong,
    roots,
    starts,
    mover,
    listMoves,
    moves,
    parse(words) {
      if (definition.parse !== undefined) {
        const position = parseWith(name, words, (each) => definition.parse!(each));
        keys.keyOf(position);
        return position;
      }
      const digits = /^\s*(\d{1,309})\s*$/.exec(words)?.[1];
      const key = digits === undefined ? null : BigInt(digits);
      if (key !== null && reader.read(key, found)) return keys.at(key);
      throw new UserError(
        `${name}: ${JSON.stringify(words)} is not a position: expected a number from 0 to 2^${keyBits} - 1`,
      );
    },
    format,
    diagram(position) {
      if (definition.diagram === undefined) return `${format(position).trimEnd()}\n`;
      return askLines(position, 'diagram', () => definition.diagram!(position));
    },
    board:
      board === undefined
        ? null
        : (position) => pictureOf(asker, position, () => definition.board!(position)),
  };
}

function endedOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  { wrongResult, failed }: Asker<Position>,
  mover: (position: Position) => Side,
  score: ((position: Position) => number) | null,
): (position: Position) => End | null {
  /** Ends with plies, each once. */
  const known = { won: new Map<number, End>(), lost: new Map<number, End>() };

  function endIn(result: 'won' | 'lost', plies: number): End {
    if (plies === 0) return result;
    let end = known[result].get(plies);
    if (end === undefined) {
      end = result === 'won' ? { won: plies } : { lost: plies };
      known[result].set(plies, end);
    }
    return end;
  }

  function scoredEnd(position: Position, end: unknown, scoreAt: (position: Position) => number): End | null {
    if (end === null) return null;
    if (end !== 'over')
      throw wrongResult(
        position,
        'ended',
        `ended is ${shown(end)}, not 'over' or null, as in all games with score`,
      );
    const points = scoreAt(position);
    return points === 0 ? 'drawn' : points > 0 === (mover(position) === 0) ? 'won' : 'lost';
  }

  return (position) => {
    if (definition.ended === undefined) return null;
    let end: ReturnType<NonNullable<typeof definition.ended>>;
    try {
      end = definition.ended(position);
    } catch (error) {
      throw failed(position, 'ended', error);
    }
    if (end === undefined) return null;
    if (score !== null) return scoredEnd(position, end, score);
    if (end === null || end === 'won' || end === 'lost' || end === 'drawn') return end;
    return laterEnd(position, end);
  };

  /** An end by a later win: `{ won: plies }` or `{ lost: plies }`. */
  function laterEnd(position: Position, end: unknown): End {
    const withPlies = pliesOfEnd(end);
    if (withPlies === null)
      throw wrongResult(
        position,
        'ended',
        `ended is ${shown(end)}, not 'won', 'lost', 'drawn' or null, nor { won: plies } or { lost: plies }`,
      );
    const [result, plies] = withPlies;
    if (Number.isInteger(plies) && plies >= 0 && plies <= MOST_END_PLIES) return endIn(result, plies);
    throw wrongResult(
      position,
      'ended',
      `ended is ${shown(end)}: plies must be an integer from 0 to ${MOST_END_PLIES}`,
    );
  }
}

/** The plies of `{ won: plies }` or `{ lost: plies }`, which may be anything; null of any other value. */
export function pliesOfEnd(end: unknown): readonly ['won' | 'lost', number] | null {
  if (typeof end !== 'object' || end === null) return null;
  const [field, ...others] = Object.keys(end);
  if (others.length > 0 || (field !== 'won' && field !== 'lost')) return null;
  return [field, (end as Record<string, number>)[field]];
}

function scoreOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  { wrongResult, failed }: Asker<Position>,
): (position: Position) => number {
  return (position) => {
    let score: number;
    try {
      score = definition.score!(position);
    } catch (error) {
      throw failed(position, 'score', error);
    }
    if (Number.isInteger(score) && Math.abs(score) <= MOST_SCORE) return score;
    throw wrongResult(
      position,
      'score',
      `score is ${shown(score)}, not an integer from -${MOST_SCORE} to ${MOST_SCORE}`,
    );
  };
}

function arePlayers(players: unknown): boolean {
  if (!Array.isArray(players) || players.length !== 2) return false;
  return players.every((each) => typeof each === 'string' && each.trim() !== '') && players[0] !== players[1];
}

function pictureOf<Position>(
  { ask, wrongResult }: Asker<Position>,
  position: Position,
  draw: () => BoardPicture,
): BoardPicture {
  const picture: unknown = ask(position, 'board', draw);
  if (typeof picture === 'string' && picture.trimStart().startsWith('<svg')) return picture;
  const areRows =
    Array.isArray(picture) &&
    picture.every((row) => Array.isArray(row) && row.every((square) => typeof square === 'string'));
  if (areRows) return picture as BoardPicture;
  throw wrongResult(
    position,
    'board',
    `board is ${shown(picture)}, not rows of squares with text, nor an <svg> element`,
  );
}

/** Whether a value is what {@link keyedGame} makes. */
export function isKeyedRules(value: unknown): value is KeyedRules {
  const { kind, keyOf } = (value ?? {}) as Partial<KeyedRules>;
  return kind === 'keyed' && typeof keyOf === 'function';
}

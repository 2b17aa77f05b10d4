/**
 * Games whose positions have keys and no numbers: what can be reached from the roots by forward moves is the game. Nothing is
 * known beforehand of how many positions that are, so the keys need not be close together.
 */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../contract/game.js';
import {
  type Asker,
  askerOf,
  type Fields,
  MOST_LISTED,
  messageOf,
  type NamedMove,
  notListed,
  parseWith,
  placeOf,
  requireFields,
  shown,
} from '../definition.js';

/**
 * No chance, nothing hidden, finitely many positions that can be reached. All functions are pure: the same answer whenever they
 * are asked. What is wrong with a definition (a key out of range, two positions with one key) is a UserError that names
 * the position, when the game is solved.
 */
export interface KeyedGame<Position, Key extends bigint | number = bigint> {
  /** Letters, digits and dashes: what is solved is stored under it. */
  readonly name: string;
  /** Where games begin: at least one position. */
  roots(): Iterable<Position>;
  /**
   * All of a position, who is to move too, different for each: bigints from 0n to 2n ** 64n - 1n, or, which is faster, numbers
   * from 0 to 2 ** 53 - 1. A game has one kind of keys.
   */
  key(position: Position): Key;
  /** The position with this key: the inverse of `key`. Only asked about keys that `key` gave. */
  position(key: Key): Position;
  /** Who is to move: 0 ("white") or 1 ("black"). */
  mover(position: Position): Side;
  /**
   * The legal moves: what each is called and the position after it. The same side may be to move again. Several moves may
   * lead to the same position. At most 2^20. Not asked of positions that are `ended`.
   */
  moves(position: Position): Iterable<NamedMove<Position>>;
  /**
   * Whether the game is over before anybody moves, and what it then is for the side to move. Null: it goes on. In a game with
   * `score` it is 'over' or null.
   */
  ended?(position: Position): 'won' | 'lost' | 'drawn' | 'over' | null;
  /**
   * By how much side 0 has won where the game is over, or nobody can move: an integer from -125 to 125, negative if side 1 has won.
   * Side 0 wants more, side 1 less; endless play is worth 0. Such games have the metric `score`.
   */
  score?(position: Position): number;
  /** What it is for the side to move not to have a move: 'lost' unless this says 'drawn'. `ended` may say otherwise, of single positions. */
  readonly stuck?: 'lost' | 'drawn';
  /**
   * The other ways to look at a position, all of them: mirror images, say. They have the same mover, end and moves, up to the
   * same change. All are solved as one position, the one with the least key.
   */
  symmetries?(position: Position): Iterable<Position>;
  /** Reads a position as people write it; throws an Error that says what is wrong. Else it is its key. */
  parse?(text: string): Position;
  /** Writes what `parse` reads. */
  format?(position: Position): string;
  /** A picture in lines of text. Else it is the text of `format`. */
  diagram?(position: Position): string;
  /** A picture for pages. Else it is that of `diagram`. */
  board?(position: Position): BoardPicture;
  /** What the players are called, side 0 first. Else they are white and black. */
  readonly players?: readonly [string, string];
}

/** Rows of squares, each with the text of what stands there, '' for nothing; or an element `<svg …>` as text. */
export type BoardPicture = readonly (readonly string[])[] | string;

/** What {@link keyedGame} makes of a definition: the same, with everything that is wrong told in one line. All throw UserError. */
export interface KeyedRules<Position = unknown> {
  readonly kind: 'keyed';
  readonly name: string;
  readonly colours: readonly [string, string];
  readonly stuck: 'lost' | 'drawn';
  roots(): Iterable<Position>;
  /** The least key of the position and its symmetries: what it is solved as. */
  keyOf(position: Position): bigint;
  /** The key of the position itself. */
  ownKeyOf(position: Position): bigint;
  /** The same, as two words. */
  keyInto(position: Position, out: KeyWords): void;
  /** The position with a key that some position has. */
  at(key: bigint): Position;
  /** The same, of two words. */
  atWords(high: number, low: number): Position;
  /** Null if the game names no symmetries: then all positions are alike only to themselves. */
  readonly symmetries: ((position: Position) => Position[]) | null;
  /** How many positions are solved as the one with a key: it and its symmetries, each once. @throws UserError if one of them has a lesser key. */
  orbit(position: Position, key: KeyWords): number;
  mover(position: Position): Side;
  ended(position: Position): 'won' | 'lost' | 'drawn' | null;
  /** By how much side 0 has won: asked where the game is over. Null if the game has no scores. */
  readonly score: ((position: Position) => number) | null;
  /** None if the game is over. */
  moves(position: Position): NamedMove<Position>[];
  /** The same of a position that is not `ended`. */
  movesOn(position: Position): NamedMove<Position>[];
  /** The position that a text means: it need not be one that can be reached. */
  parse(text: string): Position;
  format(position: Position): string;
  /** Ends with a newline. */
  diagram(position: Position): string;
  /** Null if the game draws none. */
  readonly board: ((position: Position) => BoardPicture) | null;
  wrong(position: Position, what: string): UserError;
}

/** A key of 64 bits, in two words of 32, both signed: V8 keeps other numbers in objects of their own. */
export interface KeyWords {
  high: number;
  low: number;
}

const MOST = 2n ** 64n - 1n;
const WORD = 2 ** 32;
/** A bigint seen as two words. */
const big = new BigUint64Array(1);
const words = new Uint32Array(big.buffer);

const ENDS = ['won', 'lost', 'drawn', null];
/** More does not fit the byte that tells of a node. */
export const MOST_SCORE = 125;

const FIELDS: Fields = {
  needed: ['roots', 'key', 'position', 'mover', 'moves'],
  optional: ['ended', 'score', 'symmetries', 'parse', 'format', 'diagram', 'board'],
  values: ['stuck', 'players'],
};

/**
 * Makes a keyed game, for {@link solveKeyed}, of roots, keys and forward moves.
 *
 * @throws UserError if a function is missing or has a name that is not known, or the name or `stuck` cannot be.
 */
export function keyedGame<Position, Key extends bigint | number = bigint>(
  definition: KeyedGame<Position, Key>,
): KeyedRules<Position> {
  requireFields('keyedGame', definition, FIELDS);
  const { name, stuck = 'lost' } = definition;
  if (stuck !== 'lost' && stuck !== 'drawn')
    throw new UserError(`${name}: stuck is ${shown(stuck)}, not 'lost' or 'drawn'`);
  const { players = ['white', 'black'], board } = definition;
  if (!arePlayers(players))
    throw new UserError(`${name}: players is ${shown(players)}, not two names that differ`);
  const asker = askerOf<Position>(name, text);
  const { wrong, failed, ask, askMoves } = asker;
  const keys = keysOf(definition, asker);
  const score = definition.score === undefined ? null : scoreOf(definition, asker);
  if (score !== null && definition.stuck !== undefined)
    throw new UserError(
      `${name}: it has both stuck and score: score tells who has won where nobody can move`,
    );

  function text(position: Position): string {
    return definition.format?.(position) ?? String(definition.key(position));
  }

  function ended(position: Position): 'won' | 'lost' | 'drawn' | null {
    if (definition.ended === undefined) return null;
    let end: ReturnType<NonNullable<typeof definition.ended>>;
    try {
      end = definition.ended(position);
    } catch (error) {
      throw failed(position, 'ended', error);
    }
    if (end === undefined) return null;
    if (score !== null) return scoredEnd(position, end, score);
    if (end !== 'over' && ENDS.includes(end)) return end;
    throw wrong(position, `ended is ${shown(end)}, not 'won', 'lost', 'drawn' or null`);
  }

  function scoredEnd(
    position: Position,
    end: unknown,
    scoreAt: (position: Position) => number,
  ): ReturnType<typeof ended> {
    if (end === null) return null;
    if (end !== 'over')
      throw wrong(position, `ended is ${shown(end)}, not 'over' or null, as in all games with score`);
    const points = scoreAt(position);
    return points === 0 ? 'drawn' : points > 0 === (mover(position) === 0) ? 'won' : 'lost';
  }

  function mover(position: Position): Side {
    let side: Side;
    try {
      side = definition.mover(position);
    } catch (error) {
      throw failed(position, 'mover', error);
    }
    if (side === 0 || side === 1) return side;
    throw wrong(position, `mover is ${shown(side)}, not 0 or 1`);
  }

  const list = (position: Position) => definition.moves(position);
  const movesOn = (position: Position) => askMoves(position, list, MOST_LISTED);

  return {
    kind: 'keyed',
    name,
    colours: players,
    stuck,
    ...keys,
    ended,
    score,
    wrong,
    *roots() {
      try {
        const roots = definition.roots();
        const odd = notListed(roots);
        if (odd !== null) throw new UserError(`${name}: roots ${odd}`);
        yield* roots;
      } catch (error) {
        if (error instanceof UserError) throw error;
        throw new UserError(`${name}: roots failed: ${messageOf(error)}${placeOf(error)}`);
      }
    },
    mover,
    movesOn,
    moves: (position) => (ended(position) === null ? movesOn(position) : []),
    parse(words) {
      if (definition.parse !== undefined) {
        const position = parseWith(name, words, (each) => definition.parse!(each));
        keys.keyOf(position);
        return position;
      }
      const digits = /^\s*(\d{1,20})\s*$/.exec(words)?.[1];
      const key = digits === undefined ? null : BigInt(digits);
      if (key !== null && key <= MOST) return keys.at(key);
      throw new UserError(
        `${name}: ${JSON.stringify(words)} is no position: a number from 0 to 2^64 - 1 may be one`,
      );
    },
    format: (position) => ask(position, 'format', () => text(position)),
    diagram: (position) =>
      ask(position, 'diagram', () => `${(definition.diagram?.(position) ?? text(position)).trimEnd()}\n`),
    board:
      board === undefined
        ? null
        : (position) => pictureOf(asker, position, () => definition.board!(position)),
  };
}

function scoreOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  { wrong, failed }: Asker<Position>,
): (position: Position) => number {
  return (position) => {
    let score: number;
    try {
      score = definition.score!(position);
    } catch (error) {
      throw failed(position, 'score', error);
    }
    if (Number.isInteger(score) && Math.abs(score) <= MOST_SCORE) return score;
    throw wrong(position, `score is ${shown(score)}, not an integer from -${MOST_SCORE} to ${MOST_SCORE}`);
  };
}

function arePlayers(players: unknown): boolean {
  if (!Array.isArray(players) || players.length !== 2) return false;
  return players.every((each) => typeof each === 'string' && each.trim() !== '') && players[0] !== players[1];
}

function pictureOf<Position>(
  { ask, wrong }: Asker<Position>,
  position: Position,
  draw: () => BoardPicture,
): BoardPicture {
  const picture: unknown = ask(position, 'board', draw);
  if (typeof picture === 'string' && picture.trimStart().startsWith('<svg')) return picture;
  const areRows =
    Array.isArray(picture) &&
    picture.every((row) => Array.isArray(row) && row.every((square) => typeof square === 'string'));
  if (areRows) return picture as BoardPicture;
  throw wrong(position, `board is ${shown(picture)}, not rows of squares with text, nor an <svg> element`);
}

/** Whether a value is what {@link keyedGame} makes. */
export function isKeyedRules(value: unknown): value is KeyedRules {
  const { kind, keyOf } = (value ?? {}) as Partial<KeyedRules>;
  return kind === 'keyed' && typeof keyOf === 'function';
}

/** Keys from positions, and positions from keys. */
function keysOf<Position, Key extends bigint | number>(
  definition: KeyedGame<Position, Key>,
  { wrong, failed, askAll }: Asker<Position>,
): Pick<KeyedRules<Position>, 'keyOf' | 'ownKeyOf' | 'keyInto' | 'at' | 'atWords' | 'symmetries' | 'orbit'> {
  const { name } = definition;
  const symmetries =
    definition.symmetries === undefined
      ? null
      : (position: Position) => askAll(position, 'symmetries', () => definition.symmetries!(position));
  const own: KeyWords = { high: 0, low: 0 };
  const asked: KeyWords = { high: 0, low: 0 };
  /** What keys are, once the first was seen. */
  let kind: 'number' | 'bigint' | null = null;

  /** The key of a position itself, whatever its symmetries have. */
  function ownInto(position: Position, out: KeyWords): void {
    let key: Key;
    try {
      key = definition.key(position);
    } catch (error) {
      throw failed(position, 'key', error);
    }
    if (!wordsOf(key, out)) throw wrong(position, `its key is ${shown(key)}, not ${KEYS}`);
    if (kind === typeof key) return;
    if (kind !== null)
      throw wrong(
        position,
        `its key is ${shown(key)}, not a ${kind} as that of others: a game has one kind of keys`,
      );
    kind = typeof key as 'number' | 'bigint';
  }

  function keyInto(position: Position, out: KeyWords): void {
    ownInto(position, out);
    if (symmetries === null) return;
    for (const image of symmetries(position)) {
      ownInto(image, own);
      if (!isLess(own, out)) continue;
      out.high = own.high;
      out.low = own.low;
    }
  }

  /** What keys are: looked up at the first root if it is not known. */
  function kindOfKeys(): 'number' | 'bigint' {
    if (kind === null)
      for (const root of definition.roots()) {
        ownInto(root, own);
        break;
      }
    return kind ?? 'bigint';
  }

  function atWords(high: number, low: number): Position {
    const key = kindOfKeys() === 'number' ? (high >>> 0) * WORD + (low >>> 0) : bigOf(high, low);
    let position: Position;
    try {
      position = definition.position(key as Key);
    } catch (error) {
      throw new UserError(`${name}: position(${shown(key)}) failed: ${messageOf(error)}${placeOf(error)}`);
    }
    if (position === undefined || position === null || position instanceof Promise)
      throw new UserError(
        `${name}: position(${shown(key)}) is ${shown(position)}, not the position with this key`,
      );
    ownInto(position, asked);
    if (asked.high === high && asked.low === low) return position;
    throw wrong(position, `is position(${shown(key)}), but its key is ${shown(definition.key(position))}`);
  }

  return {
    symmetries,
    keyInto,
    atWords,
    keyOf(position) {
      keyInto(position, asked);
      return bigOf(asked.high, asked.low);
    },
    ownKeyOf(position) {
      ownInto(position, asked);
      return bigOf(asked.high, asked.low);
    },
    at(key) {
      big[0] = key;
      return atWords(words[1] | 0, words[0] | 0);
    },
    orbit(position, key) {
      if (symmetries === null) return 1;
      const seen = [{ ...key }];
      for (const image of symmetries(position)) {
        ownInto(image, own);
        if (isLess(own, key))
          throw wrong(
            position,
            `symmetries gives one whose key is ${bigOf(own.high, own.low)}n, and does not give it of all that look alike: it must give all of them, of each`,
          );
        if (!seen.some((each) => each.high === own.high && each.low === own.low)) seen.push({ ...own });
      }
      return seen.length;
    },
  };
}

const KEYS = 'a bigint from 0 to 2^64 - 1 or a number from 0 to 2^53 - 1';

function isLess(a: KeyWords, b: KeyWords): boolean {
  return a.high === b.high ? a.low >>> 0 < b.low >>> 0 : a.high >>> 0 < b.high >>> 0;
}

/** Whether a value is a key; its words. */
function wordsOf(key: unknown, out: KeyWords): boolean {
  if (typeof key === 'number') {
    if (key < 0 || !Number.isSafeInteger(key)) return false;
    out.high = key < WORD ? 0 : Math.floor(key / WORD) | 0;
    out.low = key | 0;
    return true;
  }
  if (typeof key !== 'bigint' || key < 0n || key > MOST) return false;
  big[0] = key;
  out.high = words[1] | 0;
  out.low = words[0] | 0;
  return true;
}

function bigOf(high: number, low: number): bigint {
  words[0] = low;
  words[1] = high;
  return big[0];
}

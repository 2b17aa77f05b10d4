/**
 * Games whose positions have keys and no numbers: what can be reached from the roots by forward moves is the game. Nothing is
 * known beforehand of how many positions that are, so the keys need not be close together.
 */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game.js';
import {
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
export interface KeyedGame<Position> {
  /** Letters, digits and dashes: what is solved is stored under it. */
  readonly name: string;
  /** Where games begin: at least one position. */
  roots(): Iterable<Position>;
  /** All of a position, who is to move too, in an unsigned number of 64 bits: 0n … 2n ** 64n - 1n, different for each. */
  key(position: Position): bigint;
  /** The position with this key: the inverse of `key`. Only asked about keys that `key` gave. */
  position(key: bigint): Position;
  /** Who is to move: 0 ("white") or 1 ("black"). */
  mover(position: Position): Side;
  /**
   * The legal moves: what each is called and the position after it. The same side may be to move again. Several moves may
   * lead to the same position. At most 2^20. Not asked of positions that are `ended`.
   */
  moves(position: Position): Iterable<NamedMove<Position>>;
  /** Whether the game is over before anybody moves, and what it then is for the side to move. Null: it goes on. */
  ended?(position: Position): 'won' | 'lost' | 'drawn' | null;
  /** What it is for the side to move not to have a move: 'lost' unless this says 'drawn'. `ended` may say otherwise, of single positions. */
  readonly stuck?: 'lost' | 'drawn';
  /** Reads a position as people write it; throws an Error that says what is wrong. Else it is its key. */
  parse?(text: string): Position;
  /** Writes what `parse` reads. */
  format?(position: Position): string;
  /** A picture in lines of text. Else it is the text of `format`. */
  diagram?(position: Position): string;
}

/** What {@link keyedGame} makes of a definition: the same, with everything that is wrong told in one line. All throw UserError. */
export interface KeyedRules<Position = unknown> {
  readonly kind: 'keyed';
  readonly name: string;
  readonly colours: readonly ['white', 'black'];
  readonly stuck: 'lost' | 'drawn';
  roots(): Iterable<Position>;
  keyOf(position: Position): bigint;
  /** The position with a key that some position has. */
  at(key: bigint): Position;
  mover(position: Position): Side;
  ended(position: Position): 'won' | 'lost' | 'drawn' | null;
  /** None if the game is over. */
  moves(position: Position): NamedMove<Position>[];
  /** The position that a text means: it need not be one that can be reached. */
  parse(text: string): Position;
  format(position: Position): string;
  /** Ends with a newline. */
  diagram(position: Position): string;
  wrong(position: Position, what: string): UserError;
}

const MOST = 2n ** 64n - 1n;
const ENDS = ['won', 'lost', 'drawn', null];

const FIELDS: Fields = {
  needed: ['roots', 'key', 'position', 'mover', 'moves'],
  optional: ['ended', 'parse', 'format', 'diagram'],
  values: ['stuck'],
};

/**
 * Makes a keyed game, for {@link solveKeyed}, of roots, keys and forward moves.
 *
 * @throws UserError if a function is missing or has a name that is not known, or the name or `stuck` cannot be.
 */
export function keyedGame<Position>(definition: KeyedGame<Position>): KeyedRules<Position> {
  requireFields('keyedGame', definition, FIELDS);
  const { name, stuck = 'lost' } = definition;
  if (stuck !== 'lost' && stuck !== 'drawn')
    throw new UserError(`${name}: stuck is ${shown(stuck)}, not 'lost' or 'drawn'`);
  const { wrong, ask, askMoves } = askerOf<Position>(name, text);

  function text(position: Position): string {
    return definition.format?.(position) ?? String(definition.key(position));
  }

  function keyOf(position: Position): bigint {
    const key = ask(position, 'key', () => definition.key(position));
    if (isKey(key)) return key;
    throw wrong(position, `its key is ${shown(key)}, not a bigint from 0 to 2^64 - 1`);
  }

  function at(key: bigint): Position {
    let position: Position;
    try {
      position = definition.position(key);
    } catch (error) {
      throw new UserError(`${name}: position(${key}n) failed: ${messageOf(error)}${placeOf(error)}`);
    }
    if (position === undefined || position === null || position instanceof Promise)
      throw new UserError(`${name}: position(${key}n) is ${shown(position)}, not the position with this key`);
    const back = keyOf(position);
    if (back !== key) throw wrong(position, `is position(${key}n), but its key is ${back}n`);
    return position;
  }

  function ended(position: Position): 'won' | 'lost' | 'drawn' | null {
    const end = ask(position, 'ended', () => definition.ended?.(position) ?? null);
    if (ENDS.includes(end)) return end;
    throw wrong(position, `ended is ${shown(end)}, not 'won', 'lost', 'drawn' or null`);
  }

  return {
    kind: 'keyed',
    name,
    colours: ['white', 'black'],
    stuck,
    keyOf,
    at,
    ended,
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
    mover(position) {
      const side = ask(position, 'mover', () => definition.mover(position));
      if (side === 0 || side === 1) return side;
      throw wrong(position, `mover is ${shown(side)}, not 0 or 1`);
    },
    moves: (position) =>
      ended(position) === null ? askMoves(position, (each) => definition.moves(each), MOST_LISTED) : [],
    parse(words) {
      if (definition.parse !== undefined) {
        const position = parseWith(name, words, (each) => definition.parse!(each));
        keyOf(position);
        return position;
      }
      const digits = /^\s*(\d{1,20})\s*$/.exec(words)?.[1];
      const key = digits === undefined ? null : BigInt(digits);
      if (key !== null && isKey(key)) return at(key);
      throw new UserError(
        `${name}: ${JSON.stringify(words)} is no position: a number from 0 to 2^64 - 1 may be one`,
      );
    },
    format: (position) => ask(position, 'format', () => text(position)),
    diagram: (position) =>
      ask(position, 'diagram', () => `${(definition.diagram?.(position) ?? text(position)).trimEnd()}\n`),
  };
}

/** Whether a value is what {@link keyedGame} makes. */
export function isKeyedRules(value: unknown): value is KeyedRules {
  const { kind, keyOf } = (value ?? {}) as Partial<KeyedRules>;
  return kind === 'keyed' && typeof keyOf === 'function';
}

function isKey(key: unknown): key is bigint {
  return typeof key === 'bigint' && key >= 0n && key <= MOST;
}

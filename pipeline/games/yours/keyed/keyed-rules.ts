/**
 * Games whose positions have keys and no numbers: what can be reached from the roots by forward moves is the game. Nothing is
 * known beforehand of how many positions that are, so the keys need not be close together.
 */
import type { UserError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import type { NamedMove } from '../definition.js';
import type { KeyList, KeyWords } from './key-words.js';

/**
 * No chance, nothing hidden, finitely many positions that can be reached. All functions are pure: the same answer
 * whenever they are asked. A definition may be wrong: a key out of range, two positions with one key. Solving the
 * game then throws a UserError that names the position.
 */
export interface KeyedGame<Position, Key extends bigint | number = bigint> {
  /** Letters, digits, - and _: what is solved is stored under it. */
  readonly name: string;
  /** Where games begin: at least one position. */
  roots(): Iterable<Position>;
  /**
   * All of a position, who is to move too, different for each. Bigints go from 0n to 2n ** 64n - 1n, or have as many bits as `keyBits`
   * declares. Numbers from 0 to 2 ** 53 - 1 are faster. A game has one kind of keys.
   */
  key(position: Position): Key;
  /** The bits of the widest keys: an integer from 1 to 1,024, and 64 unless given. Every key has room for so many. */
  readonly keyBits?: number;
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
   * Whether the game is over before anybody moves, and what it then is for the side to move. Null: it goes on. The value of a position that
   * another table has is an end, too: `{ won: 12 }` is won in 12 plies, which best play from here goes on for. In a game with `score` it is 'over'
   * or null.
   */
  ended?(position: Position): End | 'over' | null;
  /**
   * By how much side 0 has won where the game is over, or nobody can move. It is an integer from -125 to 125,
   * negative if side 1 has won. Side 0 wants more, side 1 less; endless play is worth 0. Such games have the metric
   * `score`.
   */
  score?(position: Position): number;
  /** A side to move without a move has lost, unless this says 'drawn'. `ended` may say otherwise for single positions. */
  readonly stuck?: 'lost' | 'drawn';
  /**
   * The other ways to look at a position, all of them: mirror images, say. They have the same mover, end and moves, up to the
   * same change. Or the colours are exchanged, and the other side is to move: then the end is the same for the mover, and `score` has the
   * other sign. All are solved as one position, the one with the least key.
   */
  symmetries?(position: Position): Iterable<Position>;
  /** Reads a position as people write it; throws an Error whose message is what is wrong. Else it is its key. */
  parse?(text: string): Position;
  /** Writes what `parse` reads. */
  format?(position: Position): string;
  /** A picture in lines of text: one text, or a list of lines. Else it is the text of `format`. */
  diagram?(position: Position): string | readonly string[];
  /** A picture for pages. Else it is that of `diagram`. */
  board?(position: Position): BoardPicture;
  /** The names of the players, side 0 first. Else they are white and black. */
  readonly players?: readonly [string, string];
}

/**
 * What a position is for the side to move where the game is over, or where it is looked up in another table: then won or lost in so many plies,
 * an integer from 0 to 8,000. 'won' is `{ won: 0 }`. The metric `wdl` takes no notice of plies.
 */
export type End = 'won' | 'lost' | 'drawn' | { readonly won: number } | { readonly lost: number };

/** Rows of squares, each with the text of what stands there, '' for nothing; or an element `<svg …>` as text. */
export type BoardPicture = readonly (readonly string[])[] | string;

/** Messages about keys in the author's words: someone who wrote `index` has never seen a key. */
export interface KeyText {
  readonly what: 'key' | 'index';
  /** A key as the author's function gives it. */
  shown(key: bigint): string;
  /** The call that makes a position of it. */
  position(key: bigint): string;
  /** Throws what is wrong in the author's words if the position of a key does not have that key. */
  explain?(key: bigint): void;
}

/** Moves with the keys that the positions after them are solved as, in arrays that are used again. */
export interface ListedMoves<Position = unknown> {
  readonly moves: NamedMove<Position>[];
  readonly keys: KeyList;
  /** As {@link KeyedRules.keyInto} returns it of the position after the move. */
  readonly exchanged: boolean[];
}

/** The positions that are solved as one. The object is used again. */
export interface Orbit {
  /** How many they are: the position and its symmetries, each once. */
  size: number;
  /** Whether some have the other mover. */
  exchanges: boolean;
}

/** A definition as `keyedGame` (keyed-game.ts) returns it: the same, but each fault is one line. All throw UserError. */
export interface KeyedRules<Position = unknown> {
  readonly kind: 'keyed';
  readonly name: string;
  readonly colours: readonly [string, string];
  readonly stuck: 'lost' | 'drawn';
  /** The bits of its keys. All key words that its functions take have room for so many (`newKey`). */
  readonly keyBits: number;
  roots(): Iterable<Position>;
  /** The positions that people are shown first: the roots, if not all positions are roots. */
  starts(): Iterable<Position>;
  /** The least key of the position and its symmetries: what it is solved as. */
  keyOf(position: Position): bigint;
  /** The key of the position itself. */
  ownKeyOf(position: Position): bigint;
  /** The least key, as words. Returns whether the position with that key has the other mover: its colours are exchanged. */
  keyInto(position: Position, out: KeyWords): boolean;
  /** The key of the position itself, as words. */
  ownInto(position: Position, out: KeyWords): void;
  /** The position with a key that some position has. */
  at(key: bigint): Position;
  /** The same, of words. */
  atWords(key: Readonly<KeyWords>): Position;
  /** The same, but it is for the caller to compare its key with the one that was asked for. */
  madeOf(key: Readonly<KeyWords>): Position;
  /** Null if the game names no symmetries: then all positions are alike only to themselves. */
  readonly symmetries: ((position: Position) => Position[]) | null;
  /** The positions that are solved as the one with a key. @param mover who moves there, if the caller has asked. */
  orbit(position: Position, key: KeyWords, mover?: Side): Readonly<Orbit>;
  mover(position: Position): Side;
  /** The same object for the same plies, never for 0. */
  ended(position: Position): End | null;
  /** By how much side 0 has won: asked where the game is over. Null if the game has no scores. */
  readonly score: ((position: Position) => number) | null;
  /** None if the game is over. */
  moves(position: Position): NamedMove<Position>[];
  /**
   * Lists the moves of a position that is not `ended`, with the keys of the positions after them. Each key is taken when the move is
   * listed. Positions that share what changes from move to move are refused (games/yours/move-watch.ts). Returns how many moves there are.
   */
  listMoves(position: Position, out: ListedMoves<Position>): number;
  /** How messages speak of keys. */
  readonly words: KeyText;
  /** The position that a text means: it need not be one that can be reached. */
  parse(text: string): Position;
  format(position: Position): string;
  /** Ends with a newline. */
  diagram(position: Position): string;
  /** Null if the game draws none. */
  readonly board: ((position: Position) => BoardPicture) | null;
  /**
   * Holds a position to rules that only games of its kind have; closely, or as solving does. Returns how many keys that took beside those
   * of the moves. Throws UserError.
   */
  examine?(position: Position, closely: boolean): number;
  wrong(position: Position, what: string): UserError;
}

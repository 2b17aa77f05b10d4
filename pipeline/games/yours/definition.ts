/** Calls users' definitions of games: an error there becomes one line that names the position asked about. */
import { UserError } from '../../../operators/core/errors.js';
import type { Side } from '../../game/side.js';

export const NAME = /^[a-z0-9][a-z0-9_-]*$/i;
/** Characters of a game's name at most: folders and files are named after it. */
const LONGEST_NAME = 100;

function requireName(name: string): void {
  if (name === undefined) throw new UserError("the game's name is missing: letters, digits, - and _");
  if (typeof name !== 'string' || !NAME.test(name))
    throw new UserError(`${shown(name)} cannot be a game's name: letters, digits, - and _ can`);
  if (name.length > LONGEST_NAME)
    throw new UserError(`a game's name has ${name.length} characters, and may have ${LONGEST_NAME}`);
}

/** The members of a definition: required functions, optional functions, and other fields. */
export interface Fields {
  readonly needed: readonly string[];
  readonly optional: readonly string[];
  readonly values: readonly string[];
}

/**
 * Finds misspelt functions of definitions that no compiler has checked: a definition without `ended`, for instance, is a valid but different
 * game. Objects of a class may have fields of their own.
 *
 * @throws UserError. @param maker the function that was given the definition.
 */
export function requireFields(maker: string, definition: object, { needed, optional, values }: Fields): void {
  if (typeof definition !== 'object' || definition === null)
    throw new UserError(`${maker} was given ${shown(definition)}, not an object with ${needed.join(', ')}`);
  const fields = definition as Record<string, unknown>;
  requireName(fields.name as string);
  const wrong = (what: string) => new UserError(`${fields.name}: ${what}`);
  for (const field of [...needed, ...optional]) {
    const value = fields[field];
    if (value === undefined && needed.includes(field)) throw wrong(`${field} is missing, a function`);
    if (value !== undefined && typeof value !== 'function')
      throw wrong(`${field} is ${shown(value)}, not a function`);
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(definition))) return;
  if (fields.repetition !== undefined) throw wrong(NO_REPETITION);
  const known = ['name', ...values, ...needed, ...optional];
  const odd = Object.keys(definition).find((field) => !known.includes(field) && fields[field] !== undefined);
  if (odd !== undefined) throw wrong(`${maker} has no field ${shown(odd)} (there are: ${known.join(', ')})`);
}

/** The error for a field `repetition`, which authors may try. */
const NO_REPETITION =
  'there is no field repetition: with a rule on repeated positions a value depends on the moves before, so no table of positions holds it; endless play is drawn';

/** The error for a `mover` that is not one of the players. */
function notASide(side: unknown): string {
  // A third player may be meant for dice or cards; the rest are slips.
  const isPlayer = typeof side === 'number' || typeof side === 'string';
  const why = isPlayer
    ? ': chance (dice, cards) cannot move, for values are those of best play, and chance plays no best move'
    : '';
  return `mover is ${shown(side)}, not 0 or 1${why}`;
}

/** Asks `mover` of a definition who moves; anything but a side is an error that names the position. */
export function moverOf<Position>(
  definition: { mover(position: Position): Side },
  { wrongResult, failed }: Asker<Position>,
): (position: Position) => Side {
  return (position) => {
    let side: Side;
    try {
      side = definition.mover(position);
    } catch (error) {
      throw failed(position, 'mover', error);
    }
    if (side === 0 || side === 1) return side;
    throw wrongResult(position, 'mover', notASide(side));
  };
}

/** The most items that a function may list for a position. */
export const MOST_LISTED = 2 ** 20;

/** The error for a list that is longer than any game needs, and probably endless. */
export class TooMany extends UserError {}

/** Thrown in the place of a call by which rules would end the program: no answer of a check, but the end of it. */
export class ProgramEnd extends UserError {
  /** @param isNamed whether the message names the position. */
  constructor(
    message: string,
    readonly isNamed = false,
  ) {
    super(message);
  }
}

/** The name of a move, and the position after it. */
export type NamedMove<Position> = readonly [name: string, after: Position];

/** Finds the place of a function in a user's module, as " (game.ts, line 21)". In browsers nothing is found. */
let placeOfFunction: (call: unknown) => string = () => '';

/** Makes messages name the places of functions. */
export function tellPlacesOf(find: (call: unknown) => string): void {
  placeOfFunction = find;
}

/** The place of a function of a definition in its module; empty if it is unknown. */
export function placeIn(author: object, field: string): string {
  return placeOfFunction((author as Record<string, unknown>)[field]);
}

export interface Asker<Position> {
  /** An error that names the position. */
  wrong(position: Position, what: string): UserError;
  /** The same for the result of a function of the definition, with the place where the function is written. */
  wrongResult(position: Position, field: string, what: string): UserError;
  /** The position in messages. If `format` of the definition fails, a text in its place, so that the first error is the one reported. */
  named(position: Position): string;
  /** The error for what a function of the definition threw. */
  failed(position: Position, what: string, error: unknown): UserError;
  /** The error for a move to a position about which `error` was thrown: it names the position before the move, too. */
  behind(position: Position, move: string, error: unknown): UserError;
  /** Calls a function of the definition; what it throws is reported with the position it was asked about. */
  ask<T>(position: Position, what: string, call: () => T): T;
  /** The same of a function that returns text; whatever else it returns is an error. */
  askText(position: Position, what: string, call: () => string): string;
  /** The same of a function that returns text in lines, as one text or as a list of lines: one text that ends with a newline. */
  askLines(position: Position, what: string, call: () => string | readonly string[]): string;
  /** The same of a function that lists something: all of it, unless that is more than `most` ({@link MOST_LISTED}). */
  askAll<T>(position: Position, what: string, call: () => Iterable<T>, most?: number): T[];
  /**
   * The same, into an array that may be used again: returns how many were listed, which are its first. `take` gets those in [from, to) of
   * them when they are listed, before the function goes on: all at once of an array, one by one of anything else.
   */
  listInto<T>(
    position: Position,
    what: string,
    list: (position: Position) => Iterable<T>,
    into: T[],
    most?: number,
    take?: (into: readonly T[], from: number, to: number) => void,
  ): number;
  /**
   * Calls `moves` of the definition, as `listInto`, and sees that each move has a name and that there are no more than `most`. `take` gets
   * the position after each move.
   */
  movesInto(
    position: Position,
    moves: (position: Position) => Iterable<NamedMove<Position>>,
    into: NamedMove<Position>[],
    most: number,
    take: (after: Position, at: number, name: string) => void,
  ): number;
}

/**
 * @param text what positions of game `name` are called; it may throw. @param author the object that the author wrote, for the places of
 * its functions.
 */
export function askerOf<Position>(
  name: string,
  text: (position: Position) => string,
  author: object,
): Asker<Position> {
  function named(position: Position): string {
    try {
      const words: unknown = text(position);
      return typeof words === 'string' ? words : shown(position);
    } catch {
      return shown(position);
    }
  }

  const wrong = (position: Position, what: string) => new UserError(`${name}: ${named(position)}: ${what}`);
  const wrongResult = (position: Position, field: string, what: string) =>
    wrong(position, `${what}${placeIn(author, field)}`);

  function ask<T>(position: Position, what: string, call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw failed(position, what, error);
    }
  }

  function askText(position: Position, what: string, call: () => string): string {
    const words: unknown = ask(position, what, call);
    if (typeof words === 'string') return words;
    throw wrongResult(position, what, `${what} is ${shown(words)}, not text`);
  }

  function askLines(position: Position, what: string, call: () => string | readonly string[]): string {
    const lines: unknown = ask(position, what, call);
    const text =
      Array.isArray(lines) && lines.every((line) => typeof line === 'string') ? lines.join('\n') : lines;
    if (typeof text === 'string') return `${text.trimEnd()}\n`;
    throw wrongResult(position, what, `${what} is ${shown(lines)}, not text, nor a list of lines`);
  }

  function failed(position: Position, what: string, error: unknown): UserError {
    if (error instanceof ProgramEnd && !error.isNamed)
      return new ProgramEnd(
        wrong(position, `${what} failed: ${error.message}${placeOf(error)}`).message,
        true,
      );
    if (error instanceof UserError) return error;
    return wrong(position, `${what} failed: ${messageOf(error)}${placeOf(error)}`);
  }

  function behind(position: Position, move: string, error: unknown): UserError {
    const what = messageOf(error);
    const rest = what.startsWith(`${name}: `) ? what.slice(name.length + 2) : what;
    return wrong(position, `after its move ${JSON.stringify(move)}: ${rest}`);
  }

  function listInto<T>(
    position: Position,
    what: string,
    list: (position: Position) => Iterable<T>,
    into: T[],
    most = MOST_LISTED,
    take?: (into: readonly T[], from: number, to: number) => void,
  ): number {
    let length: number;
    try {
      const listed = list(position);
      if (Array.isArray(listed)) {
        // A copy: a game may use one array for all positions.
        length = listed.length;
        if (length <= most) {
          for (let i = 0; i < length; i++) into[i] = listed[i];
          take?.(into, 0, length);
        }
      } else length = oneByOne(position, what, listed, into, most, take);
    } catch (error) {
      throw failed(position, what, error);
    }
    if (length > most) throw tooMany(position, what, most);
    return length;
  }

  /** An endless list is stopped behind the limit. */
  function oneByOne<T>(
    position: Position,
    what: string,
    listed: Iterable<T>,
    into: T[],
    most: number,
    take?: (into: readonly T[], from: number, to: number) => void,
  ): number {
    const odd = notListed(listed);
    if (odd !== null) throw wrongResult(position, what, `${what} ${odd}`);
    let length = 0;
    for (const each of listed) {
      if (length === most) return length + 1;
      into[length] = each;
      length++;
      take?.(into, length - 1, length);
    }
    return length;
  }

  function tooMany(position: Position, what: string, most: number): TooMany {
    const error = wrongResult(position, what, `has more than ${most.toLocaleString('en')} ${what}`);
    return new TooMany(error.message);
  }

  function askAll<T>(position: Position, what: string, call: () => Iterable<T>, most?: number): T[] {
    const all: T[] = [];
    listInto(position, what, call, all, most);
    return all;
  }

  function movesInto(
    position: Position,
    moves: (position: Position) => Iterable<NamedMove<Position>>,
    into: NamedMove<Position>[],
    most: number,
    take: (after: Position, at: number, name: string) => void,
  ): number {
    return listInto(position, 'moves', moves, into, most, (listed, from, to) => {
      for (let at = from; at < to; at++) {
        const move = listed[at];
        if (!isMove(move) || (at > 0 && move === listed[at - 1])) throw wrongMove(position, move);
        take(move[1], at, move[0]);
      }
    });
  }

  /** The error for what is no move, or one that was listed twice. */
  function wrongMove(position: Position, move: unknown): UserError {
    if (!Array.isArray(move) || typeof move[0] !== 'string')
      return wrongResult(
        position,
        'moves',
        `a move is ${shown(move)}, not [what it is called, the position after it]`,
      );
    const [name, after]: unknown[] = move;
    if (after === undefined || after === null)
      return wrongResult(
        position,
        'moves',
        `its move ${JSON.stringify(name)} leads to ${shown(after)}, not a position`,
      );
    return wrongResult(
      position,
      'moves',
      `moves gives one and the same pair for its move ${JSON.stringify(name)} and the one before: make a pair for each move`,
    );
  }

  return {
    wrong,
    wrongResult,
    named,
    failed,
    behind,
    ask,
    askText,
    askLines,
    askAll,
    listInto,
    movesInto,
  };
}

function isMove(move: unknown): move is NamedMove<unknown> {
  return Array.isArray(move) && typeof move[0] === 'string' && move[1] !== undefined && move[1] !== null;
}

/** What a definition has of these fields; functions are called on it, as the author wrote them. */
export function given<Definition extends object, Field extends keyof Definition>(
  definition: Definition,
  fields: readonly Field[],
): Pick<Definition, Field> {
  const found: Partial<Record<Field, unknown>> = {};
  for (const field of fields) {
    const value = definition[field];
    if (value !== undefined) found[field] = typeof value === 'function' ? value.bind(definition) : value;
  }
  return found as Pick<Definition, Field>;
}

/** A number of times, in words. */
export function times(n: number): string {
  return n === 0 ? 'not at all' : n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`;
}

/** A position from the text of a person, by a definition's `parse`. */
export function parseWith<Position>(
  name: string,
  words: string,
  parse: (words: string) => Position,
): Position {
  let position: Position;
  try {
    position = parse(words);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${name}: ${JSON.stringify(words)}: ${messageOf(error)}`);
  }
  if (position === undefined || position === null || position instanceof Promise)
    throw new UserError(`${name}: parse(${JSON.stringify(words)}) is ${shown(position)}, not a position`);
  return position;
}

/** Why the result of a function cannot be iterated; null if it can. */
function notListed(value: unknown): string | null {
  const { then, [Symbol.iterator]: each, [Symbol.asyncIterator]: later } = Object(value);
  if (typeof then === 'function' || typeof later === 'function')
    return 'is async: it must give what it lists at once';
  return typeof each === 'function' && typeof value === 'object' ? null : `gives ${shown(value)}, not a list`;
}

/** The list of a function that takes no position, such as `roots`. @throws UserError that names the function. */
export function* listedBy<T>(name: string, what: string, call: () => Iterable<T>): Generator<T> {
  try {
    const list = call();
    const odd = notListed(list);
    if (odd !== null) throw new UserError(`${name}: ${what} ${odd}`);
    for (const each of list) {
      if (each === undefined || each === null)
        throw new UserError(`${name}: ${what} gives ${shown(each)}, not a position`);
      yield each;
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${name}: ${what} failed: ${messageOf(error)}${placeOf(error)}`);
  }
}

const MOST_SHOWN = 300;

/** A value of unknown type in a message, cut to a readable length. */
export function shown(value: unknown): string {
  if (typeof Object(value).then === 'function') return 'a promise (is it async?)';
  if (typeof value === 'function') return 'a function';
  const text = json(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** JSON, extended by NaN and infinities. */
function json(value: unknown): string {
  const odd = (each: unknown) =>
    typeof each === 'bigint'
      ? `${each}n`
      : typeof each === 'number' && !Number.isFinite(each)
        ? String(each)
        : null;
  try {
    return odd(value) ?? JSON.stringify(value, (_, each) => odd(each) ?? each) ?? String(value);
  } catch {
    return String(value);
  }
}

/** What was thrown, in words: it may be anything. */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return error.message || error.name;
    return typeof error === 'string' ? error : shown(error);
  } catch {
    return 'an error that has no message';
  }
}

/** The folder of all code of this program, bundled or not, in the form of stack traces. */
const OWN = import.meta.url.replace(/[^/]*\/[^/]*$/, '').replace(/^file:\/\//, '');

/** Where in a user's file something was thrown, as " (game.ts, line 21)"; empty if it was not thrown by code of theirs. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const found = /^ *at .*?([^\s(]+):(\d+):\d+\)?$/m.exec(stack);
  if (found === null || found[1].includes(OWN) || found[1].startsWith('node:')) return '';
  return ` (${found[1].replace(/^.*[/\\]/, '')}, line ${found[2]})`;
}

export function noRoots(name: string): UserError {
  return new UserError(`${name}: roots lists no position: give those in which games begin`);
}

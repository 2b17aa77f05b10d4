/** What users write of their game is asked so that whatever goes wrong is told in one line, with the position it was asked about. */
import { UserError } from '../../operators/core/errors.js';

export const NAME = /^[a-z0-9][a-z0-9-]*$/i;

export function requireName(name: string): void {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new UserError(`${JSON.stringify(name)} cannot be a game's name: letters, digits and dashes can`);
}

/** What a move is called, and the position after it. */
export type NamedMove<Position> = readonly [name: string, after: Position];

export interface Asker<Position> {
  /** An error that names the position. */
  wrong(position: Position, what: string): UserError;
  /** What people know it by; a definition that cannot even tell that still gets its error. */
  named(position: Position): string;
  /** Calls a function of the definition; what it throws is told with the position it was asked about. */
  ask<T>(position: Position, what: string, call: () => T): T;
  /** Calls `moves` of the definition, and sees that each move has a name. */
  askMoves(
    position: Position,
    moves: (position: Position) => Iterable<NamedMove<Position>>,
  ): NamedMove<Position>[];
}

/** `text` is what positions of game `name` are called; it may throw. */
export function askerOf<Position>(name: string, text: (position: Position) => string): Asker<Position> {
  function named(position: Position): string {
    try {
      return text(position);
    } catch {
      return shown(position);
    }
  }

  const wrong = (position: Position, what: string) => new UserError(`${name}: ${named(position)}: ${what}`);

  function ask<T>(position: Position, what: string, call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw wrong(position, `${what} failed: ${messageOf(error)}`);
    }
  }

  return {
    wrong,
    named,
    ask,
    askMoves(position, moves) {
      const all = ask(position, 'moves', () => [...moves(position)]);
      const odd = all.findIndex((move) => !Array.isArray(move) || typeof move[0] !== 'string');
      if (odd < 0) return all;
      throw wrong(position, `a move is ${shown(all[odd])}, not [what it is called, the position after it]`);
    },
  };
}

/** A position from the text of a person, by a definition's `parse`. */
export function parseWith<Position>(
  name: string,
  words: string,
  parse: (words: string) => Position,
): Position {
  try {
    return parse(words);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${name}: ${JSON.stringify(words)}: ${messageOf(error)}`);
  }
}

/** A value of which nothing is known. */
export function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  try {
    return (
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? String(value)
    );
  } catch {
    return String(value);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

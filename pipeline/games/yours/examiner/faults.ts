/** Says which of the author's functions is at fault where a position is not what its key is read back as. */
import { UserError } from '../../../../operators/core/errors.js';
import { ProgramEnd, shown } from '../definition.js';
import { bigOf, newKey } from '../keyed/key-words.js';
import type { KeyedRules } from '../keyed/keyed-rules.js';
import {
  colouredKey,
  differenceOf,
  exchangeColours,
  type Facts,
  newFacts,
  readFacts,
  sortedKeys,
} from './facts.js';
import { afterMoves, Queue, type Reached, rootAt, type Way } from './walk.js';

/** Repetitions of a question, for functions that do not return the same each time. */
const AGAIN = 8;

/** Keys that are taken to look for the way to a position. */
const NEAR = 200_000;

/** A position, and what was compared of it. */
export interface Compared {
  readonly way: Way;
  readonly position: unknown;
  /** Its key, before and after its other functions were called. */
  readonly key: bigint;
  readonly after: bigint;
  /** Whether the position with the key has the colours exchanged; `was` are the facts of the position with its own exchanged, too. */
  readonly exchanged: boolean;
  /** The facts of the position, and of what its key is read back as. */
  readonly was: Facts;
  readonly is: Facts;
}

/** The error for a position that differs from what its key is read back as, or whose key has changed. */
export function faultOf(game: KeyedRules, compared: Compared): UserError {
  const { way, position, key, after, exchanged, was, is } = compared;
  const { what, shown, position: at } = game.words;
  if (after !== key)
    return game.wrong(
      position,
      game.keyOf(position) === after
        ? changed(game, key, after)
        : `${what} gives ${shown(key)}, and ${shown(after)} at a second call: it must give the same each time`,
    );
  const read = game.at(key);
  for (let i = 0; i < AGAIN; i++) {
    const fickle = fickleness(game, was, position, exchanged) ?? fickleness(game, is, game.at(key), false);
    if (fickle !== null) return game.wrong(position, fickle);
  }
  const [difference, left] = contrast(game, compared, read);
  const there =
    way === null
      ? ''
      : `${way.move === null ? 'symmetries gives' : `its move ${JSON.stringify(way.move)} leads to`} ${game.format(position)}, `;
  return game.wrong(
    way === null ? position : way.from,
    game.ownKeyOf(position) === key
      ? `${there}${there ? 'whose' : 'its'} ${what} is ${shown(key)}, but ${at(key)} is ${game.format(read)}: ${difference}, so ${what} leaves out ${left}, or position does not read it back`
      : `${there}${there && 'which '}is taken for ${game.format(read)} by symmetries${exchanged ? ', with the colours exchanged' : ''}: ${difference}, so they are not alike`,
  );
}

/** What is wrong with a position whose key has changed. */
export function changed({ words: { what, shown } }: KeyedRules, key: bigint, after: bigint): string {
  return `its ${what} was ${shown(key)}, and is ${shown(after)} after mover, ended and moves were asked: one of them changes the position that it is given, or ${what} does not give the same each time`;
}

/** What is wrong with a function that returns something else when it is asked again; null if none does. */
function fickleness(game: KeyedRules, was: Facts, position: unknown, exchanged: boolean): string | null {
  const is = readFacts(game, position, newFacts(game), []);
  if (exchanged) exchangeColours(is);
  const fact = differenceOf(was, is);
  if (fact === null) return null;
  let said = [was, is].map((facts) => shownAs(facts, fact));
  if (said[0] === said[1]) {
    const [some, others] = [was, is].map(sortedKeys);
    const at = some.findIndex((key, i) => key !== others[i]);
    said = [some, others].map((keys) => `one to ${game.words.shown(keys[at] >> 1n)}`);
  }
  return `${fact} differs when it is asked twice: ${said.join(', then ')}; it must give the same each time`;
}

/** In which way two positions of one key differ, and what the key then leaves out. */
function contrast(
  game: KeyedRules,
  { position, exchanged, was, is }: Compared,
  read: unknown,
): readonly string[] {
  const fact = differenceOf(was, is)!;
  if (fact !== 'moves')
    return [
      `${fact} is ${shownAs(was, fact)} there and ${shownAs(is, fact)} here`,
      fact === 'mover' ? 'who is to move' : `what ${fact} asks for`,
    ];
  const there = missingMove(game, position, exchanged, is);
  const only = there === null ? `${missingMove(game, read, false, was)} only here` : `${there} only there`;
  return [`${shownAs(was, fact)} there and ${is.moves} here, the move ${only}`, 'what moves asks for'];
}

/** A move of a position, in quotes, that leads to none of the keys of another's. @param exchanged the position is compared with its colours exchanged. */
function missingMove(game: KeyedRules, position: unknown, exchanged: boolean, other: Facts): string | null {
  const left = new Map<bigint, number>();
  for (const key of sortedKeys(other)) left.set(key, (left.get(key) ?? 0) + 1);
  const words = newKey(game.keyBits);
  for (const [name, after] of game.moves(position)) {
    const isExchanged = game.keyInto(after, words) !== exchanged;
    const key = colouredKey(bigOf(words), isExchanged);
    const times = left.get(key) ?? 0;
    if (times === 0) return JSON.stringify(name);
    left.set(key, times - 1);
  }
  return null;
}

function shownAs(facts: Facts, fact: 'mover' | 'ended' | 'score' | 'moves'): string {
  const value = facts[fact];
  if (fact === 'moves') return value === 1 ? '1 move' : `${value} moves`;
  return typeof value === 'string' ? `'${value}'` : shown(value);
}

/** A message about a position with the move that led to it, unless it names the move that led to the fault. */
export function withWay(game: KeyedRules, message: string, way: Way): string {
  if (way === null) return message;
  const from = game.format(way.from);
  if (message.startsWith(`${game.name}: ${from}: `) || message.includes(': after its move ')) return message;
  return `${message}; ${way.move === null ? `symmetries of ${from} gives it` : `the move ${JSON.stringify(way.move)} of ${from} leads there`}`;
}

/** What was thrown about a position, with the way to it. */
export function ledBy(game: KeyedRules, error: unknown, find: () => Way): unknown {
  if (!(error instanceof UserError) || error instanceof ProgramEnd) return error;
  try {
    error.message = withWay(game, error.message, find());
  } catch {
    // The rules fail before that, or the position cannot be written.
  }
  return error;
}

/** The way to the position with a key: a solve knows it by that alone. Null for roots, and positions that are far away. @throws UserError */
export function wayTo(game: KeyedRules, wanted: bigint): Way {
  const queue = new Queue<Reached>();
  let left = NEAR;
  const isWanted = (at: Reached) => {
    const key = game.keyOf(at.position);
    queue.add(at, key);
    left--;
    return key === wanted;
  };
  for (const root of game.roots()) if (isWanted(rootAt(root)) || left === 0) return null;
  for (const at of queue)
    for (const next of afterMoves(at, game.moves(at.position))) {
      if (isWanted(next)) return next.way;
      if (left === 0) return null;
    }
  return null;
}

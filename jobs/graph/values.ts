/** Reads values of a graph from tokens. A wrong one is thrown as {@link Misfit}; the reader knows its place. */
import type { Side } from '../../pipeline/game/game.js';
import { MOST_END_PLIES, MOST_SCORE } from '../../pipeline/games/yours/keyed/keyed-game.js';
import type { NodeId } from '../../pipeline/graph/source.js';
import { shortened, visible } from '../ui/escaped.js';
import type { Token } from './tokens.js';

/** JSON, but not a graph. */
export class Misfit extends Error {}

/** Characters of an identifier at most. */
const LONGEST_ID = 1024;
const LONGEST_PLAYER = 64;
const LONGEST_EDGE_NAME = 256;

/** ES2024, which Node 20 has and the library of ES2023 does not know of. */
const isWellFormed = (text: string): boolean =>
  (text as unknown as { isWellFormed(): boolean }).isWellFormed();

/** Strings and integers that are exact as doubles; 1.0 is 1. */
export function idOf(token: Token, what: string): NodeId {
  if (token.name === 'numberValue') {
    const value = Number(token.value);
    // 0 is added because there is no -0 among names.
    if (Number.isSafeInteger(value) && (!FRACTION.test(token.value) || isInteger(token.value)))
      return value + 0;
    throw new Misfit(
      `${what} is ${shortened(token.value)}, which is not an integer between -(2^53 - 1) and 2^53 - 1`,
    );
  }
  if (token.name !== 'stringValue') throw wrongType(token, what, 'a string or an integer');
  const { value } = token;
  if (value.length > LONGEST_ID)
    throw new Misfit(`${what} is ${value.length} characters long, and may be ${LONGEST_ID}`);
  if (!isWellFormed(value)) throw new Misfit(`${what} ${shown(value)} has half of a surrogate pair`);
  return value;
}

/** Only such a number may have been rounded to an integer. Names are many, and to look closer takes five times as long. */
const FRACTION = /[.eE]/;

/** Whether a number is an integer as it is written, not only once it is rounded to a double. */
function isInteger(text: string): boolean {
  const [, whole, fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)!;
  const zeros = /0*$/.exec(whole + fraction)![0].length;
  return zeros === whole.length + fraction.length || zeros >= fraction.length - Number(exponent);
}

export type Players = readonly [string, string];

/** A player by name or number. */
export function playerOf(token: Token, what: string, players: Players): Side {
  if (token.name === 'stringValue') {
    const side = players.indexOf(token.value);
    if (side >= 0) return side as Side;
    throw new Misfit(
      `${what} ${shown(token.value)} is not a player: they are ${players.map(shown).join(' and ')}`,
    );
  }
  if (token.name !== 'numberValue') throw wrongType(token, what, "a player's name, 0 or 1");
  const side = Number(token.value);
  if (side === 0 || side === 1) return (side + 0) as Side;
  throw new Misfit(`${what} is ${shortened(token.value)}: numbers of players are 0 and 1`);
}

/** The name of the player after `others`. */
export function nameOf(token: Token, others: readonly string[]): string {
  if (token.name !== 'stringValue') throw wrongType(token, 'a player', 'a name');
  const name = token.value;
  if (name.length === 0 || name.length > LONGEST_PLAYER || !/^[^\p{Cc}\p{Surrogate}]*$/u.test(name))
    throw new Misfit(
      `${shown(name)} is not a name of a player: 1 to ${LONGEST_PLAYER} characters, no control characters`,
    );
  if (others.includes(name)) throw new Misfit(`both players are called ${shown(name)}`);
  if (others.length === 2) throw new Misfit('there are more than two players');
  return name;
}

/** The name of an edge. */
export function edgeNameOf(token: Token): string {
  if (token.name !== 'stringValue') throw wrongType(token, 'the name of an edge of it', 'a string');
  const name = token.value;
  if (name.length > 0 && name.length <= LONGEST_EDGE_NAME && isWellFormed(name) && !/\p{Cc}/u.test(name))
    return name;
  throw new Misfit(
    `${shown(name)} is not a name of an edge: 1 to ${LONGEST_EDGE_NAME} characters, no control characters`,
  );
}

/** The points by which a node is won. */
export function scoreOf(token: Token): number {
  return upTo(MOST_SCORE, token, 'its score');
}

/** After how many plies a node is won. */
export function pliesOf(token: Token): number {
  return upTo(MOST_END_PLIES, token, 'its plies');
}

function upTo(most: number, token: Token, what: string): number {
  const value = token.name === 'numberValue' ? Number(token.value) : Number.NaN;
  if (Number.isInteger(value) && value >= 0 && value <= most) return value + 0;
  throw wrongType(token, what, `an integer from 0 to ${most}`);
}

export function stuckOf(token: Token): 'lost' | 'drawn' {
  const value = token.name === 'stringValue' ? token.value : null;
  if (value === 'lost' || value === 'drawn') return value;
  throw wrongType(token, '"stuck"', '"lost" or "drawn"');
}

export function wrongType(token: Token, what: string, expected: string): Misfit {
  return new Misfit(`${what} must be ${expected}, and is ${described(token)}`);
}

function described(token: Token): string {
  switch (token.name) {
    case 'startObject':
      return 'an object';
    case 'startArray':
      return 'an array';
    case 'endArray':
    case 'endObject':
      return 'missing';
    case 'stringValue':
      return shown(token.value);
    case 'numberValue':
      return shortened(token.value);
    default:
      return 'value' in token ? String(token.value) : token.name;
  }
}

/** Text in quotes, on one line and short enough for a message; invisible characters are escaped. */
export function shown(text: string): string {
  return visible(JSON.stringify(shortened(text)));
}

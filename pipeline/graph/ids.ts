/**
 * Names of nodes as rows can hold them: 64 bits, spread evenly, by which they are sorted and joined. Integers of up to 64 bits are
 * mixed one to one, so that no two of them meet; wider ones and text are hashed. Two of these may meet: of 10^8, with
 * a chance of one in 4000. Then import.ts sees it, and begins again with another seed.
 */
import {
  bigOf,
  bitsOf,
  KEY_BITS,
  type KeyWords,
  newKey,
  splitKey,
  type Words,
} from '../games/yours/keyed/key-words.js';
import { mixed } from './mix.js';
import type { NodeId } from './source.js';

/** The upper bits of a key are the major of its rows: so many majors there are. */
export const KEY_MAJORS = 1 << 10;
/** The key's remaining bits, which are in a payload column. */
export const REST_MASK = 0x3fffff;
const REST_BITS = 22;

export interface IdKey {
  major: number;
  minor: number;
  /** At most {@link REST_MASK}. */
  rest: number;
}

/** Puts the key of a name into `out`. */
export function keyOf(id: NodeId, seed: number, out: IdKey): void {
  if (typeof id === 'number') mix(Math.floor(id / 2 ** 32) >>> 0, id >>> 0, seed, out);
  else if (typeof id === 'bigint') {
    const key = id <= MOST_NARROW ? narrow : newKey(bitsOf(id));
    splitKey(id, key);
    mixKey(key, seed);
    setKey(key, out);
  } else hashText(id, seed, out);
}

/** The two words of the key of a name. */
export function keyWordsOf(id: NodeId, seed: number, out: Words): void {
  keyOf(id, seed, ownKey);
  out.high = ((ownKey.major << REST_BITS) | ownKey.rest) >>> 0;
  out.low = ownKey.minor;
}

const ownKey: IdKey = { major: 0, minor: 0, rest: 0 };

function hashText(text: string, seed: number, out: IdKey): void {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x7f4a7c15 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x85ebca6b);
    a ^= a >>> 15;
    b = Math.imul(b + unit, 0xc2b2ae35) ^ a;
    b = (b << 13) | (b >>> 19);
  }
  mix(a >>> 0, b >>> 0, seed + 1, out);
}

function mix(high: number, low: number, seed: number, out: IdKey): void {
  mixWords(high, low, seed, words);
  setKey(words, out);
}

function setKey({ high, low }: Readonly<Words>, out: IdKey): void {
  out.major = majorOfMixed(high);
  out.minor = low >>> 0;
  out.rest = restOfMixed(high);
}

const words: Words = { high: 0, low: 0 };
const MOST_NARROW = 2n ** BigInt(KEY_BITS) - 1n;
const narrow = newKey(KEY_BITS);

/** For the key of a name that is an integer, whose words are mixed; its minor is the lower word. */
export const majorOfMixed = (high: number): number => high >>> REST_BITS;
export const restOfMixed = (high: number): number => high & REST_MASK;

/**
 * Mixes a key, in place. Its upper words stay as they are, and change how its lowest two are mixed, so that this is one to one, too.
 * Afterwards the lowest two are a hash of the whole key. Upper words that are 0 do not change it, so a key has the same hash however wide
 * keys are said to be.
 */
export function mixKey(key: KeyWords, seed: number): void {
  exchangeUpper(key, seed);
  mixWords(key.high, key.low, seed, key);
}

/** The inverse of {@link mixKey}. */
export function unmixKey(key: KeyWords, seed: number): void {
  unmixWords(key.high, key.low, seed, key);
  exchangeUpper(key, seed);
}

/** Combines the lowest two words with a hash of the others, by exclusive or. */
function exchangeUpper(key: KeyWords, seed: number): void {
  const { upper } = key;
  let length = upper.length;
  while (length > 0 && upper[length - 1] === 0) length--;
  if (length === 0) return;
  words.high = words.low = length;
  for (let at = 0; at < length; at++) mixWords(words.high ^ upper[at], words.low, seed, words);
  key.high ^= words.high;
  key.low ^= words.low;
}

/**
 * Mixes the words of an integer: a Feistel network of four rounds (Luby & Rackoff 1988), which is a bijection whatever its rounds do.
 * They are those of mix.ts.
 */
export function mixWords(high: number, low: number, seed: number, out: Words): void {
  const a = low ^ mixed(high ^ Math.imul(seed + 1, ROUND));
  const b = high ^ mixed(a ^ Math.imul(seed + 2, ROUND));
  const c = a ^ mixed(b ^ Math.imul(seed + 3, ROUND));
  out.high = b ^ mixed(c ^ Math.imul(seed + 4, ROUND));
  out.low = c;
}

/** The inverse of {@link mixWords}. */
function unmixWords(high: number, low: number, seed: number, out: Words): void {
  const b = high ^ mixed(low ^ Math.imul(seed + 4, ROUND));
  const a = low ^ mixed(b ^ Math.imul(seed + 3, ROUND));
  out.high = b ^ mixed(a ^ Math.imul(seed + 2, ROUND));
  out.low = a ^ mixed(out.high ^ Math.imul(seed + 1, ROUND));
}

const ROUND = 0x9e3779b1;

/** The integer of a key that was mixed, which is unmixed then. */
export function unmixedOf(key: KeyWords, seed: number): bigint {
  unmixKey(key, seed);
  return bigOf(key);
}

export function sameKey(a: Readonly<IdKey>, b: Readonly<IdKey>): boolean {
  return a.major === b.major && a.minor === b.minor && a.rest === b.rest;
}

/** A name as JSON has it: text in quotes, integers as digits. */
export function idText(id: NodeId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id);
}

/** The inverse; integers that are not safe are bigints. */
export function idOf(text: string): NodeId {
  if (text.startsWith('"')) return JSON.parse(text) as string;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

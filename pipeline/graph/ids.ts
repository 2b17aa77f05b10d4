/**
 * Names of nodes as rows can hold them: 64 bits, spread evenly, by which they are sorted and joined. Integers are mixed one
 * to one, so that no two of them meet; text is hashed. If two names meet all the same (of 10^8 texts with a chance of one
 * in 4000), import.ts sees it, and begins again with another seed.
 */
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
  else if (typeof id === 'bigint') mix(Number(id >> 32n) >>> 0, Number(id & 0xffffffffn), seed, out);
  else hashText(id, seed, out);
}

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

/** A Feistel network of four rounds: one to one for every seed. */
function mix(high: number, low: number, seed: number, out: IdKey): void {
  let h = high;
  let l = low;
  for (let round = 1; round <= 4; round++) {
    const next = (l ^ mixed(h ^ Math.imul(seed + round, 0x9e3779b1))) >>> 0;
    l = h;
    h = next;
  }
  out.major = h >>> REST_BITS;
  out.minor = l;
  out.rest = h & REST_MASK;
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

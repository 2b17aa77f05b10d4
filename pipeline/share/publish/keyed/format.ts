/**
 * The published file of a keyed game: from keys to values, without the keys.
 *
 *   8 bytes   "MMKEYED1"
 *   header    JSON: {@link KeyedHeader}
 *   buckets   u32 CRC-32 of the rest; u16 seed; u16 slots of a third; 3 * third slots of `bits` bits, the lowest first
 *
 * Buckets are the blocks of a block file (block-file.ts). A key is mixed (graph/ids.ts) by the seed of the header; its first bits are the number of its bucket. A bucket is a "static
 * function" (Majewski, Wormald, Havas & Czech 1996; as in the xor filters of Graf & Lemire 2020). The value of a key is the exclusive
 * or of three slots, one in each third, that the bucket's seed chooses. That takes 1.23 slots a key. Other keys get some value, too:
 * whoever probes holds it against the moves.
 */
import { DamageError } from '../../../../operators/core/errors.js';
import type { Side } from '../../../game/game.js';
import type { RulesSample } from '../../../game/rules-sample.js';
import type { Metric } from '../../../game/value.js';
import type { Words } from '../../../games/yours/keyed/key-words.js';
import { mixWords } from '../../../graph/ids.js';
import { mixed } from '../../../graph/mix.js';

export const MAGIC = 'MMKEYED1';
/** Bytes before the slots of a bucket. */
export const BUCKET_HEAD = 8;

/** Who wins, or null: nobody; in how many plies, null if nobody wins and under `wdl`; and under `score` alone, by how many points. */
export type PublishedValue = readonly [winner: Side | null, plies: number | null, score?: number];

export interface BucketShape {
  /** Buckets are numbered by so many bits of keys. */
  readonly bucketBits: number;
  /** Bits of a slot: numbers of values. */
  readonly bits: number;
}

export interface KeyedHeader extends BucketShape {
  readonly game: string;
  readonly metric: Metric;
  readonly positions: number;
  /** By which keys are mixed, 0 if left out: no two positions have the same lowest 64 bits then. */
  readonly seed?: number;
  /** As that of the graph's manifest; files of earlier releases have none. */
  readonly rules?: RulesSample;
  readonly fingerprint?: string;
  readonly values: readonly PublishedValue[];
}

/** The object of a store that has the values of a game. */
export function keyedFileName(game: string, metric: Metric): string {
  return `${game}.${metric}.values`;
}

/** 2^30 positions are the most that a graph has. */
const MOST_BUCKET_BITS = 20;

/** How many buckets there are; null if that cannot be. */
export function bucketCount({ bits, bucketBits }: BucketShape): number | null {
  const isWithin = (value: unknown, least: number, most: number) =>
    Number.isInteger(value) && least <= (value as number) && (value as number) <= most;
  return isWithin(bits, 1, 16) && isWithin(bucketBits, 0, MOST_BUCKET_BITS) ? 2 ** bucketBits : null;
}

export function bucketOf({ high }: Readonly<Words>, bucketBits: number): number {
  return bucketBits === 0 ? 0 : high >>> (32 - bucketBits);
}

const chosen: Words = { high: 0, low: 0 };

/** The slots of a mixed key, one in each third. */
export function slotsOf(high: number, low: number, seed: number, third: number, out: Uint32Array): void {
  mixWords(high, low, seed + 1, chosen);
  out[0] = scaled(chosen.high, third);
  out[1] = third + scaled(chosen.low, third);
  out[2] = 2 * third + scaled(mixed(chosen.high ^ Math.imul(chosen.low, 0x9e3779b1)), third);
}

/** A word as a number below `most`. */
function scaled(word: number, most: number): number {
  return Math.floor(((word >>> 0) * most) / 2 ** 32);
}

/** Bytes of a bucket with thirds of so many slots. */
export function bucketBytes(third: number, bits: number): number {
  return BUCKET_HEAD + Math.ceil((3 * third * bits) / 8);
}

/** A slot of at most 16 bits. `slots` begins with the first. */
function slotAt(slots: Uint8Array, at: number, bits: number): number {
  let value = 0;
  for (let got = 0; got < bits; ) {
    const bit = at * bits + got;
    const take = Math.min(8 - (bit & 7), bits - got);
    value |= ((slots[bit >>> 3] >>> (bit & 7)) & ((1 << take) - 1)) << got;
    got += take;
  }
  return value;
}

export function putSlot(slots: Uint8Array, at: number, bits: number, value: number): void {
  for (let put = 0; put < bits; put++) {
    const bit = at * bits + put;
    slots[bit >>> 3] |= ((value >>> put) & 1) << (bit & 7);
  }
}

const slots = new Uint32Array(3);

/** The number of the value of a mixed key, by its bucket. @throws DamageError if the bucket cannot be. */
export function lookUp(bucket: Uint8Array, { high, low }: Readonly<Words>, bits: number): number {
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.byteLength);
  const third = view.getUint16(6, true);
  if (bucketBytes(third, bits) !== bucket.length) throw new DamageError('bucket', 'has another length');
  slotsOf(high, low, view.getUint16(4, true), third, slots);
  const body = bucket.subarray(BUCKET_HEAD);
  return slotAt(body, slots[0], bits) ^ slotAt(body, slots[1], bits) ^ slotAt(body, slots[2], bits);
}

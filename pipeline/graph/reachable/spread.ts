/**
 * Keys of 64 bits as rows, in an order in which they are spread evenly: keys that games give have many bits in common, and
 * majors should have as many rows each. A Feistel network of four rounds (Luby & Rackoff 1988) is a bijection whatever its
 * rounds do, so keys are told apart by all their bits; the rounds are those of mix.ts. It is no secret: who wants to
 * can find keys that stay together; time is lost then, and the memory of up to 2^24 ties.
 */
import type { Batch, Rows } from '../../../operators/runs/types.js';
import { mixed } from '../mix.js';

/** Rows have a major of so many bits, a minor of 32, and the rest of the key as payload. */
const MAJOR_BITS = 8;
const REST_BITS = 32 - MAJOR_BITS;
const REST = 2 ** REST_BITS - 1;
export const MAJORS = 2 ** MAJOR_BITS;
/** Bytes of a row besides its major. */
export const ROW_BYTES = 8;

const ROUNDS = Uint32Array.of(0x9e3779b9, 0x7f4a7c15, 0xf39cc060, 0x5cedc834);

/** A key seen as two words. */
const key = new BigUint64Array(1);
const words = new Uint32Array(key.buffer);

/** Writes a key to row `at`. */
export function writeKey(value: bigint, out: Rows, at: number): void {
  key[0] = value;
  let low = words[0];
  let high = words[1];
  low ^= mixed(high ^ ROUNDS[0]);
  high ^= mixed(low ^ ROUNDS[1]);
  low ^= mixed(high ^ ROUNDS[2]);
  high ^= mixed(low ^ ROUNDS[3]);
  out.major[at] = high >>> REST_BITS;
  out.minor[at] = (high << MAJOR_BITS) | (low >>> REST_BITS);
  out.payload[0][at] = low & REST;
}

/** The key of row `at`. */
export function readKey({ major, minor, payload }: Batch, at: number): bigint {
  let high = (major << REST_BITS) | (minor[at] >>> MAJOR_BITS);
  let low = (minor[at] << REST_BITS) | payload[0][at];
  high ^= mixed(low ^ ROUNDS[3]);
  low ^= mixed(high ^ ROUNDS[2]);
  high ^= mixed(low ^ ROUNDS[1]);
  low ^= mixed(high ^ ROUNDS[0]);
  words[0] = low;
  words[1] = high;
  return key[0];
}

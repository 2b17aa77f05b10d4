/**
 * Koistinen's distance code (2001, "Computing endgames with few men"): a set of ascending numbers as bytes. 1 to 255
 * is the distance to the next number, 0 adds 255 to the distance that follows. The first distance is counted from -1.
 */
import type { SetKernels } from './kernels.js';

export interface DistanceEncoder {
  /** The codes so far are bytes[0..length). */
  readonly bytes: Uint8Array;
  length: number;
  /** The number coded last. */
  last: number;
  /** Numbers coded since the start. */
  count: number;
}

/** @param bytes room for codes, in the linear memory of kernels. */
export function newDistanceEncoder(bytes: Uint8Array): DistanceEncoder {
  return { bytes, length: 0, last: -1, count: 0 };
}

/** Begins a new set. */
export function restart(encoder: DistanceEncoder): void {
  encoder.length = 0;
  encoder.last = -1;
  encoder.count = 0;
}

/** Bytes that a block of `words` words may add if all numbers are below `limit`. */
export function mostBytes(words: number, limit: number): number {
  return 64 * words + Math.ceil(limit / 255) + 1;
}

/**
 * Codes the bits of words (two halves each) that are set in `mask` too, both in the linear memory. Bit b of word w is
 * the number `first + 64 * w + b`. The encoder must have room for {@link mostBytes}.
 */
export function encodeWords(
  { wasm }: SetKernels,
  encoder: DistanceEncoder,
  words: Int32Array,
  mask: Int32Array,
  first: number,
): void {
  const { bytes, length } = encoder;
  const out = bytes.byteOffset + length;
  // Numbers may exceed 32 bits; within a call they are counted from `first`.
  const last = encoder.last - first;
  encoder.length += wasm.encodeWords(words.byteOffset, mask.byteOffset, mask.length >> 1, last, out);
  encoder.last = wasm.lastEncoded() + first;
  encoder.count += wasm.encoded();
}

/** Where a decoder stands in a set whose codes come in several pieces. */
export interface DistanceDecoder {
  last: number;
}

/**
 * Decodes bytes[0..length) and puts those numbers in [from, to) into `out`, less `from`; returns how many. `out` must
 * have room for `length`.
 */
export function decodeDistances(
  decoder: DistanceDecoder,
  bytes: Uint8Array,
  length: number,
  from: number,
  to: number,
  out: Float64Array,
): number {
  let n = 0;
  let { last } = decoder;
  for (let i = 0; i < length; i++) {
    const code = bytes[i];
    if (code === 0) last += 255;
    else {
      last += code;
      if (last >= from && last < to) out[n++] = last - from;
    }
  }
  decoder.last = last;
  return n;
}

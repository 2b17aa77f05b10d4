/**
 * Koistinen's distance code (2001, "Computing endgames with few men"): a set of ascending numbers as bytes; 1 to 255
 * is the distance to the next number, 0 adds 255 to the distance that follows. The first distance is counted from -1.
 */
export interface DistanceEncoder {
  /** The codes so far are bytes[0..length). */
  readonly bytes: Uint8Array;
  length: number;
  /** The number coded last. */
  last: number;
  /** Numbers coded since the start. */
  count: number;
}

export function newDistanceEncoder(capacity: number): DistanceEncoder {
  return { bytes: new Uint8Array(capacity), length: 0, last: -1, count: 0 };
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
 * Codes the bits of words (two halves each) that are set in `mask` too; bit b of word w is the number
 * `first + 64 * w + b`. The encoder must have room for {@link mostBytes}.
 */
export function encodeWords(
  encoder: DistanceEncoder,
  halves: Int32Array,
  from: number,
  mask: Int32Array,
  first: number,
): void {
  const { bytes } = encoder;
  let { length, count } = encoder;
  // Numbers may exceed 32 bits; within a call they are counted from `first`.
  let last = encoder.last - first;
  for (let i = 0; i < mask.length; i++) {
    let half = halves[from + i] & mask[i];
    while (half !== 0) {
      const number = (i << 5) + 31 - Math.clz32(half & -half);
      half &= half - 1;
      let distance = number - last;
      while (distance > 255) {
        bytes[length++] = 0;
        distance -= 255;
      }
      bytes[length++] = distance;
      last = number;
      count++;
    }
  }
  encoder.length = length;
  encoder.last = last + first;
  encoder.count = count;
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

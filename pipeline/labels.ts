/**
 * Labels: one byte a position while a slice is being solved. An *open* position holds a count; what it counts depends
 * on the strategy (`count`: legal moves not yet known to be won by the opponent; `lookup`: one more than the
 * conversions not yet known to be won by the opponent). The value of a closed position is not here but in the frontier
 * run in which it was labelled; `finish` brings the two together.
 */
export const Label = {
  /** Broken index, or lost. */
  closed: 0,
  /** Open positions hold 1..maxOpen. */
  maxOpen: 253,
  won: 254,
  /** No move and not lost (stalemate). */
  drawn: 255,
} as const;

const { closed, maxOpen, won } = Label;

/**
 * Labels as won the open ones among keys[0..length) (ascending, repeats allowed); puts them in `out`, returns how many.
 */
export function closeWon(labels: Uint8Array, keys: Uint32Array, length: number, out: Uint32Array): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i]!;
    if ((labels[key]! - 1) >>> 0 < maxOpen) {
      labels[key] = won;
      out[n++] = key;
    }
  }
  return n;
}

/**
 * Counts each open one among keys[0..length) (ascending; a repeat counts again) down by one; those that reach zero are
 * lost: puts them in `out`, returns how many.
 */
export function countDown(labels: Uint8Array, keys: Uint32Array, length: number, out: Uint32Array): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i]!;
    const label = labels[key]!;
    if ((label - 1) >>> 0 < maxOpen) {
      labels[key] = label - 1;
      if (label === 1) out[n++] = key;
    }
  }
  return n;
}

/** `countDown` for the `lookup` strategy: conversions are counted down to 1, which is no loss yet. */
export function countConversions(labels: Uint8Array, keys: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) {
    const label = labels[keys[i]!]!;
    if ((label - 2) >>> 0 < maxOpen - 1) labels[keys[i]!] = label - 1;
  }
}

/** Puts those of keys[0..length) in `out` whose label is `wanted`; returns how many. */
export function selectLabel(
  labels: Uint8Array,
  keys: Uint32Array,
  length: number,
  wanted: number,
  out: Uint32Array,
): number {
  let n = 0;
  for (let i = 0; i < length; i++) if (labels[keys[i]!] === wanted) out[n++] = keys[i]!;
  return n;
}

/** Labels keys[0..length) lost. */
export function closeLost(labels: Uint8Array, keys: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) labels[keys[i]!] = closed;
}

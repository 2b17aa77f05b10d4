/**
 * Labels: knowledge of the positions of a side while their slice is being solved, in two planes.
 *
 * *Counts*, a byte a position or planes of bits: 0 if broken or lost, 255 if drawn without a move (stalemate), else the legal
 * moves not yet known to be won by the opponent (engine/phases/lookup.ts counts otherwise). A count that reaches zero is a loss. The
 * count of a won position cannot, since its winning move is never taken off. So counting down needs no knowledge of wins, and
 * the planes are independent.
 *
 * *Unwon*, a bit a position: it is legal and not known to be won. Rounds that label wins need only this, an eighth of
 * the bytes. Under `lookup` a move to such a position is an escape, also one that mates or stalemates.
 *
 * The value of a labelled position is not here but in the frontier run of its ply; `finish` brings them together.
 */

/** Counts of positions with moves are 1..MAX_COUNT. */
export const MAX_COUNT = 254;
export const DRAWN = 255;

/**
 * Counts are *planes of bits* (pipeline/game/rows.ts): each row has so many words of a bit for each of its positions, lowest
 * byte first. Bit i of word p is bit p of the count of the row's i-th position. Rows of one position have eight planes, a byte; or where
 * positions have more moves than {@link MAX_COUNT} (nodes of graphs), planes of bytes for all positions of the part, lowest first.
 */
export function planesBytes(planes: number, positions: number): number {
  return (positions * planes) / 8;
}

/** Bytes of the unwon plane for `positions` positions. */
export function bitBytes(positions: number): number {
  return (positions + 7) >>> 3;
}

export function setBit(bits: Uint8Array, key: number): void {
  bits[key >>> 3] |= 1 << (key & 7);
}

export function hasBit(bits: Uint8Array, key: number): boolean {
  return ((bits[key >>> 3] >>> (key & 7)) & 1) !== 0;
}

/**
 * Clears the bits of keys[0..length) (in any order, repeats allowed); puts those that were set in `out`, once each, and
 * returns how many.
 */
export function closeWon(unwon: Uint8Array, keys: Uint32Array, length: number, out: Uint32Array): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    const byte = unwon[key >>> 3];
    const bit = 1 << (key & 7);
    // A branch, because most are won already: the processor predicts it, and nothing has to be stored.
    if ((byte & bit) !== 0) {
      unwon[key >>> 3] = byte ^ bit;
      out[n++] = key;
    }
  }
  return n;
}

/**
 * Takes one off the counts of keys[0..length), in any order; a repeat counts again. Puts those that reach zero, which
 * are lost, in `out` (at least `length` words) and returns how many. Broken positions and stalemates are left alone.
 */
export function countDown(counts: Uint8Array, keys: Uint32Array, length: number, out: Uint32Array): number {
  let n = 0;
  for (let i = 0; i < length; i++) {
    const key = keys[i];
    const count = counts[key];
    // Without branches: the processor cannot predict whether a position is broken or lost, and a misprediction costs more than all of this.
    counts[key] = count - ((((count + 1) & 0xfe) + 0xfe) >>> 8);
    out[n] = key;
    n += ((count ^ 1) - 1) >>> 31;
  }
  return n;
}

/**
 * {@link countDown} for counts of so many planes of bytes, one plane of the whole part behind the other. All ones stand for
 * {@link DRAWN}.
 */
export function countDownBy(planes: number): typeof countDown {
  if (planes === 1) return countDown;
  return (counts, keys, length, out) => {
    const positions = counts.length / planes;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const key = keys[i];
      if (isAll(0, counts, key, positions) || isAll(DRAWN, counts, key, positions)) continue;
      let at = key;
      while (counts[at] === 0) {
        counts[at] = 255;
        at += positions;
      }
      counts[at]--;
      if (isAll(0, counts, key, positions)) out[n++] = key;
    }
    return n;
  };
}

/** Whether all bytes of the count of a key have this value. */
function isAll(byte: number, counts: Uint8Array, key: number, positions: number): boolean {
  for (let at = key; at < counts.length; at += positions) if (counts[at] !== byte) return false;
  return true;
}

/** Writes a count of so many positions' planes. */
export function putCount(count: number, counts: Uint8Array, key: number, positions: number): void {
  for (let at = key, left = count; at < counts.length; at += positions, left = Math.floor(left / 256))
    counts[at] = left & 255;
}

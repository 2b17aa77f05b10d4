/**
 * The minors of a record batch in compact blocks. The batch is cut where a major ends. Its parts are cut in blocks of {@link
 * BLOCK_ROWS} rows (the last of a part has what is left). So the directory of majors says how many rows each block has. All
 * is in one column of u32 words:
 *
 *   block after block: its first minor, then its coding's words
 *   tags: a byte a block, four to a word, least significant first, zeros at the end
 *
 * Tag 0…32: differences of so many bits (compact-delta.ts); at 32 bits that is the minors as they were. Tag 32 + n: a bitmap of n
 * words (compact-bitmap.ts), which only minors without repeats can have. The smaller one is taken, block by block, and no block is
 * larger than its minors were: so they are packed where they lie.
 *
 * Blocks are short because the widest difference sets the bits of all. Frontiers of KBBKN in blocks of 64, 128, 256 and 1024
 * rows take 1.32, 1.35, 1.41 and 1.53 bytes a row. The fewer tags, the faster.
 */

import { bitmapWords, packBitmap, unpackBitmap } from './compact-bitmap.js';
import { deltaBits, deltaWords, packDeltas, unpackDeltas } from './compact-delta.js';
import { firstDisorder } from './segments.js';

export const BLOCK_ROWS = 128;
const BITMAP = 32;
/** A bitmap is smaller than the widest differences would be. */
const MAX_TAG = BITMAP + deltaWords(BLOCK_ROWS, 32) - 1;
/** Sums of so many bits each do not pass 2^32 more than once. */
const SAFE_BITS = 32 - Math.log2(BLOCK_ROWS);

/** Words that must be there to pack `rows` rows in place. */
export function packedCapacity(rows: number): number {
  return rows + ((rows + 3) >>> 2);
}

/** A block that is being packed: its place in the words is written while its minors are still wanted. */
const keys = new Uint32Array(BLOCK_ROWS);

/**
 * Packs the minors words[0..n) in place; `parts` are the rows of each major, n in sum. Returns the number of words, at
 * most `packedCapacity(n)`.
 */
export function packBlocks(words: Uint32Array, parts: Uint32Array): number {
  const tags = new Uint8Array(4 * ((countBlocks(parts) + 3) >>> 2));
  let block = 0;
  let row = 0;
  let at = 0;
  for (let p = 0; p < parts.length; p++) {
    const end = row + parts[p];
    while (row < end) {
      const n = Math.min(BLOCK_ROWS, end - row);
      if (n === BLOCK_ROWS) keys.set(words.subarray(row, row + n));
      else for (let i = 0; i < n; i++) keys[i] = words[row + i];
      const bits = deltaBits(keys, n);
      const size = deltaWords(n, bits);
      const bitmap = bitmapWords(keys, n);
      words[at++] = keys[0];
      if (bitmap < size && firstDisorder(keys, 0, n, true) < 0) {
        packBitmap(keys, n, words, at);
        tags[block++] = BITMAP + bitmap;
        at += bitmap;
      } else {
        packDeltas(keys, n, bits, words, at);
        tags[block++] = bits;
        at += size;
      }
      row += n;
    }
  }
  for (let t = 0; t < tags.length; t += 4) {
    words[at++] = tags[t] | (tags[t + 1] << 8) | (tags[t + 2] << 16) | (tags[t + 3] << 24);
  }
  return at;
}

/** Packed minors whose tags fit their words: any block can be unpacked by itself. */
export interface PackedBlocks {
  readonly words: Uint32Array;
  readonly parts: Uint32Array;
  /** The first block of each part. */
  readonly firstBlock: Uint32Array;
  readonly tags: Uint8Array;
  /** Where each block begins, in words. */
  readonly starts: Uint32Array;
}

/** Looks at the tags of packed minors; a string says what is wrong with them. */
export function openBlocks(words: Uint32Array, parts: Uint32Array): PackedBlocks | string {
  const count = countBlocks(parts);
  const end = words.length - ((count + 3) >>> 2);
  if (end < count) return `${words.length} words cannot hold ${count} blocks`;
  const firstBlock = new Uint32Array(parts.length);
  const tags = new Uint8Array(count);
  const starts = new Uint32Array(count);
  let block = 0;
  let at = 0;
  for (let p = 0; p < parts.length; p++) {
    firstBlock[p] = block;
    for (let rest = parts[p]; rest > 0; rest -= BLOCK_ROWS, block++) {
      const tag = (words[end + (block >>> 2)] >>> (8 * (block & 3))) & 255;
      if (tag > MAX_TAG) return `block ${block} has tag ${tag}, which no block has`;
      tags[block] = tag;
      starts[block] = at;
      at += 1 + (tag > BITMAP ? tag - BITMAP : deltaWords(Math.min(rest, BLOCK_ROWS), tag));
    }
  }
  if (at !== end) return `its blocks take ${at} words, not ${end}`;
  return { words, parts, firstBlock, tags, starts };
}

/**
 * Unpacks rows [from, from + rows) of a part to keys[0..rows): `from` is a multiple of BLOCK_ROWS, and so is `rows` unless
 * they end the part. Null, or what is wrong; then the keys are not to be used.
 */
export function unpackBlocks(
  { words, firstBlock, tags, starts }: PackedBlocks,
  part: number,
  from: number,
  rows: number,
  keys: Uint32Array,
): string | null {
  let block = firstBlock[part] + Math.floor(from / BLOCK_ROWS);
  for (let row = 0; row < rows; row += BLOCK_ROWS, block++) {
    const n = Math.min(BLOCK_ROWS, rows - row);
    const tag = tags[block];
    const at = starts[block];
    const first = words[at];
    if (tag > BITMAP) {
      const size = tag - BITMAP;
      if (!unpackBitmap(words, at + 1, size, first, keys, row, n))
        return `the bitmap of block ${block} has not ${n} bits set`;
    } else {
      unpackDeltas(words, at + 1, tag, first, keys, row, n);
    }
    // Keys that pass 2^32 - 1 restart from 0.
    const wrapped =
      tag > SAFE_BITS && tag <= BITMAP
        ? firstDisorder(keys, row, row + n, false) >= 0
        : keys[row + n - 1] < first;
    if (wrapped) return `the minors of block ${block} pass 32 bits`;
  }
  return null;
}

function countBlocks(parts: Uint32Array): number {
  let blocks = 0;
  for (let p = 0; p < parts.length; p++) blocks += Math.ceil(parts[p] / BLOCK_ROWS);
  return blocks;
}

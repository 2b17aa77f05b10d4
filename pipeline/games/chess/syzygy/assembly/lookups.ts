/** Lookups of many indices in raw values that are read once, block after block: a counting sort brings the lookups into the order of the blocks. */
import { CELL_OF, putWord, word } from './tables';

/**
 * Sorts the numbers of `count` indices (i64, none if negative) by block of 2^bits indices, and writes them (u32) to `sorted`. Writes to
 * `ends`, of each of `blocks` blocks, how many numbers there are up to its last (u32).
 */
export function sortByBlock(
  indices: usize,
  count: i32,
  bits: i32,
  ends: usize,
  blocks: i32,
  sorted: usize,
): void {
  memory.fill(ends, 0, (blocks as usize) << 2);
  for (let n = 0; n < count; n++) {
    const index = load<i64>(indices + (n << 3));
    if (index < 0) continue;
    const block = (index >> bits) as i32;
    putWord(ends, block, word(ends, block) + 1);
  }
  let before = 0;
  for (let block = 0; block < blocks; block++) {
    const here = word(ends, block);
    putWord(ends, block, before);
    before += here;
  }
  for (let n = 0; n < count; n++) {
    const index = load<i64>(indices + (n << 3));
    if (index < 0) continue;
    const block = (index >> bits) as i32;
    const at = word(ends, block);
    putWord(sorted, at, n);
    putWord(ends, block, at + 1);
  }
}

/** Writes the cells (u16) of the indices with these `count` numbers (u32), all of the block of 2^bits raw values (u16) at `raw`. */
export function cellsOfBlock(
  indices: usize,
  numbers: usize,
  count: i32,
  bits: i32,
  raw: usize,
  cells: usize,
): void {
  const mask = (1 << bits) - 1;
  for (let i = 0; i < count; i++) {
    const n = word(numbers, i);
    const place = (load<i64>(indices + (n << 3)) as i32) & mask;
    store<u16>(cells + (n << 1), load<u16>(CELL_OF + ((load<u16>(raw + (place << 1)) as usize) << 1)));
  }
}

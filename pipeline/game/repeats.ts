/** Indices that repeat the position of another one, mirrored ({@link SliceIndex.repeats}): code that counts or lists positions skips them. */
import type { SliceIndex } from './slice-index.js';
import { brokenIn, type ValueColumn } from './value.js';

type Repeating = Pick<SliceIndex, 'repeats' | 'orbitSizes'>;

const BATCH = 4096;
const sizes = new Uint8Array(BATCH);
const row = new Uint32Array(2);

/**
 * Calls `found` for each index of [first, first + length) of a part that repeats another, with its place from `first` on, whether or not it is
 * a position.
 */
export function eachRepeat(
  { repeats }: Repeating,
  part: number,
  first: number,
  length: number,
  found: (place: number) => void,
): void {
  for (const { from, to } of repeats?.within(part) ?? []) {
    const begin = Math.max(from, first);
    const end = Math.min(to, first + length);
    for (let key = begin - (begin % 64); key < end; key += 64) {
      repeats!.ofRow(key, row);
      for (let half = 0; half < 2; half++) {
        for (let rest = row[half]; rest !== 0; rest &= rest - 1) {
          const at = key + 32 * half + 31 - Math.clz32(rest & -rest);
          if (at >= begin && at < end) found(at - first);
        }
      }
    }
  }
}

/** How many indices of [first, first + length) of a part repeat another, of those whose place `isPosition` accepts. */
export function countRepeats(
  slice: Repeating,
  part: number,
  first: number,
  length: number,
  isPosition: (place: number) => boolean,
): number {
  let count = 0;
  eachRepeat(slice, part, first, length, (place) => {
    if (isPosition(place)) count++;
  });
  return count;
}

/** Whether keys of a part may repeat other indices. */
export function hasRepeats(slice: Repeating, part: number): boolean {
  return slice.repeats !== undefined && slice.repeats.within(part).length > 0;
}

/** How many of keys[0..length) of a part repeat another index. */
export function repeatsAmong(slice: Repeating, part: number, keys: Uint32Array, length: number): number {
  if (!hasRepeats(slice, part)) return 0;
  let count = 0;
  for (let from = 0; from < length; from += BATCH) {
    const some = keys.subarray(from, Math.min(length, from + BATCH));
    slice.orbitSizes(part, some, some.length, sizes);
    for (let i = 0; i < some.length; i++) if (sizes[i] === 0) count++;
  }
  return count;
}

/** The codes of [first, first + codes.length) of a part, broken where an index repeats another: `codes` if none does, else a copy. */
export function withoutRepeats(
  slice: Repeating,
  part: number,
  first: number,
  codes: ValueColumn,
): ValueColumn {
  let copy: ValueColumn | null = null;
  eachRepeat(slice, part, first, codes.length, (place) => {
    copy ??= codes.slice();
    copy[place] = brokenIn(codes);
  });
  return copy ?? codes;
}

/**
 * The values of a few parts while `finish` puts them together: first from the counts, which tell broken positions from others, then
 * from what was labelled at each ply. Counts are bytes and labelled positions keys, or both go by rows.
 */
import type { Batch, DenseBatch } from '../../operators/runs/types.js';
import type { RowKernels, Side, SliceIndex } from '../contract/game.js';
import { brokenIn, type ValueColumn } from '../formats/value.js';
import { areSets, setsOf, setsOfKeys } from './sets.js';

/** Positions that were written over, and how many of them had the code of broken ones. */
export interface GroupsWritten {
  readonly positions: number;
  readonly broken: number;
}

/** Parts go by their number in the group. */
export interface GroupValues {
  /** Takes counts of a part: all of them, in order, and then those of the next. */
  takeCounts(part: number, side: Side, counts: DenseBatch): void;
  /** Makes positions with a count drawn and all others broken. Returns how many have a count. */
  settle(part: number, size: number): number;
  write(part: number, labelled: Batch, code: number): GroupsWritten;
  /** The values of a part of so many positions. */
  values(part: number, size: number): ValueColumn;
  close(): void;
}

/** @param type of the values. @param rows kernels by rows, if counts are in planes. */
export function openGroupValues(
  slice: SliceIndex,
  parts: number,
  type: 'i8' | 'i16',
  rows: RowKernels | undefined,
): GroupValues {
  return rows === undefined ? valuesByKeys(slice, parts, type) : valuesByRows(slice, parts, type, rows);
}

function valuesByKeys({ width }: SliceIndex, parts: number, type: 'i8' | 'i16'): GroupValues {
  const columns = Array.from({ length: parts }, () =>
    type === 'i8' ? new Int8Array(width) : new Int16Array(width),
  );
  let counted = 0;
  return {
    takeCounts(part, _side, counts) {
      counted += fromCounts(counts, columns[part]);
    },
    settle() {
      const settled = counted;
      counted = 0;
      return settled;
    },
    write: (part, labelled, code) => writeKeys(columns[part], labelled, code),
    values: (part, size) => columns[part].subarray(0, size),
    close() {},
  };
}

/** Returns how many have a count. There is no branch: which it is cannot be foreseen. */
function fromCounts({ first, length, columns }: DenseBatch, values: ValueColumn): number {
  const counts = columns[0] as Uint8Array;
  const broken = brokenIn(values);
  let without = 0;
  for (let i = 0; i < length; i++) {
    const none = (counts[i] - 1) >> 31;
    values[first + i] = none & broken;
    without -= none;
  }
  return length - without;
}

function writeKeys(values: ValueColumn, { minor, length }: Batch, code: number): GroupsWritten {
  const none = brokenIn(values);
  let broken = 0;
  for (let i = 0; i < length; i++) {
    const key = minor[i];
    broken += values[key] === none ? 1 : 0;
    values[key] = code;
  }
  return { positions: length, broken };
}

function valuesByRows(
  { width }: SliceIndex,
  parts: number,
  type: 'i8' | 'i16',
  rows: RowKernels,
): GroupValues {
  const bytes = width * (type === 'i8' ? 1 : 2);
  const kernels = rows.openValues(parts * bytes);
  const columns = Array.from({ length: parts }, () => {
    const { buffer, byteOffset } = kernels.allocate(bytes);
    return type === 'i8'
      ? new Int8Array(buffer, byteOffset, width)
      : new Int16Array(buffer, byteOffset, width);
  });
  return {
    takeCounts(_part, side, { first, length, columns: [counts] }) {
      kernels.takeCounts(side, (counts as Uint8Array).subarray(0, length), first);
    },
    settle: (part, size) => kernels.settle(columns[part].subarray(0, size)),
    write(part, labelled, code) {
      if (areSets(labelled)) return kernels.write(columns[part], setsOf(labelled), labelled.length, code);
      const sets = setsOfKeys(labelled);
      return kernels.write(columns[part], sets, sets.length, code);
    },
    values: (part, size) => columns[part].subarray(0, size),
    close: kernels.close,
  };
}

/**
 * The values of a few parts while `finish` puts them together. First come the bits of what is not won, then what was
 * labelled at each ply: keys, or sets of rows.
 */
import type { Batch, DenseBatch } from '../../operators/runs/types.js';
import type { RowKernels, SliceIndex } from '../game/game.js';
import { brokenIn, newValueColumn, type ValueColumn } from '../game/value.js';
import { areSets, newSetsOfKeys, setsOf } from './sets.js';

/** Positions that were written over, and how many of them had the code of broken ones. */
export interface GroupsWritten {
  readonly positions: number;
  readonly broken: number;
}

/** Parts go by their number in the group. */
export interface GroupValues {
  /** Takes bits of a part: all of them, in order, and then those of the next. */
  takeUnwon(part: number, bits: DenseBatch): void;
  /** Makes positions that have a bit drawn and all others broken. Returns how many have one. */
  settle(part: number, size: number): number;
  write(part: number, labelled: Batch, code: number): GroupsWritten;
  /** The values of a part of so many positions. */
  values(part: number, size: number): ValueColumn;
  close(): void;
}

/** @param type of the values. @param rows kernels by rows, if positions are labelled by rows. */
export function openGroupValues(
  slice: SliceIndex,
  parts: number,
  type: 'i8' | 'i16',
  rows: RowKernels | undefined,
): GroupValues {
  return rows === undefined ? valuesByKeys(slice, parts, type) : valuesByRows(slice, parts, type, rows);
}

function valuesByKeys({ width }: SliceIndex, parts: number, type: 'i8' | 'i16'): GroupValues {
  const columns = Array.from({ length: parts }, () => newValueColumn(type, width));
  let taken = 0;
  return {
    takeUnwon(part, bits) {
      taken += fromBits(bits, columns[part]);
    },
    settle() {
      const settled = taken;
      taken = 0;
      return settled;
    },
    write: (part, labelled, code) => writeKeys(columns[part], labelled, code),
    values: (part, size) => columns[part].subarray(0, size),
    close() {},
  };
}

/** Returns how many have a bit. There is no branch: which it is cannot be foreseen. */
function fromBits({ first, length, columns }: DenseBatch, values: ValueColumn): number {
  const bytes = columns[0] as Uint8Array;
  const broken = brokenIn(values);
  let taken = 0;
  for (let i = 0, at = 8 * first; i < length; i++) {
    for (let byte = bytes[i] | 0x100; byte !== 1; byte >>= 1) {
      const one = byte & 1;
      values[at++] = (one - 1) & broken;
      taken += one;
    }
  }
  return taken;
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
  const setsOfKeys = newSetsOfKeys();
  const columns = Array.from({ length: parts }, () => {
    const { buffer, byteOffset } = kernels.allocate(bytes);
    return type === 'i8'
      ? new Int8Array(buffer, byteOffset, width)
      : new Int16Array(buffer, byteOffset, width);
  });
  return {
    takeUnwon(_part, { first, length, columns: [bits] }) {
      kernels.takeUnwon((bits as Uint8Array).subarray(0, length), first);
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

/** The kernels by rows in WebAssembly: assembly/row-unmoves.ts, labels.ts and values.ts. */
import { aligned, allocatorOf } from '../../../operators/core/wasm.js';
import {
  DIGIT_BITS,
  type RowKernels,
  type RowLabels,
  type RowValues,
  type SetEmission,
  type Side,
} from '../../game/game.js';
import { DIRECT_LABELLING, type Labelling, type Numbering } from '../../game/labelling.js';
import { bitBytes, planesBytes } from '../../game/labels.js';
import type { ValueColumn } from '../../game/value.js';
import { mostMovesOf } from './changes.js';
import { hasTwins, type Space } from './index-space.js';
import { copySetsIn, giveBack, kernelNumbering, retire, takeArena, writeSlice } from './wasm-instance.js';

/** The kernels by rows of a slice whose last digit is the square of a piece. */
export function rowKernelsOf(space: Space, { counts, numbering }: Labelling = DIRECT_LABELLING): RowKernels {
  const bits = (side: Side) => (counts[side] ? 32 - Math.clz32(mostMovesOf(space, side)) : 0);
  const slice = { space, countPlanes: [bits(0), bits(1)] as const, numbering };
  return {
    width: 64,
    countPlanes: slice.countPlanes,
    digitBits: numbering === null ? 0 : DIGIT_BITS,
    numbering,
    labelledAs: (labelling) => rowKernelsOf(space, labelling),
    packCounts: (side, counts, out) => packCounts(slice.countPlanes[side], counts, out),
    open: (bytes) => openLabels(slice, bytes),
    openValues: (bytes) => openValues(slice, bytes),
  };
}

/** Facts about a slice that kernels by rows need. */
interface RowSlice {
  readonly space: Space;
  readonly countPlanes: readonly [number, number];
  readonly numbering: Numbering | null;
}

function packCounts(planes: number, counts: Uint8Array, out: Uint8Array): void {
  const arena = takeArena(0);
  const { wasm, minor, low } = arena;
  const bytesIn = new Uint8Array(minor.buffer, minor.byteOffset, minor.byteLength);
  const wordsOut = new Uint8Array(low.buffer, low.byteOffset, low.byteLength);
  for (let from = 0; from < counts.length; from += bytesIn.length) {
    const to = Math.min(counts.length, from + bytesIn.length);
    bytesIn.set(counts.subarray(from, to));
    wasm.packCounts(planes, (to - from) / 64);
    out.set(wordsOut.subarray(0, planesBytes(planes, to - from)), planesBytes(planes, from));
  }
  giveBack(arena);
}

/** An arena with so many bytes to allocate, and `more` bytes behind a bit for each position of a part, all zero. */
function openArena({ space, numbering }: RowSlice, bytes: number, more: number) {
  const bitsBytes = aligned(bitBytes(space.width));
  const zeroBytes = bitsBytes + aligned(more);
  const arena = takeArena(zeroBytes + bytes);
  writeSlice(arena.wasm, space);
  arena.wasm.countNumbers(kernelNumbering(numbering));
  const allocate = allocatorOf(arena.wasm, zeroBytes + bytes);
  const bits = allocate(zeroBytes);
  new Uint8Array(arena.wasm.memory.buffer, bits, zeroBytes).fill(0);
  return { arena, bits, behind: bits + bitsBytes, allocate };
}

function openValues(slice: RowSlice, bytes: number): RowValues {
  const { arena, bits, allocate } = openArena(slice, bytes, 0);
  const { wasm, rows } = arena;
  wasm.placeUnwon(bits);
  const unwon = new Uint8Array(wasm.memory.buffer, bits, bitBytes(slice.space.width));
  const isWide = (values: ValueColumn) => values.BYTES_PER_ELEMENT === 2;
  return {
    allocate: (size) => ({ buffer: wasm.memory.buffer, byteOffset: allocate(size) }),
    takeUnwon: (taken, first) => unwon.set(taken, first),
    settle: (values) => wasm.settle(values.byteOffset, values.length / 64, isWide(values)),
    write(values, sets, length, code, numbers) {
      let positions = 0;
      let broken = 0;
      for (let from = 0, count: number; from < length; from += count) {
        count = copySetsIn(arena, sets, from, length);
        broken += wasm.writeSets(values.byteOffset, numbers?.byteOffset ?? 0, count, code, isWide(values));
        positions += rows[0];
      }
      return { positions, broken };
    },
    close: () => retire(arena),
  };
}

function openLabels(slice: RowSlice, bytes: number): RowLabels {
  const { countPlanes } = slice;
  // A word for each digit of the numbers of a row.
  const counterBytes = slice.numbering === null ? 0 : slice.space.width;
  const { arena, bits, behind, allocate } = openArena(slice, bytes, counterBytes);
  const { wasm, minor, major, low, high, rows } = arena;
  const mostSets = (hasTwins(slice.space) ? wasm.MOST_SETS_OF_TWINS : wasm.MOST_SETS).value;
  wasm.placeMarks(bits);
  wasm.placeCounters(behind);
  const unlabelled = new Uint32Array(wasm.memory.buffer, wasm.UNLABELLED.value, 2 * wasm.MOST_PARTS.value);
  // An arena that is used again still has the addresses of the slice before.
  unlabelled.fill(0);

  return {
    strikesWithin: true,
    allocate(size) {
      const at = allocate(size);
      return new Uint8Array(wasm.memory.buffer, at, size);
    },
    takeUnlabelled(side, bits) {
      const first = side * wasm.MOST_PARTS.value;
      for (let part = 0; part < bits.length; part++) unlabelled[first + part] = bits[part]?.byteOffset ?? 0;
    },
    takeLeftOut() {
      const sets = wasm.leftOut.value;
      wasm.resetLeftOut();
      return sets;
    },
    unmovesBeyond(side, part, sets, { from, to }, bias, out, by) {
      const room = out.minor.length - mostSets;
      let done = from;
      while (done < to && out.length <= room) {
        const count = copySetsIn(arena, sets, done, to);
        const most = Math.min(room - out.length, minor.length - mostSets);
        done += wasm.unmoveRows(side, part, count, bias, most, by === 'any');
        copySets(rows[0], { major, minor, low, high }, out);
      }
      return done;
    },
    label(by, side, labels) {
      wasm.label(by === 'all' ? countPlanes[side] : 0, labels.byteOffset);
    },
    strikeWithin(side, part, sets, length) {
      let struck = 0;
      for (let from = 0, count: number; from < length; from += count) {
        count = copySetsIn(arena, sets, from, length);
        struck += wasm.strikeWithin(side, part, count);
      }
      return struck;
    },
    strikeRows(sets, length) {
      for (let from = 0, count: number; from < length; from += count) {
        count = copySetsIn(arena, sets, from, length);
        wasm.strikeRows(count);
      }
    },
    strikeKeys(keys, length) {
      const { keys: keysIn } = arena;
      for (let from = 0; from < length; from += keysIn.length) {
        const to = Math.min(length, from + keysIn.length);
        keysIn.set(keys.subarray(from, to));
        wasm.strikeKeys(to - from);
      }
    },
    hasLabelled: () => wasm.hasMarks() !== 0,
    drain() {
      const positions = wasm.drain();
      return { length: rows[0], minor, low, high, positions };
    },
    close() {
      giveBack(arena);
    },
  };
}

function copySets(count: number, from: Omit<SetEmission, 'length'>, out: SetEmission): void {
  out.major.set(from.major.subarray(0, count), out.length);
  out.minor.set(from.minor.subarray(0, count), out.length);
  out.low.set(from.low.subarray(0, count), out.length);
  out.high.set(from.high.subarray(0, count), out.length);
  out.length += count;
}

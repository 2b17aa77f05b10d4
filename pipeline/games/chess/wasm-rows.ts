/** The kernels by rows of endings without pawns, in WebAssembly (assembly/row-unmoves.ts, assembly/labels.ts). */
import { assert } from '../../../operators/core/errors.js';
import type { RowKernels, RowLabels, SetColumns, SetEmission, Side } from '../../game.js';
import { bitBytes, planesBytes } from '../../labels.js';
import type { Space } from './index-space.js';
import { mostMovesOf } from './most-moves.js';
import { type Instance, instantiate } from './wasm-instance.js';
import { type SpaceExports, writeSpace } from './wasm-kernels.js';

interface Exports extends SpaceExports {
  strikeWithin(side: number, part: number, count: number): number;
  unmoveRows(side: number, part: number, count: number, bias: number, room: number): number;
  strikeRows(count: number): void;
  strikeKeys(count: number): void;
  label(countPlanes: number, labels: number): void;
  packCounts(countPlanes: number, rows: number): void;
  placeMarks(at: number): void;
  hasMarks(): number;
  drain(): number;
}

/** MOST_SETS of assembly/row-unmoves.ts. */
const MOST_SETS = 32;

/** As WebAssembly's vectors are aligned best. */
const ALIGNMENT = 16;

/** An instance, and the bytes behind its tables. */
interface Arena {
  readonly instance: Instance<Exports>;
  readonly bytes: number;
}

/** The largest arena that was given back: the next slice is likely as large, and memory of instances is collected late. */
let spare: Arena | undefined;

function takeArena(bytes: number): Arena {
  const taken = spare;
  if (taken === undefined || taken.bytes < bytes) return { instance: instantiate<Exports>(bytes), bytes };
  spare = undefined;
  return taken;
}

function giveBack(arena: Arena): void {
  if (spare === undefined || spare.bytes < arena.bytes) spare = arena;
}

/** Undefined if the index has no single man as its last digit. */
export function createRowKernels(space: Space): RowKernels | undefined {
  if (space.composite === space.groups.length) return undefined;
  const bits = (side: Side) => 32 - Math.clz32(mostMovesOf(space, side));
  const countPlanes = [bits(0), bits(1)] as const;
  return {
    countPlanes,
    packCounts: (side, counts, out) => packCounts(countPlanes[side], counts, out),
    open: (bytes) => openLabels(space, countPlanes, bytes),
  };
}

function packCounts(planes: number, counts: Uint8Array, out: Uint8Array): void {
  const arena = takeArena(0);
  const { wasm, minor, low } = arena.instance;
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

function openLabels(space: Space, countPlanes: readonly [number, number], bytes: number): RowLabels {
  const markBytes = aligned(bitBytes(space.width));
  const arena = takeArena(markBytes + bytes + ALIGNMENT);
  const { wasm, keys: keysIn, lowIn, highIn, minor, major, low, high, rows } = arena.instance;
  writeSpace(wasm, space);
  assert(wasm.MOST_SETS.value === MOST_SETS, 'rows emit as many sets as the kernel says');
  const { buffer } = wasm.memory;
  let next = aligned(wasm.heapBase());
  const end = next + markBytes + bytes;
  new Uint8Array(buffer, next, markBytes).fill(0);
  wasm.placeMarks(next);
  next += markBytes;

  /** Copies as many of the sets [from, to) in as there is room for. */
  function copyIn(sets: SetColumns, from: number, to: number): number {
    const count = Math.min(to - from, keysIn.length);
    keysIn.set(sets.minor.subarray(from, from + count));
    lowIn.set(sets.low.subarray(from, from + count));
    highIn.set(sets.high.subarray(from, from + count));
    return count;
  }

  return {
    allocate(size) {
      const at = next;
      next += aligned(size);
      assert(next <= end, `labels take ${bytes} bytes at most`);
      return new Uint8Array(buffer, at, size);
    },
    unmovesBeyond(side, part, sets, { from, to }, bias, out) {
      const room = out.minor.length - MOST_SETS;
      let done = from;
      while (done < to && out.length <= room) {
        const count = copyIn(sets, done, to);
        const most = Math.min(room - out.length, minor.length - MOST_SETS);
        done += wasm.unmoveRows(side, part, count, bias, most);
        copySets(rows[0]!, { major, minor, low, high }, out);
      }
      return done;
    },
    label(kind, side, labels) {
      wasm.label(kind === 'lost' ? countPlanes[side] : 0, labels.byteOffset);
    },
    strikeWithin(side, part, sets, length) {
      let struck = 0;
      for (let from = 0, count: number; from < length; from += count) {
        count = copyIn(sets, from, length);
        struck += wasm.strikeWithin(side, part, count);
      }
      return struck;
    },
    strikeRows(sets, length) {
      for (let from = 0, count: number; from < length; from += count) {
        count = copyIn(sets, from, length);
        wasm.strikeRows(count);
      }
    },
    strikeKeys(keys, length) {
      for (let from = 0; from < length; from += keysIn.length) {
        const to = Math.min(length, from + keysIn.length);
        keysIn.set(keys.subarray(from, to));
        wasm.strikeKeys(to - from);
      }
    },
    hasLabelled: () => wasm.hasMarks() !== 0,
    drain() {
      const positions = wasm.drain();
      return { length: rows[0]!, minor, low, high, positions };
    },
    close() {
      giveBack(arena);
    },
  };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function copySets(count: number, from: Omit<SetEmission, 'length'>, out: SetEmission): void {
  out.major.set(from.major.subarray(0, count), out.length);
  out.minor.set(from.minor.subarray(0, count), out.length);
  out.low.set(from.low.subarray(0, count), out.length);
  out.high.set(from.high.subarray(0, count), out.length);
  out.length += count;
}

/** The kernels by rows of endings without pawns, in WebAssembly (assembly/row-unmoves.ts, assembly/labels.ts). */
import { assert } from '../../../operators/core/errors.js';
import type { RowEmission, RowKernels, RowLabels } from '../../game.js';
import { bitBytes } from '../../labels.js';
import type { Space } from './index-space.js';
import { type Instance, instantiate } from './wasm-instance.js';
import { type SpaceExports, writeSpace } from './wasm-kernels.js';

interface Exports extends SpaceExports {
  strikeWithin(side: number, part: number, count: number): number;
  unmoveRows(side: number, part: number, count: number, bias: number, room: number): number;
  strikeRows(count: number): void;
  strikeKeys(count: number): void;
  label(losing: boolean, labels: number): void;
  placeMarks(at: number): void;
  hasMarks(): number;
  drain(): void;
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
  return { maxSets: MOST_SETS, open: (bytes) => openLabels(space, bytes) };
}

function openLabels(space: Space, bytes: number): RowLabels {
  const markBytes = aligned(bitBytes(space.width));
  const arena = takeArena(markBytes + bytes + ALIGNMENT);
  const { wasm, keys: keysIn, minor, major, low, high, rows } = arena.instance;
  writeSpace(wasm, space);
  assert(wasm.MOST_SETS.value === MOST_SETS, 'rows emit as many sets as the kernel says');
  const { buffer } = wasm.memory;
  let next = aligned(wasm.heapBase());
  const end = next + markBytes + bytes;
  new Uint8Array(buffer, next, markBytes).fill(0);
  wasm.placeMarks(next);
  next += markBytes;

  return {
    allocate(size) {
      const at = next;
      next += aligned(size);
      assert(next <= end, `labels take ${bytes} bytes at most`);
      return new Uint8Array(buffer, at, size);
    },
    unmovesBeyond(side, part, keys, from, to, bias, out) {
      const room = out.minor.length - MOST_SETS;
      let done = from;
      while (done < to && out.length <= room) {
        const count = Math.min(to - done, keysIn.length);
        keysIn.set(keys.subarray(done, done + count));
        done += wasm.unmoveRows(
          side,
          part,
          count,
          bias,
          Math.min(room - out.length, minor.length - MOST_SETS),
        );
        copySets(rows[0]!, { major, minor, low, high }, out);
      }
      return done;
    },
    label(kind, labels) {
      wasm.label(kind === 'lost', labels.byteOffset);
    },
    strikeWithin(side, part, keys, length) {
      let struck = 0;
      for (let from = 0; from < length; from += keysIn.length) {
        const count = Math.min(length - from, keysIn.length);
        keysIn.set(keys.subarray(from, from + count));
        struck += wasm.strikeWithin(side, part, count);
      }
      return struck;
    },
    strikeRows(numbers, lows, highs, length) {
      for (let from = 0; from < length; from += minor.length) {
        const to = Math.min(length, from + minor.length);
        minor.set(numbers.subarray(from, to));
        low.set(lows.subarray(from, to));
        high.set(highs.subarray(from, to));
        wasm.strikeRows(to - from);
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
      wasm.drain();
      return minor.subarray(0, rows[0]);
    },
    close() {
      giveBack(arena);
    },
  };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function copySets(count: number, from: Omit<RowEmission, 'length'>, out: RowEmission): void {
  out.major.set(from.major.subarray(0, count), out.length);
  out.minor.set(from.minor.subarray(0, count), out.length);
  out.low.set(from.low.subarray(0, count), out.length);
  out.high.set(from.high.subarray(0, count), out.length);
  out.length += count;
}

/**
 * Conversions taken back by rows in WebAssembly: assembly/decided.ts and unconversions.ts. A key is a set of
 * one: solving asks for sets alone.
 *
 * Kernels have the parameters of the contract (game/emission.ts says why).
 */
import { assert } from '../../../operators/core/errors.js';
import type { Link, RowConversions, SetColumns, Slice } from '../../game/game.js';
import { type Change, MOST_BEHIND } from './changes.js';
import { copySetsIn, type Instance, kernelNumbering } from './wasm-instance.js';

/** Bytes of codes that the kernel takes at once. */
const MOST_CODES = 1 << 15;

/** @param instance configured for the slice. @param changes that moves out of the slice make. */
export function unconversionsOf(
  instance: () => Instance,
  maxMoves: number,
  changes: readonly Change[],
): Required<Pick<Slice, 'unconversions' | 'rowConversions'>> {
  const mostRows = 64 * maxMoves;
  let arrays: Arrays | undefined;
  const arraysOf = () => (arrays ??= newArrays(instance()));
  assert(mostRows <= MOST_BEHIND, 'the rows that follow from a set fit the buffers');
  const leads = ({ side, dependency, sideThere }: Link) =>
    changes.some(({ side: mover, dependency: its, flipped }) => {
      return its === dependency && mover === side && sideThere === (flipped ? side : 1 - side);
    });
  const isAssumed = (number: number) =>
    changes.some(({ dependency, assumed }) => assumed && dependency === number);
  const rowConversions: RowConversions = {
    emits(link) {
      if (!leads(link)) return null;
      if (isAssumed(link.dependency)) return 'sets';
      const { side, dependency, sideThere } = link;
      if ((link.numbering ?? null) !== null) return 'sets';
      return instance().wasm.keepsRows(side, dependency, sideThere, changes.length) !== 0 ? 'sets' : 'keys';
    },
    decided(values, from, alike, wanted, numbering, out) {
      const { wasm, rows } = instance();
      const at = arraysOf();
      let next = from;
      const most = out.minor.length - 64;
      wasm.countNumbers(kernelNumbering(numbering));
      while (next < values.length && out.length <= most) {
        const { row, count } = copyCodes(at, values, next, wanted);
        const room = Math.min(most - out.length, MOST_BEHIND - 64);
        const wide = values.codes.BYTES_PER_ELEMENT === 2;
        const rowsDone = wasm.decidedSets(row, count, wide, alike, room);
        copyOut(at, rows[0], out);
        out.code.set(at.code.subarray(0, rows[0]), out.length);
        out.length += rows[0];
        next = Math.min(values.length, 64 * (row + rowsDone) - values.first);
      }
      return next;
    },
    unconversions: (...asked) => unconvert(mostRows, ...asked),
  };

  /** @param most rows that may follow from a set. */
  function unconvert(
    most: number,
    ...[link, part, sets, { from, to }, bias, out]: Parameters<RowConversions['unconversions']>
  ): number {
    const buffers = instance();
    const { wasm, rows } = buffers;
    const at = arraysOf();
    const { side, dependency, sideThere, numbering } = link;
    wasm.countNumbers(kernelNumbering(numbering ?? null));
    const last = out.minor.length - most;
    let next = from;
    while (next < to && out.length <= last) {
      const count = copySetsIn(buffers, sets, next, to);
      const room = Math.min(last - out.length, MOST_BEHIND - most);
      const asSets = out.low !== undefined;
      next += isAssumed(dependency)
        ? wasm.unassumeSets(side, dependency, part, count, bias, room, asSets)
        : wasm.unconvertSets(side, dependency, sideThere, changes.length, part, count, bias, room, asSets);
      out.major.set(at.major.subarray(0, rows[0]), out.length);
      if (out.low === undefined) out.minor.set(at.minor.subarray(0, rows[0]), out.length);
      else copyOut(at, rows[0], out);
      out.length += rows[0];
    }
    return next;
  }

  return {
    rowConversions,
    unconversions(side, dependency, sideThere, part, keys, from, to, bias, out) {
      const link = { side, dependency, sideThere };
      if (!leads(link)) return to;
      const { major, minor } = out;
      const found = { length: out.length, major, minor };
      const sets = setsOfKeys(keys.subarray(from, to));
      const done = unconvert(maxMoves, link, part, sets, { from: 0, to: to - from }, bias, found);
      out.length = found.length;
      return from + done;
    },
  };
}

/** A set for each key. */
function setsOfKeys(keys: Uint32Array): SetColumns {
  return {
    minor: keys.map((key) => key >>> 6),
    low: keys.map((key) => ((key & 63) < 32 ? 1 << (key & 31) : 0)),
    high: keys.map((key) => ((key & 63) < 32 ? 0 : 1 << (key & 31))),
  };
}

type Arrays = ReturnType<typeof newArrays>;

/** The buffers of an instance with as many rows as these kernels write. */
function newArrays({ wasm }: Instance) {
  const words = (address: { readonly value: number }) =>
    new Uint32Array(wasm.memory.buffer, address.value, MOST_BEHIND);
  const [minor, major, low, high] = [wasm.MINOR, wasm.MAJOR, wasm.LOW, wasm.HIGH].map(words);
  const code = new Int32Array(wasm.memory.buffer, wasm.MAJOR.value, MOST_BEHIND);
  const codes = new Uint8Array(wasm.memory.buffer, wasm.SOURCE.value, MOST_CODES);
  const masks = new Uint32Array(wasm.memory.buffer, wasm.KEYS.value, MOST_CODES / 32);
  return { minor, major, low, high, code, codes, masks };
}

/** Copies values from the one at `from` on, as many whole rows as there is room for; what is not there is not wanted. */
function copyCodes(
  { codes, masks }: Arrays,
  values: Parameters<RowConversions['decided']>[0],
  from: number,
  wanted: Uint32Array | null,
): { row: number; count: number } {
  const width = values.codes.BYTES_PER_ELEMENT;
  const key = values.first + from;
  const row = key >>> 6;
  const end = Math.min(values.first + values.length, 64 * row + MOST_CODES / width);
  const length = end - key;
  const { buffer, byteOffset } = values.codes;
  codes.set(new Uint8Array(buffer, byteOffset + from * width, length * width), (key & 63) * width);
  const count = ((end - 1) >>> 6) + 1 - row;
  const words = 2 * count;
  if (wanted === null) masks.fill(-1, 0, words);
  else masks.set(wanted.subarray(2 * row, 2 * row + words));
  clearBelow(masks, key & 63);
  clearFrom(masks, end - 64 * row, words);
  return { row, count };
}

function clearBelow(masks: Uint32Array, bit: number): void {
  if (bit >= 32) masks[0] = 0;
  if ((bit & 31) !== 0) masks[bit >>> 5] &= -1 << (bit & 31);
}

function clearFrom(masks: Uint32Array, bit: number, words: number): void {
  if (bit >= 32 * words) return;
  masks[bit >>> 5] &= (1 << (bit & 31)) - 1;
  masks.fill(0, (bit >>> 5) + 1, words);
}

function copyOut({ minor, low, high }: Arrays, count: number, out: SetColumns & { length: number }): void {
  out.minor.set(minor.subarray(0, count), out.length);
  out.low.set(low.subarray(0, count), out.length);
  out.high.set(high.subarray(0, count), out.length);
}

/** Bits of a block, the most significant bit of a byte first. */
import { BLOCK_BYTES } from './codec.js';

export interface BitWriter {
  readonly bytes: Uint8Array;
  /** How many bits are written. */
  bits: number;
}

/** Room for one block. */
export function newBitWriter(): BitWriter {
  return { bytes: new Uint8Array(BLOCK_BYTES), bits: 0 };
}

/** Appends the low `width` bits of `value`, at most 32. There must be room. */
export function putBits(writer: BitWriter, value: number, width: number): void {
  for (let left = width; left > 0; ) {
    const room = 8 - (writer.bits & 7);
    const taken = Math.min(room, left);
    const piece = (value >>> (left - taken)) & ((1 << taken) - 1);
    writer.bytes[writer.bits >>> 3] |= piece << (room - taken);
    writer.bits += taken;
    left -= taken;
  }
}

/** Passes on the bytes written, if any, and begins again from none. */
export function takeBytes(writer: BitWriter, use: (bytes: Uint8Array) => void): void {
  use(writer.bytes.subarray(0, (writer.bits + 7) >>> 3));
  writer.bytes.fill(0);
  writer.bits = 0;
}

/** Bytes to be read bit by bit: zeros follow, so that reading a little too far needs no test. */
export interface BitSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Room for one block. */
export function newBitSource(): BitSource {
  const bytes = new Uint8Array(BLOCK_BYTES + 16);
  return { bytes, view: new DataView(bytes.buffer) };
}

export function fillBitSource({ bytes }: BitSource, block: Uint8Array): void {
  bytes.set(block);
  bytes.fill(0, block.length);
}

/** A 32-bit window whose 25 most significant bits are those from bit `at` on. */
export function peekBits({ view }: BitSource, at: number): number {
  return view.getInt32(at >>> 3) << (at & 7);
}

/** The first `width` bits of a window, 0 to 25. */
export function firstBits(window: number, width: number): number {
  return (window >>> 1) >>> (31 - width);
}

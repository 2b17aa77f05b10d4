/** Bytes that are appended one field after another, and read again; little endian. */
import { assert } from '../../../operators/core/errors.js';

export interface ByteList {
  bytes: Uint8Array;
  length: number;
}

export function newByteList(): ByteList {
  return { bytes: new Uint8Array(64), length: 0 };
}

/** Room for `more` bytes at the end; returns where they begin. */
function extend(list: ByteList, more: number): number {
  const at = list.length;
  if (at + more > list.bytes.length) {
    const larger = new Uint8Array(Math.max(at + more, 2 * list.bytes.length));
    larger.set(list.bytes.subarray(0, at));
    list.bytes = larger;
  }
  list.length += more;
  return at;
}

export function putBytes(list: ByteList, bytes: Uint8Array): void {
  const at = extend(list, bytes.length);
  list.bytes.set(bytes, at);
}

function putByte(list: ByteList, byte: number): void {
  const at = extend(list, 1);
  list.bytes[at] = byte;
}

export function putU32(list: ByteList, value: number): void {
  const at = extend(list, 4);
  for (let i = 0; i < 4; i++) list.bytes[at + i] = value >>> (8 * i);
}

/** Seven bits a byte, the least first; the last byte has the high bit clear. At most eight bytes for a safe integer. */
export function putVarint(list: ByteList, value: number): void {
  assert(Number.isSafeInteger(value) && value >= 0, `${value} is a natural number`);
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) putByte(list, (rest % 128) + 128);
  putByte(list, rest);
}

/** A varint of its length and the UTF-8 bytes. */
export function putText(list: ByteList, text: string): void {
  const bytes = new TextEncoder().encode(text);
  putVarint(list, bytes.length);
  putBytes(list, bytes);
}

/** Reads back the bytes that were put. Every function throws RangeError where the bytes end too early or are none of its. */
export interface ByteSource {
  bytes(length: number): Uint8Array;
  u32(): number;
  varint(): number;
  text(): string;
  /** How many bytes are left. */
  left(): number;
}

export function byteSource(from: Uint8Array): ByteSource {
  let at = 0;
  function take(length: number): number {
    if (length > from.length - at) throw new RangeError('ends too early');
    at += length;
    return at - length;
  }
  function varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = from[take(1)];
      value += (byte % 128) * scale;
      if (!Number.isSafeInteger(value)) throw new RangeError('is too large a number');
      if (byte < 128) return value;
    }
  }
  function bytes(length: number): Uint8Array {
    const start = take(length);
    return from.subarray(start, start + length);
  }
  return {
    bytes,
    u32() {
      const start = take(4);
      return (from[start] | (from[start + 1] << 8) | (from[start + 2] << 16) | (from[start + 3] << 24)) >>> 0;
    },
    varint,
    text: () => new TextDecoder('utf-8', { fatal: true }).decode(bytes(varint())),
    left: () => from.length - at,
  };
}

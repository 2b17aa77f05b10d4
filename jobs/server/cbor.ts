/**
 * JSON values as CBOR (RFC 8949, sections 3 and 4.2.1): integers in as few bytes as hold them, text, arrays, maps, true, false
 * and null. Numbers that are no safe integers are doubles. Undefined fields of an object are left out, as in JSON.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const Major = { unsigned: 0, negative: 1, text: 3, array: 4, map: 5, simple: 7 } as const;
const FALSE = 20;
const TRUE = 21;
const NULL = 22;
const DOUBLE = 27;

export function encodeCbor(value: Json): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  put(value, pieces);
  return Uint8Array.from(Buffer.concat(pieces));
}

function put(value: Json, pieces: Uint8Array[]): void {
  if (value === null) pieces.push(simple(NULL));
  else if (typeof value === 'boolean') pieces.push(simple(value ? TRUE : FALSE));
  else if (typeof value === 'number') pieces.push(number(value));
  else if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value);
    pieces.push(head(Major.text, bytes.length), bytes);
  } else if (Array.isArray(value)) {
    pieces.push(head(Major.array, value.length));
    for (const each of value) put(each, pieces);
  } else {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined);
    pieces.push(head(Major.map, fields.length));
    for (const [key, each] of fields) {
      put(key, pieces);
      put(each, pieces);
    }
  }
}

function number(value: number): Uint8Array {
  if (Number.isSafeInteger(value))
    return value < 0 ? head(Major.negative, -1 - value) : head(Major.unsigned, value);
  const bytes = new Uint8Array(9);
  bytes[0] = (Major.simple << 5) | DOUBLE;
  new DataView(bytes.buffer).setFloat64(1, value);
  return bytes;
}

function simple(what: number): Uint8Array {
  return Uint8Array.of((Major.simple << 5) | what);
}

/** The major type and its argument: in the first byte, or in the 1, 2, 4 or 8 bytes behind it. */
function head(major: number, argument: number): Uint8Array {
  if (argument < 24) return Uint8Array.of((major << 5) | argument);
  const size = argument < 2 ** 8 ? 0 : argument < 2 ** 16 ? 1 : argument < 2 ** 32 ? 2 : 3;
  const bytes = new Uint8Array(1 + 2 ** size);
  bytes[0] = (major << 5) | (24 + size);
  const view = new DataView(bytes.buffer);
  if (size === 0) view.setUint8(1, argument);
  else if (size === 1) view.setUint16(1, argument);
  else if (size === 2) view.setUint32(1, argument);
  else view.setBigUint64(1, BigInt(argument));
  return bytes;
}

/** Whether bytes are a whole file: by magic number, men and checksum. */
import { cityCrc128 } from './city-hash.js';
import { type FileKind, MAGIC } from './layout.js';
import type { Material } from './material.js';

/** Files are multiples of 64 bytes, and 16 bytes of checksum. */
const ALIGNMENT = 64;
const CHECKSUM = 16;

export function isSound(bytes: Uint8Array, kind: FileKind, { men }: Material): boolean {
  if (bytes.length % ALIGNMENT !== CHECKSUM || bytes.length < ALIGNMENT) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC[kind] || view.getUint8(4) >> 4 !== men.length) return false;
  const sum = cityCrc128(bytes.subarray(0, -CHECKSUM));
  return bytes.subarray(-CHECKSUM).every((byte, i) => byte === sum[i]);
}

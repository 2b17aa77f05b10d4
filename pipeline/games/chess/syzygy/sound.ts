/** Whether bytes are a whole file of an ending: by magic number, men and checksum. */
import { cityCrc128 } from './city-hash.js';
import { type FileKind, MAGIC } from './layout.js';
import type { Material } from './material.js';

/** Files are multiples of 64 bytes, and 16 bytes of checksum. */
const ALIGNMENT = 64;
const CHECKSUM = 16;

/** Magic number, and how many men and which flags. */
const HEAD = 5;

export function isSound(bytes: Uint8Array, kind: FileKind, material: Material): boolean {
  const { men, otherPawns } = material;
  if (bytes.length % ALIGNMENT !== CHECKSUM || bytes.length < ALIGNMENT) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC[kind] || view.getUint8(4) >> 4 !== men.length) return false;
  // The men follow the weights of one group or two; the upper halves are another subtable's.
  const first = HEAD + (otherPawns.length > 0 ? 2 : 1);
  const found = [...bytes.subarray(first, first + men.length)].map((code) => code & 15);
  if (found.sort().join() !== [...men].sort().join()) return false;
  const sum = cityCrc128(bytes.subarray(0, -CHECKSUM));
  return bytes.subarray(-CHECKSUM).every((byte, i) => byte === sum[i]);
}

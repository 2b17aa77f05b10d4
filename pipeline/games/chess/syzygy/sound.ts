/** Whether a file is a whole one of an ending: by magic number, men and checksum. */
import type { Store } from '../../../../operators/storage/store.js';
import { cityCrc128, newSummer } from './checksum/city-hash.js';
import { type FileKind, fileName, MAGIC } from './format.js';
import type { Material } from './material.js';

/** Files are multiples of 64 bytes, and 16 bytes of checksum. */
const ALIGNMENT = 64;
const CHECKSUM = 16;
/** Bytes read at once. */
const PIECE = 1 << 20;

/** Magic number, and how many men and which flags. */
const HEAD = 5;

/** The bytes of the file and whether it is whole; null if there is none. */
export async function checkFile(
  store: Store,
  kind: FileKind,
  material: Material,
): Promise<{ bytes: number; isSound: boolean } | null> {
  const name = fileName(material, kind);
  const bytes = await store.size(name);
  if (bytes === null) return null;
  if (bytes % ALIGNMENT !== CHECKSUM || bytes < ALIGNMENT) return { bytes, isSound: false };
  const sum = newSummer(bytes - CHECKSUM);
  const piece = new Uint8Array(Math.min(bytes, PIECE));
  for (let at = 0; at < bytes - CHECKSUM; ) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - CHECKSUM - at));
    await store.read(name, at, part);
    if (at === 0 && !isHeadOf(part, kind, material)) return { bytes, isSound: false };
    sum.add(part);
    at += part.length;
  }
  const last = new Uint8Array(CHECKSUM);
  await store.read(name, bytes - CHECKSUM, last);
  const right = sum.end();
  return { bytes, isSound: last.every((byte, i) => byte === right[i]) };
}

/** Whether these are the bytes of a whole file. */
export function isSound(bytes: Uint8Array, kind: FileKind, material: Material): boolean {
  if (bytes.length % ALIGNMENT !== CHECKSUM || bytes.length < ALIGNMENT) return false;
  if (!isHeadOf(bytes, kind, material)) return false;
  const sum = cityCrc128(bytes.subarray(0, -CHECKSUM));
  return bytes.subarray(-CHECKSUM).every((byte, i) => byte === sum[i]);
}

function isHeadOf(bytes: Uint8Array, kind: FileKind, { men, otherPawns }: Material): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC[kind] || view.getUint8(4) >> 4 !== men.length) return false;
  // The men follow the weights of one group or two; the upper halves are another subtable's.
  const first = HEAD + (otherPawns.length > 0 ? 2 : 1);
  const found = [...bytes.subarray(first, first + men.length)].map((code) => code & 15);
  return found.sort().join() === [...men].sort().join();
}

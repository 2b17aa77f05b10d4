/**
 * The CRC-32 of each KiB of a file, as an object beside it: KQvKR.rtbz.crc32. A page in a browser reads a few KiB of a file from a plain file
 * server, and need not load all of it to check what it reads. Numbers are little-endian of 32 bits; the last is the CRC-32 of those
 * before. Small files have none, because they are read whole.
 */
import { crc32 } from '../../../../../operators/core/checksum.js';
import { DamageError } from '../../../../../operators/core/errors.js';
import { objectName } from '../../../../../operators/storage/object-names.js';
import { readAll, readSoundly, type Store } from '../../../../../operators/storage/store.js';
import { type FileKind, fileName, SUMMED_ABOVE, SUMMED_BYTES } from '../format.js';
import type { Material } from '../material.js';
import { readHead } from './head.js';
import { type CheckOptions, checkFile, type FileCheck } from './sound.js';

/** Most files have their head within this many bytes. */
const USUAL_HEAD = 1 << 14;

const sumsName = (name: string): string => `${name}.crc32`;

/** Writes the sums of a sound file beside it, in place of others; returns the name of the object, or null for a small file. */
export async function putPageSums(store: Store, kind: FileKind, material: Material): Promise<string | null> {
  const found = await checkFile(store, kind, material, { pageBytes: () => SUMMED_BYTES });
  if (found === null || found.bytes <= SUMMED_ABOVE) return null;
  if (!found.isSound) throw found.damage;
  const name = sumsName(fileName(material, kind));
  const bytes = bytesOf([...found.sums]);
  const there = await readAll(store, name);
  if (there?.length === bytes.length && there.every((byte, i) => byte === bytes[i])) return name;
  if (there !== null) await store.delete(name);
  await store.putIfAbsent(name, bytes);
  return name;
}

function bytesOf(sums: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * sums.length + 4);
  const view = new DataView(bytes.buffer);
  for (const [page, sum] of sums.entries()) view.setUint32(4 * page, sum, true);
  view.setUint32(4 * sums.length, crc32(bytes.subarray(0, -4)), true);
  return bytes;
}

/** Like {@link checkFile}. If there are sums beside the file, only its head is read, and its pages are compared with the sums later. */
export async function checkBySums(
  store: Store,
  kind: FileKind,
  material: Material,
  options: CheckOptions,
): Promise<FileCheck | null> {
  const name = options.name ?? fileName(material, kind);
  const bytes = await store.size(name);
  if (bytes === null) return null;
  const pageBytes = options.pageBytes?.(bytes);
  if (pageBytes !== SUMMED_BYTES) return checkFile(store, kind, material, options);
  const sums = await readSums(store, sumsName(name), Math.ceil(bytes / SUMMED_BYTES));
  if (sums === null) return checkFile(store, kind, material, options);
  const object = objectName(store, name);
  return readSoundly(store, name, async () => {
    for (let length = USUAL_HEAD; ; length *= 4) {
      const head = new Uint8Array(Math.min(length, bytes));
      await store.read(name, 0, head);
      for (let at = 0; at < head.length; at += SUMMED_BYTES)
        if (crc32(head.subarray(at, at + SUMMED_BYTES)) !== sums[at / SUMMED_BYTES])
          throw new DamageError(object, 'does not match the checksums beside it');
      const subtables = readHead(head, { kind, material, size: bytes, object });
      if (subtables === null) continue;
      options.take?.(0, head);
      return { isSound: true, bytes, subtables, pageBytes, sums };
    }
  });
}

/** Null if there are none. */
function readSums(store: Store, name: string, pages: number): Promise<Uint32Array | null> {
  return readSoundly(store, name, async () => {
    const bytes = await readAll(store, name);
    if (bytes === null) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isWhole =
      bytes.length === 4 * pages + 4 && view.getUint32(4 * pages, true) === crc32(bytes.subarray(0, -4));
    if (!isWhole) throw new DamageError(objectName(store, name), 'does not match its checksum');
    return Uint32Array.from({ length: pages }, (_, page) => view.getUint32(4 * page, true));
  });
}

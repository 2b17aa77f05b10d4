/**
 * Checks that a file is complete and belongs to an ending, by its head and the checksum over all of its bytes. A process reads a file
 * through once for that, and again after it was replaced or written to. The check records the CRC-32 of each page, so that later reads
 * of single pages can be compared with what was checked: if a disk loses bits afterwards, or a program writes into the file, that is
 * noticed without reading the rest again. Memory: four bytes for each page of a file, 256 KiB for a file of a gigabyte.
 */
import { crc32 } from '../../../../../operators/core/checksum.js';
import { DamageError } from '../../../../../operators/core/errors.js';
import { objectName } from '../../../../../operators/storage/object-names.js';
import { readSoundly, type Store, stateOf } from '../../../../../operators/storage/store.js';
import { newSummer } from '../checksum/city-hash.js';
import { CHECKSUM_BYTES, type FileKind, fileName } from '../format.js';
import type { Material } from '../material.js';
import { readHead, type StoredSubtables } from './head.js';

/** Bytes read at once: more than any head, and a multiple of all sizes of pages but that of a small file, which is one page. */
const PIECE = 1 << 20;
/** Bytes of a page, unless the caller has others. */
export const PAGE = 1 << 14;

/** What the check of a file found. */
export type FileCheck = SoundFile | RefusedFile;

export interface SoundFile {
  readonly isSound: true;
  readonly bytes: number;
  readonly subtables: StoredSubtables;
  /** Bytes of a page; the last one may have fewer. */
  readonly pageBytes: number;
  /** CRC-32 of each page. */
  readonly sums: Uint32Array;
}

interface RefusedFile {
  readonly isSound: false;
  readonly bytes: number;
  readonly damage: DamageError;
}

export interface CheckOptions {
  /** The name of the object, where it is not that of the ending. */
  readonly name?: string;
  /** Bytes of a page, by bytes of the file: a divisor of 1 MiB, or the size of a file of at most 1 MiB. */
  readonly pageBytes?: (bytes: number) => number;
  /** Takes the bytes as they are read, in order, if the file was not checked before; they are valid until it returns. */
  readonly take?: (offset: number, bytes: Uint8Array) => void;
}

/** The checks of this process, by place, name and size of pages, each with the version of the file that was checked. */
const checks = new Map<string, { readonly version: string; readonly found: Promise<FileCheck> }>();

/**
 * Checks a file, unless this process has done so since it last changed: the CPU time of a GB is given in docs/syzygy.md. Null if there
 * is none. Throws StorageError if it cannot be read; damage is part of what is returned.
 */
export async function checkFile(
  store: Store,
  kind: FileKind,
  material: Material,
  options: CheckOptions = {},
): Promise<FileCheck | null> {
  const name = options.name ?? fileName(material, kind);
  const state = await stateOf(store, name);
  if (state === null) return null;
  const { size: bytes, version } = state;
  const pageBytes = options.pageBytes?.(bytes) ?? PAGE;
  const key = keyOf(store, name, pageBytes);
  const known = checks.get(key);
  if (known?.version === version) return known.found;
  const check = { store, name, kind, material, bytes, pageBytes, take: options.take };
  const found = readSoundly(store, name, () => readThrough(check)).catch((error: unknown): FileCheck => {
    if (error instanceof DamageError) return { isSound: false, bytes, damage: error };
    checks.delete(key);
    throw error;
  });
  checks.set(key, { version, found });
  return found;
}

/** Forgets the result of a check after a later read returned other bytes: the next check reads the file through again. */
export function forgetCheck(store: Store, name: string, pageBytes: number): void {
  checks.delete(keyOf(store, name, pageBytes));
}

function keyOf(store: Store, name: string, pageBytes: number): string {
  return `${pageBytes} ${objectName(store, name)}`;
}

interface Check {
  readonly store: Store;
  readonly name: string;
  readonly kind: FileKind;
  readonly material: Material;
  readonly bytes: number;
  readonly pageBytes: number;
  readonly take: CheckOptions['take'];
}

/** Reads a file from its first byte to its last. Throws DamageError if it is not a complete file of its men, StorageError if it cannot be read. */
async function readThrough(check: Check): Promise<SoundFile> {
  const { store, name, kind, material, bytes, pageBytes, take } = check;
  const object = objectName(store, name);
  // While one piece is summed up the next is on its way, which over a network takes longer than the sum.
  const pieces = [0, 1].map(() => new Uint8Array(Math.min(bytes, PIECE)));
  const read = async (at: number): Promise<Uint8Array> => {
    const piece = pieces[(at / PIECE) & 1].subarray(0, Math.min(PIECE, bytes - at));
    await store.read(name, at, piece);
    return piece;
  };
  let piece = await read(0);
  // The head says more exactly what is wrong, and a file of other men need not be read to its end.
  const subtables = readHead(piece, { kind, material, size: bytes, object })!;
  const summed = bytes - CHECKSUM_BYTES;
  const sum = newSummer(summed);
  const sums = new Uint32Array(Math.ceil(bytes / pageBytes));
  const last = new Uint8Array(CHECKSUM_BYTES);
  for (let at = 0; ; ) {
    const end = at + piece.length;
    const next = end < bytes ? read(end) : null;
    // Its error is thrown where it is awaited.
    next?.catch(() => {});
    const own = Math.max(0, Math.min(piece.length, summed - at));
    sum.add(piece.subarray(0, own));
    last.set(piece.subarray(own), Math.max(0, at - summed));
    for (let from = 0; from < piece.length; from += pageBytes)
      sums[Math.floor((at + from) / pageBytes)] = crc32(piece.subarray(from, from + pageBytes));
    take?.(at, piece);
    if (next === null) break;
    await nextTurn();
    piece = await next;
    at = end;
  }
  const right = sum.end();
  if (!last.every((byte, i) => byte === right[i]))
    throw new DamageError(object, 'does not match its checksum');
  return { isSound: true, bytes, subtables, pageBytes, sums };
}

/** Yields to other tasks, which reads of local files do not. Browsers have only timers for that. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const immediately = (globalThis as { setImmediate?: (then: () => void) => unknown }).setImmediate;
    if (immediately === undefined) setTimeout(resolve, 0);
    else immediately(resolve);
  });
}

/** Syzygy's files as a static site has them: the same files, which are read by ranges. */
import { DamageError } from '../../operators/core/errors.js';
import { objectName } from '../../operators/storage/object-names.js';
import type { Store } from '../../operators/storage/store.js';
import { type FileKind, fileName } from '../../pipeline/games/chess/syzygy/format.js';
import type { Material } from '../../pipeline/games/chess/syzygy/material.js';
import { putPageSums } from '../../pipeline/games/chess/syzygy/read/page-sums.js';
import { checkFile } from '../../pipeline/games/chess/syzygy/read/sound.js';
import { copyObject } from './copy-object.js';

const CHECKSUM = 16;

/**
 * Copies both files of an ending, unless they are there, and puts beside the larger ones the sums by which the page checks what it reads.
 * @returns their names. @throws StorageError; DamageError if a file does not match its checksum.
 */
export async function copySyzygy(material: Material, from: Store, to: Store): Promise<string[]> {
  const names: string[] = [];
  for (const kind of ['wdl', 'dtz'] as const) {
    const name = fileName(material, kind);
    names.push(name);
    if (!(await isThere(material, kind, from, to))) {
      await copyObject(from, to, name, (await from.size(name))!);
      if ((await checkFile(to, kind, material))?.isSound !== true) {
        await to.delete(name);
        throw new DamageError(objectName(from, name), 'does not match its checksum');
      }
    }
    const sums = await putPageSums(to, kind, material);
    if (sums !== null) names.push(sums);
  }
  return names;
}

/** Whether `to` has a whole file with the checksum that the one of `from` has. */
async function isThere(material: Material, kind: FileKind, from: Store, to: Store): Promise<boolean> {
  const name = fileName(material, kind);
  const there = await checkFile(to, kind, material);
  if (there?.isSound !== true || there.bytes !== (await from.size(name))) return false;
  const [one, other] = [new Uint8Array(CHECKSUM), new Uint8Array(CHECKSUM)];
  await from.read(name, there.bytes - CHECKSUM, one);
  await to.read(name, there.bytes - CHECKSUM, other);
  return Buffer.compare(one, other) === 0;
}
